import * as v from 'valibot'
import { statuses } from './codes.ts'

const date = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/), v.metadata({ format: 'date' }))
const text = v.exactOptional(v.string())

const eventSchema = v.strictObject({
  date,
  time: v.pipe(v.string(), v.regex(/^\d{2}:\d{2}$/)),
  timestamp: v.pipe(v.string(), v.metadata({ format: 'date-time' })),
  description: v.string(),
  status: v.picklist(statuses),
  ...{ code: text, location: text, latitude: v.exactOptional(v.number()), longitude: v.exactOptional(v.number()) },
})

/** A `TrackingEvent` (OSP 0.1, core, section 4.10). */
export type OspEvent = v.InferOutput<typeof eventSchema>

/** A `Tracking` (OSP 0.1, core, section 4.11). */
export const schema = v.strictObject({
  ...{ tracking_number: v.string(), carrier_name: v.string(), status: v.picklist(statuses) },
  estimated_delivery: v.exactOptional(date),
  delivered: v.boolean(),
  events: v.array(eventSchema),
  signed_by: text,
  info: v.strictObject({ carrier_tracking_link: v.string() }),
})

/** A document of this format. */
export type OspDocument = v.InferOutput<typeof schema>
