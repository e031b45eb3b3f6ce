import type { AllStreamRecordedEvent, EventData, Position, RecordedEvent as ServerEvent } from '@eventstore/db-client'
import { type Append, isObject, type NewEvent, type RecordedEvent } from '../../engine/index.ts'
import { misuse } from './connection.ts'

/** Where a call over several appends is decided: it is committed exactly if the event with this id stands there. */
export interface Call {
  /** The stream of the decision, as the server names it. */
  readonly stream: string
  /** The server's revision of the first event of the decision. */
  readonly revision: number
  /** Id of that event. */
  readonly id: string
}

/** What the engine must know of an event beside itself; kept in the metadata as `$otep`. */
export interface Mark {
  /** The engine's revision; the server also counts events of calls that came to nothing. */
  readonly revision: number
  readonly recordedAt: string
  /** The engine that the event is a fact of: what precedes the names of its streams; absent where that is nothing. */
  readonly prefix?: string
  /** The engine's id, where the server has it under another. */
  readonly id?: string
  /** The call that the event belongs to, unless the event decides it or stands by itself. */
  readonly call?: Call
}

/** An event as it stands on the server. */
export interface Standing {
  /** As the server names it. */
  readonly stream: string
  /** As the server counts. */
  readonly revision: number
  readonly id: string
  readonly position: string
  readonly data: unknown
  /** What the engine sees of it, provided that its call is committed; absent where it is none of the engine's. */
  readonly event?: RecordedEvent
  readonly call?: Call
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const place = /^(\d{20})\/(\d{20})$/
const noPosition = 2n ** 64n - 1n

/** An append of which the caller has no part any more, and the bytes that each event takes. */
export interface Prepared extends Append {
  readonly sizes: readonly number[]
}

/** A copy of an append as JSON keeps it; refused with `internal` where it could not be given back. */
export function prepare(append: Append): Prepared {
  if (!isKeepable(append.stream)) throw misuse('a stream name that this store cannot keep')
  const texts = append.events.map(textOf)
  return {
    ...append,
    events: texts.map((text) => JSON.parse(text)),
    sizes: texts.map((text) => Buffer.byteLength(text)),
  }
}

/** What is sent to the server for an event. */
export function dataOf({ type, data, metadata }: NewEvent, id: string, mark: Mark): EventData {
  return { id, contentType: 'application/json', type, data, metadata: { ...metadata, $otep: mark } } as EventData
}

/** What is sent to the server for a lease, a key, or a call that is void: nothing that the engine sees. */
export function ownDataOf(kind: Own | 'void', data: object, id: string): EventData {
  return { id, contentType: 'application/json', type: `otep.${kind}`, data, metadata: {} } as EventData
}

/** An event of the server; `prefix` is what precedes the engine's own name of every stream, and none is a fact of another. */
export function standingOf(event: AllStreamRecordedEvent | ServerEvent, prefix: string): Standing {
  const { streamId: stream, type, data } = event
  const at = { stream, revision: Number(event.revision), id: event.id, position: positionOf(event.position), data }
  const { $otep: mark, ...metadata } = isObject(event.metadata) ? event.metadata : {}
  if (!isMark(mark) || (mark.prefix ?? '') !== prefix) return at
  const { revision, recordedAt, id = event.id, call } = mark
  const name = stream.slice(prefix.length)
  const seen = { id, type, data, metadata, stream: name, revision, position: at.position, recordedAt }
  return { ...at, event: seen as unknown as RecordedEvent, ...(call === undefined ? {} : { call }) }
}

/** A place in the server's log as text that sorts alike: commit and prepare, 20 digits each. */
export function positionOf(position: Position | undefined): string {
  if (position === undefined || position.commit === noPosition) {
    throw misuse('a server that does not say where events stand: EventStoreDB 22.6 or later is needed')
  }
  return `${digits(position.commit)}/${digits(position.prepare)}`
}

/** The place in the server's log that a position names. Refuses a position that this store has not given out. */
export function placeOf(position: string): Position {
  const [, commit, prepare] = place.exec(position) ?? []
  if (commit === undefined || prepare === undefined) throw misuse(`a position of another store: ${position}`)
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

function textOf({ id, type, data, metadata, recordedAt }: NewEvent): string {
  if (!uuid.test(id)) throw misuse(`an event id that is not a lower-case UUID: ${id}`)
  if (JSON.stringify(data) === undefined) throw misuse('an event whose data is not JSON')
  return JSON.stringify({ id, type, data, metadata, recordedAt })
}

function isMark(mark: unknown): mark is Mark {
  return isObject(mark) && Number.isSafeInteger(mark.revision) && typeof mark.recordedAt === 'string'
}

function digits(number: bigint): string {
  return String(number).padStart(20, '0')
}

/** What the store keeps beside the facts stands in streams of its own, which begin like this. */
const own = 'otep-'

/** What the store keeps beside the facts. */
export type Own = 'lease' | 'key'

/** The stream of a lease or key, without the prefix. */
export function ownName(kind: Own, name: string): string {
  return `${own}${kind}-${name}`
}

/** Whether a stream may have this name here: the server keeps those with a dollar for itself, and this store its own. */
export function isKeepable(name: string): boolean {
  return name.isWellFormed() && name !== '' && !name.startsWith('$') && !name.startsWith(own)
}

/** The engine's name of a stream of the server; nothing where it has another prefix. */
export function nameOf(stream: string, prefix: string): string | undefined {
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : undefined
}

/** A connection string without `otepPrefix`, which is the engine's own, and what that says: several engines on one server. */
export function splitPrefix(connectionString: string): { readonly server: string; readonly prefix: string } {
  const [address = '', query = ''] = connectionString.split('?', 2)
  const settings = query.split('&').filter((setting) => setting !== '')
  const [, prefix = ''] = settings.find((setting) => setting.startsWith('otepPrefix='))?.split('=', 2) ?? []
  if (!/^([A-Za-z0-9][A-Za-z0-9_.-]{0,63})?$/.test(prefix) || prefix.startsWith(own)) {
    throw misuse('otepPrefix: letters, digits, hyphens, full stops and underscores')
  }
  const rest = settings.filter((setting) => !setting.startsWith('otepPrefix=')).join('&')
  return { server: rest === '' ? address : `${address}?${rest}`, prefix }
}
