import * as v from 'valibot'
import { requireProvider } from '../../../entity/access.ts'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/named.ts'
import { operation } from '../../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../../kernel/paging.ts'
import { providerName } from '../../../kernel/schemas.ts'
import { family, type Partner } from '../access.ts'
import { handoffWebhookEventNames } from '../machine.ts'
import { handoffEndpoints, loadSubscriptions } from './decider.ts'
import { subscriptionModel } from './model.ts'
import {
  revoke,
  subscribe,
  subscription,
  subscriptionEntries,
  subscriptionName,
  subscriptionOf,
  subscriptionRefusals,
} from './operations.ts'

const path = '/api/v1/handoff-subscriptions'

/** Who may see and change what the partners of a business subscribe to, as with the endpoints of providers. */
const byAdmin = { roles: ['client_admin'], ...family } as const

const partnerEntry = {
  provider: v.pipe(providerName, v.description('Name of the partner.')),
}

const partnerSubscription = named(
  'PartnerSubscription',
  v.strictObject({ provider: v.string(), ...subscription.entries }),
)

/** A partner of the caller's business. */
async function partnerNamed(context: Context, provider: string): Promise<Partner> {
  const { id: businessId } = accountOf(context).business
  await requireProvider(context, provider, businessId)
  return { businessId, provider }
}

/** Lists the subscriptions of all partners of a business. */
export const listPartnerSubscriptions = operation({
  name: 'list_partner_subscriptions',
  summary: 'For the business: what its partners have subscribed to, in order of their names; secrets are masked.',
  ...byAdmin,
  scopes: ['webhooks:read'],
  risk: 'low',
  input: v.strictObject(pageEntries),
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    subscriptions: v.array(partnerSubscription),
  }),
  errors: [],
  rest: { method: 'GET', path },
  handle: async (context, input) => {
    const { range, paging } = pageOf(input)
    const { id } = accountOf(context).business
    const { rows, total } = await context.models.page(subscriptionModel, {
      where: { business_id: id, stands: 1 },
      ...range,
    })
    const found = await Promise.all(
      rows.map(async ({ provider, subscription_id }) => {
        const { standing } = await loadSubscriptions(context.store, id, String(provider))
        return standing.filter((one) => one.id === subscription_id)
      }),
    )
    const subscriptions = found.flat().map((one) => ({ provider: one.provider, ...subscriptionOf(one) }))
    return { result: true, total, ...paging, subscriptions }
  },
})

/** Subscribes a URL of a partner to the webhook events of handoffs. */
export const createPartnerSubscription = operation({
  name: 'create_partner_subscription',
  summary:
    'For the business: subscribe a URL of a partner, which first has to echo a challenge, to events of handoffs.',
  ...byAdmin,
  scopes: ['webhooks:write'],
  risk: 'medium',
  secret: true,
  input: v.strictObject({ ...partnerEntry, ...subscriptionEntries }),
  output: v.strictObject({ result: v.literal(true), subscription: partnerSubscription }),
  errors: ['provider_not_found', ...subscriptionRefusals],
  rest: { method: 'POST', path },
  handle: async (context, { provider, ...input }) => {
    const made = await subscribe(context, await partnerNamed(context, provider), input)
    return { result: true, subscription: { provider, ...subscriptionOf(made) } }
  },
})

/** Ends a subscription of a partner. */
export const revokePartnerSubscription = operation({
  name: 'revoke_partner_subscription',
  summary: 'For the business: end a subscription of a partner.',
  ...byAdmin,
  scopes: ['webhooks:write'],
  risk: 'medium',
  ids: { subscription_id: 'rule' },
  input: v.strictObject({ ...partnerEntry, ...subscriptionName }),
  output: v.strictObject({ result: v.literal(true), subscription_id: v.number() }),
  errors: ['handoff_subscription_not_found'],
  rest: { method: 'DELETE', path: `${path}/{provider}/{subscription_id}` },
  handle: async (context, { provider, subscription_id }) => {
    // Also of a partner that the business does not work with any more.
    await revoke(context, { businessId: accountOf(context).business.id, provider }, subscription_id)
    return { result: true, subscription_id }
  },
})

/** Sends a test event to the URL of a subscription. */
export const testPartnerSubscription = operation({
  name: 'test_partner_subscription',
  summary: 'For the business: send an example event to the URL of a subscription, once and marked as a test.',
  ...byAdmin,
  scopes: ['webhooks:write'],
  risk: 'medium',
  secret: true,
  ids: { subscription_id: 'rule' },
  input: v.strictObject({
    ...partnerEntry,
    ...subscriptionName,
    event: v.exactOptional(
      v.pipe(v.picklist(handoffWebhookEventNames), v.description('Default: the first one that it receives.')),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    delivery_id: v.pipe(v.string(), v.description('The delivery in the log, with what was answered.')),
  }),
  errors: ['provider_not_found', 'handoff_subscription_not_found', 'too_many_sends'],
  rest: { method: 'POST', path: `${path}/{provider}/{subscription_id}/test` },
  handle: async (context, { provider, subscription_id, event }) => {
    const { businessId } = await partnerNamed(context, provider)
    const { standing, count } = await loadSubscriptions(context.store, businessId, provider)
    const found = standing.find(({ id }) => id === subscription_id)
    const [endpoint] = handoffEndpoints({ count, standing: found === undefined ? [] : [found] })
    if (endpoint === undefined)
      throw new EngineError('handoff_subscription_not_found', { subscription: subscription_id })
    const { id } = await context.webhooks.test(endpoint, event ?? found?.events[0] ?? '')
    return { result: true, delivery_id: id }
  },
})
