import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { idInStream } from '../../kernel/stream.ts'
import type { NewsEvent } from './events.ts'

/**
 * The subscriptions that have not ended, by timeline, by keyed hash of the address, by the time when they end, and by that
 * when news that were put off are offered again.
 */
export const newsModel = {
  name: 'news_subscriptions',
  version: 2,
  category: 'news_subscription',
  columns: { subscription_id: 'integer', timeline: 'text', address: 'text', ends_at: 'text', again_at: 'text' },
  key: ['subscription_id'],
  indexes: [['timeline'], ['address'], ['ends_at'], ['again_at']],
  opens: ({ type }) => type === 'NewsSubscriptionConfirmed',
  rows: (event) => rowsOf(event as RecordedEvent<NewsEvent>),
  gone: ({ stream, type }) =>
    type === 'NewsSubscriptionEnded' ? [{ subscription_id: Number(idInStream(stream)) }] : [],
} as const satisfies ReadModel

function rowsOf({ stream, type, data }: RecordedEvent<NewsEvent>): readonly Row[] {
  if (type === 'NewsSubscriptionEnded') return []
  const subscription_id = Number(idInStream(stream))
  if (type === 'NewsPutOff') return [{ subscription_id, again_at: data.again_at }]
  if (type === 'NewsDue') return [{ subscription_id, again_at: null }]
  const { ends_at } = data
  if (type === 'NewsTold') return [{ subscription_id, ends_at, again_at: null }]
  const address = data.personal?.address ?? null
  return [{ subscription_id, ends_at, again_at: null, timeline: data.timeline, address }]
}
