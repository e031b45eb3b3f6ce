import type { CodeMapping, Target, Timeline } from '../../engine/index.ts'
import { type CodeTable, mappingsOf, rowOf } from './codes.ts'
import { nameOf, segment } from './subject.ts'

/** How far a shop's order has come, as the parcel tells it; a shop knows no more of a parcel than this. */
export type Stage = 'announced' | 'awaiting_carrier' | 'shipped' | 'delivered' | 'cancelled'

const announced = 'announced'
const awaiting = 'awaiting_carrier'
const shipped = 'shipped'
const kept = 'kept'

/**
 * The stage that a code brings an order to; `kept` where a code may stand on both sides of the hand-over to the carrier
 * (a route can be cancelled before the pick-up), so that it proves nothing.
 */
const stages: CodeTable<Stage | 'kept'> = {
  parcel: {
    information_submitted: announced,
    booking_confirmed: announced,
    awaiting_pickup: awaiting,
    out_for_pickup: awaiting,
    pickup_failed: awaiting,
    pickup_rescheduled: awaiting,
    picked_up: shipped,
    received: shipped,
    arrival_scan: shipped,
    in_transit: shipped,
    package_outbound: shipped,
    removed_from_route: kept,
    route_cancelled: kept,
    out_for_delivery: shipped,
    delivered: 'delivered',
    delivery_failed: shipped,
    delivery_rescheduled: kept,
    return_to_sender: shipped,
    rejected_by_recipient: shipped,
    cancelled: 'cancelled',
  },
  unregistered: {
    'x-available_for_pickup': shipped,
    'x-customs_started': shipped,
    'x-customs_cleared': shipped,
    'x-customs_held': shipped,
    'x-delayed': kept,
    'x-damaged': kept,
    'x-lost': kept,
    'x-disposed': kept,
    'x-undeliverable': kept,
    'x-returning': shipped,
    'x-exception': kept,
    'x-expired': kept,
    'x-*': kept,
  },
}

/** What becomes of each code in a format that has a row for each stage; a code that proves nothing has no value. */
export function stageMappings<Row>(
  rows: Readonly<Record<Stage, Row>>,
  mapping: (row: Row) => CodeMapping,
): Readonly<Record<string, Readonly<Record<string, CodeMapping>>>> {
  return mappingsOf(stages, (stage) => (stage === kept ? { fidelity: 'none', value: '' } : mapping(rows[stage])))
}

/** A timeline folded to what a shop's order holds; instants are RFC 3339 with the producer's offset. */
export interface OrderState {
  readonly stage: Stage
  /** When the stage was reached; nothing where there is no event. */
  readonly since: string | undefined
  /** The first instant at which the carrier is known to have had the parcel. */
  readonly shippedAt: string | undefined
  /** When the latest event occurred. */
  readonly changedAt: string | undefined
}

/**
 * The order that a timeline tells of. Delivered is what the timeline takes as delivered, and nothing else; cancelled
 * holds only while no event says that the carrier has had the parcel; a stage once reached is not lost to an earlier one.
 */
export function orderStateOf({ profile, current_status, delivered, events }: Timeline): OrderState {
  const first: Partial<Record<Stage, string>> = {}
  let shippedAt: string | undefined
  for (const { status_code, occurred_at } of events) {
    const stage = rowOf(stages, profile, status_code)
    if (stage === kept) continue
    first[stage] ??= occurred_at
    if (stage === shipped || stage === 'delivered') shippedAt ??= occurred_at
  }
  const changedAt = events.at(-1)?.occurred_at
  const currentSince = events.find(({ status_code }) => status_code === current_status)?.occurred_at
  if (delivered) return { stage: 'delivered', since: currentSince, shippedAt: shippedAt ?? currentSince, changedAt }
  if (shippedAt !== undefined) {
    // Whoever was delivered and is no more came back to this stage with the current status.
    return { stage: shipped, since: first.delivered === undefined ? shippedAt : currentSince, shippedAt, changedAt }
  }
  if (current_status !== undefined && rowOf(stages, profile, current_status) === 'cancelled') {
    return { stage: 'cancelled', since: currentSince, shippedAt, changedAt }
  }
  const stage = first.awaiting_carrier === undefined ? announced : awaiting
  return { stage, since: first[stage] ?? events[0]?.occurred_at, shippedAt, changedAt }
}

/** What a shop shows of a parcel beside its state. */
export interface ParcelShown {
  /** Name of the carrier whose number is shown, where any event names one. */
  readonly carrier: string | undefined
  /** The number that its carrier knows it by; an order id is no such number. */
  readonly number: string | undefined
  /** The page that shows the timeline. */
  readonly page: string
}

/** A parcel as a shop shows it: who carries it, under which number, and where to follow it. */
export function parcelShownOf(timeline: Timeline, { baseUrl }: Target): ParcelShown {
  const { external_tracking_number, tracking_number, gs1_sscc, piece_id, package_id } = timeline.subject
  return {
    carrier: carrierOf(timeline),
    number: external_tracking_number ?? tracking_number ?? gs1_sscc ?? piece_id ?? package_id?.toString(),
    page: `${baseUrl}/track/${segment(nameOf(timeline.subject).value)}`,
  }
}

/** The first provider that an event names; of another company's number, the first that speaks for another company. */
function carrierOf({ subject, events }: Timeline): string | undefined {
  const isExternal = subject.external_tracking_number !== undefined
  let any: string | undefined
  for (const { source } of events) {
    if (source?.provider === undefined) continue
    any ??= source.provider
    if (!isExternal || source.type === 'third_party_delivery' || source.type === 'carrier_tracking') {
      return source.provider
    }
  }
  return any
}
