import {
  callbackHooks,
  type EventStore,
  endpointIn,
  type Hooks,
  handoffEndpoints,
  hooksOf,
  isCallback,
  type Leases,
  loadCallback,
  loadHooks,
  loadSubscriptions,
  type Owner,
  reportOwnerOf,
  runExclusively,
  type StreamName,
  signerOf,
  subscriptionOwnerOf,
  subscriptionStream,
  type Webhooks,
  webhookOwnerOf,
  webhookStream,
} from '../../engine/index.ts'
import type { QueueState } from '../node/deliveries.ts'
import { errorFields } from '../node/log.ts'
import { createDeliveryActions } from './dispatch/actions.ts'
import { createAllowance } from './dispatch/allowance.ts'
import { createDispatcher, type DispatcherRun } from './dispatch/index.ts'
import { fanOut } from './fan-out/index.ts'
import type { RenderOptions } from './fan-out/render.ts'
import { createForwarding, type Forwarding, type ForwardTarget } from './forward.ts'
import { createHooksCache, type HooksCache } from './hooks-cache.ts'
import { exampleOf, seedOf, type WebhooksOptions } from './options.ts'
import { createSender } from './reach/index.ts'
import { reportEmpty } from './reports/empty.ts'
import { createReports, type Reports } from './reports/index.ts'
import { publicKeyOf, redactedHeaders, requestOf, structuredBody } from './signing/index.ts'

export type { Forwarding, ForwardTarget } from './forward.ts'
export type { WebhooksOptions } from './options.ts'

/** What the webhooks receive from their node. */
export interface WebhooksRun extends DispatcherRun {
  /** Unique among living nodes; a random id if absent. */
  readonly name?: string
  readonly leases: Leases
  /** Monotonic milliseconds. */
  readonly now: () => number
}

/** The webhooks of a node. */
export interface NodeWebhooks extends Webhooks {
  /** Creates and sends deliveries, on one node at a time, until the signal is aborted. */
  run(run: WebhooksRun): Promise<void>
  /** What this node is still to send. */
  queue(): Promise<QueueState>
  /** The business of a delivery, if it exists. */
  businessOf(id: string): Promise<number | undefined>
  /** Sends to another URL for development; nothing is recorded. */
  forwarding(target: ForwardTarget): Forwarding
  close(): Promise<void>
}

/** Retention of deliveries in milliseconds (document 3, "Limits"). */
const retention = 90 * 86_400_000

/** Milliseconds without a sign of life after which a node loses its lease. */
const ttl = 5_000

/** Creates the webhooks of a node. Until `run` is called, only tests and challenges are sent. */
export function createWebhooks(options: WebhooksOptions): NodeWebhooks {
  const { facts, repository, clock, randomId, version, random = Math.random } = options
  const { baseUrl } = facts
  const sender = createSender({ allow: options.allow, userAgent: `otep-engine/${version}`, clock })
  const reports = createReports({ ...facts, directory: options.directory, clock }, () => performance.now())
  const hooks = createHooks(options, reports)
  const endpointOf = async (owner: Owner, id: string) => endpointIn(await hooks.of(owner), id)
  const structured = (...[envelope, native]: Parameters<RenderOptions['structured']>) =>
    structuredBody(envelope, native, baseUrl)
  const request = (attempt: Pick<Parameters<typeof requestOf>[0], 'delivery' | 'keys' | 'now'>) =>
    requestOf({ ...attempt, version, baseUrl, seedOf: (secret) => seedOf(options, secret) })
  const sending = { repository, sender, requestOf: request, redacted: redactedHeaders, endpointOf, clock, random }
  const dispatcher = createDispatcher(sending)
  const allowance = createAllowance(clock)
  const actions = createDeliveryActions({
    ...{ repository, dispatcher, allowance, endpointOf, clock, randomId, structured },
    example: (eventType, endpoint) => exampleOf(options, eventType, endpoint),
  })
  const settings = ['webhook', 'webhook_subscription', 'epcis_queries']
  const { wake, forget } = dispatcher
  const out = { structured, wake, forget, memory: retention }
  const making = { ...options, hooks, reportsOf: reports.deliveriesOf, ownerOf, settings, ...out }

  return {
    ...actions,
    checkUrl: sender.checkUrl,
    challenge: async (owner, url, secret) => {
      allowance.consume(owner)
      await sender.challenge(url, secret)
    },
    publicKey: (secret) => publicKeyOf(seedOf(options, secret)),
    queue: dispatcher.queue,
    businessOf: repository.businessOf,
    forwarding: (target) => createForwarding(options, target),
    run: async ({ leases, now, name = randomId(), ...run }) => {
      const { signal, log, wait } = run
      const failed = (error: unknown) => {
        // A replaced store cannot take a lease back; this is expected during a stop.
        if (signal.aborted) log.debug(errorFields(error), 'the webhooks ended with a failure')
        else log.error(errorFields(error), 'the turn of the webhooks could not be taken')
      }
      const node = { name, signal, now, wait, ttl }
      await runExclusively(leases, 'webhooks', node, (held, turn) => work({ ...run, signal: held }, turn), failed)
    },
    close: async () => {
      await sender.close().finally(repository.close)
    },
  }

  async function work(run: DispatcherRun, turn: { checkpoint: string | undefined }): Promise<void> {
    const { signal, log, wait } = run
    const telling = fanOut({ ...making, turn, log, wait }, signal)
    await Promise.all([telling, reportEmpty({ ...making, reports, log, wait }, signal), dispatcher.run(run)])
  }
}

/** The webhooks of all owners: what they have set, and the subscriptions to EPCIS queries. */
function createHooks(options: WebhooksOptions, reports: Reports): HooksCache {
  const { store } = options
  const now = () => performance.now()
  const known = createHooksCache({ store, streamOf, load: (owner) => load(store, owner), now })
  const callbacks = createHooksCache({ store, streamOf, load: (owner) => loadCallback(store, owner), now })
  return {
    of: async (owner) => {
      if (owner.startsWith('epcis.')) return reports.hooksOf(owner)
      // The keys may change while the callback does not.
      if (isCallback(owner)) return callbackHooks(owner, await callbacks.of(owner), await known.of(signerOf(owner)))
      return (await isPartner(options, owner)) ? known.of(owner) : hooksOf(owner, [])
    },
    changed: (owner) => {
      known.changed(owner)
      callbacks.changed(owner)
      reports.changed(owner)
    },
  }
}

function streamOf(owner: Owner): StreamName {
  const [kind, business = '', provider = ''] = owner.split('.')
  return kind === 'subscription' ? subscriptionStream(Number(business), provider) : webhookStream(owner)
}

function ownerOf(stream: string): Owner | undefined {
  return webhookOwnerOf(stream) ?? subscriptionOwnerOf(stream) ?? reportOwnerOf(stream)
}

/** Whether an owner may still receive events. A partner whose key was revoked may not, whatever its subscriptions. */
async function isPartner({ serves }: WebhooksOptions, owner: Owner): Promise<boolean> {
  const [kind, business = '', provider = ''] = owner.split('.')
  return kind !== 'subscription' || serves(provider, Number(business))
}

async function load(store: EventStore, owner: Owner): Promise<Hooks> {
  const [kind, business = '', provider = ''] = owner.split('.')
  if (kind !== 'subscription') return loadHooks(store, owner)
  return hooksOf(owner, handoffEndpoints(await loadSubscriptions(store, Number(business), provider)))
}
