import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  type Direction,
  END,
  ErrorType,
  FORWARDS,
  type ReadPosition,
  type ReadRevision,
  type RecordedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client'
import { createKeyedQueue } from '../../engine/index.ts'
import { appendWith } from './append.ts'
import { placeOf, positionOf, type ServerRecord, type StoredEvent, storedEventOf } from './codec.ts'
import type { Connection } from './connection.ts'
import { unless } from './errors.ts'

/** A range of a stream by server revisions; without `from`, from its beginning or end. */
export interface Range {
  readonly from?: number
  readonly limit: number
  readonly backwards?: boolean
  /** Whether a stream that was ended for good is refused, because nothing can follow; else it is empty. */
  readonly mustGoOn?: boolean
}

/** The raw log of the server: streams of events, some of them foreign. Streams have their server names. */
export interface Log {
  /** The connection, for other calls. */
  readonly connection: Connection
  /** Prefix of the engine's stream names. */
  readonly prefix: string
  /**
   * Appends after the event at revision `last` (-1: none), all or nothing. Returns the position of the last event, or
   * `undefined` if the stream is at another revision. A repetition with the same ids returns the first result.
   */
  append(stream: string, events: readonly ServerRecord[], last: number): Promise<string | undefined>
  /** Events of a stream; empty if there is none. */
  read(stream: string, range: Range): Promise<readonly StoredEvent[]>
  /** Whether others have ended a stream for good, or hidden all its events, so that nobody knows where it ends. */
  isShut(stream: string): Promise<boolean>
  /** Events of all streams after a position, in order. */
  readAll(after: string | undefined, limit: number): Promise<readonly StoredEvent[]>
  /** The last event of all. */
  end(): Promise<End | undefined>
}

/** The end of the log. */
interface End {
  readonly position: string
  /** Whether the event there is not in a stream of this engine. */
  readonly isForeign: boolean
}

/** The log of a server. */
export function createLog(connection: Connection, prefix: string): Log {
  const { call, timeouts: patience } = connection
  const join = joined<readonly StoredEvent[]>()
  const joinEnd = joined<End | undefined>()

  async function append(stream: string, events: readonly ServerRecord[], last: number): Promise<string | undefined> {
    const addition = { stream, events, last }
    const place = await call(
      (client, isRepeated) => appendWith(client, addition, { isRepeated, timeout: patience.timeout }),
      'write',
    )
    if (place !== 'unknown') return place && positionOf(place)
    const [repeated] = await read(stream, { from: last + events.length, limit: 1 })
    return repeated?.position
  }

  function read(stream: string, range: Range): Promise<readonly StoredEvent[]> {
    const name = `${range.from} ${range.limit} ${range.backwards} ${range.mustGoOn} ${stream}`
    return join(name, () => readNow(stream, range))
  }

  async function readNow(stream: string, range: Range): Promise<readonly StoredEvent[]> {
    const { from, limit, backwards = false, mustGoOn = false } = range
    const fromRevision: ReadRevision = from === undefined ? (backwards ? END : START) : BigInt(from)
    const direction: Direction = backwards ? BACKWARDS : FORWARDS
    const options = { fromRevision, direction, maxCount: limit, requiresLeader: true }
    const events = await call((client) => {
      const found = unless(ErrorType.STREAM_NOT_FOUND, collect<RecordedEvent>(client.readStream(stream, options)))
      return mustGoOn ? found : unless(ErrorType.STREAM_DELETED, found)
    })
    return (events ?? []).map((event) => storedEventOf(event, prefix))
  }

  /** The server starts with the event at the position itself. */
  async function readAll(after: string | undefined, limit: number): Promise<readonly StoredEvent[]> {
    const fromPosition: ReadPosition = after === undefined ? START : placeOf(after)
    const options = { fromPosition, maxCount: limit + 1, requiresLeader: true }
    const events = await call((client) => collect<AllStreamRecordedEvent>(client.readAll(options)))
    return events.map((event) => storedEventOf(event, prefix)).filter(({ position }) => position !== after)
  }

  async function endNow(): Promise<End | undefined> {
    const options = { fromPosition: END, direction: BACKWARDS, maxCount: 1, requiresLeader: true } as const
    const [last] = await call((client) => collect<AllStreamRecordedEvent>(client.readAll(options)))
    return last && { position: positionOf(last.position), isForeign: !isOf(last, prefix) }
  }

  return {
    ...{ connection, prefix, append, read, readAll },
    isShut: (stream) => isShutOn(connection, stream),
    end: () => joinEnd('end', endNow),
  }
}

async function isShutOn({ call }: Connection, stream: string): Promise<boolean> {
  const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const
  const hasEvents = await call((client) => {
    const found = collect<RecordedEvent>(client.readStream(stream, options)).then((events) => events.length > 0)
    const isOpen = unless(ErrorType.STREAM_NOT_FOUND, found).then((has) => has ?? true)
    return unless(ErrorType.STREAM_DELETED, isOpen)
  })
  return hasEvents !== true
}

/** As the server selects what it sends to the subscription of an engine. */
function isOf({ streamId, type }: AllStreamRecordedEvent, prefix: string): boolean {
  return prefix === '' ? !type.startsWith('$') : streamId.startsWith(prefix)
}

/** The stream may emit an error after its end, which needs a listener. */
function collect<Event>(stream: StreamingRead<{ readonly event?: unknown }>): Promise<readonly Event[]> {
  return new Promise((resolve, reject) => {
    const events: Event[] = []
    stream.on('data', ({ event }) => event !== undefined && events.push(event as Event))
    stream.on('end', () => resolve(events))
    stream.on('error', reject)
  })
}

/**
 * Coalesces identical requests. A request that arrives while another is running shares the next one, which starts after
 * it arrived and so sees everything stored before.
 */
function joined<Answer>(): (name: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const inTurn = createKeyedQueue<string>()
  const next = new Map<string, Promise<Answer>>()

  function begin(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    next.delete(name)
    return ask()
  }

  return (name, ask) => {
    const coming = next.get(name) ?? inTurn(name, () => begin(name, ask))
    next.set(name, coming)
    return coming
  }
}
