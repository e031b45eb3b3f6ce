import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Labels. */
export const labelMessages = {
  unauthenticated: {
    carrier_events_refused: 'There is no such account of a carrier, or its carrier did not sign this.',
  },
  not_found: {
    label_not_found: 'There is no label order {label}.',
    manifest_not_found: 'There is no manifest {manifest}.',
    pickup_not_found: 'There is no pickup {pickup}.',
  },
  conflict: {
    label_status_forbids: 'The label order {label} is {status}, so this is not possible.',
    no_shipping_rate: 'No carrier of the business has a rate for this shipment. {reason}',
    rate_used: 'This rate was used for the label order {label}. Ask for rates again.',
    carrier_account_in_use: 'A carrier is yet to answer for a label or a pickup of this account. Try again later.',
    unprintable_text:
      'No font of this server has the letter {character} of {member}, nor most others of it, so nobody could read the label. Install a font that has them.',
    label_forgotten: 'The personal data of label order {label} has been erased, so there is nothing to print.',
    label_document_unreachable: 'Only the carrier has the document of label order {label}, as {reference}.',
    label_without_customs: 'The label order {label} says nothing of its contents, so there is no customs document.',
    cn22_too_much:
      'A CN22 is for a parcel of at most 2 kg, 300 special drawing rights and seven kinds of goods: take a CN23 for the label order {label}.',
    manifest_not_closed: 'The carrier has not closed the manifest {manifest}.',
    pickup_status_forbids: 'The pickup {pickup} is {status}, so this is not possible.',
    label_in_pickup:
      'The label order {label} is in the pickup {pickup}, which is {status}. Call that pickup off first.',
    labels_of_several_accounts: 'These labels are of several accounts at carriers: ask for a pickup of those of each.',
    carrier_without_pickups: '{carrier} has no pickups of labels.',
  },
  unavailable: {
    labels_unavailable: 'This server cannot print labels: the packages for it are not installed.',
  },
  value: {
    label_id_or_number: 'Give either the order_id or a tracking_number, not both.',
    letters_unprinted: 'No font of this server has {letters} of {field}, so the label shows [?] in their place.',
    size_needs_pdf: 'The size {received} is for sheets of paper: ZPL is printed on labels of one parcel.',
    no_such_place: 'There is no place {received} on a page: the size {size} has {expected}.',
    no_such_parcel: '{field} is {received}, but the order has {expected} parcels.',
    preferred_carriers: 'The strategy preferred_carrier needs preferred, and no other strategy takes it.',
    pickup_of_one_day: 'The pickup must begin and end on one day in the time zone of the business.',
    already_over: 'This time is over.',
  },
} as const satisfies Catalogue

/** A code of labels. */
export type LabelCode = CodeOf<typeof labelMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<LabelCode, 'labels'> {}
}
