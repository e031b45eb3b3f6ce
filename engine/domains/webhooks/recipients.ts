import { type Endpoint, type Owner, subscriptionOwner } from '../../kernel/endpoint.ts'
import type { Announcement, Notice, Reader } from '../../kernel/webhook-event.ts'
import type { Hooks } from './hooks.ts'
import { businessOwner, customerOwner, providerOwner } from './owners.ts'

/** A recipient of an announcement. */
export interface Recipient {
  readonly endpoint: Endpoint
  /** Determines how much data it receives. */
  readonly reader: Reader
  /** Whether it receives at most one notice per interval of the endpoint. */
  readonly isThrottled: boolean
}

/** The owners whose webhooks determine the recipients. */
export function ownersOf({ audience }: Pick<Announcement, 'audience'>, notice: Notice): readonly Owner[] {
  const { businessId } = audience
  if (audience.kind === 'provider') return [ownerFor(audience, notice)]
  const { customerId } = audience
  const isOwn = customerId !== undefined && notice.isInternal !== true
  return [businessOwner(businessId), ...(isOwn ? [customerOwner(customerId)] : [])]
}

/**
 * The recipients of an announcement, by the webhooks of `ownersOf`. A customer with a URL in the field replaces the
 * business, or receives it in addition if the customer wants that. An owner with a URL in the field of `skippedBy`
 * receives nothing.
 */
export function recipientsOf(
  notice: Notice,
  announcement: Announcement,
  hooksByOwner: ReadonlyMap<Owner, Hooks>,
): readonly Recipient[] {
  const { audience } = announcement
  if (audience.kind === 'provider')
    return providerRecipients(notice, announcement, hooksByOwner.get(ownerFor(audience, notice)))
  const business = hooksByOwner.get(businessOwner(audience.businessId))
  const own = audience.customerId === undefined ? undefined : hooksByOwner.get(customerOwner(audience.customerId))
  const customer = notice.isInternal !== true && (endpointsFor(notice, own)?.length ?? 0) > 0 ? own : undefined
  const ofBusiness = customer === undefined || customer.businessCopy ? business : undefined
  return [
    ...(customer === undefined ? [] : tenantRecipients(notice, announcement, customer, 'customer')),
    ...(ofBusiness === undefined ? [] : tenantRecipients(notice, announcement, ofBusiness, 'business')),
  ]
}

function tenantRecipients(
  notice: Notice,
  announcement: Announcement,
  hooks: Hooks,
  reader: Reader,
): readonly Recipient[] {
  const { skippedBy } = announcement
  if (skippedBy !== undefined && hooks.byField.has(skippedBy)) return []
  return recipientsAt(notice, announcement, endpointsFor(notice, hooks), reader)
}

/** Sandbox notices go to the sandbox URL if there is one, otherwise to the other URL, or nowhere if disabled. */
function providerRecipients(
  notice: Notice,
  announcement: Announcement,
  hooks: Hooks | undefined,
): readonly Recipient[] {
  if (hooks === undefined || (announcement.isSandbox === true && !hooks.isSandboxEnabled)) return []
  const sandbox = announcement.isSandbox === true ? hooks.byField.get('sandbox_url') : undefined
  return recipientsAt(notice, announcement, sandbox ?? hooks.byField.get('url'), 'business')
}

function recipientsAt(
  { name }: Notice,
  { throttle }: Announcement,
  endpoints: readonly Endpoint[] = [],
  reader: Reader,
): readonly Recipient[] {
  return endpoints
    .filter(({ events }) => events?.includes(name) !== false)
    .map((endpoint) => ({ endpoint, reader, isThrottled: throttle !== undefined && endpoint.interval > 0 }))
}

function endpointsFor({ field }: Notice, hooks: Hooks | undefined): readonly Endpoint[] | undefined {
  return field === undefined ? undefined : hooks?.byField.get(field)
}

function ownerFor({ businessId, provider }: Extract<Announcement['audience'], { kind: 'provider' }>, notice: Notice) {
  const { channel } = notice
  return channel === 'order_handoff'
    ? subscriptionOwner(businessId, provider)
    : providerOwner(businessId, provider, channel)
}
