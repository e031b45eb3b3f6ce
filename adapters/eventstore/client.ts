import { setTimeout as pause } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import { EngineError } from '../../engine/index.ts'
import { failureOf, isPassing, late } from './failure.ts'

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
