import * as v from 'valibot'
import { shownAs } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { unpriced } from '../../kernel/prices.ts'
import { word } from '../../kernel/schemas.ts'
import type { OrderSchemas } from './ports.ts'

/** The most events in the answer; more have to be requested separately. */
const maxEvents = 200

/** Returns all details of an order. */
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
      hint: 'The timeline may lag a moment behind the order. get_operation_events returns the events after the first 200.',
    },
    rest: { method: 'GET', path: '/api/v1/orders/snapshot' },
    ids: { order: 'rule' },
    input: v.strictObject({ order: v.pipe(word(100), v.description('Id or tracking number of the order.')) }),
    output: v.strictObject({
      result: v.literal(true),
      order: record,
      events_total: v.number(),
      events,
      tracking: v.pipe(
        v.nullable(unpriced(shownAs('Timeline', v.record(v.string(), v.unknown())))),
        v.description('Timeline as returned by otep_tracking; null if there is none yet.'),
      ),
    }),
    errors: ['order_not_found'],
    handle: async (context, { order: name }) => {
      const { orderNamed, eventsOf, timelineOf } = context.ports.insights
      const order = await orderNamed(context, name, ['order_id', 'tracking_key'])
      const { total, events } = await eventsOf(context, order.id, maxEvents)
      const tracking =
        order.trackingNumber === undefined ? null : ((await timelineOf(context, order.trackingNumber)) ?? null)
      return { result: true, order: order.record, events_total: total, events, tracking }
    },
  })
