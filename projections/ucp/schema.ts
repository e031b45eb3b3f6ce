import * as v from 'valibot'
import { types } from './codes.ts'

/** The version of the protocol. */
export const ucpVersion = '2026-04-08'

const uri = v.pipe(v.string(), v.metadata({ format: 'uri' }))
const dateTime = v.pipe(v.string(), v.metadata({ format: 'date-time' }))
const totals = v.array(v.strictObject({ type: v.picklist(['subtotal', 'total']), amount: v.literal(0) }))
const fulfilled = v.array(v.strictObject({ id: v.string(), quantity: v.literal(1) }))

const eventSchema = v.strictObject({
  ...{ id: v.string(), occurred_at: dateTime, type: v.picklist(types), line_items: fulfilled },
  tracking_number: v.exactOptional(v.string()),
  tracking_url: uri,
  ...{ carrier: v.exactOptional(v.string()), description: v.exactOptional(v.string()) },
})

/** A fulfilment event. */
export type UcpEvent = v.InferOutput<typeof eventSchema>

const adjustmentSchema = v.strictObject({
  ...{ id: v.string(), type: v.picklist(['cancellation', 'return']), occurred_at: dateTime },
  status: v.literal('completed'),
  line_items: v.array(v.strictObject({ id: v.string(), quantity: v.literal(-1) })),
  description: v.exactOptional(v.string()),
})

/** An adjustment of an order after its checkout. */
export type Adjustment = v.InferOutput<typeof adjustmentSchema>

const lineSchema = v.strictObject({
  id: v.string(),
  item: v.strictObject({ id: v.string(), title: v.string(), price: v.literal(0) }),
  quantity: v.strictObject({ original: v.literal(1), total: v.picklist([0, 1]), fulfilled: v.picklist([0, 1]) }),
  totals,
  status: v.picklist(['processing', 'fulfilled', 'removed']),
})

/** A line of an order. */
export type LineItem = v.InferOutput<typeof lineSchema>

const capability = v.array(v.strictObject({ version: v.literal(ucpVersion) }))

/** An order (Universal Commerce Protocol, dev.ucp.shopping.order). */
export const schema = v.strictObject({
  ucp: v.strictObject({
    version: v.literal(ucpVersion),
    capabilities: v.strictObject({ 'dev.ucp.shopping.order': capability }),
  }),
  ...{ id: v.string(), checkout_id: v.string(), permalink_url: uri, line_items: v.array(lineSchema) },
  fulfillment: v.strictObject({ events: v.array(eventSchema) }),
  adjustments: v.array(adjustmentSchema),
  currency: v.literal('XXX'),
  totals,
})

/** A document of this format. */
export type UcpDocument = v.InferOutput<typeof schema>
