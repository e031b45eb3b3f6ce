import type { CustomHeader } from './custom-headers.ts'
import type { Endpoint, Owner } from './endpoint.ts'
import type { Page } from './read-model.ts'

/** The HTTP status by which a receiver says that it wants no more (Standard Webhooks). */
export const goneStatus = 410

/** State of a delivery: `sending` during an attempt, `waiting` before one, `skipped` if its endpoint was disabled. */
export const deliveryStates = ['waiting', 'sending', 'delivered', 'failed', 'dead', 'skipped'] as const

/** State of a delivery. */
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an attempt failed. A forbidden target is reported like an unreachable one (`unreachable`). */
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

/** Why an attempt failed. */
export type AttemptFailure = (typeof attemptFailures)[number]

/**
 * What an attempt does, in order: it waits in this server for its turn, looks up the name, connects, agrees on TLS, sends the
 * request and waits for the first byte of the answer, and reads the answer.
 */
export const attemptPhases = ['queue', 'dns', 'connect', 'tls', 'wait', 'read'] as const

/** A phase of an attempt. */
export type AttemptPhase = (typeof attemptPhases)[number]

/** Whole milliseconds in each phase that there was; a phase that comes twice, on a second connection, has the sum. */
export type PhaseTimes = Readonly<Partial<Record<AttemptPhase, number>>>

/** Whether the request was sent over a connection that an earlier attempt had opened. */
export function isReused({ connect, wait }: PhaseTimes): boolean {
  return wait !== undefined && connect === undefined
}

/** One attempt to deliver. Instants are epoch milliseconds. */
export interface AttemptRecord {
  /** From 1. */
  readonly number: number
  readonly startedAt: number
  /** Milliseconds until the status line or the failure. */
  readonly duration: number
  /** HTTP status of the response; absent if there was none. */
  readonly status?: number
  /** Absent if it was delivered. */
  readonly failure?: AttemptFailure
  /** The phase in which it failed; absent if it was delivered, or if the status is the failure. */
  readonly failedPhase?: AttemptPhase
  /** Absent if nothing was sent or tried, and for attempts of versions that did not measure them. */
  readonly phases?: PhaseTimes
  /** The request headers as sent, with shortened signatures. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The beginning of the response body as text, at most 16 KiB. */
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
  /** Without its query string. */
  readonly url: string
  /** The name of the endpoint now, if it has one. */
  readonly urlName?: string
  readonly event: string
  /** `X-Webhook-Event-Id`. */
  readonly eventId: string
  readonly subject: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: number
  /** Time of the next attempt; absent if there is none. */
  readonly nextAt?: number
  readonly isTest: boolean
  readonly isSandbox: boolean
  /** The delivery that this one sends again. */
  readonly redeliveryOf?: string
  /** Status of the last attempt. */
  readonly lastStatus?: number
  readonly lastFailure?: AttemptFailure
  readonly lastFailedPhase?: AttemptPhase
  readonly lastPhases?: PhaseTimes
}

/** A delivery with its body and attempts. */
export interface DeliveryDetail extends DeliveryRecord {
  /** The body as sent, UTF-8. */
  readonly body: string
  readonly contentType: string
  /** The last hundred attempts, oldest first. */
  readonly history: readonly AttemptRecord[]
}

/** Selects deliveries: `businessId` is required, the other members narrow the selection. */
export interface DeliveryQuery {
  readonly businessId: number
  /** Only deliveries to this customer's webhooks; if absent, those of the business and all its customers. */
  readonly customerId?: number
  readonly owner?: Owner
  readonly endpointId?: string
  readonly channel?: string
  readonly event?: string
  readonly eventId?: string
  /** Part of the URL of the endpoint. */
  readonly url?: string
  /** HTTP status of the last attempt. */
  readonly status?: number
  /** Why the last attempt failed. */
  readonly failure?: AttemptFailure
  readonly state?: readonly DeliveryState[]
  /** Only these deliveries. */
  readonly ids?: readonly string[]
  readonly subject?: string
  /** Text in the body, whatever its case. Each body has to be opened, so a page covers a bounded part of the log. */
  readonly text?: string
  /** Created from `since` (inclusive) to `until` (exclusive), in epoch milliseconds. */
  readonly since?: number
  readonly until?: number
}

/** The milliseconds up to which the latencies of attempts are counted together; further ones are counted as slower. */
export const latencyBounds = [10, 25, 50, 100, 250, 500, 1000] as const

/** How the attempts of a period ended. */
export interface HealthPeriod {
  readonly failed: number
  /** Delivered attempts by step of `latencyBounds`, and those that took longer. */
  readonly latencies: readonly number[]
}

/** How well an endpoint receives. Instants are epoch milliseconds. */
export interface EndpointHealth {
  /** Whether it has failed for so long that somebody is notified. */
  readonly isFailing: boolean
  /** The first failed attempt since the last one that was delivered; absent if the last one was. */
  readonly failingSince?: number
  readonly lastAt: number
  /** Milliseconds. */
  readonly lastDuration: number
  readonly lastStatus?: number
  readonly lastFailure?: AttemptFailure
  /** The last hour, day and week, to ten minutes. */
  readonly hour: HealthPeriod
  readonly day: HealthPeriod
  readonly week: HealthPeriod
  /** The hours of the last week with an attempt, oldest first. */
  readonly hours: readonly (HealthPeriod & { readonly start: number })[]
}

