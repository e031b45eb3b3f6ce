import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { WebhookEventParked, WebhookEventReleased } from './parked-events.ts'

/** The recorded events of which no webhook events could be made, in the order in which they were parked. */
export const parkedModel = {
  name: 'parked_webhook_events',
  version: 1,
  category: 'webhook_parked',
  columns: {
    ...({ event_id: 'text', place: 'integer', business_id: 'integer' } as const),
    ...({ stream: 'text', revision: 'integer', type: 'text' } as const),
    ...({ position: 'text', failure: 'text', parked_at: 'text' } as const),
  },
  key: ['event_id'],
  indexes: [['place'], ['business_id', 'place']],
  gone: ({ data }) => [{ event_id: (data as WebhookEventReleased['data']).event_id }],
  rows: (event) => {
    const { type, data, revision: place } = event as RecordedEvent<WebhookEventParked | WebhookEventReleased>
    if (type !== 'WebhookEventParked') return []
    const { at: parked_at, business_id = null, ...parked } = data
    return [{ ...parked, business_id, parked_at, place }]
  },
} as const satisfies ReadModel

/** How many recorded events have no webhook events. */
export async function countParked({ models }: Pick<Context, 'models'>): Promise<number> {
  return (await models.page(parkedModel, { limit: 0 })).total
}
