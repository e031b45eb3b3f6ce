import * as v from 'valibot'
import type { Fidelity } from '../../engine/index.ts'
import { type CarriedRows, type CodeTable, fidelitySchema, mappingsOf, rowsOf } from '../shared/codes.ts'
import { type EventCode, eventCodes, type Status, statuses } from './vocabulary.ts'

/** A code as Amazon's event. */
export const rowSchema = v.strictObject({
  fidelity: fidelitySchema,
  /** If undefined, the event is left out of the history. */
  eventCode: v.exactOptional(v.picklist(eventCodes)),
  /** The new status of the package; if undefined, the status stays. An omitted event changes only the summary. */
  status: v.exactOptional(v.picklist(statuses)),
  /** To the recipient, or back to the sender; if undefined, the leg stays. */
  leg: v.exactOptional(v.picklist(['FORWARD', 'RETURNS'])),
  /** It is no longer out for delivery, whatever its status was before. */
  stops: v.exactOptional(v.literal(true)),
})

/** A code as Amazon's event. */
export type AmazonRow = Readonly<v.InferOutput<typeof rowSchema>>

const carried: CarriedRows<AmazonRow> = { format: 'amazon', schema: rowSchema }

const announced: AmazonRow = { fidelity: '~', eventCode: 'ReadyForReceive', status: 'PreTransit' }
const beforePickup: AmazonRow = { fidelity: 'none', status: 'PreTransit' }
const stopped: AmazonRow = { fidelity: 'none', stops: true }
const noStatus: AmazonRow = { fidelity: 'none' }
const undeliverable: AmazonRow = { fidelity: '=', eventCode: 'Undeliverable', status: 'Undeliverable' }

function moving(eventCode: EventCode, fidelity: Fidelity = '='): AmazonRow {
  return { fidelity, eventCode, status: 'InTransit' }
}

function toRecipient(eventCode: EventCode, status: Status): AmazonRow {
  return { fidelity: '=', eventCode, status, leg: 'FORWARD' }
}

const available = toRecipient('AvailableForPickup', 'AwaitingCustomerPickup')

/**
 * Amazon's event for each code. `Departed` would claim a departure for `in_transit`, and `PickupCancelled` a
 * cancellation by the carrier for `pickup_failed`, so these events are left out. A history does not name its profile
 * and is read as one of a parcel, so codes of other profiles are not kept.
 */
export const codes: CodeTable<AmazonRow> = {
  parcel: {
    information_submitted: announced,
    booking_confirmed: announced,
    awaiting_pickup: { ...announced, fidelity: '=' },
    out_for_pickup: beforePickup,
    picked_up: moving('PickupDone'),
    pickup_failed: beforePickup,
    pickup_rescheduled: beforePickup,
    received: moving('ArrivedAtCarrierFacility', '~'),
    arrival_scan: moving('ArrivedAtCarrierFacility'),
    in_transit: { fidelity: 'none', status: 'InTransit' },
    package_outbound: moving('Departed'),
    removed_from_route: stopped,
    route_cancelled: stopped,
    out_for_delivery: toRecipient('OutForDelivery', 'OutForDelivery'),
    delivered: toRecipient('Delivered', 'Delivered'),
    delivery_failed: toRecipient('DeliveryAttempted', 'DeliveryAttempted'),
    delivery_rescheduled: {
      fidelity: '~',
      eventCode: 'RecipientRequestedAlternateDeliveryTiming',
      leg: 'FORWARD',
      stops: true,
    },
    return_to_sender: { fidelity: '=', eventCode: 'Delivered', status: 'Undeliverable', leg: 'RETURNS' },
    rejected_by_recipient: toRecipient('Rejected', 'Rejected'),
    cancelled: { fidelity: '~', eventCode: 'PickupCancelled', status: 'PickupCancelled' },
  },
  storage: {
    deposit_expected: beforePickup,
    stored: { ...available, fidelity: '~' },
    // The parcel is as available as before.
    overdue: noStatus,
    exception_opened: noStatus,
    exception_resolved: noStatus,
    collected: { ...toRecipient('Delivered', 'Delivered'), fidelity: '~' },
    removed: { ...undeliverable, fidelity: '~' },
    deposit_cancelled: noStatus,
  },
  unregistered: {
    'x-available_for_pickup': available,
    'x-customs_started': noStatus,
    'x-customs_cleared': noStatus,
    'x-customs_held': noStatus,
    'x-delayed': noStatus,
    'x-damaged': noStatus,
    'x-lost': { fidelity: '=', eventCode: 'Lost', status: 'Lost' },
    'x-disposed': noStatus,
    'x-undeliverable': undeliverable,
    'x-returning': { fidelity: '~', eventCode: 'ReturnInitiated', status: 'Undeliverable', leg: 'RETURNS' },
    'x-exception': noStatus,
    'x-expired': noStatus,
    'x-*': noStatus,
  },
}

/** Amazon's event for a code of a profile. */
export const rowFor = rowsOf(codes, carried)

/** The published form of the table: `PickupDone`. */
export const mappings = mappingsOf(
  codes,
  ({ fidelity, eventCode, leg }) => ({
    fidelity,
    value: eventCode === undefined ? '' : leg === 'RETURNS' ? `${eventCode}, RETURNS` : eventCode,
  }),
  carried,
)
