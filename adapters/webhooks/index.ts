import {
  countParked,
  endpointIn,
  isEngineError,
  type Leases,
  type Owner,
  reportOwnerOf,
  shopOwnerOf,
  subscriptionOwnerOf,
  type Webhooks,
  webhookOwnerOf,
} from '../../engine/index.ts'
import type { QueueState } from '../node/deliveries.ts'
import type { FetchDocument } from '../node/documents.ts'
import { createDeliveryActions } from './dispatch/actions.ts'
import { createAllowance } from './dispatch/allowance.ts'
import { createDispatcher } from './dispatch/index.ts'
import { createPark } from './fan-out/park.ts'
import type { RenderOptions } from './fan-out/render.ts'
import { createForwarding, type Forwarding, type ForwardTarget } from './forward.ts'
import { createHooks } from './hooks.ts'
import { exampleOf, seedOf, type WebhooksOptions } from './options.ts'
import { createPull } from './pull.ts'
import { createFetchDocument } from './reach/document.ts'
import { failureOf } from './reach/failure.ts'
import { createSender } from './reach/index.ts'
import { loggedBody, loggedHeaders } from './reach/logged.ts'
import { createOutbound } from './reach/outbound.ts'
import { retryAfterOf } from './reach/retry-after.ts'
import { createReplication, type Replication } from './replication/index.ts'
import { createReports } from './reports/index.ts'
import { joinedReport } from './reports/joined.ts'
import { beginWebhooks, runWebhooks, type WebhooksRun } from './run.ts'
import { createSendToShop } from './shops/index.ts'
import { publicKeyOf, redactedHeaders, requestOf, structuredBody } from './signing/index.ts'

export type { Forwarding, ForwardTarget } from './forward.ts'
export type { WebhooksOptions } from './options.ts'
export { createOutbound } from './reach/outbound.ts'
export type { WebhooksRun } from './run.ts'

/** The webhooks of a node. */
export interface NodeWebhooks extends Webhooks {
  /**
   * Notes where deliveries begin: what is recorded after this resolves is sent, no matter who makes the deliveries. If the store
   * does not answer, they begin when it does.
   */
  begin(leases: Leases): Promise<void>
  /** Creates and sends deliveries, on one node at a time, until the signal is aborted. */
  run(run: WebhooksRun): Promise<void>
  /** Fetches a document of somebody else, under the rules for receivers. */
  readonly fetchDocument: FetchDocument
  /** What this node is still to send. */
  queue(): Promise<QueueState>
  /** How many events of the store no webhook events could be made of. */
  parked(): Promise<number>
  /** The business of a delivery, if it exists. */
  businessOf(id: string): Promise<number | undefined>
  /** Sends to another URL for development; nothing is recorded. */
  forwarding(target: ForwardTarget): Forwarding
  close(): Promise<void>
}

const reach = { failureOf, loggedBody, loggedHeaders, retryAfterOf }

/** Retention of deliveries in milliseconds (document 3, "Limits"). */
const retention = 90 * 86_400_000

/** Milliseconds within which each node of a distributed store makes the deliveries that another one has made. */
const maxLag = 5_000

/** Creates the webhooks of a node. Until `run` is called, only tests and challenges are sent. */
export function createWebhooks(options: WebhooksOptions): NodeWebhooks {
  const { facts, publicUrl, clock, randomId, version, random = Math.random } = options
  const replication = replicationOf(options)
  const { repository } = replication ?? options
  const reaching = reachOf(options)
  const { sender, sendToShop } = reaching
  const reports = createReports({ ...facts, directory: options.directory, clock }, () => performance.now())
  const hooks = createHooks(options, reports)
  const endpointOf = async (owner: Owner, id: string) => endpointIn(await hooks.of(owner), id)
  const structured = (...[envelope, native]: Parameters<RenderOptions['structured']>) =>
    structuredBody(envelope, native, publicUrl)
  const request = (attempt: Pick<Parameters<typeof requestOf>[0], 'delivery' | 'keys' | 'now'>) =>
    requestOf({ ...attempt, version, publicUrl, seedOf: (secret) => seedOf(options, secret) })
  const attempts = { sender, sendToShop, requestOf: request, redacted: redactedHeaders, clock, random }
  const dispatcher = createDispatcher({ ...attempts, repository, endpointOf, joined: joinedReport })
  const allowance = createAllowance(clock)
  const actions = createDeliveryActions({
    ...{ repository, dispatcher, allowance, endpointOf, clock, randomId, structured },
    example: (eventType, endpoint) => exampleOf(options, eventType, endpoint),
  })
  const settings = ['webhook', 'webhook_subscription', 'epcis_queries', 'shop']
  const { wake, forget } = dispatcher
  const closing = new AbortController()
  const patience = replication === undefined ? 0 : maxLag
  const pull = createPull({ repository, requestOf: request, clock, patience, stopping: closing.signal })
  const out = { structured, wake, forget, memory: retention, park: createPark(options.store, clock) }
  const making = { ...options, repository, hooks, reports, reportsOf: reports.deliveriesOf, ownerOf, settings, ...out }
  const parts = { options, dispatcher, making, replication }

  return {
    ...actions,
    pull,
    queueProgress: repository.queueProgress,
    backlog: repository.backlog,
    checkUrl: sender.checkUrl,
    challenge: async (owner, url, secret, headers) => {
      allowance.consume(owner)
      await sender.challenge(url, secret, headers)
    },
    fetchDocument: createFetchDocument(sender),
    sendsMail: options.sendsMail === true,
    publicKey: (secret) => publicKeyOf(seedOf(options, secret)),
    queue: dispatcher.queue,
    parked: () => countParked(facts),
    businessOf: repository.businessOf,
    forwarding: (target) => createForwarding(options, target),
    begin: (leases) =>
      beginWebhooks(parts, leases).catch((error: unknown) => {
        if (!isEngineError(error, 'store_unavailable')) throw error
      }),
    run: (run) => {
      run.signal.addEventListener('abort', () => closing.abort(), { once: true })
      return runWebhooks(parts, run)
    },
    close: async () => {
      closing.abort()
      await reaching.close().finally(repository.close)
    },
  }
}

/** What sends to receivers and to shops. */
function reachOf(options: WebhooksOptions) {
  const { allow, clock, version } = options
  const sender = createSender({ allow, userAgent: `otep-engine/${version}`, clock })
  const outbound = createOutbound(allow, clock)
  const sendToShop = createSendToShop({ ...options, outbound, reach })
  return { sender, sendToShop, close: async () => void (await Promise.all([sender.close(), outbound.close()])) }
}

function replicationOf({ journals, repository, clock, randomId }: WebhooksOptions): Replication | undefined {
  return journals && createReplication({ journals: journals.of, box: journals.box, repository, clock, by: randomId() })
}

function ownerOf(stream: string): Owner | undefined {
  return webhookOwnerOf(stream) ?? subscriptionOwnerOf(stream) ?? reportOwnerOf(stream) ?? shopOwnerOf(stream)
}
