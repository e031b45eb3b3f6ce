import {
  type Context,
  deriveId,
  type Endpoint,
  EngineError,
  type EventStore,
  isoOf,
  type Journals,
  type WebhookEventFacts,
  type WebhookEventSource,
  type WebhookEventType,
} from '../../engine/index.ts'
import type { DeliveryRepository, Sealer } from '../node/deliveries.ts'
import type { TestEvent } from './dispatch/actions.ts'
import { testBodyOf } from './fan-out/body.ts'
import type { RenderOptions } from './fan-out/render.ts'

/** Dependencies of the webhooks of a node. */
export interface WebhooksOptions {
  readonly store: EventStore
  /** The same store with personal data sealed. */
  readonly kept: EventStore
  readonly facts: WebhookEventFacts & Pick<Context, 'profiles' | 'formats'>
  /** The public address of the server, if it has one. */
  readonly publicUrl?: string | undefined
  readonly credentials: Context['credentials']
  readonly directory: Context['directory']
  readonly eventTypes: readonly WebhookEventType[]
  readonly sources: readonly WebhookEventSource[]
  /** The order families whose prices are hidden from a customer. */
  readonly hiddenFrom: RenderOptions['hiddenFrom']
  /** Whether a business still works with a provider. */
  readonly serves: (provider: string, businessId: number) => Promise<boolean>
  readonly repository: DeliveryRepository
  /** Journals of the nodes of a store and what seals them; absent if its processes share the repository. */
  readonly journals?: { readonly of: Journals; readonly box: Sealer } | undefined
  /** Private networks (CIDR) that webhooks may reach. */
  readonly allow: readonly string[]
  /** Whether e-mails about the health of endpoints are sent; not if absent. */
  readonly sendsMail?: boolean
  readonly version: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly randomId: () => string
  /** From 0 to 1, for jitter. */
  readonly random?: () => number
}

/** The seed of the ed25519 key of a secret. Nobody can try out secrets with a public key, because the server's own is in it. */
export function seedOf({ credentials }: Pick<WebhooksOptions, 'credentials'>, secret: string): string {
  return credentials.blind(`webhook ed25519 ${secret}`)
}

/** A test event as this endpoint would receive it. */
export function exampleOf(
  { eventTypes, clock, randomId }: WebhooksOptions,
  name: string,
  endpoint: Endpoint,
): TestEvent {
  const eventType = eventTypes.find(
    (one) => one.name === name && (one.channel === endpoint.channel || endpoint.shop !== undefined),
  )
  if (eventType === undefined) throw new EngineError('internal', { request: `a test of ${name}` })
  const { businessId } = endpoint
  const occurredAt = isoOf(clock())
  const eventId = `TEST-${deriveId('test', randomId())}`
  const said = { event: name, eventId, subject: 'test/1', occurredAt, businessId, isTest: true, isSandbox: false }
  return { envelope: said, native: testBodyOf(eventType, eventId, occurredAt, businessId) }
}
