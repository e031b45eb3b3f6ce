import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { type World, type WorldOptions, world } from '../../adapters/auth/world.test.fixture.ts'
import { runPoliciesOnce } from '../../adapters/policies/index.ts'
import { addProvider, type Caller, call, en, startLife } from '../../engine/index.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** The JSON of an answer. */
export type Json = ReturnType<typeof JSON.parse>

/** A server in this process that sends, and a receiver that it may send to. */
export interface Live extends World {
  readonly receiver: Receiver
  /** Answers the body of a call that has to succeed; throws where it does not. */
  ask(token: string, method: string, path: string, body?: object): Promise<Json>
  /** Creates a key for a provider of the business. */
  addProvider(name: string, business?: number): Promise<string>
  /** Does what follows from all events: batches, timelines. */
  follow(): Promise<void>
  /** Waits until all events so far have been sent, as far as they are due by the current clock. */
  settled(): Promise<void>
  /** What went wrong while it was sent. */
  readonly troubles: readonly unknown[]
  /** Begins to send. */
  start(): void
  /** Ends all sending, and waits until it has. */
  stop(): Promise<void>
}

/** The sender waits at least this long (ms), so that it notices a changed clock. */
const pause = 20
const patience = 30_000

/** Starts both; `options` are those of the test harness. If others send, on the same store, nothing is sent in this process. */
export async function live(t: Test, options: WorldOptions = {}, doOthersSend = false): Promise<Live> {
  const webhooks = { allow: ['127.0.0.0/8'], ...options.webhooks }
  const place = await world({ baseUrl: 'https://otep.example', ...options, webhooks })
  const receiver = await startReceiver(() => place.clock.now)
  const sending = sendingOf(place)
  const stop = async () => {
    await sending.stop()
    await place.parts.webhooks.close()
  }
  t.teardown(async () => {
    await sending.stop()
    await receiver.close()
  })
  if (!doOthersSend) sending.start()
  return {
    ...place,
    receiver,
    settled: await settlingOf(place, receiver, sending.troubles),
    ask: (token, method, path, body) => asked(place, token, method, path, body),
    addProvider: (name, business = place.business) => keyOf(place, name, business),
    follow: () => runPoliciesOnce(place.parts),
    start: sending.start,
    troubles: sending.troubles,
    stop,
  }
}

/**
 * Events are processed in order: once one of the other business is in the log, so are all before it, and the function
 * waits for that.
 */
async function settlingOf(place: World, receiver: Receiver, troubles: readonly unknown[]): Promise<Live['settled']> {
  const { other, clock, parts, business: businessId } = place
  const mark = '/mark'
  const body = { order_lifecycle_webhook_url: receiver.urlOf(mark) }
  await asked(place, other.tokens.client_admin, 'PUT', '/api/v1/webhook-settings', body)
  let count = 0
  const isDue = async () => {
    const query = { businessId, state: ['waiting', 'sending'] } as const
    const { deliveries } = await parts.webhooks.page(query, { limit: 10_000, offset: 0 })
    return deliveries.some(({ state, nextAt }) => state === 'sending' || (nextAt ?? 0) <= clock.now)
  }
  return async () => {
    await asked(place, other.tokens.driver, 'POST', '/api/v1/drivers/on-duty', { on_duty: ++count % 2 === 1 })
    await until(
      () => receiver.at(mark).length >= count,
      () => `mark ${count}: ${JSON.stringify(troubles.slice(0, 3))}`,
    )
    await until(
      async () => !(await isDue()),
      () => 'the end of all deliveries that are due',
    )
  }
}

/** Sends with the parts of a test harness until it is stopped; internal errors are thrown then. */
export function sendingOf({ parts, store }: Pick<World, 'parts' | 'store'>) {
  let ending = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const troubles: unknown[] = []
  const note = (fields: object, words: string) => void troubles.push({ ...fields, words })
  const silent = () => {}
  const log = { trace: silent, debug: silent, info: silent, warn: note, error: note, fatal: note }
  return {
    troubles,
    start: () => {
      ending = new AbortController()
      const run = {
        signal: ending.signal,
        now: () => performance.now(),
        wait: (milliseconds: number, signal: AbortSignal) =>
          setTimeout(Math.min(milliseconds, pause), undefined, { signal }).catch(() => {}),
      }
      const life = startLife(store.leases, { ...run, name: randomUUID(), failed: (error) => note({ error }, 'life') })
      running = parts.webhooks.run({ ...run, leases: store.leases, life, log }).then(() => life.ended)
    },
    stop: async () => {
      ending.abort()
      await running
    },
  }
}

/** Waits until a condition holds; throws `what` after the time limit (ms). */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: () => string,
  limit = patience,
): Promise<void> {
  const end = performance.now() + limit
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It did not come about: ${what()}`)
    await setTimeout(5)
  }
}

async function asked({ send }: World, token: string, method: string, path: string, body?: object): Promise<Json> {
  const answer = await send(method, path, { token, body })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function keyOf({ parts }: World, name: string, business_id: number): Promise<string> {
  const caller: Caller = { kind: 'operator', name: 'test', scopes: ['providers:write'] }
  const context = { ...parts, caller, messages: en, requestId: randomUUID() }
  const { key } = (await call(addProvider, context, { name, business_id })) as { readonly key: string }
  return key
}
