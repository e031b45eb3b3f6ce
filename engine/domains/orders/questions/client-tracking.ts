import * as v from 'valibot'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { isObject } from '../../../kernel/members.ts'
import { operation } from '../../../kernel/operation.ts'
import { present } from '../../../kernel/present.ts'
import { unpriced } from '../../../kernel/prices.ts'
import { word } from '../../../kernel/schemas.ts'
import { zonedIso } from '../../../kernel/zone.ts'
import { orderModel } from '../order-model.ts'
import { type OrderRecord, orderRecord, recordOf } from '../record.ts'
import type { Order } from '../state.ts'
import { orderNamed } from './named.ts'

const { order_id, type, status, order_status_id, tracking_number, external_tracking_number, reference } =
  orderRecord.entries
const { pickup, delivery, schedule_date, time_window, items, created_at } = orderRecord.entries

/** A shipment of the caller, as the protocol tells it and with what only its owner is told. */
export const otepClientTracking = operation({
  name: 'otep_client_tracking',
  summary:
    "OTEP timeline and details (addresses, dates, proof of delivery, item counts) of one of the caller's shipments.",
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'OTEP',
  mcp: { title: 'Track a shipment of mine', idempotent: true },
  rest: { method: 'GET', path: '/api/v1/otep/client/trackings/{tracking_number}' },
  input: v.strictObject({
    tracking_number: v.pipe(word(100), v.description('Tracking number or external tracking number of the order.')),
  }),
  output: v.strictObject({
    result: v.literal(true),
    timeline: v.pipe(
      v.nullable(unpriced(v.record(v.string(), v.unknown()))),
      v.description('As otep_tracking answers it; null while there is none.'),
    ),
    details: v.strictObject({
      ...{ order_id, type, status, order_status_id, tracking_number, external_tracking_number, reference },
      ...{ pickup, delivery, schedule_date, time_window, items, created_at },
      delivered_at: v.exactOptional(v.pipe(v.string(), v.description('In the time zone of the business.'))),
      proof_of_delivery: v.exactOptional(unpriced(v.record(v.string(), v.unknown()))),
    }),
  }),
  errors: ['order_not_found'],
  handle: async (context, asked) => {
    const order = await orderNamed(context, asked.tracking_number, ['tracking_key', 'external_key'])
    const timeline = (await context.ports.insights.timelineOf(context, order.tracking_number)) ?? null
    const details = {
      ...namesIn(recordOf(order, context)),
      ...present({ delivered_at: await deliveredAt(context, order), proof_of_delivery: proofIn(timeline) }),
    }
    return { result: true, timeline, details }
  },
})

/** What a shipment is told of, of all that an order is. */
function namesIn(record: OrderRecord) {
  const { order_id, type, status, order_status_id, tracking_number, external_tracking_number, reference } = record
  const { pickup, delivery, schedule_date, time_window, items, created_at } = record
  return {
    ...{ order_id, type, status, order_status_id, tracking_number, items, created_at },
    ...present({ external_tracking_number, reference, pickup, delivery, schedule_date, time_window }),
  }
}

async function deliveredAt(context: Context, { order_id: id }: Order): Promise<string | undefined> {
  const [row] = await context.models.rows(orderModel, { order_id: id })
  const instant = row?.delivered_at
  if (typeof instant !== 'string') return undefined
  return zonedIso(Date.parse(instant), accountOf(context).business.timeZone)
}

/** The proof of the delivery, where the timeline says that it was delivered. */
function proofIn(timeline: Readonly<Record<string, unknown>> | null): Readonly<Record<string, unknown>> | undefined {
  if (timeline?.delivered !== true || !Array.isArray(timeline.events)) return undefined
  const delivery: unknown = timeline.events.findLast(
    (event: unknown) => isObject(event) && event.status_code === timeline.current_status && isObject(event.pod),
  )
  return isObject(delivery) && isObject(delivery.pod) ? delivery.pod : undefined
}
