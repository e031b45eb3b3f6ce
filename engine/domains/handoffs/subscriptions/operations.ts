import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { customHeaders, headerNames, namesOfHeaders } from '../../../kernel/custom-headers.ts'
import { bodyFormats, subscriptionOwner } from '../../../kernel/endpoint.ts'
import { filterProblem, where } from '../../../kernel/event-filter.ts'
import { named } from '../../../kernel/named.ts'
import { operation } from '../../../kernel/operation.ts'
import { distinct, id, refusing, url } from '../../../kernel/schemas.ts'
import { maskedSecret, secretProblem } from '../../../kernel/signing-secret.ts'
import { isoOf } from '../../../kernel/time.ts'
import { execute } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { family, handoffScope, type Partner, partnerOf } from '../access.ts'
import { handoffWebhookEventNames, handoffWebhookEventTypes } from '../machine.ts'
import {
  handoffSubscriptions,
  loadSubscriptions,
  maxSubscriptions,
  type Subscription,
  type SubscriptionCommand,
  subscriptionStream,
} from './decider.ts'

const byPartner = { scopes: [handoffScope], ...family, secret: true } as const

const signatures = ['native', 'standard'] as const

/** A subscription in answers. */
export const subscription = named(
  'HandoffSubscription',
  v.strictObject({
    subscription_id: v.number(),
    url: v.string(),
    secret: v.pipe(v.string(), v.description('Masked; it is never shown again.')),
    events: v.array(v.picklist(handoffWebhookEventNames)),
    where: v.exactOptional(where),
    format: v.picklist(bodyFormats),
    signature: v.picklist(signatures),
    headers: headerNames,
    created_at: v.string(),
  }),
)

/** The input members of a new subscription. */
export const subscriptionEntries = {
  url: v.pipe(url, v.description('Where the events are sent to.')),
  secret: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(512),
    refusing(secretProblem),
    v.description('What signs them: 16 characters or more, best 32 random bytes.'),
  ),
  events: v.pipe(
    v.array(v.picklist(handoffWebhookEventNames)),
    v.minLength(1),
    v.maxLength(handoffWebhookEventNames.length),
    distinct(),
    v.description('Which are sent.'),
  ),
  where: v.exactOptional(
    v.pipe(
      where,
      refusing((text) => filterProblem(text, handoffWebhookEventTypes)),
    ),
  ),
  format: v.exactOptional(
    v.pipe(v.picklist(bodyFormats), v.description('The body as it is, or as a CloudEvent; native where absent.')),
  ),
  signature: v.exactOptional(
    v.pipe(
      v.picklist(signatures),
      v.description('standard: with the headers of Standard Webhooks beside the native ones; native where absent.'),
    ),
  ),
  headers: v.exactOptional(customHeaders),
}

/** The input member that names a subscription of a partner. */
export const subscriptionName = { subscription_id: v.pipe(id, v.description('Id of the subscription.')) }

/** The refusals of a new subscription. */
export const subscriptionRefusals = [
  ...(['webhook_url_refused', 'webhook_challenge_failed', 'too_many_sends'] as const),
  ...(['handoff_subscription_exists', 'handoff_subscriptions_too_many'] as const),
] as const

/** Subscribes a URL to the webhook events of handoffs. */
export const createHandoffSubscription = operation({
  name: 'create_handoff_subscription',
  summary: `For the handoff token of a partner: have events pushed to a URL, which first has to echo a challenge. At most ${maxSubscriptions}.`,
  ...byPartner,
  risk: 'medium',
  input: v.strictObject(subscriptionEntries),
  output: v.strictObject({ result: v.literal(true), subscription }),
  errors: ['account_required', ...subscriptionRefusals],
  rest: { method: 'POST', path: '/api/v1/ohp/subscriptions' },
  handle: async (context, input) => ({
    result: true,
    subscription: subscriptionOf(await subscribe(context, partnerOf(context), input)),
  }),
})

type SubscriptionInput = v.InferOutput<v.StrictObjectSchema<typeof subscriptionEntries, undefined>>

/**
 * Records a subscription of a partner after its URL has echoed a challenge. No challenge is sent for a subscription that
 * would be refused.
 */
export async function subscribe(
  context: Context,
  { businessId, provider }: Partner,
  { url, secret, headers, events, where, format = 'native', signature = 'native' }: SubscriptionInput,
): Promise<Subscription> {
  const command = (): SubscriptionCommand => {
    const base = { at: isoOf(context.clock()), business_id: businessId, provider }
    const how = { events, format, standard: signature === 'standard' }
    const personal = { url, secret, ...(headers && { headers }), ...(where && { where }) }
    return { type: 'Subscribe', data: { ...base, ...how, personal } }
  }
  handoffSubscriptions.decide(command(), await loadSubscriptions(context.store, businessId, provider))
  await context.webhooks.checkUrl(url)
  await context.webhooks.challenge(subscriptionOwner(businessId, provider), url, secret, headers)
  const stream = subscriptionStream(businessId, provider)
  const facts = await execute(context.store, handoffSubscriptions, stream, command(), toNewEvent(context))
  const { standing } = facts.reduce(handoffSubscriptions.evolve, handoffSubscriptions.initial())
  return standing[0] as Subscription
}

/** Lists the subscriptions of the calling partner. */
export const listHandoffSubscriptions = operation({
  name: 'list_handoff_subscriptions',
  summary: 'For the handoff token of a partner: its subscriptions; their secrets are masked.',
  ...byPartner,
  risk: 'low',
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), subscriptions: v.array(subscription) }),
  errors: ['account_required'],
  rest: { method: 'GET', path: '/api/v1/ohp/subscriptions' },
  handle: async (context) => {
    const { businessId, provider } = partnerOf(context)
    const { standing } = await loadSubscriptions(context.store, businessId, provider)
    return { result: true, subscriptions: standing.map(subscriptionOf) }
  },
})

/** Ends a subscription. */
export const revokeHandoffSubscription = operation({
  name: 'revoke_handoff_subscription',
  summary: 'For the handoff token of a partner: end a subscription.',
  ...byPartner,
  risk: 'medium',
  ids: { subscription_id: 'rule' },
  input: v.strictObject(subscriptionName),
  output: v.strictObject({ result: v.literal(true), subscription_id: v.number() }),
  errors: ['account_required', 'handoff_subscription_not_found'],
  rest: { method: 'DELETE', path: '/api/v1/ohp/subscriptions/{subscription_id}' },
  handle: async (context, { subscription_id }) => {
    await revoke(context, partnerOf(context), subscription_id)
    return { result: true, subscription_id }
  },
})

/** Ends a subscription of a partner. */
export async function revoke(context: Context, { businessId, provider }: Partner, id: number): Promise<void> {
  const stream = subscriptionStream(businessId, provider)
  const command = { type: 'RevokeSubscription', at: isoOf(context.clock()), subscription_id: id } as const
  await execute(context.store, handoffSubscriptions, stream, command, toNewEvent(context))
}

/** A subscription as answers show it: its secret masked, of its headers the names. */
export function subscriptionOf({ id, url, secret, headers, events, where, format, standard, createdAt }: Subscription) {
  return {
    ...{ subscription_id: id, url, secret: maskedSecret(secret), events, ...(where && { where }), format },
    ...{ signature: standard ? 'standard' : 'native', headers: namesOfHeaders(headers), created_at: createdAt },
  }
}
