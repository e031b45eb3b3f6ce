import type { Decider } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import { idInStream, type StreamName } from '../../kernel/stream.ts'
import { instantOf } from '../../kernel/time.ts'
import type {
  NewsDue,
  NewsEvent,
  NewsPutOff,
  NewsSubscriptionConfirmed,
  NewsSubscriptionEnded,
  NewsTold,
} from './events.ts'

/** A subscription to the news of a timeline; without its address once that is erased. */
export type Subscription = NewsSubscriptionConfirmed['data'] & {
  /** How often the mail server has put off the latest news. */
  readonly putOff?: number | undefined
  /** When they are offered to it again. */
  readonly again_at?: string | undefined
}

/** The state of a subscription; undefined before it was confirmed, and `ended` for good. */
type SubscriptionState = Subscription | 'ended' | undefined

/** Confirms it, notes what was reported, or ends it. Each does nothing that was done before. */
type NewsCommand = NewsEvent

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
    return isActive(state) ? { ...state, ...changeOf(event, state) } : state
  },
  decide: (command, state) => {
    if (command.type === 'NewsSubscriptionConfirmed') return state === undefined ? [command] : []
    if (!isActive(state)) return []
    if (command.type === 'NewsTold' && isKnown(command, state)) return []
    if (command.type === 'NewsDue' && (state.again_at === undefined || isWaiting(state, instantOf(command.data.at))))
      return []
    return [command]
  },
}

/** What an event changes in an active subscription. */
function changeOf(event: NewsTold | NewsPutOff | NewsDue, { putOff = 0 }: Subscription): Partial<Subscription> {
  switch (event.type) {
    case 'NewsTold':
      return { told: event.data.told, ends_at: event.data.ends_at, putOff: 0, again_at: undefined }
    case 'NewsPutOff':
      return { putOff: putOff + 1, again_at: event.data.again_at }
    case 'NewsDue':
      return { again_at: undefined }
  }
}

/** Whether what was put off has to wait for its time. */
export function isWaiting({ again_at }: Subscription, now: number): boolean {
  return again_at !== undefined && instantOf(again_at) > now
}

/** Whether there is somebody to tell. */
export function isActive(state: SubscriptionState): state is Subscription {
  return state !== undefined && state !== 'ended'
}

function isKnown({ data: { told } }: NewsTold, { told: known }: Subscription): boolean {
  return told.status === known.status && told.estimate === known.estimate
}

/** The subscription that an event makes due, if it is of that kind. */
export function newsDueIn({ type, stream }: RecordedEvent): number | undefined {
  return type === ('NewsDue' satisfies NewsEvent['type']) ? Number(idInStream(stream)) : undefined
}

/** The shapes of the events of a subscription's stream. */
export const newsEventShapes: ShapesOf<NewsEvent> = {
  NewsSubscriptionConfirmed: {
    at: 'text',
    timeline: 'text',
    number: 'text',
    language: 'text',
    told: 'object',
    ends_at: 'text',
  },
  NewsTold: { at: 'text', told: 'object', mailed: 'flag', ends_at: 'text' },
  NewsPutOff: { at: 'text', again_at: 'text' },
  NewsDue: { at: 'text' },
  NewsSubscriptionEnded: { at: 'text', reason: 'text' },
}

/** The event with which the key of the address is destroyed. */
export const newsErasure: NewsSubscriptionEnded['type'] = 'NewsSubscriptionEnded'
