import { setTimeout as pause } from 'node:timers/promises'
import { ErrorType, EventStoreDBClient } from '@eventstore/db-client'
import { EngineError, isEngineError } from '../../engine/index.ts'

/** How long the server is waited for, in milliseconds. */
export interface Patience {
  /** For the answer to one call. */
  readonly timeout: number
  /** For the same call to succeed, when it is sent again and again. */
  readonly retryFor: number
}

/** The way to a server or cluster. */
export interface Connection {
  readonly patience: Patience
  /** The client of the moment. */
  client(): EventStoreDBClient
  /** Sends a call that may safely be sent twice, again and again while that can help. */
  call<Answer>(send: (client: EventStoreDBClient) => Promise<Answer>): Promise<Answer>
  /** From now on nothing is sent again. */
  settle(): void
  close(): Promise<void>
}

/** Makes a connection, which is opened by the first call. Throws where the connection string cannot be read. */
export function createConnection(connectionString: string, patience: Patience): Connection {
  let current = dial(connectionString)
  let settling = false
  let closed = false

  async function call<Answer>(send: (client: EventStoreDBClient) => Promise<Answer>): Promise<Answer> {
    const end = performance.now() + patience.retryFor
    for (let wait = 20; ; wait = Math.min(wait * 2, 2000)) {
      if (closed) throw new EngineError('store_unavailable')
      const client = current
      try {
        return await inTime(send(client), patience.timeout)
      } catch (error) {
        if (!isPassing(error) || settling || performance.now() + wait > end) throw failureOf(error)
        if (error === late) renew(client)
      }
      await pause(wait)
    }
  }

  /** The calls of the silent client go on to their own ends. */
  function renew(silent: EventStoreDBClient) {
    if (silent !== current || closed) return
    current = dial(connectionString)
    void hangUp(silent)
  }

  async function close() {
    closed = true
    await current.dispose()
    await hangUp(current)
  }

  const settle = () => {
    settling = true
  }
  return { patience, client: () => current, call, settle, close }
}

/**
 * A client that sends each append as a call of its own. The other way, one stream for all appends (`batchAppend`), has
 * no time limit, asks for synchronous clocks, and shares a table between all clients of the process, so that a late
 * answer or the failure of another client can end the process.
 */
function dial(connectionString: string): EventStoreDBClient {
  const settings = `${connectionString}${connectionString.includes('?') ? '&' : '?'}throwOnAppendFailure=true`
  try {
    return Object.assign(EventStoreDBClient.connectionString(settings), { supports: async () => false })
  } catch (error) {
    throw new Error(`The connection string of the event store server cannot be read${expectation(error)}.`)
  }
}

/** What was expected where, without the text itself: it may hold a password. */
function expectation(error: unknown): string {
  const { expected, location } = error as { readonly expected?: string; readonly location?: readonly number[] }
  return expected === undefined ? '' : `: expected ${expected} at character ${location?.[0]}`
}

async function inTime<Answer>(answer: Promise<Answer>, timeout: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), timeout)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** The client has no way to close its channel. */
async function hangUp(client: EventStoreDBClient) {
  const { getChannel } = client as unknown as { getChannel(): Promise<{ close(): void }> }
  await getChannel().then(
    (channel) => channel.close(),
    () => {},
  )
}

/** Calls that are under way at once: a server takes about 100 over one connection. */
const width = 32

/** Does the same with all items, some at a time, and waits for all that were begun even where one fails. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const rest = items.entries()
  const failures: unknown[] = []
  const lane = async () => {
    for (const [index, item] of rest) {
      if (failures.length > 0) return
      await work(item).then(
        (answer) => {
          answers[index] = answer
        },
        (error: unknown) => failures.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
  return answers
}

/** A call that was not answered in time: whether it was done is unknown. */
const late: unique symbol = Symbol('not answered in time')

/** After these the same call may work, and may have worked: nobody knows. */
const passing: ReadonlySet<unknown> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.NOT_LEADER,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  // What the server cannot name: a full disk, among other things.
  ErrorType.UNKNOWN,
])

/** Failures of the way to the server that the client gives no type: no node answers, or the channel was just given up. */
const unnamed = /^(Failed to discover|Channel has been shut down)/

/** Marks the cause of a failure that was waited for, and lasted longer. */
const outage: unique symbol = Symbol('an outage')

/** Whether it is worth to send the same call again. */
export function isPassing(error: unknown): boolean {
  return error === late || passing.has(typeOf(error)) || unnamed.test(textOf(error)) || isOutage(error)
}

/** Whether a call failed only because it could not wait for longer. */
function isOutage(error: unknown): boolean {
  return isEngineError(error) && error.cause instanceof Error && outage in error.cause
}

/** Whether the error is of this type of the client. */
export function isType(error: unknown, type: ErrorType): boolean {
  return typeOf(error) === type
}

/**
 * What a failed call means to the caller: `store_unavailable` where the server or the way to it is to blame, with the
 * reason as its `cause`; `internal` otherwise. Nothing of the connection string is in it.
 */
export function failureOf(error: unknown): EngineError {
  if (isEngineError(error)) return error
  if (isType(error, ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED)) return misuse(textOf(error))
  const reason = reasonOf(error)
  if (reason === undefined) return withCause(misuse(textOf(error)), error)
  const cause = new Error(reason)
  return withCause(
    new EngineError('store_unavailable'),
    isPassing(error) ? Object.assign(cause, { [outage]: true }) : cause,
  )
}

/** The error of a caller who asks for what no caller may, and of a server that this store cannot work with. */
export function misuse(request: string): EngineError {
  return new EngineError('internal', { request })
}

function reasonOf(error: unknown): string | undefined {
  if (error === late) return 'The event store server does not answer in time.'
  const type = typeOf(error)
  if (type === ErrorType.ACCESS_DENIED) {
    return 'The event store server does not take these credentials, or they do not allow this.'
  }
  if (type === ErrorType.STREAM_DELETED) return 'A stream of the engine was deleted on the event store server.'
  return isPassing(error) ? `The event store server cannot be used: ${textOf(error)}` : undefined
}

function withCause(failure: EngineError, cause: unknown): EngineError {
  failure.cause = cause
  return failure
}

function typeOf(error: unknown): unknown {
  return error instanceof Error && 'type' in error ? error.type : undefined
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
