import type { GenericSchema } from 'valibot'
import type { Finding } from './finding.ts'
import type { Timeline } from './timeline.ts'

/** What becomes of a code in a format: kept (`=`), in part lost (`~`), or without a value. */
export type Fidelity = '=' | '~' | 'none'

/** What a format makes of a code: how much of its meaning is kept, and the format's own words for it. */
export interface CodeMapping {
  readonly fidelity: Fidelity
  /** As people read it in the reference: `arriving / in_progress`; empty where there is no value. */
  readonly value: string
}

/** For whom a document is made: where its links lie, and what was asked for. */
export interface Target {
  /** Absolute URL of the server, without a slash at its end. */
  readonly baseUrl: string
  /**
   * Name of the timeline among all, by which it can be read as well: it stays when identifiers are added, or used again
   * for another parcel. Absent where the timeline is in no store.
   */
  readonly timeline?: string
  /** Options of the format, as `Projection.options` let them pass. */
  readonly options: Readonly<Record<string, string>>
}

/** One way to write a document down. */
export interface Representation<Doc = unknown> {
  readonly mediaType: string
  /** URI that tells this form from others of the same media type, in its `profile` parameter (RFC 6906). */
  readonly form?: string
  /** Writes a document down; absent where it is the JSON text of the document. */
  write?(doc: Doc): string | Promise<string>
}

/** One event of a foreign document in the native words, still unchecked; or why there is none. */
export interface Reading {
  /** Where it stands in the document: `epcisBody.eventList[0]`. */
  readonly path: string
  /** The timeline that it belongs to; without one (and without `findings`) nothing of it bears on anything tracked. */
  readonly subject?: object
  readonly profile?: string
  readonly event?: object
  /**
   * The source tells only this present status: it is recorded where it is not the one that this source reported last
   * (OTEP 0.1, section 5), and without `occurred_at` it counts from now.
   */
  readonly status?: true
  /** Why it is refused. */
  readonly findings?: readonly Finding[]
  /** What was not taken of it, and what had to be decided. */
  readonly warnings?: readonly Finding[]
  /**
   * Where native members come from, relative to `path`: `{occurred_at: 'eventTime'}`; of a status `current_status` and
   * `current_status_at`.
   */
  readonly places?: Readonly<Record<string, string>>
}

/**
 * A format: how a timeline reads in another vocabulary. Pure, the same bytes for the same timeline, and total over
 * every code of every profile.
 */
export interface Projection<Doc = unknown> {
  /** The token of `?format=`. */
  readonly name: string
  readonly title: string
  /** The standard or interface, with the version that the documents follow. */
  readonly standard: string
  /** Version of the projection itself; it is part of the entity tag. */
  readonly version: string
  /** How a document can be written beside plain JSON. */
  readonly representations: readonly Representation<Doc>[]
  /** Whether the target holds a history, or one folded state. */
  readonly kind: 'history' | 'state'
  /** Whether this is a standard or product outside of OTEP. */
  readonly external: boolean
  /** What becomes of each code of each profile: `codes[profile][code]`; `x-*` stands for every other unregistered code. */
  readonly codes: Readonly<Record<string, Readonly<Record<string, CodeMapping>>>>
  /** What a document does not hold of a timeline, a sentence each. */
  readonly losses: readonly string[]
  /** The form of the document. */
  readonly schema: GenericSchema
  /** The options that it takes, a strict object of texts; none where absent. */
  readonly options?: GenericSchema<unknown, Readonly<Record<string, string>>>
  project(timeline: Timeline, target: Target): Doc
  /** The JSON text of the document, made without the document: `JSON.stringify(project(timeline, target))`. */
  write(timeline: Timeline, target: Target): string
  /** The same text in parts, of a history one for each event. */
  pieces(timeline: Timeline, target: Target): Iterable<string>
  /** The part of a document that one of its own links leads to, by the path below `{timeline}/{format}/`. */
  resource?(doc: Doc, path: string, target: Target): object | undefined
  /** The events of a foreign document: a JSON value, or the text of an XML document. */
  parse?(document: unknown, target: Target): readonly Reading[]
}

/** The URI that names a format in a `profile` parameter (RFC 6906). */
export function formatUri(name: string): string {
  return `urn:otep:format:${name}`
}

/** Every way to write a format's bare document, plain JSON first. */
export function representationsOf(projection: Projection): readonly [Representation, ...Representation[]] {
  return [{ mediaType: 'application/json' }, ...projection.representations]
}

/** A timeline as a document of a format, written down in one of its representations. */
export function textOf<Doc>(
  projection: Projection<Doc>,
  { write }: Representation<Doc>,
  timeline: Timeline,
  target: Target,
): string | Promise<string> {
  return write === undefined ? projection.write(timeline, target) : write(projection.project(timeline, target))
}

/** The media type of a representation in full: `application/json; profile="urn:otep:format:epcis"`. */
export function mediaTypeOf({ name }: Projection, { mediaType, form }: Representation): string {
  const uris = form === undefined ? formatUri(name) : `${formatUri(name)} ${form}`
  return `${mediaType}; profile="${uris}"`
}
