import type { Test } from 'tap'
import { deriveId, type Endpoint } from '../../../engine/index.ts'
import type { DeliveryRepository, NewDelivery } from '../../node/deliveries.ts'
import type { Log } from '../../node/log.ts'
import { createDeliveryRepository } from '../../sqlite/deliveries/index.ts'
import { createDeliveryActions } from './actions.ts'
import { createAllowance } from './allowance.ts'
import { createDispatcher, type Dispatcher, type DispatcherRun, type Limits } from './index.ts'
import { createPlainSender, type Got, openReceivers, type Reply } from './receivers.test.fixture.ts'
import { createTime, until } from './time.test.fixture.ts'

/** The options of a test harness. */
interface WorldOptions {
  readonly reply?: (got: Got, count: number) => Reply
  readonly file?: string
  readonly limits?: Partial<Limits>
  readonly random?: () => number
  /** The repository for the dispatcher. */
  readonly disturbed?: (repository: DeliveryRepository) => DeliveryRepository
}

type RequestOf = Parameters<typeof createDispatcher>[0]['requestOf']

/** A distinguishable request, which throws if the secret is `none`. */
const requestOf: RequestOf = ({ delivery, keys: [{ secret }] }) => {
  if (secret === 'none') throw new Error('There is no key.')
  const { id, eventId, attemptNumber, isTest, url, body } = delivery
  const test: Readonly<Record<string, string>> = isTest ? { 'X-Webhook-Test': '1' } : {}
  const headers = { 'X-Id': id, 'X-Event': eventId, 'X-Attempt': String(attemptNumber), Signature: secret, ...test }
  return { url, headers, body }
}

function structured(_: object, native: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('{"data":'), native, Buffer.from('}')])
}

function exampleAt(clock: () => number) {
  return (event: string, { businessId }: Endpoint) => ({
    envelope: {
      ...{ event, eventId: 'TST-1', subject: 'order/1', isTest: true, isSandbox: false, businessId },
      occurredAt: new Date(clock()).toISOString(),
    },
    native: Buffer.from('{"test":true}'),
  })
}

/** An endpoint of the business 7. */
function endpointAt(id: string, url: string, changed: Partial<Endpoint>): Endpoint {
  return {
    ...{ id, owner: 'business.7', businessId: 7, channel: 'tenant', field: 'order_create_webhook_url', url },
    ...{ format: 'native', standard: false, interval: 0, keys: [{ secret: 'sixteen letters!' }], ...changed },
  }
}

/** A delivery that has waited since an instant. */
function deliveryTo(endpoint: Endpoint, id: string, dueAt: number, changed: Partial<NewDelivery>): NewDelivery {
  const native = changed.native ?? Buffer.from(JSON.stringify({ event: 'order.created', n: id }))
  return {
    ...{ id, endpoint, event: 'order.created', eventId: `EVT-${id}`, subject: 'order/42', dueAt, state: 'waiting' },
    ...{ occurredAt: '2026-06-10T10:00:00.000Z', businessId: endpoint.businessId, isTest: false, isSandbox: false },
    ...{ body: native, ...changed, native },
  }
}

/** A dispatcher with a real repository, real receivers and its own clock. */
export async function createWorld(t: Test, { reply = () => 200, random = () => 0.5, ...given }: WorldOptions = {}) {
  let ids = 0
  const { clock, wait, pass, passTo } = createTime()
  const receivers = await openReceivers(clock, reply)
  const sender = createPlainSender(clock)
  const repository = createDeliveryRepository({ clock, ...(given.file === undefined ? {} : { file: given.file }) })
  const endpoints = new Map<string, Endpoint>()
  const endpointOf = async (_: string, id: string) => endpoints.get(id)
  const parts = { repository: given.disturbed?.(repository) ?? repository, endpointOf, clock, random }
  const redacted = ({ Signature: _, ...headers }: Readonly<Record<string, string>>) => headers
  const dispatcher = createDispatcher({ ...parts, sender, requestOf, redacted }, given.limits)
  const randomId = () => deriveId('dispatch', String(ids++))
  const actions = createDeliveryActions({
    ...parts,
    dispatcher,
    allowance: createAllowance(clock),
    randomId,
    structured,
    example: exampleAt(clock),
  })
  const { run, stop, errors, ended } = runOf(dispatcher, wait)
  const isIdle = () => dispatcher.state().inFlight === 0 && dispatcher.state().claimed === 0
  t.teardown(async () => {
    receivers.letGo()
    await stop().catch(() => {})
    await Promise.all([receivers.close(), sender.close(), repository.close()])
  })
  return {
    ...{ receivers, repository, dispatcher, actions, endpoints, errors, ended, run, stop, clock, until, pass },
    passTo: (end: number) => passTo(end, isIdle),
    endpoint: (id: string, path: string, changed: Partial<Endpoint> = {}) => {
      const endpoint = endpointAt(id, receivers.url(path), changed)
      endpoints.set(id, endpoint)
      return endpoint
    },
    delivery: (to: Endpoint, id: string, changed: Partial<NewDelivery> = {}) => deliveryTo(to, id, clock(), changed),
    /** Stores deliveries, and wakes the dispatcher for new ones. */
    send: async (...deliveries: readonly NewDelivery[]) => {
      const fresh = await repository.add(deliveries)
      dispatcher.wake(new Set(fresh.map(({ endpoint }) => endpoint.id)))
    },
    state: async (id: string) => (await repository.find(7, id))?.state,
    paths: () => receivers.got.map(({ path }) => path),
  }
}

/** Runs a dispatcher, repeatedly if required, and collects its errors. */
function runOf(dispatcher: Dispatcher, wait: DispatcherRun['wait']) {
  const errors: string[] = []
  const ended: string[] = []
  const log: Log = { debug() {}, info() {}, warn() {}, error: (_, words) => void errors.push(words) }
  let stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  return {
    errors,
    /** Finished attempts, as `channel outcome`. */
    ended,
    run: () => {
      stopping = new AbortController()
      const watch: DispatcherRun['watch'] =
        ({ channel }) =>
        ({ outcome }) =>
          void ended.push(`${channel} ${outcome}`)
      running = dispatcher.run({ signal: stopping.signal, log, watch, wait })
    },
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
