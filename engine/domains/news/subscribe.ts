import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { dueIn } from '../../kernel/due.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { isTerminal } from '../../kernel/profile.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { EndReason, NewsEvent } from './events.ts'
import { newsModel } from './model.ts'
import type { PublicTimeline } from './ports.ts'
import { blindAddress, type NewsRequest } from './request.ts'
import { isActive, newsStream, newsSubscription, type Subscription } from './subscription.ts'
import { toldBy } from './what-is-new.ts'

const day = 86_400_000

/** How long a subscription lasts: after a status that ends the journey, and after any other. */
const lasts = { afterEnd: 7 * day, most: 180 * day }

/** The most subscriptions to one timeline, and of one address. */
const mostSubscriptions = { timeline: 20, address: 100 }

/** What became of a request: `over` is the journey, `full` one of `mostSubscriptions`, and `invalid` a link whose news ended. */
type Confirmed = 'confirmed' | 'over' | 'full' | 'invalid'

/** When a subscription ends by itself, as things are. */
export function endOf({ current, profile }: Pick<PublicTimeline, 'current' | 'profile'>, now: number): string {
  const isOver = current !== undefined && isTerminal(profile, current.status_code)
  return isoOf(now + (isOver ? lasts.afterEnd : lasts.most))
}

/** Whether there can be news of a timeline: the public sees it, it goes on, and nobody asked to be forgotten in it. */
export function canHaveNews(found: PublicTimeline | undefined): found is PublicTimeline {
  if (found === undefined || found.isErased) return false
  return found.current === undefined || !isTerminal(found.profile, found.current.status_code)
}

/** Begins the subscription that a link asks for. An address has one for each timeline; the same link again changes nothing. */
export async function confirmNews(context: Context, asked: NewsRequest): Promise<Confirmed> {
  const { id, timeline, number, language, email } = asked
  const { clock, models, ports, store } = context
  const stream = newsStream(id)
  const state = fold(newsSubscription, (await store.read(stream)) as readonly RecordedEvent<NewsEvent>[])
  if (isActive(state)) return 'confirmed'
  const found = await ports.news.publicTimeline(context, timeline)
  if (!canHaveNews(found)) return 'over'
  const address = blindAddress(context, email)
  if ((await models.rows(newsModel, { timeline, address }, 1)).length > 0) return 'confirmed'
  if (state === 'ended') return 'invalid'
  for (const [where, most] of [
    [{ timeline }, mostSubscriptions.timeline],
    [{ address }, mostSubscriptions.address],
  ] as const)
    if ((await models.rows(newsModel, where, most)).length >= most) return 'full'
  const data = {
    ...{ at: isoOf(clock()), timeline, number, language, told: toldBy(found), ends_at: endOf(found, clock()) },
    personal: { email, address },
  }
  const command = { type: 'NewsSubscriptionConfirmed', data } as const
  await execute(store, newsSubscription, stream, command, toNewEvent(context))
  return 'confirmed'
}

/** What a subscription is about, even when it has ended; undefined if nobody has confirmed it. */
export async function subjectOfNews(
  { store }: Pick<Context, 'store'>,
  id: number,
): Promise<Pick<Subscription, 'timeline' | 'number'> | undefined> {
  const [first] = (await store.read(newsStream(id), { limit: 1 })) as readonly RecordedEvent<NewsEvent>[]
  return first?.type === 'NewsSubscriptionConfirmed' ? first.data : undefined
}

/** What recording needs. */
type Recording = Pick<Context, 'store' | 'clock' | 'caller' | 'requestId' | 'randomId'>

/** Ends a subscription, and destroys the key of its address. */
export async function endNews(context: Recording, id: number, reason: EndReason): Promise<void> {
  const command = { type: 'NewsSubscriptionEnded', data: { at: isoOf(context.clock()), reason } } as const
  await execute(context.store, newsSubscription, newsStream(id), command, toNewEvent(context))
}

/** Ends all subscriptions to a timeline whose personal data is erased. */
export async function eraseNewsOf(context: Recording & Pick<Context, 'models'>, timeline: StreamName): Promise<void> {
  for (const { subscription_id } of await context.models.rows(newsModel, { timeline }))
    await endNews(context, Number(subscription_id), 'erased')
}

/** Subscriptions that end before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueNews = dueIn(newsModel, 'ends_at')

/** Subscriptions with news that are to be offered again before an instant, as `dueNews`. */
export const duePutOff = dueIn(newsModel, 'again_at')

/** Records that the time has come to offer again what the mail server put off; does nothing before, or a second time. */
export async function askAgain(context: Recording, id: number): Promise<void> {
  const command = { type: 'NewsDue', data: { at: isoOf(context.clock()) } } as const
  await execute(context.store, newsSubscription, newsStream(id), command, toNewEvent(context))
}

/** Ends a subscription whose time is over. */
export function finishNews(context: Recording, id: number): Promise<void> {
  return endNews(context, id, 'finished')
}
