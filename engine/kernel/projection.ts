import type { GenericSchema } from 'valibot'
import type { Finding, Remark } from './finding.ts'
import type { Code } from './messages/index.ts'
import type { Profile } from './profile.ts'
import type { PushedRequest, SenderProof } from './pushed.ts'
import { inSteps, type Pause } from './steps.ts'
import type { Timeline, TimelineEvent } from './timeline.ts'

/** How a format preserves a code: fully (`=`), partly (`~`), or not at all. */
export type Fidelity = '=' | '~' | 'none'

/** The mapping of a code in a format: how much of its meaning is kept, and the format's value. */
export interface CodeMapping {
  readonly fidelity: Fidelity
  /** The value for the reference documentation: `arriving / in_progress`; empty if there is none. */
  readonly value: string
}

/** The target of a document: the base of its links, and the requested options. */
export interface Target {
  /** Absolute URL of the server, without a trailing slash. */
  readonly baseUrl: string
  /**
   * Unique name of the timeline, by which it can also be read. It does not change when identifiers are added or
   * reused for another parcel. Absent if the timeline is not stored.
   */
  readonly timeline?: string
  /** Options of the format, validated by `Projection.options`. */
  readonly options: Readonly<Record<string, string>>
  /** The profiles that timelines may have; the first is assumed where a document names none. If absent, the built-in ones. */
  readonly profiles?: readonly [Profile, ...Profile[]]
  /** Whether `parse` refuses also what the judges of its standard accept; false if absent. */
  readonly strict?: boolean
  /** The kept sources of an event of the timeline that the reader may see, oldest first; for `Projection.wantsSources`. */
  readonly sourcesOf?: (event: TimelineEvent) => readonly KeptSource[]
}

/**
 * A long timeline whose events are read while its document is written. None of them was withdrawn, has versions, or is of
 * a container.
 */
export interface PagedTimeline extends Omit<Timeline, 'events' | 'withdrawn_events'> {
  /** In order of occurrence, to be passed through once. A piece of text may take two of them at most. */
  readonly events: Iterable<TimelineEvent>
  /** The last event with the current status. */
  readonly current: TimelineEvent
  /** The earliest and the latest `occurred_at`. */
  readonly earliest: string
  readonly latest: string
  /** The latest `recorded_at`, the first one in order of occurrence if several are as late; 1970 if all are before. */
  readonly recorded: string
}

/** A serialization of a document. */
export interface Representation<Doc = unknown> {
  readonly mediaType: string
  /** URI that distinguishes this form from others of the same media type, as the `profile` parameter (RFC 6906). */
  readonly form?: string
  /** Serializes a document; absent if it is the document's JSON text. */
  write?(doc: Doc): string | Promise<string>
  /** The most events of a timeline that it is offered for, because it is made at once; any number if absent. */
  readonly maxEvents?: number
  /** The text of `write` in pieces, one for each event, made from the timeline itself. */
  pieces?(timeline: Timeline, target: Target): Iterable<string>
  /** The same text for a timeline in pages; absent if all events have to be known before. */
  paged?(timeline: PagedTimeline, target: Target): Iterable<string>
}

/** An event of a foreign document as it came. */
export interface KeptSource {
  /** The form of the document: JSON or XML. */
  readonly binding: 'json' | 'xml'
  /** The version of the format's standard. */
  readonly version: string
  /** What names in the event refer to: the `@context` in scope, or the namespaces in scope by their prefixes. */
  readonly context: unknown
  /** The event unchanged: a JSON value, or the text of its element. */
  readonly body: unknown
  /** When it was recorded here, ISO 8601; absent until then. */
  readonly recordedAt?: string
}

/** A property of an event that it can be found by, and whether its values are listed. */
export interface Facet {
  readonly name: string
  /** The same for all ways to write it. */
  readonly value: string
  readonly isListed?: true
}

