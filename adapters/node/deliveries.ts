import type {
  AttemptRecord,
  BodyFormat,
  Channel,
  DeliveryDetail,
  DeliveryPage,
  DeliveryQuery,
  DeliveryRecord,
  DeliveryState,
  Endpoint,
} from '../../engine/index.ts'

/** What CloudEvents and the native headers say of a delivery beside its body; the same at every attempt. */
export interface Envelope {
  /** The name of the notice, as `order.assigned`. */
  readonly event: string
  /** `X-Webhook-Event-Id`, `ce-id` and `webhook-id`; what the body calls `event_id` or `message_id` where it has one. */
  readonly eventId: string
  /** As `order/42`. */
  readonly subject: string
  /** ISO 8601, UTC. */
  readonly occurredAt: string
  readonly businessId: number
  readonly isTest: boolean
  readonly isSandbox: boolean
}

/** Puts a native body into a CloudEvent. */
export type Structured = (envelope: Envelope, native: Uint8Array) => Uint8Array

/** A delivery before it is kept. */
export interface NewDelivery extends Envelope {
  /** Derived from the announcement and the endpoint, so that both stand once however often they are told. At most 40 of `A-Z a-z 0-9 _ -`. */
  readonly id: string
  readonly endpoint: Pick<Endpoint, 'id' | 'owner' | 'channel' | 'field' | 'url' | 'customerId' | 'format' | 'standard'>
  /** What is sent, byte for byte, at every attempt: in `ce_structured` the whole CloudEvent. */
  readonly body: Uint8Array
  /** What the body of the notice itself is, which redeliveries are made of; the same as `body` but in `ce_structured`. */
  readonly native: Uint8Array
  /** Of the first attempt, epoch milliseconds. */
  readonly dueAt: number
  /** `skipped` where it is only kept so that it can be sent later, `sending` where whoever keeps it attempts it at once. */
  readonly state: 'waiting' | 'skipped' | 'sending'
  readonly redeliveryOf?: string
}

/** A delivery that is to be attempted now. */
export interface DueDelivery extends Envelope {
  readonly id: string
  readonly owner: string
  readonly endpointId: string
  readonly channel: Channel
  readonly url: string
  readonly format: BodyFormat
  readonly standard: boolean
  readonly body: Uint8Array
  /** Attempts made so far in this round; a dead one that is sent again begins a new round. */
  readonly attempts: number
  /** Of the attempt to come, counted over all rounds, from 1. */
  readonly attemptNumber: number
}

/** How far the notices have been made, by the last event they were made of. */
export interface Checkpoint {
  readonly position: string
  readonly stream: string
  readonly revision: number
  readonly id: string
}

/** Keeps what lies in a file from whoever can read the file alone. */
export interface Box {
  seal(bytes: Uint8Array): Uint8Array
  /** Throws where something was not sealed by the same secret, or was changed since. */
  open(bytes: Uint8Array): Uint8Array
  /** The same for the same bytes, and telling nothing of them to whoever has not the secret: 32 bytes. */
  name(bytes: Uint8Array): Uint8Array
}

