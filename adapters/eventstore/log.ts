import {
  type AllStreamRecordedEvent,
  type AppendExpectedRevision,
  BACKWARDS,
  type Direction,
  END,
  ErrorType,
  type EventData,
  FORWARDS,
  NO_STREAM,
  type ReadPosition,
  type ReadRevision,
  type RecordedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client'
import { placeOf, positionOf, type Standing, standingOf } from './codec.ts'
import { type Connection, isType } from './connection.ts'

/** Part of a stream, by the server's revisions; without `from`, from its end or beginning. */
export interface Range {
  readonly from?: number
  readonly limit: number
  readonly backwards?: boolean
}

/** The server as it is: streams of events, of which some are none of the engine's. Streams are named as on the server. */
export interface Log {
  /** The connection, for what no other call here does. */
  readonly connection: Connection
  /** What precedes the engine's name of every stream. */
  readonly prefix: string
  /**
   * Appends after the event at revision `last` (-1: none), all or nothing, and answers the position of the last event;
   * nothing where the stream is elsewhere. Sent again with the same ids, it answers as the first time.
   */
  append(stream: string, events: readonly EventData[], last: number): Promise<string | undefined>
  /** Events of a stream; empty where there is none. */
  read(stream: string, range: Range): Promise<readonly Standing[]>
  /** Events of all streams after a position, in order. */
  readAll(after: string | undefined, limit: number): Promise<readonly Standing[]>
  /** Position of the last event of all. */
  end(): Promise<string | undefined>
}

/** The log of a server. */
export function createLog(connection: Connection, prefix: string): Log {
  const { call, patience } = connection
  const join = joined<readonly Standing[]>()

  async function append(stream: string, events: readonly EventData[], last: number): Promise<string | undefined> {
    const expectedRevision: AppendExpectedRevision = last < 0 ? NO_STREAM : BigInt(last)
    const position = await call(async (client) => {
      const options = { expectedRevision, deadline: patience.timeout, requiresLeader: true }
      const answer = client.appendToStream(stream, [...events], options)
      const appended = await unless(ErrorType.WRONG_EXPECTED_VERSION, answer)
      return appended && (appended.position ?? 'unknown')
    })
    if (position !== 'unknown') return position && positionOf(position)
    const [repeated] = await read(stream, { from: last + events.length, limit: 1 })
    return repeated?.position
  }

  function read(stream: string, range: Range): Promise<readonly Standing[]> {
    const name = `${range.from} ${range.limit} ${range.backwards} ${stream}`
    return join(name, () => readNow(stream, range))
  }

  async function readNow(stream: string, { from, limit, backwards = false }: Range): Promise<readonly Standing[]> {
    const fromRevision: ReadRevision = from === undefined ? (backwards ? END : START) : BigInt(from)
    const direction: Direction = backwards ? BACKWARDS : FORWARDS
    const options = { fromRevision, direction, maxCount: limit, requiresLeader: true }
    const events = await call((client) => {
      const found = collect<RecordedEvent>(client.readStream(stream, options))
      return unless(ErrorType.STREAM_DELETED, unless(ErrorType.STREAM_NOT_FOUND, found))
    })
    return (events ?? []).map((event) => standingOf(event, prefix))
  }

  /** The server begins with the event at the position itself. */
  async function readAll(after: string | undefined, limit: number): Promise<readonly Standing[]> {
    const fromPosition: ReadPosition = after === undefined ? START : placeOf(after)
    const options = { fromPosition, maxCount: limit + 1, requiresLeader: true }
    const events = await call((client) => collect<AllStreamRecordedEvent>(client.readAll(options)))
    return events.map((event) => standingOf(event, prefix)).filter(({ position }) => position !== after)
  }

  async function end(): Promise<string | undefined> {
    const options = { fromPosition: END, direction: BACKWARDS, maxCount: 1, requiresLeader: true } as const
    const [last] = await call((client) => collect<AllStreamRecordedEvent>(client.readAll(options)))
    return last && positionOf(last.position)
  }

  return { connection, prefix, append, read, readAll, end }
}

/** The answer, or nothing where it is an error of this type. */
export async function unless<Answer>(type: ErrorType, answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isType(error, type)) return undefined
    throw error
  }
}

/** The stream may tell of an error after it has ended, which nobody must miss to listen for. */
function collect<Event>(stream: StreamingRead<{ readonly event?: unknown }>): Promise<readonly Event[]> {
  return new Promise((resolve, reject) => {
    const events: Event[] = []
    stream.on('data', ({ event }) => event !== undefined && events.push(event as Event))
    stream.on('end', () => resolve(events))
    stream.on('error', reject)
  })
}

/**
 * Joins those who ask the same thing at once. Whoever comes while an answer is on its way waits for the next one, which is
 * asked for after he came: it holds everything that stood then.
 */
function joined<Answer>(): (name: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<Answer>>()

  function start(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    next.delete(name)
    const answer = ask()
    const ended = answer.then(
      () => {},
      () => {},
    )
    running.set(name, ended)
    void ended.then(() => running.get(name) === ended && running.delete(name))
    return answer
  }

  return (name, ask) => {
    const current = running.get(name)
    if (current === undefined) return start(name, ask)
    const coming = next.get(name) ?? current.then(() => start(name, ask))
    next.set(name, coming)
    return coming
  }
}
