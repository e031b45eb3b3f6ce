import * as v from 'valibot'
import type { Context, Facts } from './context.ts'
import type { RecordedEvent } from './event.ts'
import { word } from './schemas.ts'

/** A report of a carrier that moved an order: an event of the timeline of its parcel. */
export const carrierReport = v.strictObject({
  provider: v.pipe(word(100), v.description('Who reported it.')),
  event_id: word(200),
  status_code: word(64),
  occurred_at: v.pipe(v.string(), v.description('ISO 8601, UTC.')),
  position: v.pipe(v.string(), v.description('The position of the event.')),
  recorded_at: v.exactOptional(v.pipe(v.string(), v.description('When it was recorded: ISO 8601, UTC.'))),
})

/** A report of a carrier that moved an order. */
export type CarrierReport = v.InferOutput<typeof carrierReport>

/** The name under which a carrier of labels reports to timelines; no provider can have it. */
export function reporterOf(carrier: string): string {
  return `carrier:${carrier}`
}

/** A report of a carrier about the parcel with this number. */
export type ParcelReport = CarrierReport & { readonly tracking_number: string }

/** What those who take reports of carriers need of timelines. */
export interface ReportsRead {
  /** The number and the reporter that an event of a parcel's timeline names itself; nothing for other events. */
  namedIn(event: RecordedEvent): { readonly provider: string; readonly tracking_number: string | undefined } | undefined
  /** What an event says of its parcel, if it gives the timeline its status; undefined for others. */
  reportIn(facts: Facts & Pick<Context, 'pause' | 'profiles'>, event: RecordedEvent): Promise<ParcelReport | undefined>
}

/** What a status of a parcel does to the order that a carrier has; `none` says only what is to come. */
export type ReportedStep =
  | 'none'
  | 'carried'
  | 'pickup_failed'
  | 'delivery_failed'
  | 'refused'
  | 'delivered'
  | 'returned'
  | 'given_back'

/** What each status of the parcel profile does to the order that a carrier has (OTEP 0.1, codebook). */
export const reportedSteps: Readonly<Record<string, ReportedStep>> = {
  information_submitted: 'none',
  booking_confirmed: 'none',
  awaiting_pickup: 'none',
  out_for_pickup: 'none',
  picked_up: 'carried',
  pickup_failed: 'pickup_failed',
  pickup_rescheduled: 'none',
  received: 'carried',
  arrival_scan: 'carried',
  in_transit: 'carried',
  package_outbound: 'carried',
  removed_from_route: 'none',
  route_cancelled: 'none',
  out_for_delivery: 'carried',
  delivered: 'delivered',
  delivery_failed: 'delivery_failed',
  delivery_rescheduled: 'none',
  return_to_sender: 'returned',
  rejected_by_recipient: 'refused',
  cancelled: 'given_back',
}
