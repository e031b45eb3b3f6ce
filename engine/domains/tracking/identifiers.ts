import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import { numberKey, numberKeys, withoutUnseen } from '../../kernel/number-key.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'

/**
 * THE TABLE of identifiers, in the order in which a bare number is looked up. The public finds timelines only by those
 * that are `public`: others are counted, and so can be guessed.
 */
const identifiers = {
  tracking_number: { public: true },
  external_tracking_number: { public: true },
  gs1_sscc: { public: true },
  piece_id: { public: true },
  package_id: { public: false },
  order_id: { public: false },
} as const satisfies Readonly<Record<keyof Subject, { readonly public: boolean }>>

/** A kind of identifier. */
export type IdentifierKind = keyof typeof identifiers

/** Kinds of identifier, in the order in which a bare number is looked up. */
export const identifierKinds = Object.keys(identifiers) as readonly IdentifierKind[]

/** The kinds by which the public finds a timeline, in the same order. */
export const publicKinds = identifierKinds.filter((kind) => identifiers[kind].public)

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
  const found: Identifier[] = []
  for (const kind of identifierKinds)
    if (subject[kind] !== undefined) found.push({ kind, value: String(subject[kind]) })
  return found
}

/** A subject as far as its identifiers are public. */
export function publicSubject(subject: Subject): Subject {
  const shown = publicKinds.filter((kind) => subject[kind] !== undefined)
  return Object.fromEntries(shown.map((kind) => [kind, subject[kind]]))
}

/** Nearly all identifiers are in the compared form already. */
const isPlain = /^[A-Z0-9_.-]+$/

/** The form in which identifiers are compared, that of `numberKey`. */
export function keyOf(value: string): string {
  if (isPlain.test(value)) return value
  return numberKey(value)
}

/** The compared form for names and tables: percent-encoded (RFC 3986), and so always plain ASCII. */
export function keyTextOf(value: string): string {
  if (isPlain.test(value)) return value
  return encodeURIComponent(keyOf(value))
}

/** What the names of the streams of identifiers begin with. They are made for every event, so it is put together once. */
const prefixes = Object.fromEntries(identifierKinds.map((kind) => [kind, `identifier-${kind}:`] as const))

/** The stream of the timelines that an identifier belongs to. */
export function identifierStream({ kind, value }: Identifier): StreamName {
  return ((prefixes[kind] as string) + keyTextOf(value)) as StreamName
}

/**
 * The streams that may say to which timeline an identifier leads, the present one first: earlier versions gave an identifier
 * with characters that nobody can see a separate stream.
 */
export function identifierStreams({ kind, value }: Identifier): readonly StreamName[] {
  return keyTextsOf(value).map((key): StreamName => `identifier-${kind}:${key}`)
}

/** What these streams say together: the present one, or a former one if that says nothing. */
export function saidBy([present = [], former = []]: readonly (readonly Assignment[])[]): readonly Assignment[] {
  return present.length > 0 ? present : former
}

/** The compared forms of a value in the names of these streams. */
export function keyTextsOf(value: string): readonly string[] {
  return isPlain.test(value) ? [value] : numberKeys(value).map(encodeURIComponent)
}

/** The compared form of an identifier in the name of its stream. */
export function keyTextIn(stream: string, kind: IdentifierKind): string {
  return stream.slice((prefixes[kind] as string).length)
}

/** The stream of a timeline that was opened by this identifier; `generation` counts from 1 when a number is reused. */
export function timelineStream({ kind, value }: Identifier, generation: number): StreamName {
  const name: StreamName = `tracking-${kind}:${keyTextOf(value)}`
  return generation === 1 ? name : `${name}#${generation}`
}

/** Whether an assignment is to a later parcel: the number was used again, or the parcel was split off. */
export function isLater({ timeline }: Assignment): boolean {
  return /#\d+$/.test(timeline)
}

/**
 * The unique name of a timeline: `tracking_number:SR1`, and `tracking_number:SR1#2` for the next parcel of that
 * number.
 */
export function timelineName(stream: StreamName): string {
  return stream.slice('tracking-'.length)
}

/** The stream of a timeline name as in `timelineName`, if an identifier of one of these kinds opened it. */
export function streamNamed(given: string, kinds: readonly IdentifierKind[] = identifierKinds): StreamName | undefined {
  const text = withoutUnseen(given).replace(/\s+/g, '')
  return kinds.some((kind) => text.startsWith(`${kind}:`)) ? `tracking-${text}` : undefined
}

