import * as v from 'valibot'
import { id, instant, word } from '../../kernel/schemas.ts'
import type { BookedLeg } from './events.ts'
import type { Assignment } from './state.ts'
import {
  assignmentSources,
  assignmentStatusNames,
  cancelReasons,
  maxPackages,
  outcomeOf,
  type PackageOutcome,
  packageOutcomes,
} from './status.ts'

const trackingNumbers = v.pipe(v.array(word(60)), v.minLength(1), v.maxLength(maxPackages))

const packageRecord = v.strictObject({
  tracking_number: word(60),
  outcome: v.pipe(v.picklist(packageOutcomes), v.description('What has become of it.')),
})

const legRecord = v.strictObject({
  external_order_id: v.pipe(word(100), v.description('What the carrier calls this order.')),
  tracking_numbers: trackingNumbers,
  outcome: v.pipe(v.picklist(packageOutcomes), v.description('What has become of its packages together.')),
})

/** What names an assignment and its order, wherever they are told. */
export const assignmentEntries = {
  assignment_id: v.pipe(id, v.description('Number of the assignment.')),
  order_id: id,
  order_reference: v.pipe(
    v.nullable(word(100)),
    v.description('What the business calls the order; null where it is not said.'),
  ),
  provider: v.pipe(word(60), v.description('Name of the provider that is to deliver.')),
  source: v.pipe(v.picklist(assignmentSources), v.description('Whether a rule or a person chose the provider.')),
  status: v.picklist(assignmentStatusNames),
  assigned_at: instant,
}

/** The packages and legs of an assignment. */
export const parcelEntries = {
  packages: v.pipe(v.array(packageRecord), v.minLength(1), v.maxLength(maxPackages)),
  legs: v.pipe(
    v.array(legRecord),
    v.maxLength(maxPackages),
    v.description('Orders booked with the carrier: one a package where it takes no shipment of several pieces.'),
  ),
}

/** An assignment as answers tell it. */
export const assignmentRecord = v.strictObject({
  ...assignmentEntries,
  ...parcelEntries,
  handed_over_at: v.nullable(instant),
  ended_at: v.nullable(instant),
  reason: v.pipe(v.nullable(v.picklist(cancelReasons)), v.description('Why it was withdrawn; null where it was not.')),
})

/** What names an assignment. */
export function named(assignment: Assignment) {
  return {
    assignment_id: assignment.id,
    order_id: assignment.orderId,
    order_reference: assignment.orderReference ?? null,
    provider: assignment.provider,
    source: assignment.source,
    status: assignment.status,
    assigned_at: assignment.assignedAt,
  }
}

/** The packages and legs of an assignment. */
export function parcelsOf({ packages, legs }: Assignment) {
  const outcomes = new Map(packages.map(({ trackingNumber, outcome }) => [trackingNumber, outcome]))
  return {
    packages: packages.map(({ trackingNumber: tracking_number, outcome }) => ({ tracking_number, outcome })),
    legs: legs.map((leg) => ({
      external_order_id: leg.external_order_id,
      tracking_numbers: [...leg.tracking_numbers],
      outcome: outcomeOfLeg(leg, outcomes),
    })),
  }
}

function outcomeOfLeg({ tracking_numbers }: BookedLeg, outcomes: ReadonlyMap<string, PackageOutcome>): PackageOutcome {
  return outcomeOf(tracking_numbers.map((number) => outcomes.get(number) ?? 'in_progress'))
}

/** The record of an assignment. */
export function assignmentOf(assignment: Assignment): v.InferOutput<typeof assignmentRecord> {
  return {
    ...named(assignment),
    ...parcelsOf(assignment),
    handed_over_at: assignment.handedOverAt ?? null,
    ended_at: assignment.endedAt ?? null,
    reason: assignment.cancelReason ?? null,
  }
}
