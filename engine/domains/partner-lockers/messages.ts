import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Deliveries into the lockers of partners. */
export const lockerDeliveryMessages = {
  not_found: {
    locker_delivery_not_found: 'There is no locker delivery {delivery}.',
    compartment_not_found: 'The locker delivery {delivery} has no compartment {compartment}.',
  },
  conflict: {
    locker_delivery_status_forbids: '{move} is not possible while the locker delivery {delivery} is {status}.',
    locker_delivery_expired: 'The locker delivery {delivery} has expired: this was possible until {due}.',
    locker_delivery_not_due: 'The locker delivery {delivery} does not expire before {due}.',
    locker_delivery_full: 'The locker delivery {delivery} takes no more than {limit} of these.',
    doors_still_open: 'Doors of the locker delivery {delivery} are still open.',
    correction_over: 'The locker delivery {delivery} could be corrected until {until}.',
  },
  value: {
    expiry_too_early: 'The expiry {expiry} has to come after {earliest}.',
    wrong_locker_code: 'This is not the code ({code}) of the locker delivery {delivery}.',
    parcels_differ: 'Each parcel of the locker delivery {delivery} is to be named once, and no other.',
  },
} as const satisfies Catalogue

/** A code of deliveries into the lockers of partners. */
export type LockerDeliveryCode = CodeOf<typeof lockerDeliveryMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<LockerDeliveryCode, 'partner-lockers'> {}
}
