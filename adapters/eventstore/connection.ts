import { setTimeout as pause } from 'node:timers/promises'
import { BACKWARDS, END, EventStoreDBClient } from '@eventstore/db-client'
import { EngineError } from '../../engine/index.ts'
import { asOfOutage, type OutageReports } from '../node/outages.ts'
import { endAppends } from './append.ts'
import { failureOf, isOutage, isTemporary, textOf, timedOut } from './errors.ts'
import { createOutage, type Kind } from './outage.ts'

/** Time limits in milliseconds. */
export interface CallTimeouts {
  /** For the answer to a call. */
  readonly timeout: number
  /** For a call including its retries. */
  readonly retryFor: number
}

/** A connection to a server or cluster. */
export interface Connection {
  readonly timeouts: CallTimeouts
  /** The current client. */
  client(): EventStoreDBClient
  /**
   * Sends an idempotent call, with retries while they can help: not any more once a call has waited in vain, until the
   * server is back.
   */
  call<Answer>(send: Send<Answer>, kind?: Kind): Promise<Answer>
  /** Sends a call once. */
  attempt<Answer>(send: Send<Answer>): Promise<Answer>
  /** While the server is lost: resolves when it is back. */
  lost(): Promise<void> | undefined
  /** Waits so many milliseconds, but no longer than until a lost server is back. */
  rest(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** The error of what has waited in vain for the server since a moment (`performance.now()`). */
  failure(error: unknown, since: number, kind?: Kind): Promise<EngineError>
  /** Stops all retries. */
  settle(): void
  close(): Promise<void>
}

/** Sends a call; `isRepeated` if it may have been sent before. */
type Send<Answer> = (client: EventStoreDBClient, isRepeated: boolean) => Promise<Answer>

/** Milliseconds for the answer to a call that is tried once. */
export const attemptTimeout = 2_000

/** Milliseconds at least for the answer to a call that is tried again. */
const shortestTimeout = 100

/** Creates a connection, which opens on the first call. Throws if the connection string is invalid. */
export function createConnection(
  connectionString: string,
  patience: CallTimeouts,
  reports: OutageReports = {},
): Connection {
  const { client, send: sent, close: hangUp } = createClient(connectionString, patience.timeout)
  const attempt = <Answer>(send: Send<Answer>) => sent(send, attemptTimeout, false)
  const outage = createOutage(() => attempt(readEnd).catch(throwTemporary), reports)
  let settling = false
  let closed = false

  async function call<Answer>(send: Send<Answer>, kind: Kind = 'read'): Promise<Answer> {
    const isHopeless = kind === 'write' && outage.areWritesRefused()
    const begin = performance.now()
    const end = begin + (isHopeless ? 0 : patience.retryFor)
    let timeout = isHopeless ? attemptTimeout : patience.timeout
    let isRepeated = false
    for (let wait = 20; ; wait = Math.min(wait * 2, 1000)) {
      try {
        const answer = await once(send, timeout, isRepeated)
        outage.worked(kind)
        return answer
      } catch (error) {
        if (!isTemporary(error) || settling || isOutage(error)) throw failureOf(error)
        if (performance.now() + wait > end) throw await failure(error, begin, kind)
      }
      await pause(wait)
      timeout = Math.max(shortestTimeout, Math.min(timeout, end - performance.now()))
      isRepeated = true
    }
  }

  function once<Answer>(send: Send<Answer>, timeout: number, isRepeated: boolean): Promise<Answer> {
    if (closed) throw new EngineError('store_unavailable')
    const loss = outage.current()
    if (loss !== undefined) throw asOfOutage(failureOf(loss.error))
    return sent(send, timeout, isRepeated)
  }

  async function failure(error: unknown, since: number, kind: Kind = 'read'): Promise<EngineError> {
    await outage.failed(kind, since)
    return outage.current() === undefined ? failureOf(error) : asOfOutage(failureOf(error))
  }

  const lost = () => outage.current()?.back
  const rest: Connection['rest'] = (milliseconds, signal) => pauseUntil(lost(), milliseconds, signal)

  async function close() {
    closed = true
    outage.end()
    await hangUp()
  }

  const settle = () => {
    settling = true
  }
  return { timeouts: patience, client, call, attempt, lost, rest, failure, settle, close }
}

/** A client, replaced by another one when it is silent. */
function createClient(connectionString: string, longest: number) {
  let current = dial(connectionString)
  let closed = false

  function send<Answer>(send: Send<Answer>, timeout: number, isRepeated: boolean): Promise<Answer> {
    const client = current
    return inTime(send(client, isRepeated), Math.min(timeout, longest), () => renew(client))
  }

  /** Other calls in flight on the silent client end by themselves. */
  function renew(silent: EventStoreDBClient) {
    if (silent !== current || closed) return
    current = dial(connectionString)
    void channelOf(silent).then((channel) => channel?.close())
    endAppends(silent)
  }

  async function close() {
    closed = true
    // Before its calls end: the client may take that for a failure, and look for another server.
    const channel = channelOf(current)
    await current.dispose()
    ;(await channel)?.close()
  }

  return { client: () => current, send, close }
}

/**
 * Creates a client that sends each append as its own call. Its `batchAppend` has no time limit, requires synchronous
 * clocks, and shares a table between all clients of the process, so that a late answer or the failure of another client
 * can end the process.
 */
function dial(connectionString: string): EventStoreDBClient {
  const settings = `${connectionString}${connectionString.includes('?') ? '&' : '?'}throwOnAppendFailure=true`
  try {
    return Object.assign(EventStoreDBClient.connectionString(settings), { supports: async () => false })
  } catch (error) {
    if (/certificate (key )?file/.test(textOf(error)))
      throw new Error(
        'OTEP_STORE names a file of certificates (tlsCAFile, userCertFile or userKeyFile) that is not there.',
      )
    throw new Error(`The connection string of the event store server cannot be read${expectation(error)}.`)
  }
}

/** What the parser expected and where, without the text itself, which may contain a password. */
function expectation(error: unknown): string {
  const { expected, location } = error as { readonly expected?: string; readonly location?: readonly number[] }
  return expected === undefined ? '' : `: expected ${expected} at character ${location?.[0]}`
}

/** The smallest read that only a server with a leader answers. */
async function readEnd(client: EventStoreDBClient): Promise<void> {
  const options = { fromPosition: END, direction: BACKWARDS, maxCount: 1, requiresLeader: true } as const
  // To its end: a stream that is left earlier keeps the client from closing.
  for await (const _ of client.readAll(options));
}

/** A server that refuses is there. */
function throwTemporary(error: unknown): void {
  if (isTemporary(error)) throw error
}

/** Waits so many milliseconds, or until a lost server is back. */
async function pauseUntil(back: Promise<void> | undefined, milliseconds: number, signal?: AbortSignal): Promise<void> {
  const over = pause(milliseconds, undefined, signal && { signal }).catch(() => {})
  await Promise.race([over, back ?? over])
}

/** The answer; after so many milliseconds, calls `onTimeout` and rejects with `timedOut`. */
function inTime<Answer>(answer: Promise<Answer>, timeout: number, onTimeout: () => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onTimeout()
      reject(timedOut)
    }, timeout)
    answer.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** The channel of a client, which has no way to close it; `undefined` if there is none. */
function channelOf(client: EventStoreDBClient): Promise<{ close(): void } | undefined> {
  const { getChannel } = client as unknown as { getChannel(): Promise<{ close(): void }> }
  return getChannel().catch(() => undefined)
}

/** Concurrent calls; a server accepts about 100 per connection. */
const maxConcurrent = 32

/** Processes items with limited concurrency; waits for all started ones even if one fails. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const [only] = items
  if (only !== undefined && items.length === 1) return [await work(only)]
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
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
  return answers
}
