import type { CustomHeader } from '../../../kernel/custom-headers.ts'
import { type Decider, fold, type Reducer } from '../../../kernel/decider.ts'
import { type BodyFormat, type Endpoint, endpointId, type Owner, subscriptionOwner } from '../../../kernel/endpoint.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { filterOf } from '../../../kernel/event-filter.ts'
import type { EventStore } from '../../../kernel/event-store.ts'
import { idInStream, type StreamName } from '../../../kernel/stream.ts'
import type { Partner } from '../access.ts'
import type { HandoffSubscribed, SubscriptionEvent } from './events.ts'

/** A subscription of a partner. */
export interface Subscription {
  readonly id: number
  readonly businessId: number
  readonly provider: string
  readonly url: string
  readonly secret: string
  readonly headers?: readonly CustomHeader[]
  readonly events: readonly string[]
  /** Conditions on the data of events; missing for all. */
  readonly where?: string
  readonly format: BodyFormat
  readonly standard: boolean
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** The subscriptions of a partner. */
export interface SubscriptionState {
  readonly standing: readonly Subscription[]
  /** The number of all subscriptions so far. */
  readonly count: number
}

/** The most subscriptions of one partner. */
export const maxSubscriptions = 5

/** The commands on the subscriptions of a partner. */
export type SubscriptionCommand =
  /** Refusals: `handoff_subscriptions_too_many`, and `handoff_subscription_exists` if another one has the URL. */
  | {
      readonly type: 'Subscribe'
      readonly data: Omit<HandoffSubscribed['data'], 'subscription_id' | 'personal'> &
        Required<Pick<HandoffSubscribed['data'], 'personal'>>
    }
  /** `handoff_subscription_not_found`. */
  | { readonly type: 'RevokeSubscription'; readonly at: string; readonly subscription_id: number }

const evolve: Reducer<SubscriptionState, SubscriptionEvent> = ({ standing, count }, event) => {
  if (event.type === 'HandoffSubscribed')
    return { standing: [...standing, ...subscribed(event.data)], count: count + 1 }
  return { standing: standing.filter(({ id }) => id !== event.data.subscription_id), count }
}

/** A subscription whose secret is erased cannot sign, so it does not count. */
function subscribed(data: HandoffSubscribed['data']): readonly Subscription[] {
  const { subscription_id: id, business_id: businessId, provider, events, format, standard, at, personal } = data
  return personal === undefined
    ? []
    : [{ id, businessId, provider, ...personal, events, format, standard, createdAt: at }]
}

function decide(command: SubscriptionCommand, state: SubscriptionState): readonly SubscriptionEvent[] {
  const { standing, count } = state
  switch (command.type) {
    case 'Subscribe': {
      const { data } = command
      const other = standing.find(({ url }) => url === data.personal.url)
      if (other !== undefined) throw new EngineError('handoff_subscription_exists', { subscription: other.id })
      if (standing.length >= maxSubscriptions)
        throw new EngineError('handoff_subscriptions_too_many', { limit: maxSubscriptions })
      return [{ type: 'HandoffSubscribed', data: { ...data, subscription_id: count + 1 } }]
    }
    case 'RevokeSubscription': {
      const { at, subscription_id } = command
      if (!standing.some(({ id }) => id === subscription_id))
        throw new EngineError('handoff_subscription_not_found', { subscription: subscription_id })
      return [{ type: 'HandoffSubscriptionRevoked', data: { at, subscription_id } }]
    }
    default:
      return command satisfies never
  }
}

/** The decider of the subscriptions of one partner. */
export const handoffSubscriptions: Decider<SubscriptionState, SubscriptionCommand, SubscriptionEvent> = {
  initial: () => ({ standing: [], count: 0 }),
  evolve,
  decide,
}

/** The stream of the subscriptions of a partner. */
export function subscriptionStream(businessId: number, provider: string): StreamName {
  return `webhook_subscription-${businessId}.${provider}`
}

/** The partner whose subscriptions a stream holds. */
export function partnerOfStream(stream: string): Partner {
  const name = idInStream(stream)
  const end = name.indexOf('.')
  return { businessId: Number(name.slice(0, end)), provider: name.slice(end + 1) }
}

/** The owner whose subscriptions a stream holds; undefined for other streams. */
export function subscriptionOwnerOf(stream: string): Owner | undefined {
  const category = 'webhook_subscription-'
  return stream.startsWith(category) ? `subscription.${stream.slice(category.length)}` : undefined
}

/** The subscriptions of a partner. */
export async function loadSubscriptions(
  store: Pick<EventStore, 'read'>,
  businessId: number,
  provider: string,
): Promise<SubscriptionState> {
  const stream = subscriptionStream(businessId, provider)
  return fold(handoffSubscriptions, (await store.read(stream)) as readonly SubscriptionEvent[])
}

/** The endpoints that a partner's subscriptions set for webhook events about handoffs. */
export function handoffEndpoints({ standing }: SubscriptionState): readonly Endpoint[] {
  return standing.map(({ businessId, provider, url, secret, headers, events, where, format, standard }) => {
    const owner = subscriptionOwner(businessId, provider)
    const id = endpointId(owner, 'url', url)
    const sent = { channel: 'order_handoff', field: 'url', url, format, standard, events, interval: 0 } as const
    return { id, owner, businessId, ...sent, ...filterOf(where), ...(headers && { headers }), keys: [{ secret }] }
  })
}
