import type { Moves } from '../../entity/field.ts'
import { staff } from '../../kernel/account.ts'

/** The statuses of an assignment. */
export const statuses = {
  assigned: 'The provider is to deliver the order; the warehouse still has its packages.',
  handed_over: 'The provider has all packages.',
  partially_delivered: 'Some packages are delivered, and others are still on their way.',
  delivered: 'Every package is delivered.',
  undelivered: 'No package is on its way any more, and not every one is delivered.',
  cancelled: 'The assignment was withdrawn.',
} as const

/** The name of a status. */
export type Status = keyof typeof statuses

const bookErrors = ['third_party_package_unknown', 'third_party_leg_taken'] as const
const reportErrors = ['third_party_package_unknown', 'third_party_package_settled'] as const

const cancelled = { event: 'delivery.assignment.cancelled', summary: 'The assignment was withdrawn.' } as const

/** The moves of an assignment. */
export const moves = {
  assign: {
    from: 'nothing',
    to: 'assigned',
    event: 'ThirdPartyAssigned',
    call: {
      operation: 'assign_third_party',
      by: staff,
      summary: 'Assign an order to a provider that is to deliver it. The order itself does not change.',
      errors: ['order_not_found', 'provider_not_found', 'third_party_order_taken', 'contention'],
    },
    webhook: {
      event: 'delivery.assignment.created',
      summary: 'An order is assigned to the provider, by an automatic rule or by a person.',
    },
  },
  hand_over: {
    from: ['assigned'],
    to: 'handed_over',
    event: 'ThirdPartyHandedOver',
    call: {
      operation: 'hand_over_third_party',
      verb: 'hand-over',
      by: staff,
      summary: 'Record that the warehouse gave all packages of an assignment to the provider.',
    },
    webhook: {
      event: 'delivery.assignment.handed_over',
      summary: 'The warehouse gave all packages of the assignment to the provider.',
    },
  },
  book_legs: {
    from: ['assigned', 'handed_over', 'partially_delivered'],
    event: 'ThirdPartyLegsBooked',
    call: {
      operation: 'book_third_party_legs',
      verb: 'legs',
      by: staff,
      summary:
        'Record the orders that were booked with the carrier: one for each package if the carrier takes no shipment of several pieces.',
      errors: bookErrors,
    },
    providerCall: {
      operation: 'book_provider_legs',
      verb: 'legs',
      by: ['provider'],
      summary: 'For the key of a provider: report the orders that were booked with the carrier for an assignment.',
      errors: bookErrors,
    },
  },
  /** The packages together decide the status after it. */
  report: {
    from: ['handed_over', 'partially_delivered'],
    event: 'ThirdPartyPackagesReported',
    call: {
      operation: 'report_third_party_packages',
      verb: 'outcomes',
      by: staff,
      summary:
        'Record what has become of packages of an assignment. Once none is on its way, the assignment has ended.',
      errors: reportErrors,
    },
    providerCall: {
      operation: 'report_provider_packages',
      verb: 'outcomes',
      by: ['provider'],
      summary: 'For the key of a provider: report what has become of packages of an assignment.',
      errors: reportErrors,
    },
    webhook: {
      event: 'delivery.assignment.partial_delivered',
      summary: 'Some packages were delivered while others are still on their way.',
    },
  },
  cancel: {
    from: ['assigned', 'handed_over'],
    to: 'cancelled',
    event: 'ThirdPartyCancelled',
    call: {
      operation: 'cancel_third_party',
      verb: 'cancel',
      by: staff,
      summary: 'Withdraw an assignment: it was cancelled at the carrier, or the business delivers the order itself.',
    },
    webhook: cancelled,
  },
  /** Withdraws the assignment; the order then has another one, with another provider. */
  reassign: {
    from: ['assigned', 'handed_over'],
    to: 'cancelled',
    event: 'ThirdPartyCancelled',
    says: { reason: 'reassigned' },
    webhook: cancelled,
  },
} as const satisfies Moves<Status>
