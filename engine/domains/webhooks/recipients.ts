import { type Endpoint, type Owner, shopOwner, subscriptionOwner } from '../../kernel/endpoint.ts'
import { meets } from '../../kernel/event-filter.ts'
import type { Reader, WebhookEvent, WebhookEventType } from '../../kernel/webhook-event.ts'
import type { Hooks } from './hooks.ts'
import { businessOwner, customerOwner, providerOwner } from './owners.ts'

/** A recipient of a webhook event. */
export interface Recipient {
  readonly endpoint: Endpoint
  /** Determines how much data it receives. */
  readonly reader: Reader
  /** Whether it receives at most one webhook event in each interval of the endpoint. */
  readonly isThrottled: boolean
}

/** The owners whose webhooks determine the recipients. */
export function ownersOf({ audience }: Pick<WebhookEvent, 'audience'>, eventType: WebhookEventType): readonly Owner[] {
  const { businessId } = audience
  if (audience.kind === 'callback') return [audience.owner]
  if (audience.kind === 'provider') return [ownerFor(audience, eventType)]
  const { customerId, shop } = audience
  const isOwn = customerId !== undefined && eventType.isInternal !== true
  return [
    businessOwner(businessId),
    ...(isOwn ? [customerOwner(customerId)] : []),
    ...(shop === undefined ? [] : [shopOwner(shop)]),
  ]
}

/**
 * The recipients of a webhook event, by the webhooks of `ownersOf`. A customer with a URL in the field replaces the
 * business, or receives it in addition if the customer wants that. An owner with a URL in the field of `skippedBy`
 * receives nothing.
 */
export function recipientsOf(
  eventType: WebhookEventType,
  webhookEvent: WebhookEvent,
  hooksByOwner: ReadonlyMap<Owner, Hooks>,
): readonly Recipient[] {
  const { audience } = webhookEvent
  if (audience.kind === 'provider')
    return providerRecipients(eventType, webhookEvent, hooksByOwner.get(ownerFor(audience, eventType)))
  if (audience.kind === 'callback') return callbackRecipients(eventType, webhookEvent, hooksByOwner.get(audience.owner))
  const business = hooksByOwner.get(businessOwner(audience.businessId))
  const own = audience.customerId === undefined ? undefined : hooksByOwner.get(customerOwner(audience.customerId))
  const customer = eventType.isInternal !== true && (endpointsFor(eventType, own)?.length ?? 0) > 0 ? own : undefined
  const shop = audience.shop === undefined ? undefined : hooksByOwner.get(shopOwner(audience.shop))
  const ofBusiness = customer === undefined || customer.businessCopy ? business : undefined
  return [
    ...(customer === undefined ? [] : tenantRecipients(eventType, webhookEvent, customer, 'customer')),
    ...(ofBusiness === undefined ? [] : tenantRecipients(eventType, webhookEvent, ofBusiness, 'business')),
    ...shopRecipients(eventType, webhookEvent, shop),
  ]
}

function tenantRecipients(
  eventType: WebhookEventType,
  webhookEvent: WebhookEvent,
  hooks: Hooks,
  reader: Reader,
): readonly Recipient[] {
  const { skippedBy } = webhookEvent
  if (skippedBy !== undefined && hooks.byField.has(skippedBy)) return []
  return recipientsAt(eventType, webhookEvent, endpointsFor(eventType, hooks), reader)
}

/** Sandbox webhook events go to the sandbox URL if there is one, otherwise to the other URL, or nowhere if disabled. */
function providerRecipients(
  eventType: WebhookEventType,
  webhookEvent: WebhookEvent,
  hooks: Hooks | undefined,
): readonly Recipient[] {
  if (hooks === undefined || (webhookEvent.isSandbox === true && !hooks.isSandboxEnabled)) return []
  const sandbox = webhookEvent.isSandbox === true ? hooks.byField.get('sandbox_url') : undefined
  return recipientsAt(eventType, webhookEvent, sandbox ?? hooks.byField.get('url'), 'business')
}

/** A shop gets what is of its business. */
function shopRecipients(
  eventType: WebhookEventType,
  webhookEvent: WebhookEvent,
  hooks: Hooks | undefined,
): readonly Recipient[] {
  const { businessId } = webhookEvent.audience
  const endpoints = hooks?.endpoints.filter((endpoint) => endpoint.businessId === businessId)
  return recipientsAt(eventType, webhookEvent, endpoints, 'business')
}

function callbackRecipients(
  eventType: WebhookEventType,
  webhookEvent: WebhookEvent,
  hooks: Hooks | undefined,
): readonly Recipient[] {
  const endpoints = hooks?.byField.get('url') ?? []
  const reader = endpoints.some(({ customerId }) => customerId !== undefined) ? 'customer' : 'business'
  return recipientsAt(eventType, webhookEvent, endpoints, reader)
}

function recipientsAt(
  { name }: WebhookEventType,
  webhookEvent: WebhookEvent,
  endpoints: readonly Endpoint[] = [],
  reader: Reader,
): readonly Recipient[] {
  const { throttle, exceptTo } = webhookEvent
  return endpoints
    .filter(({ id, events }) => events?.includes(name) !== false && id !== exceptTo)
    .filter(({ filter }) => filter === undefined || meets(webhookEvent.data(reader), filter))
    .map((endpoint) => ({ endpoint, reader, isThrottled: throttle !== undefined && endpoint.interval > 0 }))
}

function endpointsFor({ field }: WebhookEventType, hooks: Hooks | undefined): readonly Endpoint[] | undefined {
  return field === undefined ? undefined : hooks?.byField.get(field)
}

function ownerFor(
  { businessId, provider }: Extract<WebhookEvent['audience'], { kind: 'provider' }>,
  eventType: WebhookEventType,
) {
  const { channel } = eventType
  return channel === 'order_handoff'
    ? subscriptionOwner(businessId, provider)
    : providerOwner(businessId, provider, channel)
}
