import { type Endpoint, type Owner, subscriptionOwner } from '../../kernel/endpoint.ts'
import type { Announcement, Notice, Reader } from '../../kernel/notice.ts'
import type { Hooks } from './hooks.ts'
import { businessOwner, customerOwner, providerOwner } from './owners.ts'

/** One that is told of something. */
export interface Recipient {
  readonly endpoint: Endpoint
  /** How much it is told. */
  readonly reader: Reader
  /** Whether it is told at most once per interval of the endpoint. */
  readonly isThrottled: boolean
}

/** The owners whose webhooks decide who is told. */
export function ownersOf({ audience }: Pick<Announcement, 'audience'>, notice: Notice): readonly Owner[] {
  const { businessId } = audience
  if (audience.kind === 'provider') return [ownerFor(audience, notice)]
  const { customerId } = audience
  const isOwn = customerId !== undefined && notice.isInternal !== true
  return [businessOwner(businessId), ...(isOwn ? [customerOwner(customerId)] : [])]
}

/**
 * Who is told of something, by the webhooks of `ownersOf`. A customer that has a URL in the field is told in place of the
 * business, or beside it where the customer wants so; whoever has a URL in the field of `skippedBy` is not told.
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

/** What comes from the sandbox goes to the sandbox URL where there is one, else to the other, or nowhere. */
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
