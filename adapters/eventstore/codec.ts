import type { AllStreamRecordedEvent, EventData, Position, RecordedEvent as ServerEvent } from '@eventstore/db-client'
import { type Append, isObject, type NewEvent, type RecordedEvent } from '../../engine/index.ts'
import { misuse } from './errors.ts'

/**
 * The place where a call over several appends is decided: it is committed if and only if the event with this id is
 * there.
 */
export interface Call {
  /** The stream of the decision, by its name on the server. */
  readonly stream: string
  /** The server's revision of the first event of the decision. */
  readonly revision: number
  /** Id of that event. */
  readonly id: string
}

/** What the engine stores about an event besides itself, in the metadata as `$otep`. */
interface Mark {
  /** The revision of the engine, never above the server's, which also counts events of void calls. */
  readonly revision: number
  readonly recordedAt: string
  /** The prefix of the stream names of the engine; absent if empty. */
  readonly prefix?: string
  /** The id of the engine, if the server has another one. */
  readonly id?: string
  /** The call of the event, unless the event decides it or needs none. */
  readonly call?: Call
}

/** An event as stored on the server. */
export interface StoredEvent {
  /** The stream name on the server. */
  readonly stream: string
  /** The revision on the server. */
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly position: string
  readonly data: unknown
  /** What the engine sees of it, if its call is committed; absent for foreign events. */
  readonly event?: RecordedEvent
  readonly call?: Call
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const place = /^(\d{20})\/(\d{20})$/
const noPosition = 2n ** 64n - 1n

/** An event in the server's form, with its data and its metadata as JSON. */
export interface ServerRecord {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

/** The JSON of an event: a private copy. */
export interface Texts extends Pick<ServerRecord, 'data' | 'metadata'> {
  /** Bytes. */
  readonly size: number
}

/** An append with the JSON of its events. */
export interface Prepared extends Append {
  readonly texts: readonly Texts[]
}

/** Copies the events of an append as JSON; throws `internal` if they could not be read back. */
export function prepare(append: Append): Prepared {
  if (!isKeepable(append.stream)) throw misuse('a stream name that this store cannot keep')
  return { ...append, texts: append.events.map(textsOf) }
}

/** The server's form of an event of the engine. */
export function recordOf({ type }: NewEvent, { data, metadata }: Texts, id: string, mark: Mark): ServerRecord {
  const before = metadata === '{}' ? '{' : `${metadata.slice(0, -1)},`
  return { id, type, data, metadata: `${before}"$otep":${JSON.stringify(mark)}}` }
}

/** The server's form of a lease, a key, a record of a journal, the name of the history or a void event: no events of the engine. */
export function ownRecordOf(kind: Own | 'void', data: object, id: string): ServerRecord {
  return { id, type: `otep.${kind}`, data: JSON.stringify(data), metadata: '{}' }
}

/** The same as the client takes it. */
export function clientEventOf({ id, type, data, metadata }: ServerRecord): EventData {
  return {
    id,
    contentType: 'application/json',
    type,
    data: JSON.parse(data),
    metadata: JSON.parse(metadata),
  } as EventData
}

/**
 * Decodes an event of the server; `prefix` is that of this engine's stream names, and events of other prefixes are
 * foreign.
 */
export function storedEventOf(event: AllStreamRecordedEvent | ServerEvent, prefix: string): StoredEvent {
  const { streamId: stream, type, data } = event
  const at = {
    stream,
    revision: Number(event.revision),
    id: event.id,
    type,
    position: positionOf(event.position),
    data,
  }
  const { $otep: mark, ...metadata } = isObject(event.metadata) ? event.metadata : {}
  if (!isMark(mark, prefix) || mark.revision > at.revision) return at
  const { revision, recordedAt, id = event.id, call } = mark
  const name = stream.slice(prefix.length)
  const seen = { id, type, data, metadata, stream: name, revision, position: at.position, recordedAt }
  return { ...at, event: seen as unknown as RecordedEvent, ...(call === undefined ? {} : { call }) }
}

/** A position as text that sorts in order: commit and prepare, 20 digits each. */
export function positionOf(position: Position | undefined): string {
  if (position === undefined || position.commit === noPosition) {
    throw misuse('a server that does not say where events stand: EventStoreDB 22.6 or later is needed')
  }
  return `${digits(position.commit)}/${digits(position.prepare)}`
}

/** The server position of a text. Throws for a position that this store has not issued. */
export function placeOf(position: string): Position {
  const [, commit, prepare] = place.exec(position) ?? []
  if (commit === undefined || prepare === undefined) throw misuse(`a position of another store: ${position}`)
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

/** Bytes of the log between two positions, in whichever order; `''` is its beginning. */
export function bytesBetween(one: string, other: string): bigint {
  const [first, second] = [one, other].map((position) => BigInt(position.split('/')[0] || 0)) as [bigint, bigint]
  return first > second ? first - second : second - first
}

/** The JSON of an event. */
export function textsOf({ id, data: given, metadata: about }: NewEvent): Texts {
  if (!uuid.test(id)) throw misuse(`an event id that is not a lower-case UUID: ${id}`)
  const data: string | undefined = JSON.stringify(given)
  if (data === undefined) throw misuse('an event whose data is not JSON')
  const metadata = JSON.stringify(about)
  return { data, metadata, size: Buffer.byteLength(data) + Buffer.byteLength(metadata) }
}

/** Others may write what looks like a mark: it is one only if this engine can have written all of it. */
function isMark(mark: unknown, prefix: string): mark is Mark {
  if (!isObject(mark) || (mark.prefix ?? '') !== prefix) return false
  const { revision, recordedAt, id, call } = mark
  if (!isRevision(revision) || typeof recordedAt !== 'string' || Number.isNaN(Date.parse(recordedAt))) return false
  return (id === undefined || isId(id)) && (call === undefined || isCall(call, prefix))
}

function isCall(call: unknown, prefix: string): call is Call {
  if (!isObject(call) || !isRevision(call.revision) || !isId(call.id) || typeof call.stream !== 'string') return false
  const name = nameOf(call.stream, prefix)
  return name !== undefined && isKeepable(name)
}

function isRevision(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value)
}

function digits(number: bigint): string {
  return String(number).padStart(20, '0')
}

/** Prefix of streams with data besides the events. */
const ownPrefix = 'otep-'

/** Kinds of data besides the events. */
type Own = 'lease' | 'key' | 'journal' | 'history'

/** The stream of a lease, a key, a journal or the name of the history, without the prefix. */
export function ownName(kind: Own, name: string): string {
  return `${ownPrefix}${kind}-${name}`
}

/** Whether a stream name is allowed: the server reserves names with a dollar, and this store its own prefix. */
export function isKeepable(name: string): boolean {
  return name.isWellFormed() && name !== '' && !name.startsWith('$') && !name.startsWith(ownPrefix)
}

/** The engine's name of a server stream; `undefined` if it has another prefix. */
export function nameOf(stream: string, prefix: string): string | undefined {
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : undefined
}

/** Splits `otepPrefix` off a connection string. With prefixes, several engines can share a server. */
export function splitPrefix(connectionString: string): { readonly server: string; readonly prefix: string } {
  const [address = '', query = ''] = connectionString.split('?', 2)
  const settings = query.split('&').filter((setting) => setting !== '')
  const [, prefix = ''] = settings.find((setting) => setting.startsWith('otepPrefix='))?.split('=', 2) ?? []
  if (!/^([A-Za-z0-9][A-Za-z0-9_.-]{0,63})?$/.test(prefix) || prefix.startsWith(ownPrefix)) {
    throw misuse('otepPrefix: letters, digits, hyphens, full stops and underscores')
  }
  const rest = settings.filter((setting) => !setting.startsWith('otepPrefix=')).join('&')
  return { server: rest === '' ? address : `${address}?${rest}`, prefix }
}