/**
 * The name of a timeline that the public may use: its unique name, unless that has an identifier that is not public.
 */
export function publicName(stream: StreamName, subject: Subject): string {
  const name = timelineName(stream)
  const [shown] = identifiersOf(publicSubject(subject))
  return streamNamed(name, publicKinds) === undefined ? (shown?.value ?? '') : name
}

/** The identifier that opened a timeline, in its compared form. */
export function openerOf(stream: string): string {
  const [, kind = '', value = ''] = /^tracking-(\w+):([^#]*)/.exec(stream) ?? []
  return `${kind} ${decodeURIComponent(value)}`
}

/** The tracking number that opened a timeline; undefined if another identifier did. */
export function numberOfOpener(stream: string): string | undefined {
  const opener = openerOf(stream)
  return opener.startsWith(byNumber) ? opener.slice(byNumber.length) : undefined
}

const byNumber = 'tracking_number '

/**
 * An identifier was assigned to a timeline. From `from` on, it means this timeline and not an earlier one. With `providers`, it means
 * that only where one of them says it; with `instead_of`, it does not mean that timeline any more.
 */
export type IdentifierAssigned = Event<
  'IdentifierAssigned',
  {
    readonly kind: IdentifierKind
    readonly value: string
    readonly timeline: StreamName
    readonly from?: string
    readonly providers?: readonly string[]
    readonly instead_of?: StreamName
  }
>

/** The shape of this event. */
export const identifierEventShapes: ShapesOf<IdentifierAssigned> = {
  IdentifierAssigned: {
    kind: 'text',
    value: 'text',
    timeline: 'text',
    from: 'text?',
    providers: 'list?',
    instead_of: 'text?',
  },
}

/** One timeline of an identifier; `from` in epoch milliseconds. */
export interface Assignment {
  readonly timeline: StreamName
  readonly from: number | undefined
  /** Whose events it is for; those of everybody if absent. */
  readonly providers?: readonly string[]
  readonly insteadOf?: StreamName
}

/** An assignment as an event or a row has it. */
interface Told {
  readonly timeline: StreamName
  readonly from?: string | null
  readonly providers?: readonly string[] | null
  readonly instead_of?: StreamName | null
}

/** The assignments of an identifier, oldest first. */
export function assignmentsOf(events: readonly IdentifierAssigned[]): Assignment[] {
  return events.map(({ data }) => assignmentOf(data))
}

/** One assignment, from its event or its row. */
export function assignmentOf({ timeline, from, providers, instead_of: insteadOf }: Told): Assignment {
  const known = { timeline, from: typeof from === 'string' ? Date.parse(from) : undefined }
  if (!providers && !insteadOf) return known
  return { ...known, ...(providers && { providers }), ...(insteadOf && { insteadOf }) }
}

/**
 * The timeline that an identifier means at an instant, to a provider if one says it: the latest assignment that began by then. When
 * a number is reused, its new assignment begins at `from`; events before that belong to the earlier timeline.
 */
export function assignmentAt(
  assignments: readonly Assignment[],
  at: number,
  provider?: string,
): Assignment | undefined {
  if (assignments.length <= 1) return assignments[0]
  const byBeginning = [...assignments].sort((one, other) => beginningOf(one) - beginningOf(other))
  const isOwn = ({ providers = [] }: Assignment) => provider !== undefined && providers.includes(provider)
  const hasBegun = (assignment: Assignment) => beginningOf(assignment) <= at
  const common = byBeginning.filter(({ providers }) => providers === undefined)
  return byBeginning.findLast((one) => isOwn(one) && hasBegun(one)) ?? common.findLast(hasBegun) ?? common[0]
}

/** The assignments of an identifier that several timelines may have, without those that it does not mean any more. */
export function presentOf(assignments: readonly Assignment[]): readonly Assignment[] {
  const left = assignments.flatMap(({ insteadOf }) => insteadOf ?? [])
  return left.length === 0 ? assignments : assignments.filter(({ timeline }) => !left.includes(timeline))
}

function beginningOf({ from }: Assignment): number {
  return from ?? Number.MIN_SAFE_INTEGER
}
