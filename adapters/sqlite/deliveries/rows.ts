import {
  type AttemptFailure,
  type AttemptRecord,
  type BodyFormat,
  type Channel,
  type DeliveryDetail,
  type DeliveryRecord,
  type DeliveryState,
  type Endpoint,
  isObject,
} from '../../../engine/index.ts'
import type { DueDelivery, OriginalDelivery, Sealer } from '../../node/deliveries.ts'
import { nothing } from './forget.ts'

const decoder = new TextDecoder()

/** A row of `deliveries`, and whether it is claimed; its URL as it was sealed. */
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
  readonly channel: Channel
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
  readonly is_claimed: number
}

/** A row of `attempts`. */
export interface AttemptRow {
  readonly number: number
  readonly started: number
  readonly duration: number
  readonly status: number | null
  readonly failure: AttemptFailure | null
  readonly request_headers: string
  readonly response_headers: string
  readonly response_body: Uint8Array
  readonly is_cut: number
}

/** What is read of a row that is to be attempted, and the bytes of its body: little, as it is read for every attempt. */
export const dueColumns = [
  ...(['number', 'id', 'attempts', 'earlier', 'endpoint', 'owner', 'business', 'channel', 'url', 'format'] as const),
  ...(['standard', 'event', 'event_id', 'subject', 'occurred_at', 'is_test', 'is_sandbox'] as const),
] as const satisfies readonly (keyof DeliveryRow)[]

/** A row that is to be attempted. */
export type DueRow = Pick<WithBody, (typeof dueColumns)[number] | 'bytes'>

/** A row with the bytes of its body. */
export type WithBody = DeliveryRow & { readonly bytes: Uint8Array }

/** A row with the bytes of both bodies. */
export type WithBodies = WithBody & { readonly native_bytes: Uint8Array | null }

/** What the log shows of a row. */
export function recordOf(row: DeliveryRow, box: Sealer): DeliveryRecord {
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
    ...(stateOf(row) === 'waiting' ? { nextAt: row.due } : {}),
    isTest: row.is_test === 1,
    isSandbox: row.is_sandbox === 1,
    ...(row.redelivery_of === null ? {} : { redeliveryOf: row.redelivery_of }),
    ...(row.last_status === null ? {} : { lastStatus: row.last_status }),
    ...(row.last_failure === null ? {} : { lastFailure: row.last_failure }),
  }
}

/** A row with all that is known of it. */
export function detailOf(row: WithBody, history: readonly AttemptRow[], box: Sealer): DeliveryDetail {
  demandSecret(box)
  return {
    ...recordOf(row, box),
    body: readableIn(row.bytes, box),
    contentType: row.format === 'ce_structured' ? 'application/cloudevents+json' : 'application/json',
    history: history.map((attempt) => attemptOf(attempt, box)),
  }
}

/** A row that is to be attempted. */
export function dueOf(row: DueRow, box: Sealer): DueDelivery {
  return {
    ...envelopeOf(row),
    id: row.id,
    owner: row.owner,
    endpointId: row.endpoint,
    channel: row.channel,
    url: textIn(row.url, box),
    format: row.format,
    standard: row.standard === 1,
    body: box.open(row.bytes),
    attempts: row.attempts - row.earlier,
    attemptNumber: row.attempts + 1,
  }
}

/** What a row was made of. */
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
  }
}

/** The URL without its query; none where another secret has sealed it: the rest of the log can be read all the same. */
function shownUrl(sealed: Uint8Array, box: Sealer): string {
  try {
    return textIn(sealed, box).replace(/[?#].*$/s, '')
  } catch {
    return ''
  }
}

/** A text that was sealed. */
function textIn(sealed: Uint8Array, box: Sealer): string {
  return decoder.decode(box.open(sealed))
}

/** Throws where the secret cannot be read at the moment, which says nothing of what it sealed. */
export function demandSecret(box: Sealer): void {
  box.name(nothing)
}

/** What was sealed; as good as forgotten where another secret has sealed it, or it was damaged since. */
function readable(sealed: Uint8Array, box: Sealer): Uint8Array {
  try {
    return box.open(sealed)
  } catch {
    return nothing
  }
}

function readableIn(sealed: Uint8Array, box: Sealer): string {
  return decoder.decode(readable(sealed, box))
}

function attemptOf(row: AttemptRow, box: Sealer): AttemptRecord {
  return {
    number: row.number,
    startedAt: row.started,
    duration: row.duration,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.failure === null ? {} : { failure: row.failure }),
    requestHeaders: headersOf(row.request_headers),
    responseHeaders: headersOf(row.response_headers),
    responseBody: readableIn(row.response_body, box),
    isResponseCut: row.is_cut === 1,
  }
}

function headersOf(text: string): Readonly<Record<string, string>> {
  const headers: unknown = JSON.parse(text)
  if (!isObject(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
