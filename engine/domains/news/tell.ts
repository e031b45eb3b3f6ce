import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { NewsEvent, Told } from './events.ts'
import { newsModel } from './model.ts'
import type { PublicTimeline } from './ports.ts'
import { endNews, endOf, eraseNewsOf } from './subscribe.ts'
import { isActive, isWaiting, newsStream, newsSubscription, type Subscription } from './subscription.ts'
import { newsIn, toldBy } from './what-is-new.ts'

/** Milliseconds after which something that happened is no news any more: it was filled in later, or imported. */
const fresh = 48 * 3_600_000

/** Milliseconds until what was put off is offered again. */
const pauses = { first: 5 * 60_000, most: 6 * 3_600_000 }

/** News for one person. */
export interface News {
  readonly id: number
  /** The same whenever the same news is made again. */
  readonly messageId: string
  readonly to: string
  readonly subscription: Subscription
  readonly of: 'status' | 'estimate'
  readonly found: PublicTimeline
  readonly told: Told
}

/**
 * The news of a timeline for everybody who waits for it, or for one subscription, as things are now: several reports that
 * came at once are one news. What is too old is noted, and told nobody; what was put off waits for its time.
 */
export async function* newsOf(context: Context, timeline: StreamName, only?: number): AsyncGenerator<News> {
  const { clock, models, ports } = context
  const rows = await models.rows(newsModel, { timeline, ...(only !== undefined && { subscription_id: only }) })
  if (rows.length === 0) return
  const found = await ports.news.publicTimeline(context, timeline)
  if (found === undefined || found.isErased) return eraseNewsOf(context, timeline)
  const told = toldBy(found)
  const addresses = new Set<unknown>()
  for (const { subscription_id, address } of rows) {
    const id = Number(subscription_id)
    // Two links that were used at the same moment.
    if (addresses.has(address)) await endNews(context, id, 'replaced')
    addresses.add(address)
    const subscription = await loadSubscription(context, id)
    const of = subscription && newsIn(found, subscription.told, clock())
    const to = subscription?.personal?.email
    if (subscription === undefined || to === undefined || isWaiting(subscription, clock())) continue
    const { status } = told
    if (of !== undefined && isFresh(of, found, clock())) {
      const messageId = deriveId('news', String(id), found.current?.event_id ?? '', JSON.stringify(told))
      yield { id, to, subscription, of, found, told, messageId }
    } else if (of !== undefined) await noteTold(context, { id, found, told }, false)
    // So that what happens again, such as a second attempt, is news again.
    else if (status !== subscription.told.status)
      await noteTold(context, { id, found, told: { ...subscription.told, ...(status && { status }) } }, false)
  }
}

/** A subscription that has not ended. */
async function loadSubscription({ store }: Context, id: number): Promise<Subscription | undefined> {
  const events = (await store.read(newsStream(id))) as readonly RecordedEvent<NewsEvent>[]
  const state = fold(newsSubscription, events)
  return isActive(state) ? state : undefined
}

function isFresh(of: News['of'], { current }: PublicTimeline, now: number): boolean {
  return of === 'estimate' || (current !== undefined && now - instantOf(current.occurred_at) < fresh)
}

/**
 * Notes that the mail server did not take news for an address: they are offered again after five minutes, then after twice
 * as long each time, until they are too old.
 */
export async function putOffNews(context: Context, { id, subscription: { putOff = 0 } }: News): Promise<void> {
  const now = context.clock()
  const again = now + Math.min(pauses.first * 2 ** putOff, pauses.most)
  const data = { at: isoOf(now), again_at: isoOf(again) }
  await execute(context.store, newsSubscription, newsStream(id), { type: 'NewsPutOff', data }, toNewEvent(context))
}

/** Notes what was reported to somebody, after it was sent: a crash in between sends it again, under the same id. */
export async function noteTold(
  context: Context,
  { id, found, told }: Pick<News, 'id' | 'found' | 'told'>,
  mailed = true,
): Promise<void> {
  const now = context.clock()
  const data = { at: isoOf(now), told, mailed, ends_at: endOf(found, now) }
  await execute(context.store, newsSubscription, newsStream(id), { type: 'NewsTold', data }, toNewEvent(context))
}
