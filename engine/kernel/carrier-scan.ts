import * as v from 'valibot'
import { countryOfEvent, instant, text, word } from './schemas.ts'

const scan = v.strictObject({
  event_id: v.exactOptional(word(200)),
  status_code: word(60),
  occurred_at: instant,
  description: v.exactOptional(text(500)),
  locality: v.exactOptional(text(100)),
  country: v.exactOptional(countryOfEvent),
  incident_reason: v.exactOptional(word(100)),
  ...{ estimated_delivery_at: v.exactOptional(instant), estimated_delivery_from: v.exactOptional(instant) },
  signed_by: v.exactOptional(text(200)),
  synthesized: v.exactOptional(v.literal(true)),
})

/** The members of an answer about a parcel. */
export const trackedEntries = {
  events: v.pipe(v.array(scan), v.maxLength(500)),
  warnings: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ path: word(200), code: word(60), received: v.exactOptional(text(100)) })),
      v.maxLength(100),
    ),
  ),
}

/** What of an answer could not be read: the path of a member, the code of a message, and what is there. */
export type CarrierWarnings = NonNullable<v.InferOutput<typeof trackedEntries.warnings>>

/**
 * Something that happened to a parcel, as its carrier says; `event_id` is the carrier's own name for it. It is `synthesized` if the
 * carrier says only that the parcel is so, and not when it became so: that is recorded once, until the status changes.
 */
export type CarrierScan = v.InferOutput<typeof scan>
