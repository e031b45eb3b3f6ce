import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { isObject } from '../../kernel/members.ts'
import { shownAs } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { unpriced } from '../../kernel/prices.ts'
import { word } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'

/** Returns the public timeline of a caller's shipment, with details for its owner by the schemas of `shipment`. */
export const otepClientTracking = (shipment: v.ObjectEntries) =>
  operation({
    name: 'otep_client_tracking',
    summary:
      "OTEP timeline and details (addresses, dates, proof of delivery, item counts) of one of the caller's shipments.",
    scopes: ['orders:read'],
    risk: 'low',
    tag: 'OTEP',
    mcp: { title: 'Track a shipment of mine', idempotent: true },
    rest: { method: 'GET', path: '/api/v1/otep/client/trackings/{tracking_number}' },
    ids: { tracking_number: 'rule' },
    input: v.strictObject({
      tracking_number: v.pipe(word(100), v.description('Tracking number or external tracking number of the order.')),
    }),
    output: v.strictObject({
      result: v.literal(true),
      timeline: v.pipe(
        v.nullable(unpriced(shownAs('Timeline', v.record(v.string(), v.unknown())))),
        v.description('Timeline as returned by otep_tracking; null if there is none yet.'),
      ),
      details: v.strictObject({
        ...shipment,
        delivered_at: v.exactOptional(v.pipe(v.string(), v.description('In the time zone of the business.'))),
        proof_of_delivery: v.exactOptional(unpriced(shownAs('ProofOfDelivery', v.record(v.string(), v.unknown())))),
      }),
    }),
    errors: ['order_not_found'],
    handle: async (context, input) => {
      const { orderNamed, timelineOf } = context.ports.insights
      const order = await orderNamed(context, input.tracking_number, ['tracking_key', 'external_key'])
      const timeline =
        order.trackingNumber === undefined ? null : ((await timelineOf(context, order.trackingNumber)) ?? null)
      const details = {
        ...order.shipment,
        ...omitUndefined({ delivered_at: await deliveredAt(context, order.id), proof_of_delivery: proofIn(timeline) }),
      }
      return { result: true, timeline, details }
    },
  })

async function deliveredAt(context: Context, id: number): Promise<string | undefined> {
  const instant = await context.ports.insights.deliveredAt(context, id)
  return instant === undefined ? undefined : zonedIso(Date.parse(instant), accountOf(context).business.timeZone)
}

/** The proof of the delivery, if the timeline says delivered. */
function proofIn(timeline: Readonly<Record<string, unknown>> | null): Readonly<Record<string, unknown>> | undefined {
  if (timeline?.delivered !== true || !Array.isArray(timeline.events)) return undefined
  const delivery: unknown = timeline.events.findLast(
    (event: unknown) => isObject(event) && event.status_code === timeline.current_status && isObject(event.pod),
  )
  return isObject(delivery) && isObject(delivery.pod) ? delivery.pod : undefined
}
