import { wait } from '../../node/wait.ts'
import type { Invocation } from '../command.ts'
import { requireServer } from '../either.ts'
import { waitForSignal } from '../signals.ts'
import { lineOf, readEvent } from './event.ts'
import { numberOf, urlOf } from './options.ts'

/** An event of a queue, as a request would bring it. */
interface Pulled {
  readonly delivery_id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Milliseconds that a receiver may take for an event, and after which one that failed gets it again. */
const patience = { answer: 30_000, again: 2_000 }

/** `otep webhooks pull QUEUE`: reads the queue of a server and sends its events to a URL, each until it is taken. */
export async function pull(invocation: Invocation, queue: string): Promise<number> {
  const { values, stdout } = invocation
  const url = urlOf(values['forward-to'] ?? 'http://127.0.0.1:4000/')
  const last = numberOf(values, 'count', 1, 1_000_000) ?? Number.POSITIVE_INFINITY
  const server = await requireServer(invocation)
  const stopping = new AbortController()
  let taken = 0
  stdout.write(`otep sends the events of the queue ${queue} to ${url}\n`)

  /** Sends an event until the receiver takes it or the command stops. */
  async function deliver({ headers, body }: Pulled): Promise<boolean> {
    for (;;) {
      if (stopping.signal.aborted) return false
      const answer = await answerOf(url, headers, body)
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      const line = lineOf(readEvent({ headers: lower, body: Buffer.from(body) }), Date.now())
      stdout.write(`${line}  -> ${answer.text}\n`)
      if (answer.isTaken) return true
      await wait(patience.again, stopping.signal)
    }
  }

  async function work(): Promise<void> {
    let cursor: string | undefined
    while (!stopping.signal.aborted && taken < last) {
      // The cursor acknowledges what the receiver has taken, one event at a time.
      const asked = { queue, cursor, limit: 1, wait: 20 }
      const answer = await server.call('pull_webhooks', asked, stopping.signal)
      for (const event of answer.events as readonly Pulled[]) {
        if (!(await deliver(event))) return
        taken++
      }
      cursor = typeof answer.cursor === 'string' ? answer.cursor : cursor
    }
    if (cursor !== undefined) await server.call('pull_webhooks', { queue, cursor, limit: 1 })
  }

  const working = work().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  await waitForSignal(working)
  stopping.abort()
  await working
  stdout.write(`${taken} delivered\n`)
  return 0
}

async function answerOf(url: string, headers: Pulled['headers'], body: string) {
  try {
    const signal = AbortSignal.timeout(patience.answer)
    const { status, ok } = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    return { isTaken: ok, text: String(status) }
  } catch {
    return { isTaken: false, text: 'not reached' }
  }
}
