import type {
  AttemptFailure,
  AttemptRecord,
  BodyFormat,
  CustomHeader,
  DeliveryChannel,
  DeliveryDetail,
  DeliveryPage,
  DeliveryQuery,
  DeliveryRange,
  DeliveryRecord,
  DeliveryState,
  Endpoint,
  Webhooks,
} from '../../engine/index.ts'

/** The metadata of a delivery, sent in the native headers and CloudEvents attributes; the same at every attempt. */
export interface Envelope {
  /** The webhook event type, such as `order.assigned`. */
  readonly event: string
  /**
   * Sent as `X-Webhook-Event-Id`, `ce-id` and `webhook-id`, and in bodies that have it as `event_id` or `message_id`.
   */
  readonly eventId: string
  /** Such as `order/42`. */
  readonly subject: string
  /** ISO 8601, UTC. */
  readonly occurredAt: string
  readonly businessId: number
  readonly isTest: boolean
  readonly isSandbox: boolean
  /**
   * Orders the events of a subject: a later one has a text that sorts after it, as `X-Webhook-Sequence` and the
   * CloudEvents attribute `sequence`. The position of the recorded event; absent for tests.
   */
  readonly sequence?: string
}

/** Wraps a native body in a CloudEvent. */
export type Structured = (envelope: Envelope, native: Uint8Array) => Uint8Array

/** A delivery that is not saved yet. */
export interface NewDelivery extends Envelope {
  /**
   * Derived from the event and the endpoint, so a repeated event saves it once. At most 40 characters of `A-Z a-z 0-9 _
   * -`.
   */
  readonly id: string
  readonly endpoint: Pick<
    Endpoint,
    'id' | 'owner' | 'channel' | 'field' | 'url' | 'customerId' | 'format' | 'standard' | 'isInOrder'
  >
  /** The bytes that every attempt sends; the whole CloudEvent in `ce_structured`. */
  readonly body: Uint8Array
  /** The native body, from which redeliveries are made. Differs from `body` only in `ce_structured`. */
  readonly native: Uint8Array
  /** Due time of the first attempt, in epoch milliseconds. */
  readonly dueAt: number
  /** Epoch milliseconds of the event that it follows from; the time at which it is saved if absent. */
  readonly createdAt?: number
  /** `skipped` if it is saved only to be sent later; `sending` if the caller sends it at once. */
  readonly state: 'waiting' | 'skipped' | 'sending'
  readonly redeliveryOf?: string
}

/** A delivery whose attempt is due. */
export interface DueDelivery extends Envelope {
  readonly id: string
  readonly owner: string
  readonly endpointId: string
  readonly channel: DeliveryChannel
  readonly url: string
  readonly format: BodyFormat
  readonly standard: boolean
  /** Whether others about the same subject may wait for its end. */
  readonly isInOrder: boolean
  readonly body: Uint8Array
  /** Attempts so far in this round; sending a dead delivery again starts a new round. */
  readonly attempts: number
  /** Number of the next attempt over all rounds, from 1. */
  readonly attemptNumber: number
}

/** The last event whose deliveries were saved. */
export interface Checkpoint {
  readonly position: string
  readonly stream: string
  readonly revision: number
  readonly id: string
}

/** Encrypts data in a file, so that reading the file reveals nothing. */
export interface Sealer {
  seal(bytes: Uint8Array): Uint8Array
  /** Throws if the data was sealed with another secret or was changed since. */
  open(bytes: Uint8Array): Uint8Array
  /** A keyed hash of 32 bytes: equal for equal input, and meaningless without the secret. */
  name(bytes: Uint8Array): Uint8Array
}

