import type { Endpoint, Owner } from './endpoint.ts'
import type { Page } from './read-model.ts'

/** What a delivery has come to: `sending` during an attempt, `waiting` before one, `skipped` where its endpoint was off. */
export const deliveryStates = ['waiting', 'sending', 'delivered', 'failed', 'dead', 'skipped'] as const

/** What a delivery has come to. */
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an attempt has failed; a target that may not be reached reads as one that cannot be (`unreachable`). */
export const attemptFailures = [
  'status',
  'timeout',
  'refused',
  'reset',
  'dns',
  'tls',
  'unreachable',
  'protocol',
  'internal',
] as const

/** Why an attempt has failed. */
export type AttemptFailure = (typeof attemptFailures)[number]

/** One try to deliver. Instants are epoch milliseconds. */
export interface AttemptRecord {
  /** From 1. */
  readonly number: number
  readonly startedAt: number
  /** Milliseconds to the status line, or to the failure. */
  readonly duration: number
  /** The status of the answer; absent where none came. */
  readonly status?: number
  /** Absent where it was delivered. */
  readonly failure?: AttemptFailure
  /** The headers as they were sent, signatures cut short. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The beginning of the answer's body as text, at most 16 KiB. */
  readonly responseBody: string
  readonly isResponseCut: boolean
}

/** A delivery as the log lists it. Instants are epoch milliseconds. */
export interface DeliveryRecord {
  readonly id: string
  readonly owner: Owner
  readonly businessId: number
  readonly customerId?: number
  readonly endpointId: string
  readonly channel: string
  readonly field: string
  /** Without its query. */
  readonly url: string
  readonly event: string
  /** `X-Webhook-Event-Id`. */
  readonly eventId: string
  readonly subject: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: number
  /** Of the next attempt; absent where none is to come. */
  readonly nextAt?: number
  readonly isTest: boolean
  readonly isSandbox: boolean
  /** The delivery that this one sends again. */
  readonly redeliveryOf?: string
  /** Of the last attempt. */
  readonly lastStatus?: number
  readonly lastFailure?: AttemptFailure
}

/** A delivery with all that is known of it. */
export interface DeliveryDetail extends DeliveryRecord {
  /** The body as it was sent, UTF-8. */
  readonly body: string
  readonly contentType: string
  /** The last hundred attempts, oldest first. */
  readonly history: readonly AttemptRecord[]
}

/** Which deliveries are wanted: `businessId` always, the rest narrows. */
export interface DeliveryQuery {
  readonly businessId: number
  /** Only those to the webhooks of this customer; without it, those of the business and of all of its customers. */
  readonly customerId?: number
  readonly owner?: Owner
  readonly endpointId?: string
  readonly channel?: string
  readonly event?: string
  readonly state?: readonly DeliveryState[]
  readonly subject?: string
  /** Created from (inclusive) and until (exclusive), epoch milliseconds. */
  readonly since?: number
  readonly until?: number
}

/** The sending side, which is outside of the engine: it reaches other servers and keeps a database of its own. */
export interface Webhooks {
  /** Refuses a URL that nothing may be sent to, with `webhook_url_refused` and a `reason`; looks its name up. */
  checkUrl(url: string): Promise<void>
  /**
   * Asks a URL for an owner to echo a challenge (32 random bytes, once) within the deadline of an attempt, signed by
   * `secret` as what is sent there is. Refuses with `webhook_challenge_failed`, and with `too_many_sends` who asks too often.
   */
  challenge(owner: Owner, url: string, secret: string): Promise<void>
  /** Sends a test event at once, a single time, and answers what came of it; it stands in the log. */
  test(endpoint: Endpoint, notice: string): Promise<DeliveryDetail>
  /** The deliveries that a query finds, newest first. */
  page(query: DeliveryQuery, range: { readonly limit: number; readonly offset: number }): Promise<DeliveryPage>
  /** A delivery of a business; nothing where there is none. */
  find(businessId: number, id: string): Promise<DeliveryDetail | undefined>
  /** Sends a delivery again, as a new one; refuses with `delivery_under_way` where it is not at its end. */
  redeliver(businessId: number, id: string): Promise<DeliveryRecord | undefined>
  /**
   * Attempts a delivery that waits at once, and gives a dead one all its attempts again, under its own ids; refuses any
   * other with `delivery_not_retryable`.
   */
  retry(businessId: number, id: string): Promise<DeliveryRecord | undefined>
  /** Sends again what a query finds, oldest first and a few a second; answers how many are, and how many are left. */
  replay(query: DeliveryQuery, limit: number): Promise<{ readonly replayed: number; readonly left: number }>
}

/** Some of the deliveries that a query finds, and how many it finds. */
export type DeliveryPage = { readonly deliveries: readonly DeliveryRecord[] } & Pick<Page, 'total'>