/** When something was last told that is told once per interval. */
export interface Told {
  readonly endpointId: string
  readonly throttle: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** What came of an attempt, and what the delivery is by it. */
export interface Attempted {
  readonly id: string
  readonly attempt: AttemptRecord
  readonly state: Extract<DeliveryState, 'waiting' | 'delivered' | 'failed' | 'dead'>
  /** Of the next attempt, where it waits; epoch milliseconds. */
  readonly dueAt?: number
}

/** How many deliveries a node is still to send, and is sending. */
export interface QueueState {
  readonly waiting: number
  readonly inFlight: number
}

/** When an endpoint has something to be sent next; epoch milliseconds. */
export interface Turn {
  readonly endpointId: string
  readonly dueAt: number
}

/** What was claimed, and when the endpoint has something due next; nothing where nothing else of it waits. */
export interface Claim {
  readonly deliveries: readonly DueDelivery[]
  readonly nextAt?: number
}

/** Deliveries at their end that were not sent again yet; `total` counts those on other pages too, on the first alone. */
export interface Unsent {
  readonly deliveries: readonly Pick<DeliveryRecord, 'id' | 'owner' | 'endpointId'>[]
  readonly total?: number
}

/**
 * The dispatcher's own database. Whatever resolves is durable; writes of one turn of the event loop share a transaction.
 * Refuses with `store_unavailable` what may work later, as on a full disk. Instants are epoch milliseconds.
 */
export interface DeliveryBook {
  checkpoint(): Promise<Checkpoint | undefined>
  /**
   * Keeps what is not there yet, and the checkpoint as it is given, in one transaction; answers what was not there yet,
   * whose endpoints the dispatcher is to be woken for. Of the subjects that are forgotten, all that was kept before is
   * thrown away but that it was sent: bodies, and what receivers answered; what waits of them is not sent.
   */
  take(
    deliveries: readonly NewDelivery[],
    checkpoint: Checkpoint,
    told: readonly Told[],
    forgotten?: readonly string[],
  ): Promise<readonly NewDelivery[]>
  /**
   * Keeps deliveries beside the flow of events: tests, redeliveries. Answers what was not there yet; of what was forgotten
   * meanwhile nothing is kept.
   */
  add(deliveries: readonly NewDelivery[]): Promise<readonly NewDelivery[]>
  /** When this was last told. */
  lastTold(endpointId: string, throttle: string): Promise<number | undefined>
  /** What was under way when the process ended waits again, but tests have failed; called before all others of a run. */
  recover(): Promise<void>
  /**
   * Up to `limit` deliveries of an endpoint that are due, earliest first, which are then `sending`. What was forgotten is
   * skipped, and what cannot be opened has failed.
   */
  claim(endpointId: string, now: number, limit: number): Promise<Claim>
  /** The endpoints that have something waiting, each with its earliest. */
  agenda(): Promise<readonly Turn[]>
  /** How many deliveries wait. */
  waiting(): Promise<number>
  /**
   * Records an attempt and what the delivery is by it; nothing where it is not `sending`, or that attempt was recorded
   * already. What was forgotten meanwhile is skipped in the place of waiting.
   */
  record(attempted: Attempted): Promise<void>
  /** Deliveries that were claimed are not sent, as their endpoint is off. */
  skip(ids: readonly string[]): Promise<void>
  /** Deliveries that were claimed and not attempted wait again. */
  release(ids: readonly string[]): Promise<void>
  page(query: DeliveryQuery, range: { readonly limit: number; readonly offset: number }): Promise<DeliveryPage>
  find(businessId: number, id: string): Promise<DeliveryDetail | undefined>
  /** What a redelivery is made of; nothing where there is none of this id in this business. */
  original(businessId: number, id: string): Promise<Original | undefined>
  /** What a query finds that is at its end, no test, and was not sent again yet: oldest first, from after a delivery on. */
  unsent(query: DeliveryQuery, limit: number, after?: string): Promise<Unsent>
  /** Makes a delivery that waits due now, and a dead one too, with all its attempts again; answers whether it was either. */
  revive(businessId: number, id: string, now: number): Promise<boolean>
  /**
   * Deletes up to `limit` deliveries created before an instant that are at their end, with their attempts and with bodies
   * that no other has; answers how many. Nothing is remembered either of what was last told before that.
   */
  purge(before: number, limit: number): Promise<number>
  close(): Promise<void>
}

/** A delivery as it was made, and what it has come to. */
export type Original = Omit<NewDelivery, 'state'> & Pick<DeliveryRecord, 'state'>

/** What is sent at one attempt. */
export interface Outgoing {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What came of sending: `number` and the request headers are the dispatcher's to add. */
export type Outcome = Omit<AttemptRecord, 'number' | 'requestHeaders'> & {
  /** What `Retry-After` asks for, in milliseconds from now; absent where it says nothing that can be used. */
  readonly retryAfter?: number
}

/** What sends requests to receivers, within the bounds of security. */
export interface Sender {
  /** Refuses a URL that nothing may be sent to, with `webhook_url_refused`. */
  admit(url: string): Promise<void>
  /** Sends once, within 3 seconds; never throws. */
  send(outgoing: Outgoing): Promise<Outcome>
  /** `Webhooks.challenge`. */
  challenge(url: string, secret: string): Promise<void>
  close(): Promise<void>
}
