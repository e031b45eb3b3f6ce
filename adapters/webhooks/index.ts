import {
  deriveId,
  type Endpoint,
  EngineError,
  type EventStore,
  endpointIn,
  type Hooks,
  handoffEndpoints,
  hooksOf,
  isoOf,
  type Leases,
  loadHooks,
  loadSubscriptions,
  type Notice,
  type NoticeFacts,
  type NoticeSource,
  type Owner,
  type StreamName,
  subscriptionOwnerOf,
  subscriptionStream,
  takeTurns,
  type Webhooks,
  webhookOwnerOf,
  webhookStream,
} from '../../engine/index.ts'
import type { DeliveryBook, QueueState } from '../node/deliveries.ts'
import { errorFields } from '../node/log.ts'
import { createAllowance } from './dispatch/allowance.ts'
import { createCare, type Example } from './dispatch/care.ts'
import { createDispatcher, type DispatcherRun } from './dispatch/index.ts'
import { testBodyOf } from './fan-out/body.ts'
import { createHooksBook } from './fan-out/hooks.ts'
import { fanOut } from './fan-out/index.ts'
import type { RenderOptions } from './fan-out/render.ts'
import { createSender } from './reach/index.ts'
import { redactedHeaders, requestOf, structuredBody } from './signing/index.ts'

/** What the sending side of a node is made of. */
export interface WebhooksOptions {
  readonly store: EventStore
  /** The same as it is kept, with what is personal sealed. */
  readonly kept: EventStore
  readonly facts: NoticeFacts
  readonly notices: readonly Notice[]
  readonly sources: readonly NoticeSource[]
  /** The order families whose prices are hidden from a customer. */
  readonly hiddenFrom: RenderOptions['hiddenFrom']
  /** Whether a business still works with a provider. */
  readonly serves: (provider: string, businessId: number) => Promise<boolean>
  readonly book: DeliveryBook
  /** Private networks (CIDR) that may be sent to. */
  readonly allow: readonly string[]
  readonly version: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly randomId: () => string
  /** From 0 to 1, for jitter. */
  readonly random?: () => number
}

/** What a node lends to its sending side. */
export interface WebhooksRun extends DispatcherRun {
  readonly leases: Leases
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
}

/** The sending side of a node. */
export interface NodeWebhooks extends Webhooks {
  /** Makes notices and sends them, at one node at a time, until the signal is aborted. */
  run(run: WebhooksRun): Promise<void>
  /** What this node is still to send. */
  queue(): Promise<QueueState>
  close(): Promise<void>
}

/** Milliseconds that deliveries are kept (document 3, "Limits"). */
const retention = 90 * 86_400_000

/** A node that is silent for so many milliseconds has lost its turn. */
const ttl = 5_000

/** Makes the sending side of a node; nothing is sent but tests and challenges until it runs. */
export function createWebhooks(options: WebhooksOptions): NodeWebhooks {
  const { store, facts, book, clock, randomId, version, random = Math.random } = options
  const { baseUrl } = facts
  const sender = createSender({ allow: options.allow, userAgent: `otep-engine/${version}`, clock })
  const known = createHooksBook({ store, streamOf, load: (owner) => load(store, owner), now: () => performance.now() })
  const hooks = {
    ...known,
    of: async (owner: Owner) => ((await isPartner(options, owner)) ? known.of(owner) : hooksOf(owner, [])),
  }
  const endpointOf = async (owner: Owner, id: string) => endpointIn(await hooks.of(owner), id)
  const structured = (...[envelope, native]: Parameters<RenderOptions['structured']>) =>
    structuredBody(envelope, native, baseUrl)
  const request = (attempt: Pick<Parameters<typeof requestOf>[0], 'delivery' | 'keys' | 'now'>) =>
    requestOf({ ...attempt, version, baseUrl })
  const sending = { book, sender, requestOf: request, redacted: redactedHeaders, endpointOf, clock, random }
  const dispatcher = createDispatcher(sending)
  const example = (notice: string, endpoint: Endpoint) => exampleOf(options, notice, endpoint)
  const allowance = createAllowance(clock)
  const care = createCare({ book, dispatcher, allowance, endpointOf, clock, randomId, structured, example })
  const settings = ['webhook', 'webhook_subscription']
  const { wake, forget } = dispatcher
  const making = { ...options, hooks, ownerOf, settings, structured, wake, forget, memory: retention }

  return {
    ...care,
    admit: sender.admit,
    challenge: async (owner, url, secret) => {
      allowance.spend(owner)
      await sender.challenge(url, secret)
    },
    queue: dispatcher.queue,
    run: async ({ leases, now, ...run }) => {
      const { signal, log, wait } = run
      const failed = (error: unknown) => {
        // A store that was replaced takes no turn back, and nobody has to know.
        if (signal.aborted) log.debug(errorFields(error), 'the webhooks ended with a failure')
        else log.error(errorFields(error), 'the turn of the webhooks could not be taken')
      }
      const node = { name: randomId(), signal, now, wait, ttl }
      await takeTurns(leases, 'webhooks', node, (held, turn) => work({ ...run, signal: held }, turn), failed)
    },
    close: async () => {
      await sender.close().finally(book.close)
    },
  }

  async function work(run: DispatcherRun, turn: { checkpoint: string | undefined }): Promise<void> {
    const { signal, log, wait } = run
    await Promise.all([fanOut({ ...making, turn, log, wait }, signal), dispatcher.run(run)])
  }
}

function streamOf(owner: Owner): StreamName {
  const [kind, business = '', provider = ''] = owner.split('.')
  return kind === 'subscription' ? subscriptionStream(Number(business), provider) : webhookStream(owner)
}

function ownerOf(stream: string): Owner | undefined {
  return webhookOwnerOf(stream) ?? subscriptionOwnerOf(stream)
}

/** Whether an owner may still be told: a partner whose key is void is one no more, whatever it has subscribed to. */
async function isPartner({ serves }: WebhooksOptions, owner: Owner): Promise<boolean> {
  const [kind, business = '', provider = ''] = owner.split('.')
  return kind !== 'subscription' || serves(provider, Number(business))
}

async function load(store: EventStore, owner: Owner): Promise<Hooks> {
  const [kind, business = '', provider = ''] = owner.split('.')
  if (kind !== 'subscription') return loadHooks(store, owner)
  return hooksOf(owner, handoffEndpoints(await loadSubscriptions(store, Number(business), provider)))
}

/** A test event of a notice, as this endpoint would be told. */
function exampleOf({ notices, clock, randomId }: WebhooksOptions, name: string, endpoint: Endpoint): Example {
  const notice = notices.find((one) => one.name === name && one.channel === endpoint.channel)
  if (notice === undefined) throw new EngineError('internal', { request: `a test of ${name}` })
  const { businessId } = endpoint
  const occurredAt = isoOf(clock())
  const eventId = `TEST-${deriveId('test', randomId())}`
  const said = { event: name, eventId, subject: 'test/1', occurredAt, businessId, isTest: true, isSandbox: false }
  return { envelope: said, native: testBodyOf(notice, eventId, occurredAt, businessId) }
}
