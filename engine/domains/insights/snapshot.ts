import * as v from 'valibot'
import { operation } from '../../kernel/operation.ts'
import { unpriced } from '../../kernel/prices.ts'
import { word } from '../../kernel/schemas.ts'
import type { OrderSchemas } from './ports.ts'

/** So many events are answered; those of an order that has more are asked for by themselves. */
const maxEvents = 200

/** All that is known of an order, in one answer. */
export const orderSnapshot = ({ record, events }: Pick<OrderSchemas, 'record' | 'events'>) =>
  operation({
    name: 'order_snapshot',
    summary: 'An order with its operation events and its public timeline, by its id or tracking number.',
    scopes: ['orders:read'],
    risk: 'low',
    tag: 'Client',
    mcp: {
      title: 'Snapshot of an order',
      idempotent: true,
      hint: 'The timeline follows the order a moment later. get_operation_events has the events after the first 200.',
    },
    rest: { method: 'GET', path: '/api/v1/orders/snapshot' },
    input: v.strictObject({ order: v.pipe(word(100), v.description('Id or tracking number of the order.')) }),
    output: v.strictObject({
      result: v.literal(true),
      order: record,
      events_total: v.number(),
      events,
      tracking: v.pipe(
        v.nullable(unpriced(v.record(v.string(), v.unknown()))),
        v.description('The timeline as otep_tracking answers it; null while there is none.'),
      ),
    }),
    errors: ['order_not_found'],
    handle: async (context, { order: name }) => {
      const { orderNamed, eventsOf, timelineOf } = context.ports.insights
      const order = await orderNamed(context, name, ['order_id', 'tracking_key'])
      const { total, events } = await eventsOf(context, order.id, maxEvents)
      const tracking = (await timelineOf(context, order.trackingNumber)) ?? null
      return { result: true, order: order.record, events_total: total, events, tracking }
    },
  })
