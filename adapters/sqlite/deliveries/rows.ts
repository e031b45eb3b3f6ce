import type {
  AttemptFailure,
  AttemptRecord,
  BodyFormat,
  DeliveryChannel,
  DeliveryDetail,
  DeliveryRecord,
  DeliveryState,
  Endpoint,
} from '../../../engine/index.ts'
import type { DueDelivery, OriginalDelivery, Sealer } from '../../node/deliveries.ts'
import type { AttemptRow } from './attempts.ts'
import { emptyBody } from './erase.ts'
import { unpackHeaders } from './headers.ts'
import { pulled } from './open.ts'
import { asLast, type LastPhases, phasesIn } from './phases.ts'

const decoder = new TextDecoder()

/** A row of `deliveries`, with its sealed URL and whether it is claimed. */
export interface DeliveryRow {
  readonly number: number
  readonly id: string
  readonly state: DeliveryState
  readonly due: number
  readonly attempts: number
  readonly earlier: number
  readonly last_status: number | null
  readonly last_failure: AttemptFailure | null
  readonly created: number
  readonly body: number
  readonly endpoint: string
  readonly owner: string
  readonly business: number
  readonly customer: number | null
  readonly channel: DeliveryChannel
  readonly field: Endpoint['field']
  readonly url: Uint8Array
  readonly format: BodyFormat
  readonly standard: number
  readonly event: string
  readonly event_id: string
  readonly subject: string
  readonly occurred_at: string
  readonly is_test: number
  readonly is_sandbox: number
  readonly redelivery_of: string | null
  readonly sequence: string | null
  readonly in_order: number
  readonly is_claimed: number
}

/** What a claim reads of a row whose delivery is in memory. */
export type ClaimRow = Pick<DeliveryRow, 'number' | 'id' | 'body' | 'attempts' | 'earlier'>

/** The columns that an attempt needs; few, because they are read for every attempt. */
export const dueColumns = [
  ...(['number', 'id', 'attempts', 'earlier', 'endpoint', 'owner', 'business', 'channel', 'url', 'format'] as const),
  ...(['standard', 'event', 'event_id', 'subject', 'occurred_at', 'is_test', 'is_sandbox'] as const),
  ...(['sequence', 'in_order'] as const),
] as const satisfies readonly (keyof DeliveryRow)[]

/** A row whose attempt is due. */
export type DueRow = Pick<WithBody, (typeof dueColumns)[number] | 'bytes'>

/** A row with its body. */
type WithBody = DeliveryRow & { readonly bytes: Uint8Array }

/** A row with both bodies. */
export type WithBodies = WithBody & { readonly native_bytes: Uint8Array | null }

/** The log entry of a row, with the phases of its last attempt. */
export function recordOf(row: DeliveryRow, last: LastPhases, box: Sealer): DeliveryRecord {
  return {
    id: row.id,
    owner: row.owner,
    businessId: row.business,
    ...(row.customer === null ? {} : { customerId: row.customer }),
    endpointId: row.endpoint,
    channel: row.channel,
    field: row.field,
    url: shownUrl(row.url, box),
    event: row.event,
    eventId: row.event_id,
    subject: row.subject,
    state: stateOf(row),
    attempts: row.attempts,
    createdAt: row.created,
    ...(stateOf(row) === 'waiting' && row.due < pulled ? { nextAt: row.due } : {}),
    isTest: row.is_test === 1,
    isSandbox: row.is_sandbox === 1,
    ...(row.redelivery_of === null ? {} : { redeliveryOf: row.redelivery_of }),
    ...(row.last_status === null ? {} : { lastStatus: row.last_status }),
    ...(row.last_failure === null ? {} : { lastFailure: row.last_failure }),
    ...(last.lastPhases === undefined ? {} : { lastPhases: last.lastPhases }),
    // Two nodes may have made the same attempt, of which only one failed.
    ...(last.lastFailedPhase === undefined || row.last_failure === null
      ? {}
      : { lastFailedPhase: last.lastFailedPhase }),
  }
}