/** An event of a foreign document that is kept beside what was made of it. */
export interface SourceEvent {
  /** Its id in the document, or the hash of its content. */
  readonly id: string
  /** Whether its id is the hash of its content, so that nothing else has this id. */
  readonly isHash?: true
  /** The id that was derived from its content before; sources that were recorded with it keep it. */
  readonly formerId?: string
  /**
   * A hash of its content, the same in every binding. Its id, the time of its recording and the declaration that it
   * was an error are not part of it.
   */
  readonly content: string
  /** The declaration that the event with this id was an error; absent if it is none. */
  readonly declaration?: object
  readonly kept: KeptSource
  /** When it happened, as the document says; ISO 8601. */
  readonly at: string
  /** What it can be found by. */
  readonly facets: readonly Facet[]
  /** What the document says beside its events, such as master data; the same object for all events of a document. */
  readonly header?: KeptSource
}

/** One event of a foreign document in native terms, not yet checked; or the reason why there is none. */
export interface Reading {
  /** Path in the document: `epcisBody.eventList[0]`. */
  readonly path: string
  /**
   * The subject of its timeline. Without a subject (and without `findings`), the event concerns nothing that is
   * tracked.
   */
  readonly subject?: object
  readonly profile?: string
  readonly event?: object
  /**
   * The source only reports its current status. It is recorded if it differs from the last status of this source
   * (OTEP 0.1, section 5); without `occurred_at`, it counts from now.
   */
  readonly status?: true
  /** Why it is refused. */
  readonly findings?: readonly Finding[]
  /** What was not taken over, and what was assumed. */
  readonly warnings?: readonly Finding[]
  /**
   * Origin of native members, relative to `path`: `{occurred_at: 'eventTime'}`; for a status, of `current_status` and
   * `current_status_at`.
   */
  readonly places?: Readonly<Record<string, string>>
  /** The event that it was made of; all readings of one event have the same object. Absent if it is not kept. */
  readonly source?: SourceEvent
  /** Whether the document has the former namespace of OTEP's own members, so that its event hash ids are made with it. */
  readonly formerNamespace?: true
}

/** A finding in a foreign document, and the clause of its standard. */
export interface ClauseFinding extends Finding {
  readonly clause: string
}

/** What is wrong with a foreign document, and what is only unusual. */
export interface DocumentCheck {
  readonly errors: readonly ClauseFinding[]
  readonly warnings: readonly ClauseFinding[]
}

/** Why a request was refused: in one sentence, and for each value that was refused. */
export interface Refused {
  readonly code: Code
  readonly message: string
  readonly errors: readonly Remark[]
}

/** One of many timelines in a document, with its own target. */
export interface TimelinePart {
  readonly timeline: Timeline
  readonly target: Target
}

/** Documents of others that can be ingested: those of a format, or of a system for which nothing is written. */
export interface Dialect {
  /** The token of `?format=`. */
  readonly name: string
  readonly title: string
  /** The standard or interface, and the version of it that is read. */
  readonly standard: string
  /** The events of a foreign document: a parsed JSON value, or XML text. */
  parse?(document: unknown, target: Target): readonly Reading[]
  /** The same in steps of a few milliseconds, so that a long document does not keep others waiting. */
  parseInSteps?(document: unknown, target: Target): Generator<void, readonly Reading[]>
  /** How the system proves with a secret that it has sent a request; absent if it pushes nothing, or without proof. */
  proofIn?(request: PushedRequest, secret: string): SenderProof
}

/**
 * A format: the projection of a timeline to another vocabulary. It is pure, deterministic to the byte, and covers
 * every code of every profile.
 */
