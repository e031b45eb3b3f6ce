import * as v from 'valibot'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import type { WebhookEvent, WebhookEventSource, WebhookEventType } from '../../kernel/webhook-event.ts'
import { attemptFailures } from '../../kernel/webhooks.ts'
import type { EndpointFailed, EndpointHealthEvent } from './events.ts'
import { endpointIn, loadHooks } from './hooks.ts'
import { webhookOwnerOf } from './owners.ts'
import { shownUrl } from './urls.ts'

/** The `data` of the notices about an endpoint. */
const healthData = v.strictObject({
  endpoint_id: v.pipe(v.string(), v.description('Id of the endpoint, as GET /api/v1/webhook-urls has it.')),
  owner: v.pipe(v.string(), v.description('Owner of the endpoint, for example business.7.')),
  channel: v.string(),
  field: v.string(),
  url: v.pipe(v.string(), v.description('URL without its query string.')),
  failing_since: v.pipe(v.string(), v.description('The first attempt that failed since one was delivered.')),
  last_status: v.pipe(v.nullable(v.number()), v.description('Status of the last attempt; null without an answer.')),
  last_failure: v.pipe(v.nullable(v.picklist(attemptFailures)), v.description('Null once it has recovered.')),
})

type HealthData = v.InferOutput<typeof healthData>

const example: HealthData = {
  endpoint_id: 'Zk3vB2pQx0m1nS8aYw4d7g',
  owner: 'business.7',
  channel: 'tenant',
  field: 'order_create_webhook_url',
  url: 'https://shop.example.com/webhooks/orders',
  failing_since: '2026-06-10T08:00:00.000Z',
  last_status: 503,
  last_failure: 'status',
}

const common = {
  channel: 'tenant',
  field: 'endpoint_health_webhook_url',
  data: healthData,
  idMember: 'event_id',
} as const

/** The webhook event type of each fact. */
const typesByFact = {
  WebhookEndpointFailing: {
    ...common,
    name: 'endpoint.failing',
    summary: 'A URL that receives webhooks has failed for ten minutes or longer. Told once, until it has recovered.',
    example,
  },
  WebhookEndpointDisabled: {
    ...common,
    name: 'endpoint.disabled',
    summary:
      'A URL was switched off, because it had failed for as many days as disable_failing_after_days says, or because Standard Webhooks is on and it answered 410.',
    example,
  },
  WebhookEndpointRecovered: {
    ...common,
    name: 'endpoint.recovered',
    summary: 'An attempt to a URL that had failed was delivered.',
    example: { ...example, last_status: null, last_failure: null },
  },
} as const satisfies Readonly<Partial<Record<EndpointHealthEvent['type'], WebhookEventType<typeof healthData>>>>

/** The types of webhook events about the health of endpoints. */
export const healthWebhookEventTypes: readonly WebhookEventType[] = Object.values(typesByFact)

/** A fact about the health of an endpoint, of which others are notified. */
export type HealthFact = RecordedEvent<Extract<EndpointHealthEvent, { readonly type: keyof typeof typesByFact }>>

/** The types of these facts. */
export const healthFactTypes: readonly string[] = Object.keys(typesByFact)

/** Makes webhook events from what was recorded of the health of endpoints, for all other endpoints of the owner. */
export const healthWebhookEventSource: WebhookEventSource = {
  category: 'webhook',
  types: healthFactTypes,
  webhookEventsOf: async ({ store }, event) => {
    const fact = event as HealthFact
    const endpoint = await endpointAt(store, fact)
    return endpoint === undefined ? [] : [webhookEventOf(fact, endpoint)]
  },
}

/** The endpoint as it was set when the fact was recorded. */
export async function endpointAt(
  store: Pick<EventStore, 'read'>,
  { stream, revision, data }: HealthFact,
): Promise<Endpoint | undefined> {
  const owner = webhookOwnerOf(stream)
  if (owner === undefined) return undefined
  const before: Pick<EventStore, 'read'> = { read: (name) => store.read(name, { limit: revision + 1 }) }
  return endpointIn(await loadHooks(before, owner), data.endpoint_id)
}

function webhookEventOf({ id, type, data }: HealthFact, endpoint: Endpoint): WebhookEvent {
  const { owner, channel, field, url, businessId, customerId } = endpoint
  const { at, endpoint_id, since } = data
  const { status, failure }: Partial<EndpointFailed> = data
  const told: HealthData = {
    ...{ endpoint_id, owner, channel, field, url: shownUrl(url), failing_since: since },
    ...{ last_status: status ?? null, last_failure: failure ?? null },
  }
  return {
    type: typesByFact[type].name,
    id: `EPH-${id}`,
    audience: { kind: 'tenant', businessId, customerId },
    occurredAt: at,
    subject: `endpoint/${endpoint_id}`,
    exceptTo: endpoint_id,
    data: () => told,
  }
}
