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

/** The stream that says to which timelines an identifier belongs. */
export function identifierStream({ kind, value }: Identifier): StreamName {
  return `identifier-${kind}:${encodeURIComponent(keyOf(value))}`
}

/** The stream of the timeline opened by this identifier; `generation` counts from 1 as numbers are used again. */
export function timelineStream({ kind, value }: Identifier, generation: number): StreamName {
  const name: StreamName = `tracking-${kind}:${encodeURIComponent(keyOf(value))}`
  return generation === 1 ? name : `${name}#${generation}`
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
export function assignmentsOf(events: readonly IdentifierAssigned[]): readonly Assignment[] {
  return events.map(({ data }) => ({
    timeline: data.timeline,
    from: data.from === undefined ? undefined : Date.parse(data.from),
  }))
}

/**
 * The assignments in force at an instant. A number that is used again begins a new era with its `from`; an event of
 * an earlier time belongs to the earlier era, and one of before the first era to the first.
 */
export function inForceAt(assignments: readonly Assignment[], at: number): readonly Assignment[] {
  const starts = assignments.flatMap(({ from }, index) => (index === 0 || from !== undefined ? [index] : []))
  let era = 0
  for (const [index, start] of starts.entries()) {
    if ((assignments[start]?.from ?? Number.NEGATIVE_INFINITY) <= at) era = index
  }
  return assignments.slice(starts[era] ?? 0, starts[era + 1])
}
