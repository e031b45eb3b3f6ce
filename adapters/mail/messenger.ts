import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { isEngineError, type Message, type Messenger } from '../../engine/index.ts'
import { createFairQueue } from '../node/fair-queue.ts'
import { type Limits, localSource } from '../node/limits.ts'
import type { Mail } from '../node/mail.ts'
import type { Sms } from '../node/sms.ts'
import { textOf } from './written.ts'

/** Messages that are made and sent at a time, and that wait. */
const bounds = { running: 4, runningOfOne: 4, waiting: 1_000, waitingOfOne: 1_000 }

/** Milliseconds before a message that could not be sent is tried again. */
const pauses = [2_000, 15_000, 60_000]

/** The messenger of a node. */
export interface NodeMessenger extends Messenger {
  /** Sends what waits, without trying again. */
  close(): Promise<void>
}

/** What a messenger needs; `failed` receives the reason why a message was not sent, which names no address. */
interface MessengerOptions {
  readonly mail: Mail | undefined
  readonly sms: Sms | undefined
  readonly limits: Limits
  readonly failed: (error: unknown) => void
}

/** Creates the messenger of a node. */
export function createMessenger({ mail, sms, limits, failed }: MessengerOptions): NodeMessenger {
  const queue = createFairQueue(bounds)
  const closing = new AbortController()
  // Every message that is to be tried again listens to it.
  setMaxListeners(0, closing.signal)
  const underway = new Set<Promise<void>>()

  async function hand({ by, to, subject, text }: Message, id: string): Promise<string | undefined> {
    return by === 'sms' ? sms?.send({ to, text: textOf(text) }) : mail?.send({ id, to: [to], subject, text })
  }

  /** The same id for each try, so that a server that took it twice can tell. */
  async function send(message: Message, id = randomUUID(), tries = 0): Promise<void> {
    try {
      const refused = await queue.run(localSource, () => hand(message, id))
      if (refused !== undefined) failed(new Error(refused))
    } catch (error) {
      const pause = pauses[tries]
      if (pause === undefined || closing.signal.aborted) throw error
      await setTimeout(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      await send(message, id, tries + 1)
    }
  }

  async function work(make: () => Promise<Message | undefined>): Promise<void> {
    // The answer to the request goes first.
    await setImmediate()
    const message = await queue.run(localSource, make)
    if (message !== undefined) await send(message)
  }

  return {
    sendsMail: mail !== undefined,
    sendsSms: sms !== undefined,
    admit: (recipient, source = localSource) => {
      limits.take('messages_from', source)
      limits.take('messages_again', `${recipient}\0${source}`)
      return limits.tryTake('messages_to', recipient)
    },
    post: (make) => {
      const done = work(make)
        .catch((error: unknown) =>
          failed(isEngineError(error, 'too_busy') ? new Error('too many messages wait') : error),
        )
        .finally(() => underway.delete(done))
      underway.add(done)
    },
    close: async () => {
      closing.abort()
      await Promise.all(underway)
    },
  }
}
