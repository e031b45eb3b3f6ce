import type { CodeMapping, Profile, Projection, Subject, Target, Timeline } from '../../engine/index.ts'
import { type CodeTable, inPart, mappingsOf, rowsOf } from './codes.ts'
import { profileOf } from './profile.ts'
import { nameOf, segment } from './subject.ts'
import { stringified } from './template/index.ts'

/** The stages of a shop's order that events of a parcel can prove. */
export type Stage = 'announced' | 'awaiting_carrier' | 'shipped' | 'delivered' | 'cancelled'

const announced = 'announced'
const awaiting = 'awaiting_carrier'
const shipped = 'shipped'
const kept = 'kept'

/**
 * The stage that a code brings an order to. `kept` means that the code proves nothing, because it can come before or
 * after the hand-over to the carrier: a route can be cancelled before the pick-up.
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
  storage: {
    deposit_expected: announced,
    stored: shipped,
    overdue: shipped,
    // A machine can be out of order before the deposit.
    exception_opened: kept,
    exception_resolved: kept,
    collected: 'delivered',
    removed: shipped,
    // The parcel may have been deposited elsewhere.
    deposit_cancelled: kept,
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

const stageOf = rowsOf(stages)

/** The published mappings of a format that has a row for each stage. A code that proves nothing has no value. */
export function stageMappings<Row>(
  rows: Readonly<Record<Stage, Row>>,
  mapping: (row: Row) => CodeMapping,
): Projection['codes'] {
  return mappingsOf(stages, (stage, isLike) => {
    if (stage === kept) return { fidelity: 'none', value: '' }
    const own = mapping(rows[stage])
    return isLike ? inPart(own) : own
  })
}

/** The state of a shop's order, folded from a timeline. Instants are RFC 3339 with the producer's offset. */
interface OrderState {
  readonly stage: Stage
  /** When the stage was reached. Undefined without events. */
  readonly since: string | undefined
  /** The first instant at which the carrier is known to have had the parcel. */
  readonly shippedAt: string | undefined
  /** When the latest event occurred. */
  readonly changedAt: string | undefined
}

/**
 * Folds a timeline to the state of its order. An order is delivered only if the timeline is. It is cancelled only while
 * no event shows that the carrier has had the parcel. A later event of an earlier stage changes nothing.
 */
function orderStateOf(timeline: Timeline, profile: Profile): OrderState {
  const { current_status, delivered, events } = timeline
  const changedAt = events.at(-1)?.occurred_at
  const shippedAt = firstAt(timeline, profile, shipped, 'delivered')
  if (delivered) {
    const since = currentSince(timeline)
    return { stage: 'delivered', since, shippedAt: shippedAt ?? since, changedAt }
  }
  if (shippedAt !== undefined) {
    // A parcel that was delivered before, and is not any more, came back to this stage with its current status.
    const since = firstAt(timeline, profile, 'delivered') === undefined ? shippedAt : currentSince(timeline)
    return { stage: shipped, since, shippedAt, changedAt }
  }
  if (current_status !== undefined && stageOf(profile, current_status) === 'cancelled') {
    return { stage: 'cancelled', since: currentSince(timeline), shippedAt, changedAt }
  }
  const awaitingAt = firstAt(timeline, profile, awaiting)
  if (awaitingAt !== undefined) return { stage: awaiting, since: awaitingAt, shippedAt, changedAt }
  return {
    stage: announced,
    since: firstAt(timeline, profile, announced) ?? events[0]?.occurred_at,
    shippedAt,
    changedAt,
  }
}

/** When the first event occurred that brings an order to either stage. */
function firstAt({ events }: Timeline, profile: Profile, stage: Stage, other = stage): string | undefined {
  for (const { status_code, occurred_at } of events) {
    const reached = stageOf(profile, status_code)
    if (reached === stage || reached === other) return occurred_at
  }
  return undefined
}

/** When the first event with the code of the current status occurred. */
export function currentSince({ current_status, events }: Timeline): string | undefined {
  return events.find(({ status_code }) => status_code === current_status)?.occurred_at
}

/** What a shop's document is made from: the order, and the format's row for its stage. */
export interface Order<Row> extends OrderState {
  readonly row: Row
  /** The order id of the subject. */
  readonly id: number | undefined
  readonly timeline: Timeline
  readonly target: Target
}

/**
 * The members of a shop's projection that make documents. Each document is made from an order and the format's row for
 * its stage.
 */
export function orderDocuments<Row, Doc>(
  rows: Readonly<Record<Stage, Row>>,
  documentOf: (order: Order<Row>) => Doc,
): Pick<Projection<Doc>, 'project' | 'write' | 'pieces'> {
  return stringified((timeline, target) => documentOf(orderIn(rows, timeline, target)))
}

/** The order that a timeline shows, and the format's row for its stage. */
export function orderIn<Row>(rows: Readonly<Record<Stage, Row>>, timeline: Timeline, target: Target): Order<Row> {
  const { stage, since, shippedAt, changedAt } = orderStateOf(timeline, profileOf(timeline, target))
  const id = timeline.subject.order_id
  return { stage, since, shippedAt, changedAt, row: rows[stage], id, timeline, target }
}

/** An order whose parcel was handed to the carrier. */
export interface Shipped<Row> extends Order<Row> {
  readonly shippedAt: string
  readonly carrier: string | undefined
  readonly number: string | undefined
}

/** A shipped order whose parcel has a tracking number. */
export interface Numbered<Row> extends Shipped<Row> {
  readonly number: string
}

/** The order, if its parcel was shipped. */
export function shippedOf<Row>(order: Order<Row>): Shipped<Row> | undefined {
  const { stage, since, shippedAt, changedAt, row, id, timeline, target } = order
  if (shippedAt === undefined) return undefined
  const [carrier, number] = [carrierShown(timeline), numberShown(timeline.subject)]
  return { stage, since, shippedAt, changedAt, row, id, timeline, target, carrier, number }
}

/** The order, if its parcel was shipped and has a tracking number. */
export function numberedOf<Row>(order: Order<Row>): Numbered<Row> | undefined {
  const shipped = shippedOf(order)
  return shipped?.number === undefined ? undefined : (shipped as Numbered<Row>)
}

/** The number by which the carrier knows a parcel, if there is one. An order id is not such a number. */
export function numberShown({
  external_tracking_number,
  tracking_number,
  gs1_sscc,
  piece_id,
  package_id,
}: Subject): string | undefined {
  return external_tracking_number ?? tracking_number ?? gs1_sscc ?? piece_id ?? package_id?.toString()
}

/** The page that shows a timeline. */
export function pageShown({ subject }: Timeline, { baseUrl }: Target): string {
  return `${baseUrl}/track/${segment(nameOf(subject).value)}`
}

/**
 * The name of the carrier whose number is shown: the first provider that an event names. If the number is an external
 * one, it is the first provider that reports for an external carrier.
 */
export function carrierShown({ subject, events }: Timeline): string | undefined {
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
