import type { Test } from 'tap'
import { deriveId, type Endpoint } from '../../../engine/index.ts'
import type { DeliveryBook, NewDelivery } from '../../deliveries.ts'
import type { Log } from '../../log.ts'
import { createDeliveryBook } from '../../sqlite/deliveries/index.ts'
import { createCare } from './care.ts'
import { createDispatcher, type Limits } from './index.ts'
import { createPlainSender, type Got, openReceivers, type Reply } from './receivers.test.fixture.ts'
import { createTime, until } from './time.test.fixture.ts'

/** What a world is made with. */
export interface Given {
  readonly reply?: (got: Got, count: number) => Reply
  readonly file?: string
  readonly limits?: Partial<Limits>
  readonly random?: () => number
  /** The book as the dispatcher finds it. */
  readonly disturbed?: (book: DeliveryBook) => DeliveryBook
}

export const caller = 'business.7'

/** A dispatcher on a real book and real receivers, in a time of its own. */
export async function createWorld(t: Test, { reply = () => 200, random = () => 0.5, ...given }: Given = {}) {
  let ids = 0
  const time = createTime()
  const { clock, wait } = time
  const receivers = await openReceivers(clock, reply)
  const sender = createPlainSender(clock)
  const kept = createDeliveryBook({ clock, ...(given.file === undefined ? {} : { file: given.file }) })
  const book = given.disturbed?.(kept) ?? kept
  const endpoints = new Map<string, Endpoint>()
  const errors: string[] = []
  const log: Log = { debug() {}, info() {}, warn() {}, error: (_, words) => void errors.push(words) }
  const endpointOf = async (_: string, id: string) => endpoints.get(id)
  const randomId = () => deriveId('dispatch', String(ids++))
  const dispatcher = createDispatcher(
    {
      ...{ book, sender, endpointOf, clock, random },
      requestOf: ({ delivery, keys: [{ secret }] }) => {
        if (secret === 'none') throw new Error('There is no key.')
        const test: Readonly<Record<string, string>> = delivery.isTest ? { 'X-Webhook-Test': '1' } : {}
        const headers = {
          'X-Id': delivery.id,
          'X-Event': delivery.eventId,
          'X-Attempt': String(delivery.attemptNumber),
        }
        return { url: delivery.url, headers: { ...headers, Signature: secret, ...test }, body: delivery.body }
      },
      redacted: ({ Signature: _, ...headers }) => headers,
    },
    given.limits,
  )
  const structured = (_: object, native: Uint8Array) =>
    Buffer.concat([Buffer.from('{"data":'), native, Buffer.from('}')])
  const example = (notice: string, endpoint: Endpoint) => {
    const { businessId } = endpoint
    const envelope = {
      ...{ event: notice, eventId: `TST-${randomId()}`, subject: 'order/1', isTest: true },
      businessId,
    }
    const native = Buffer.from('{"test":true}')
    return { envelope: { ...envelope, occurredAt: new Date(clock()).toISOString(), isSandbox: false }, native }
  }
  const care = createCare({ book, dispatcher, endpointOf, clock, randomId, structured, example })
  let stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  function endpoint(id: string, path: string, changed: Partial<Endpoint> = {}): Endpoint {
    const whole: Endpoint = {
      ...{ id, owner: caller, businessId: 7, channel: 'tenant', field: 'order_create_webhook_url', format: 'native' },
      ...{ url: receivers.url(path), standard: false, interval: 0, keys: [{ secret: 'sixteen letters!' }], ...changed },
    }
    endpoints.set(id, whole)
    return whole
  }

  function delivery(to: Endpoint, id: string, changed: Partial<NewDelivery> = {}): NewDelivery {
    const native = changed.native ?? Buffer.from(JSON.stringify({ event: 'order.created', n: id }))
    return {
      ...{
        id,
        endpoint: to,
        event: 'order.created',
        eventId: `EVT-${id}`,
        subject: 'order/42',
        businessId: to.businessId,
      },
      ...{ occurredAt: '2026-06-10T10:00:00.000Z', isTest: false, isSandbox: false, state: 'waiting' as const },
      ...{ dueAt: clock(), body: native, ...changed, native },
    }
  }

  function run() {
    stopping = new AbortController()
    running = dispatcher.run({ signal: stopping.signal, log, wait })
  }

  /** Keeps deliveries, and wakes the dispatcher for those that are new. */
  async function send(...deliveries: readonly NewDelivery[]) {
    const fresh = await kept.add(deliveries)
    dispatcher.wake(new Set(fresh.map((one) => one.endpoint.id)))
  }

  async function stop() {
    stopping.abort()
    await running
  }

  const isIdle = () => dispatcher.state().inFlight === 0 && dispatcher.state().claimed === 0
  t.teardown(async () => {
    stopping.abort()
    receivers.letGo()
    await running.catch(() => {})
    await Promise.all([receivers.close(), sender.close(), kept.close()])
  })
  return {
    ...{
      receivers,
      book: kept,
      dispatcher,
      care,
      endpoints,
      errors,
      endpoint,
      delivery,
      run,
      send,
      stop,
      clock,
      until,
    },
    pass: time.pass,
    passTo: (end: number) => time.passTo(end, isIdle),
    state: async (id: string) => (await kept.find(7, id))?.state,
    paths: () => receivers.got.map(({ path }) => path),
  }
}
