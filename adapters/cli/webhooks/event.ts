import { isObject, type Members } from '../../../engine/index.ts'
import type { Check, Flaw, Received } from '../../webhooks/signing/index.ts'
import { printable } from '../printable.ts'

/** The metadata of a received delivery. It is untrusted until verified, and escaped before it is printed. */
export interface ReceivedEvent {
  readonly event: string
  /** The id that repeated deliveries share; absent if it has none. */
  readonly eventId: string | undefined
  readonly attempt: string
  readonly subject: string
  /** What the receiver must echo, if this is a subscription challenge. */
  readonly challenge?: string
}

/** Reads the metadata of a delivery from its body and headers, whatever its format. */
export function readEvent({ headers, body }: Received): ReceivedEvent {
  const outer = membersOf(body)
  const isEvent = headers['content-type']?.startsWith('application/cloudevents+json') === true
  const native = isEvent && isObject(outer.data) ? outer.data : outer
  const { event, challenge } = native
  return {
    event: textOf(event) ?? textOf(outer.type) ?? headers['ce-type'] ?? (challenge === undefined ? '-' : 'challenge'),
    eventId: idOf(headers, native),
    attempt: headers['x-webhook-attempt'] ?? '-',
    subject: textOf(outer.subject) ?? headers['ce-subject'] ?? orderIn(native) ?? '-',
    ...(event === undefined && typeof challenge === 'string' ? { challenge } : {}),
  }
}

const flaws: Readonly<Record<Flaw, string>> = {
  incomplete: 'a header that is signed with it is missing',
  stale: 'stale, its timestamp is more than five minutes off',
  wrong_digest: 'wrong digest',
  wrong_signature: 'wrong signature',
}

/** A report on the signatures by header, the deciding one first; without a secret nothing is checked. */
export function signatureReport(checks: readonly Check[] | undefined): string {
  if (checks === undefined) return 'not verified'
  const [first] = checks
  if (first === undefined) return 'refused: no signature'
  const found = checks.map(({ header, flaw }) => (flaw === undefined ? header : `${header}: ${flaws[flaw]}`))
  return `${first.flaw === undefined ? 'verified' : 'refused'} (${found.join(', ')})`
}

/** The line of a delivery, without what became of it. */
export function lineOf({ event, eventId, attempt, subject }: ReceivedEvent, now: number): string {
  return [timeOf(now), ...[event, eventId ?? '-', `attempt ${attempt}`, subject].map(printable)].join('  ')
}

/** The time of day in UTC, as in server logs. */
export function timeOf(now: number): string {
  return `${new Date(now).toISOString().slice(11, 19)}Z`
}

/** Formats a body for a terminal and escapes control characters. */
export function formattedBody(body: Uint8Array): string {
  const text = new TextDecoder().decode(body)
  const readable = isJson(text) ? JSON.stringify(JSON.parse(text), undefined, 2) : text
  return readable.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, escaped)
}

/** The id that repeated deliveries share; every signature covers the one in the body. */
function idOf(headers: Received['headers'], native: Members): string | undefined {
  return (
    textOf(native.event_id) ??
    textOf(native.message_id) ??
    headers['x-webhook-event-id'] ??
    headers['x-ohp-delivery'] ??
    headers['webhook-id']
  )
}

function orderIn({ data }: Members): string | undefined {
  return isObject(data) && typeof data.order_id === 'number' ? `order/${data.order_id}` : undefined
}

function membersOf(body: Uint8Array): Members {
  const text = new TextDecoder().decode(body)
  const document: unknown = isJson(text) ? JSON.parse(text) : undefined
  return isObject(document) ? document : {}
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\u${unit}`
  }).join('')
}
