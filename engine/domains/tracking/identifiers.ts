import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'

/** Kinds of identifier, in the order in which a bare number is looked up. */
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

/** An identifier of a subject, as written by its producer. */
export interface Identifier {
  readonly kind: IdentifierKind
  readonly value: string
}

/** Whether several parcels can share an identifier of this kind: only orders have several parcels. */
export function isShared(kind: IdentifierKind): boolean {
  return kind === 'order_id'
}

/** The identifiers of a subject, in lookup order. */
export function identifiersOf(subject: Subject): readonly Identifier[] {
  return identifierKinds.flatMap((kind) =>
    subject[kind] === undefined ? [] : [{ kind, value: String(subject[kind]) }],
  )
}

/** The form in which identifiers are compared: no white space, upper case, Unicode NFC. */
export function keyOf(value: string): string {
  return value.toWellFormed().normalize('NFC').replace(/\s+/g, '').toUpperCase()
}

/** The compared form for names and tables: percent-encoded (RFC 3986), and so always plain ASCII. */
export function keyTextOf(value: string): string {
  return encodeURIComponent(keyOf(value))
}

/** The stream of the timelines that an identifier belongs to. */
export function identifierStream({ kind, value }: Identifier): StreamName {
  return `identifier-${kind}:${keyTextOf(value)}`
}

/** The stream of a timeline that was opened by this identifier; `generation` counts from 1 when a number is reused. */
export function timelineStream({ kind, value }: Identifier, generation: number): StreamName {
  const name: StreamName = `tracking-${kind}:${keyTextOf(value)}`
  return generation === 1 ? name : `${name}#${generation}`
}

/**
 * The unique name of a timeline: `tracking_number:SR1`, and `tracking_number:SR1#2` for the next parcel of that
 * number.
 */
export function timelineName(stream: StreamName): string {
  return stream.slice('tracking-'.length)
}

const name = new RegExp(`^(?:${identifierKinds.join('|')}):`)

/** The stream of a timeline name as in `timelineName`; undefined for any other text. */
export function streamNamed(text: string): StreamName | undefined {
  return name.test(text) ? `tracking-${text}` : undefined
}

/** The identifier that opened a timeline, in its compared form. */
export function openerOf(stream: string): string {
  const [, kind = '', value = ''] = /^tracking-(\w+):([^#]*)/.exec(stream) ?? []
  return `${kind} ${decodeURIComponent(value)}`
}

/** An identifier was assigned to a timeline. From `from` on, it means this timeline and not an earlier one. */
export type IdentifierAssigned = Event<
  'IdentifierAssigned',
  { readonly kind: IdentifierKind; readonly value: string; readonly timeline: StreamName; readonly from?: string }
>

/** One timeline of an identifier; `from` in epoch milliseconds. */
export interface Assignment {
  readonly timeline: StreamName
  readonly from: number | undefined
}

/** The assignments of an identifier, oldest first. */
export function assignmentsOf(events: readonly IdentifierAssigned[]): Assignment[] {
  return events.map(({ data }) => assignmentOf(data))
}

/** One assignment, from its event or its row. */
export function assignmentOf(data: { readonly timeline: StreamName; readonly from?: string | null }): Assignment {
  return { timeline: data.timeline, from: typeof data.from === 'string' ? Date.parse(data.from) : undefined }
}

/**
 * The timeline that an identifier means at an instant: the latest assignment that began by then. When a number is
 * reused, its new assignment begins at `from`; events before that belong to the earlier timeline.
 */
export function assignmentAt(assignments: readonly Assignment[], at: number): Assignment | undefined {
  const byBeginning = [...assignments].sort((one, other) => beginningOf(one) - beginningOf(other))
  return byBeginning.findLast((assignment) => beginningOf(assignment) <= at) ?? byBeginning[0]
}

function beginningOf({ from }: Assignment): number {
  return from ?? Number.MIN_SAFE_INTEGER
}
