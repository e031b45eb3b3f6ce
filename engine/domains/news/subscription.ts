import type { Decider } from '../../kernel/decider.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { NewsEvent, NewsSubscriptionConfirmed, NewsSubscriptionEnded, NewsTold } from './events.ts'

/** A subscription to the news of a timeline; without its address once that is erased. */
export type Subscription = NewsSubscriptionConfirmed['data']

/** The state of a subscription; undefined before it was confirmed, and `ended` for good. */
export type SubscriptionState = Subscription | 'ended' | undefined

/** Confirms it, notes what was told, or ends it. Each does nothing that was done before. */
export type NewsCommand = NewsEvent

/** The stream of a subscription. */
export function newsStream(id: number): StreamName {
  return `news_subscription-${id}`
}

/** The decider of one subscription. */
export const newsSubscription: Decider<SubscriptionState, NewsCommand, NewsEvent> = {
  initial: () => undefined,
  evolve: (state, event) => {
    if (event.type === 'NewsSubscriptionConfirmed') return event.data
    if (event.type === 'NewsSubscriptionEnded') return 'ended'
    return isActive(state) ? { ...state, told: event.data.told, ends_at: event.data.ends_at } : state
  },
  decide: (command, state) => {
    if (command.type === 'NewsSubscriptionConfirmed') return state === undefined ? [command] : []
    if (!isActive(state)) return []
    return command.type === 'NewsTold' && isKnown(command, state) ? [] : [command]
  },
}

/** Whether there is somebody to tell. */
export function isActive(state: SubscriptionState): state is Subscription {
  return state !== undefined && state !== 'ended'
}

function isKnown({ data: { told } }: NewsTold, { told: known }: Subscription): boolean {
  return told.status === known.status && told.estimate === known.estimate
}

/** The types of the events of a subscription's stream. */
export const newsEventTypes: readonly string[] = Object.keys({
  NewsSubscriptionConfirmed: true,
  NewsTold: true,
  NewsSubscriptionEnded: true,
} satisfies Readonly<Record<NewsEvent['type'], true>>)

/** The event with which the key of the address is destroyed. */
export const newsErasure: NewsSubscriptionEnded['type'] = 'NewsSubscriptionEnded'