export interface Projection<Doc = unknown> extends Dialect {
  /** Version of the projection itself; it is part of the entity tag. */
  readonly version: string
  /** The representations of a document in addition to plain JSON. */
  readonly representations: readonly Representation<Doc>[]
  /** Whether the target is a history, or a single current state. */
  readonly kind: 'history' | 'state'
  /** Whether this is a standard or product outside OTEP. */
  readonly external: boolean
  /** The mapping of each code of a profile, and of the unregistered codes; `x-*` is any other of these. */
  codes(profile: Profile): Readonly<Record<string, CodeMapping>>
  /** The schema of the rows that codes of a profile may carry for this format (`StatusCode.formats`); absent if none. */
  readonly rows?: GenericSchema
  /**
   * Whether documents mark what a thing has inherited from its container. Those of other formats do without the inherited
   * events that would end the thing.
   */
  readonly keepsInherited?: true
  /** What is missing in a document compared to its timeline, one sentence each. */
  readonly losses: readonly string[]
  /** The schema of the document. */
  readonly schema: GenericSchema
  /** The accepted options, a strict object of strings; none if absent. */
  readonly options?: GenericSchema<unknown, Readonly<Record<string, string>>>
  /** Whether documents with these options contain kept sources, and so depend on who reads; never if absent. */
  wantsSources?(options: Target['options']): boolean
  project(timeline: Timeline, target: Target): Doc
  /** The document's JSON text, written directly: equals `JSON.stringify(project(timeline, target))`. */
  write(timeline: Timeline, target: Target): string
  /** The document of `project`, with some of its events made in each step. If absent, `project` makes it at once. */
  steps?(timeline: Timeline, target: Target): Generator<void, Doc>
  /**
   * The text of `write` in pieces; for a history, one for each event. Empty pieces are for work that has no text yet,
   * so that a caller that counts pieces can pause.
   */
  pieces(timeline: Timeline, target: Target): Iterable<string>
  /** The same text for a timeline in pages; absent if all events have to be known before. */
  paged?(timeline: PagedTimeline, target: Target): Iterable<string>
  /**
   * One document of many timelines in pieces: the text in a representation, with the events of all in order of
   * occurrence. Of one timeline it is the same document. Absent if the format has none.
   */
  joined?(parts: readonly TimelinePart[], target: Target, representation: Representation): Iterable<string>
  /** The events in a document, if the format has a list of them: what it writes of each event of a timeline. */
  events?(doc: Doc): readonly object[]
  /** The part of a document that one of its links points to, by the path below `{timeline}/{format}/`. */
  resource?(doc: Doc, path: string, target: Target): object | undefined
  /** A refusal of a request for such a part, as the standard has it; it has the form of the interface if absent. */
  refusal?(refused: Refused): object
  /** Checks a foreign document by its standard, in steps of a few milliseconds: a parsed JSON value, or XML text. */
  check?(document: unknown, target: Target): Generator<void, DocumentCheck>
}

/** The URI of a format for a `profile` parameter (RFC 6906). */
export function formatUri(name: string): string {
  return `urn:otep:format:${name}`
}

/** All representations of a format's bare document, plain JSON first. */
export function representationsOf(projection: Projection): readonly [Representation, ...Representation[]] {
  return [{ mediaType: 'application/json' }, ...projection.representations]
}

/** A timeline as a document of a format, serialized in one of its representations. */
export function textOf<Doc>(
  projection: Projection<Doc>,
  { write, pieces }: Representation<Doc>,
  timeline: Timeline,
  target: Target,
): string | Promise<string> {
  if (pieces !== undefined) return [...pieces(timeline, target)].join('')
  return write === undefined ? projection.write(timeline, target) : write(projection.project(timeline, target))
}

/** A timeline as a document of a format. While a long one is made, others are served. */
export async function projectInSteps<Doc>(
  projection: Projection<Doc>,
  timeline: Timeline,
  target: Target,
  pause: Pause,
): Promise<Doc> {
  const steps = projection.steps?.(timeline, target)
  return steps === undefined ? projection.project(timeline, target) : inSteps(steps, pause)
}

/** What writes a timeline in pages in a representation of a format, plain JSON if undefined; undefined if nothing can. */
export function pagedWriterOf(
  { paged }: Projection,
  representation: Representation | undefined,
): Projection['paged'] | undefined {
  if (representation?.pieces !== undefined || representation?.write !== undefined) return representation.paged
  return paged
}

/** The full media type of a representation: `application/json; profile="urn:otep:format:epcis"`. */
export function mediaTypeOf({ name }: Projection, { mediaType, form }: Representation): string {
  const uris = form === undefined ? formatUri(name) : `${formatUri(name)} ${form}`
  return `${mediaType}; profile="${uris}"`
}