/** The last notification of an endpoint under a throttle that allows one per interval. */
export interface ThrottleMark {
  readonly endpointId: string
  readonly throttle: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** An attempt and the state of the delivery after it. */
export interface AttemptResult {
  readonly id: string
  readonly attempt: AttemptRecord
  readonly state: Extract<DeliveryState, 'waiting' | 'delivered' | 'failed' | 'dead'>
  /** Due time of the next attempt if the delivery waits; epoch milliseconds. */
  readonly dueAt?: number
  /** Attempts before this one that the schedule of retries does not count, if the repository may not know of them. */
  readonly earlier?: number
}

/** An attempt without what only the node that made it keeps: headers and the answer. */
export type CopiedAttempt = Omit<AttemptRecord, 'requestHeaders' | 'responseHeaders' | 'responseBody' | 'isResponseCut'>

/** What another node did with its copy of the deliveries, and that does not follow from the events of the store. */
export type DeliveryChange =
  | (Omit<AttemptResult, 'attempt'> & { readonly kind: 'attempt'; readonly attempt: CopiedAttempt })
  | { readonly kind: 'skip'; readonly id: string }
  | { readonly kind: 'retry'; readonly businessId: number; readonly id: string; readonly at: number }
  | { readonly kind: 'add'; readonly delivery: NewDelivery }
  | { readonly kind: 'acknowledge'; readonly endpointId: string; readonly through: string }

/** How many deliveries of a node wait and are in flight. */
export interface QueueState {
  readonly waiting: number
  readonly inFlight: number
}

/** The next deliveries of a queue. */
export interface QueuePage {
  /** In order; without those whose contents cannot be read. */
  readonly deliveries: readonly (DueDelivery & Pick<Endpoint, 'field'>)[]
  /** The id of the last one that was looked at; absent if there was none. */
  readonly last?: string
  readonly hasMore: boolean
}

/** When the next delivery of an endpoint is due; epoch milliseconds. */
export interface EndpointDueTime {
  readonly endpointId: string
  readonly dueAt: number
}

/** Claimed deliveries, and when the endpoint has the next one due; absent if none waits. */
export interface Claim {
  readonly deliveries: readonly DueDelivery[]
  readonly nextAt?: number
}

/** Finished deliveries that were not sent again yet. `total` covers all pages and is present on the first page only. */
export interface RedeliverablePage {
  readonly deliveries: readonly Pick<DeliveryRecord, 'id' | 'owner' | 'endpointId'>[]
  readonly total?: number
}

/** An endpoint that has begun to fail, goes on failing or has recovered. Instants are epoch milliseconds. */
export interface HealthNotice {
  readonly endpointId: string
  readonly owner: string
  /** The last attempt. */
  readonly at: number
  readonly isFailing: boolean
  readonly failingSince?: number
  readonly status?: number
  readonly failure?: AttemptFailure
}

/**
 * The database of the dispatcher. When a call resolves, its changes are durable; writes of one turn of the event loop
 * share a transaction. Throws `store_unavailable` for errors that may pass, such as a full disk. Instants are epoch
 * milliseconds.
 */
export interface DeliveryRepository extends Pick<Webhooks, 'queueProgress' | 'health' | 'backlog'> {
  checkpoint(): Promise<Checkpoint | undefined>
  /** Notes the position after which a new database makes deliveries, unless it has a checkpoint; returns the one that it has. */
  begin(position: string): Promise<Checkpoint>
  /**
   * Saves new deliveries and the checkpoint in one transaction; returns the deliveries that were not saved before, for
   * whose endpoints the dispatcher must be woken. Erases the bodies and responses of earlier deliveries about
   * `forgotten` subjects; those that wait are not sent.
   */
  save(
    deliveries: readonly NewDelivery[],
    checkpoint: Checkpoint,
    told: readonly ThrottleMark[],
    forgotten?: readonly string[],
  ): Promise<readonly NewDelivery[]>
  /**
   * Saves deliveries that do not come from the event flow: tests and redeliveries. Returns those that were not saved
   * before. Deliveries about subjects that were erased meanwhile are not saved.
   */
  add(deliveries: readonly NewDelivery[]): Promise<readonly NewDelivery[]>
  /** Time of the last notification of an endpoint under a throttle. */
  lastNotifiedAt(endpointId: string, throttle: string): Promise<number | undefined>
  /**
   * Puts deliveries that were in flight when the process ended back to waiting, and fails tests. Must be called before
   * all other calls of a run. After a loss, what may have been in flight, by the limits on attempts, counts as attempted:
   * the next attempt has the number and the id after it.
   */
  recover(loss?: { readonly now: number; readonly inFlight: number }): Promise<void>
  /** The number of the next record of the journal to copy. */
  nextCopied(): Promise<number>
  /** Makes the changes of other nodes in one transaction with the number of the next record; repeated ones change nothing. */
  copy(changes: readonly DeliveryChange[], next: number): Promise<void>
  /**
   * Takes the place of the one process that copies into this database, and returns what gives it back; undefined if another
   * one has it. A process that ends gives it back.
   */
  takePlace(): Promise<(() => void) | undefined>
  /**
   * Claims up to `limit` due deliveries of an endpoint, earliest first; their state becomes `sending`. Erased
   * deliveries are skipped, and those that cannot be decrypted fail.
   */
  claim(endpointId: string, now: number, limit: number): Promise<Claim>
  /** The endpoints with waiting deliveries, each with its earliest due time. */
  nextDueTimes(): Promise<readonly EndpointDueTime[]>
  /** Number of waiting deliveries. */
  countWaiting(): Promise<number>
  /**
   * Records an attempt and the new state of its delivery. Does nothing if the delivery is not `sending` or the attempt
   * was recorded already. A delivery that was erased meanwhile is skipped instead of waiting.
   */
  record(attempted: AttemptResult): Promise<void>
  /**
   * Up to `limit` deliveries of a queue after one, in the order in which they were saved; from the first that was not
   * acknowledged if absent. Deliveries of a queue are `waiting` until they are acknowledged.
   */
  queued(endpointId: string, limit: number, after?: string): Promise<QueuePage>
  /**
   * Acknowledges the deliveries of a queue up to one; returns how many were not acknowledged before, and undefined if there
   * is no such delivery.
   */
  acknowledge(endpointId: string, through: string): Promise<number | undefined>
  /** Skips claimed deliveries: their endpoint is off. */
  skip(ids: readonly string[]): Promise<void>
  /** Puts claimed deliveries without an attempt back to waiting. */
  release(ids: readonly string[]): Promise<void>
  /** Up to `limit` endpoints whose health has changed or is to be looked at again. */
  notices(limit: number): Promise<readonly HealthNotice[]>
  /** Ends a notice, unless there is more to tell of its endpoint since. */
  reviewed(notice: HealthNotice): Promise<void>
  page(query: DeliveryQuery, range: DeliveryRange): Promise<DeliveryPage>
  find(businessId: number, id: string): Promise<DeliveryDetail | undefined>
  /** The business of a delivery, if it exists. */
  businessOf(id: string): Promise<number | undefined>
  /** The source of a redelivery; `undefined` if the business has no such delivery. */
  original(businessId: number, id: string): Promise<OriginalDelivery | undefined>
  /** Deliveries of a query that are finished, not tests and not sent again yet, oldest first, after a delivery. */
  redeliverable(query: DeliveryQuery, limit: number, after?: string): Promise<RedeliverablePage>
  /** Makes a waiting delivery due now, or a dead one with all its attempts again; returns whether it was either. */
  retryNow(businessId: number, id: string, now: number): Promise<boolean>
  /**
   * Deletes up to `limit` finished deliveries created before an instant, with their attempts and unshared bodies, and
   * older throttle marks; returns the number of deliveries.
   */
  purge(before: number, limit: number): Promise<number>
  close(): Promise<void>
}

/** A delivery as it was created, and its current state. */
export type OriginalDelivery = Omit<NewDelivery, 'state'> & Pick<DeliveryRecord, 'state'>

/** The request of an attempt; it is a POST without a method. */
export interface Outgoing {
  readonly url: string
  readonly method?: 'GET'
  readonly headers: Readonly<Record<string, string>>
  /** Headers of the owner of the URL; they are sent, and never logged. */
  readonly extra?: readonly CustomHeader[] | undefined
  readonly body: Uint8Array
  /** Whether the outcome depends on the body of the response, so that the whole time is for it. */
  readonly isAnswerRead?: true
  /** Called once as soon as the outcome is a success, even if the body of the response is still to come. */
  readonly answered?: () => void
}

/** The result of sending; the dispatcher adds `number` and the request headers. */
export type Outcome = Omit<AttemptRecord, 'number' | 'requestHeaders'> & {
  /** Milliseconds from now that `Retry-After` asks for; absent if it gives no usable value. */
  readonly retryAfter?: number
}

/** Sends requests to receivers, under the rules that protect the network of the server. */
export interface Sender {
  /** Throws `webhook_url_refused` for a URL that must not be called. */
  checkUrl(url: string): Promise<void>
  /** Sends once, within 3 seconds; never throws. */
  send(outgoing: Outgoing): Promise<Outcome>
  /** `Webhooks.challenge`. */
  challenge(url: string, secret: string, headers?: readonly CustomHeader[]): Promise<void>
  close(): Promise<void>
}
