import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { idInStream } from '../../kernel/stream.ts'
import type { NewsEvent } from './events.ts'

/** The subscriptions that have not ended, by timeline, by keyed hash of the address, and by the time when they end. */
export const newsModel = {
  name: 'news_subscriptions',
  version: 1,
  category: 'news_subscription',
  columns: { subscription_id: 'integer', timeline: 'text', address: 'text', ends_at: 'text' },
  key: ['subscription_id'],
  indexes: [['timeline'], ['address'], ['ends_at']],
  opens: ({ type }) => type === 'NewsSubscriptionConfirmed',
  rows: (event) => rowsOf(event as RecordedEvent<NewsEvent>),
  gone: ({ stream, type }) =>
    type === 'NewsSubscriptionEnded' ? [{ subscription_id: Number(idInStream(stream)) }] : [],
} as const satisfies ReadModel

function rowsOf({ stream, type, data }: RecordedEvent<NewsEvent>): readonly Row[] {
  if (type === 'NewsSubscriptionEnded') return []
  const { ends_at } = data
  const subscription_id = Number(idInStream(stream))
  if (type === 'NewsTold') return [{ subscription_id, ends_at }]
  return [{ subscription_id, ends_at, timeline: data.timeline, address: data.personal?.address ?? null }]
}