/** A webhook event as its receiver reads it from a queue. */
export interface PulledEvent {
  readonly deliveryId: string
  readonly event: string
  /** The headers of a request with it, signed at this moment. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the request, UTF-8. */
  readonly body: string
}

/** What is read of a queue at once. */
interface PullRange {
  /** Up to where the receiver has processed the queue; absent to begin with what was not acknowledged. */
  readonly cursor?: string
  readonly limit: number
  /** Milliseconds to wait for an event if there is none. */
  readonly wait: number
  /** Ends the waiting. */
  readonly gone?: AbortSignal | undefined
}

/** How far a queue has been read. */
export interface QueueProgress {
  /** The events that were not acknowledged yet. */
  readonly waiting: number
  /** When the oldest of them came; epoch milliseconds. */
  readonly waitingSince?: number
  /** The last cursor that was acknowledged; absent if there was none in 90 days. */
  readonly cursor?: string
}

/** What is still to be sent to an endpoint. */
export interface Backlog {
  /** As many as wait, or as were counted. */
  readonly waiting: number
  /** Whether more wait than were counted. */
  readonly isMore: boolean
  /** When the oldest of them was made; epoch milliseconds, absent if nothing waits. */
  readonly since?: number
}

/** Events of a queue in order. */
interface PulledPage {
  readonly events: readonly PulledEvent[]
  /** Acknowledges these events; absent if there never was one. */
  readonly cursor?: string
  readonly hasMore: boolean
}

/** The sending side of webhooks, outside the engine: it calls other servers and has its own database. */
export interface Webhooks {
  /** Resolves the host of a URL. Refuses a forbidden target with `webhook_url_refused` and a `reason`. */
  checkUrl(url: string): Promise<void>
  /**
   * Asks a URL to echo a challenge (32 random bytes, used once) within the deadline of an attempt, signed with
   * `secret` like other requests. Refuses with `webhook_challenge_failed`, or with `too_many_sends` if the owner asks
   * too often.
   */
  challenge(owner: Owner, url: string, secret: string, headers?: readonly CustomHeader[]): Promise<void>
  /** Whether this server can send e-mails about the health of endpoints. */
  readonly sendsMail: boolean
  /** The public key of a signing secret, `whpk_` and base64: it verifies what the ed25519 key of the secret signs. */
  publicKey(secret: string): string
  /** Sends a test event once and immediately. Returns the logged delivery. */
  test(endpoint: Endpoint, eventType: string): Promise<DeliveryDetail>
  /** The matching deliveries, newest first. */
  page(query: DeliveryQuery, range: DeliveryRange): Promise<DeliveryPage>
  /** How well an endpoint receives; undefined if nothing was sent to it yet. */
  health(endpointId: string): Promise<EndpointHealth | undefined>
  /** What waits to be sent to an endpoint; of many, the first thousand that are due are counted. */
  backlog(endpointId: string): Promise<Backlog>
  /** A delivery of a business, if it exists. */
  find(businessId: number, id: string): Promise<DeliveryDetail | undefined>
  /** Sends a delivery again as a new one; refuses an unfinished one with `delivery_under_way`. */
  redeliver(businessId: number, id: string): Promise<DeliveryRecord | undefined>
  /**
   * Attempts a waiting delivery at once, or restarts all attempts of a dead one, with the same ids. Refuses any other
   * with `delivery_not_retryable`.
   */
  retry(businessId: number, id: string): Promise<DeliveryRecord | undefined>
  /**
   * Sends the matching deliveries again, oldest first and a few each second. Returns how many are sent again, and how
   * many are left.
   */
  replay(query: DeliveryQuery, limit: number): Promise<{ readonly replayed: number; readonly left: number }>
  /**
   * Acknowledges the events of a queue up to a cursor, and reads those after it. The endpoints are those of one queue, one
   * for each field. Refuses with `webhook_cursor_unknown` a cursor of events that are no longer kept.
   */
  pull(endpoints: readonly [Endpoint, ...Endpoint[]], range: PullRange): Promise<PulledPage>
  /** How far a queue has been read, by the id of its endpoint. */
  queueProgress(endpointId: string): Promise<QueueProgress>
}

/** A part of the matching deliveries, newest first: by its place, or what follows the cursor of the page before. */
export interface DeliveryRange {
  readonly limit: number
  readonly offset: number
  readonly cursor?: string
}

/** A page of the matching deliveries; `next` is the cursor of the page after it, if there is one. */
export type DeliveryPage = {
  readonly deliveries: readonly DeliveryRecord[]
  readonly next?: string
  /** The number of all matching ones. Absent with a cursor or a text, because counting reads all of them. */
  readonly total?: Page['total']
  /** With a text: how many deliveries this page has looked at, and when the last one was created (epoch milliseconds). */
  readonly searched?: { readonly deliveries: number; readonly backTo?: number }
}