/** The log entry of a row with its body and attempts. */
export function detailOf(row: WithBody, history: readonly AttemptRow[], box: Sealer): DeliveryDetail {
  demandSecret(box)
  const last = history.at(-1)
  return {
    ...recordOf(row, last?.number === row.attempts ? asLast(phasesIn(last)) : {}, box),
    body: readableIn(row.bytes, box),
    contentType: row.format === 'ce_structured' ? 'application/cloudevents+json' : 'application/json',
    history: history.map((attempt) => attemptOf(attempt, box)),
  }
}

/** A row whose attempt is due. */
export function dueOf(row: DueRow, url: string, box: Sealer): DueDelivery {
  const own = {
    id: row.id,
    owner: row.owner,
    endpointId: row.endpoint,
    channel: row.channel,
    url,
    format: row.format,
    standard: row.standard === 1,
    isInOrder: row.in_order === 1,
    body: box.open(row.bytes),
  }
  // Copying with spreads would take longer.
  return Object.assign(envelopeOf(row), own, countsOf(row))
}

/** The attempts of a row so far, and the next one. */
export function countsOf({ attempts, earlier }: Pick<DeliveryRow, 'attempts' | 'earlier'>) {
  return { attempts: attempts - earlier, attemptNumber: attempts + 1 }
}

/** The source of a redelivery. */
export function originalOf(row: WithBodies, box: Sealer): OriginalDelivery {
  demandSecret(box)
  const body = readable(row.bytes, box)
  return {
    ...envelopeOf(row),
    id: row.id,
    endpoint: {
      id: row.endpoint,
      owner: row.owner,
      channel: row.channel,
      field: row.field,
      url: readableIn(row.url, box),
      ...(row.customer === null ? {} : { customerId: row.customer }),
      format: row.format,
      standard: row.standard === 1,
      ...(row.in_order === 1 ? { isInOrder: true } : {}),
    },
    body,
    native: row.native_bytes === null ? body : readable(row.native_bytes, box),
    dueAt: row.due,
    state: stateOf(row),
    ...(row.redelivery_of === null ? {} : { redeliveryOf: row.redelivery_of }),
  }
}

function stateOf({ state, is_claimed }: DeliveryRow): DeliveryState {
  return is_claimed === 1 ? 'sending' : state
}

function envelopeOf(row: DueRow | DeliveryRow) {
  return {
    event: row.event,
    eventId: row.event_id,
    subject: row.subject,
    occurredAt: row.occurred_at,
    businessId: row.business,
    isTest: row.is_test === 1,
    isSandbox: row.is_sandbox === 1,
    ...(row.sequence === null ? {} : { sequence: row.sequence }),
  }
}

/**
 * The URL without its query; empty if it was sealed with another secret, so that the rest of the log stays readable.
 */
export function shownUrl(sealed: Uint8Array, box: Sealer): string {
  try {
    return textIn(sealed, box).replace(/[?#].*$/s, '')
  } catch {
    return ''
  }
}

/** Decrypts a text. */
export function textIn(sealed: Uint8Array, box: Sealer): string {
  return decoder.decode(box.open(sealed))
}

/** Throws if the secret cannot be read at the moment, which says nothing about the data. */
export function demandSecret(box: Sealer): void {
  box.name(emptyBody)
}

/** Decrypts data; treated as erased if it was sealed with another secret or is damaged. */
function readable(sealed: Uint8Array, box: Sealer): Uint8Array {
  try {
    return box.open(sealed)
  } catch {
    return emptyBody
  }
}

/** Decrypts a text; empty if it was erased, sealed with another secret or is damaged. */
export function readableIn(sealed: Uint8Array, box: Sealer): string {
  return decoder.decode(readable(sealed, box))
}

function attemptOf(row: AttemptRow, box: Sealer): AttemptRecord {
  return {
    number: row.number,
    startedAt: row.started,
    duration: row.duration,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.failure === null ? {} : { failure: row.failure }),
    ...phasesIn(row),
    requestHeaders: unpackHeaders(row.request_headers),
    responseHeaders: unpackHeaders(row.response_headers),
    responseBody: readableIn(row.response_body, box),
    isResponseCut: row.is_cut === 1,
  }
}
