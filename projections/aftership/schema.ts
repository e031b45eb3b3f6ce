import * as v from 'valibot'
import { tags } from './codes.ts'

/** Texts have at least one character (Tracking API 2026-07); unknown values are left out. */
const text = v.pipe(v.string(), v.minLength(1))

const checkpoint = v.strictObject({
  created_at: text,
  slug: v.exactOptional(text),
  checkpoint_time: text,
  location: v.exactOptional(text),
  city: v.exactOptional(text),
  state: v.exactOptional(text),
  postal_code: v.exactOptional(text),
  coordinate: v.exactOptional(v.strictObject({ latitude: v.number(), longitude: v.number() })),
  country_region: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))),
  country_region_name: v.exactOptional(text),
  message: v.exactOptional(text),
  tag: v.exactOptional(v.picklist(tags)),
  subtag: v.exactOptional(text),
  subtag_message: v.exactOptional(text),
  raw_tag: v.exactOptional(text),
  events: v.exactOptional(
    v.array(v.strictObject({ code: text, reason: v.exactOptional(v.strictObject({ code: text })) })),
  ),
  source: v.literal('carrier'),
  hash: v.exactOptional(text),
})

const estimate = v.strictObject({
  type: v.picklist(['specific', 'range']),
  source: v.literal('Carrier EDD'),
  datetime: text,
  datetime_min: v.exactOptional(text),
  datetime_max: v.exactOptional(text),
})

const tracking = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[0-9a-zA-Z_-]{1,128}$/)),
  created_at: v.exactOptional(text),
  updated_at: v.exactOptional(text),
  tracking_number: v.exactOptional(text),
  slug: v.exactOptional(text),
  active: v.boolean(),
  custom_fields: v.record(v.string(), v.union([v.string(), v.number()])),
  transit_time: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  courier_estimated_delivery_date: v.exactOptional(v.strictObject({ estimated_delivery_date: text })),
  order_id: v.exactOptional(text),
  shipment_pickup_date: v.exactOptional(text),
  shipment_delivery_date: v.exactOptional(text),
  signed_by: v.exactOptional(text),
  source: v.literal('api'),
  tag: v.exactOptional(v.picklist(tags)),
  subtag: v.exactOptional(text),
  subtag_message: v.exactOptional(text),
  title: v.exactOptional(text),
  checkpoints: v.array(checkpoint),
  return_to_sender: v.boolean(),
  courier_tracking_link: v.exactOptional(text),
  first_attempted_at: v.exactOptional(text),
  first_estimated_delivery: v.exactOptional(estimate),
  latest_estimated_delivery: v.exactOptional(estimate),
  failed_delivery_attempts: v.pipe(v.number(), v.integer(), v.minValue(0)),
  proof_of_delivery: v.exactOptional(v.array(v.strictObject({ type: v.literal('image'), url: text }))),
})

/** The response to `GET /trackings/{id}` (Tracking API 2026-07), with the members that a timeline can fill. */
export const schema = v.strictObject({ meta: v.strictObject({ code: v.literal(200) }), data: tracking })

/** The document. */
export type AftershipDocument = v.InferOutput<typeof schema>

/** A parcel with its checkpoints. */
export type Tracking = v.InferOutput<typeof tracking>

/** One event of a parcel. */
export type Checkpoint = v.InferOutput<typeof checkpoint>
