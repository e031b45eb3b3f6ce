import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'

/** Kinds of identifier in the order in which a bare number is looked up. */
export const identifierKinds = [
  'tracking_number',
  'external_tracking_number',
  'gs1_sscc',
  'piece_id',
  'package_id',
  'order_id',
] as const

/** A kind of identifier. */
export type IdentifierKind = (typeof identifierKinds)[number]

/** An identifier of a subject, as its producer wrote it. */
export interface Identifier {
  readonly kind: IdentifierKind
  readonly value: string
}

/** An order may hold several parcels; every other identifier names one. */
export function isShared(kind: IdentifierKind): boolean {
  return kind === 'order_id'
}

/** The identifiers that a subject carries, in order of look-up. */
export function identifiersOf(subject: Subject): readonly Identifier[] {
  return identifierKinds.flatMap((kind) =>
    subject[kind] === undefined ? [] : [{ kind, value: String(subject[kind]) }],
  )
}

/** How identifiers are compared: without white space, without regard to case, in Unicode's composed form. */
export function keyOf(value: string): string {
  return value.toWellFormed().normalize('NFC').replace(/\s+/g, '').toUpperCase()
}

/** The compared form as names and tables hold it: percent-encoded (RFC 3986), and so plain text whatever was written. */
export function keyTextOf(value: string): string {
  return encodeURIComponent(keyOf(value))
}

/** The stream that says to which timelines an identifier belongs. */
export function identifierStream({ kind, value }: Identifier): StreamName {
  return `identifier-${kind}:${keyTextOf(value)}`
}

/** The stream of the timeline opened by this identifier; `generation` counts from 1 as numbers are used again. */
export function timelineStream({ kind, value }: Identifier, generation: number): StreamName {
  const name: StreamName = `tracking-${kind}:${keyTextOf(value)}`
  return generation === 1 ? name : `${name}#${generation}`
}

/** The name of a timeline, by which it can be read: `tracking_number:SR1`, and `tracking_number:SR1#2` for the next one. */
export function timelineName(stream: StreamName): string {
  return stream.slice('tracking-'.length)
}

const name = new RegExp(`^(?:${identifierKinds.join('|')}):`)

/** The stream of the timeline that a name of `timelineName` stands for, if there is one; nothing for any other text. */
export function streamNamed(text: string): StreamName | undefined {
  return name.test(text) ? `tracking-${text}` : undefined
}

/** The identifier that opened a timeline, in its compared form. */
export function openerOf(stream: string): string {
  const [, kind = '', value = ''] = /^tracking-(\w+):([^#]*)/.exec(stream) ?? []
  return `${kind} ${decodeURIComponent(value)}`
}

/** An identifier was found on a subject of this timeline. From `from` on it means this timeline and no earlier one. */
export type IdentifierAssigned = Event<
  'IdentifierAssigned',
  { readonly kind: IdentifierKind; readonly value: string; readonly timeline: StreamName; readonly from?: string }
>

/** One timeline that an identifier belongs to; `from` in epoch milliseconds. */
export interface Assignment {
  readonly timeline: StreamName
  readonly from: number | undefined
}

/** The assignments of an identifier after its events, oldest first. */
export function assignmentsOf(events: readonly IdentifierAssigned[]): Assignment[] {
  return events.map(({ data }) => assignmentOf(data))
}

/** One assignment, of the event that made it or of its row. */
export function assignmentOf(made: { readonly timeline: StreamName; readonly from?: string | null }): Assignment {
  return { timeline: made.timeline, from: typeof made.from === 'string' ? Date.parse(made.from) : undefined }
}

/**
 * What an identifier of one parcel means at an instant: of its assignments the latest that begins by then. A number that
 * is used again begins anew with its `from`; an event of before belongs to the earlier timeline.
 */
export function assignmentAt(assignments: readonly Assignment[], at: number): Assignment | undefined {
  const byBeginning = [...assignments].sort((one, other) => beginningOf(one) - beginningOf(other))
  return byBeginning.findLast((assignment) => beginningOf(assignment) <= at) ?? byBeginning[0]
}

function beginningOf({ from }: Assignment): number {
  return from ?? Number.MIN_SAFE_INTEGER
}
