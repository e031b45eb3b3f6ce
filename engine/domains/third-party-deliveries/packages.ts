import * as v from 'valibot'
import { named } from '../../kernel/named.ts'
import { distinct, word } from '../../kernel/schemas.ts'
import type { Status } from './moves.ts'

/** How many packages an assignment may have. */
const maxPackages = 100

const outcome = v.picklist(['in_progress', 'delivered', 'failed'])

/** The outcome of a package. */
type Outcome = v.InferOutput<typeof outcome>

const trackingNumber = v.pipe(word(60), v.description('Tracking number of the package.'))
const trackingNumbers = v.pipe(v.array(trackingNumber), v.minLength(1), v.maxLength(maxPackages))
const externalOrder = v.pipe(word(100), v.description('Name of this order at the carrier.'))

/** The packages of an assignment, as callers name them. */
export const packageNumbers = v.pipe(trackingNumbers, distinct())

/** Packages with their outcomes. */
export const packageList = v.pipe(
  v.array(named('PackageOutcome', v.strictObject({ tracking_number: trackingNumber, outcome }))),
  v.minLength(1),
  v.maxLength(maxPackages),
)

type Packages = v.InferOutput<typeof packageList>

/** A report of the outcomes of packages. Each package is reported once. */
export const packageReport = v.pipe(
  v.array(
    named(
      'PackageReport',
      v.strictObject({ tracking_number: trackingNumber, outcome: v.picklist(['delivered', 'failed']) }),
    ),
  ),
  v.minLength(1),
  v.maxLength(maxPackages),
)

/** The reported outcome of a package. */
export type Report = v.InferOutput<typeof packageReport>[number]

/** Orders as they were booked with the carrier, and the packages that travel on each. */
export const bookedLegs = v.pipe(
  v.array(
    named(
      'BookedLeg',
      v.strictObject({
        external_order_id: externalOrder,
        tracking_numbers: v.pipe(packageNumbers, v.description('The packages on it; each is on one order only.')),
      }),
    ),
  ),
  v.minLength(1),
  v.maxLength(maxPackages),
)

/** An order that was booked with the carrier. */
export type BookedLeg = v.InferOutput<typeof bookedLegs>[number]

/** The orders that were booked with the carrier, and the outcomes of their packages. */
export const legList = v.pipe(
  v.array(
    named(
      'CarrierLeg',
      v.strictObject({
        external_order_id: externalOrder,
        tracking_numbers: trackingNumbers,
        outcome: v.pipe(outcome, v.description('What has become of its packages together.')),
      }),
    ),
  ),
  v.maxLength(maxPackages),
)

/** Packages without a reported outcome. */
export function begun(numbers: readonly string[]): Packages {
  return numbers.map((tracking_number) => ({ tracking_number, outcome: 'in_progress' }))
}

/** Packages after a report of some of them. */
export function withReport(packages: Packages, report: readonly Report[]): Packages {
  const reported = new Map(report.map(({ tracking_number, outcome }) => [tracking_number, outcome]))
  return packages.map((one) => ({ ...one, outcome: reported.get(one.tracking_number) ?? one.outcome }))
}

/** Orders with the outcomes of their packages. */
export function withOutcomes(legs: readonly BookedLeg[], packages: Packages): v.InferOutput<typeof legList> {
  const outcomes = new Map(packages.map(({ tracking_number, outcome }) => [tracking_number, outcome]))
  return legs.map(({ external_order_id, tracking_numbers }) => {
    const outcome = together(tracking_numbers.map((number) => outcomes.get(number) ?? 'in_progress'))
    return { external_order_id, tracking_numbers, outcome }
  })
}

/** The common outcome of several packages. */
function together(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('in_progress')) return 'in_progress'
  return outcomes.includes('failed') ? 'failed' : 'delivered'
}

/** The status of an assignment whose packages the provider has. */
export function statusOf(packages: Packages): Status {
  const outcomes = packages.map(({ outcome }) => outcome)
  const all = together(outcomes)
  if (all === 'delivered') return 'delivered'
  if (all === 'failed') return 'undelivered'
  return outcomes.includes('delivered') ? 'partially_delivered' : 'handed_over'
}
