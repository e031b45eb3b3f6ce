import { type CodeTable, mappingsOf } from '../shared/codes.ts'

/** Whether a status is an incident, which makes its span an error (OTLP, `Status.code`). */
export interface OtlpStatus {
  readonly incident: boolean
}

const incident: OtlpStatus = { incident: true }
const asPlanned: OtlpStatus = { incident: false }

/** Whether each status is an incident. The code itself becomes the name of the span and an attribute. */
export const otlpStatuses: CodeTable<OtlpStatus> = {
  parcel: {
    information_submitted: asPlanned,
    booking_confirmed: asPlanned,
    awaiting_pickup: asPlanned,
    out_for_pickup: asPlanned,
    picked_up: asPlanned,
    pickup_failed: incident,
    pickup_rescheduled: incident,
    received: asPlanned,
    arrival_scan: asPlanned,
    in_transit: asPlanned,
    package_outbound: asPlanned,
    removed_from_route: incident,
    route_cancelled: incident,
    out_for_delivery: asPlanned,
    delivered: asPlanned,
    delivery_failed: incident,
    delivery_rescheduled: incident,
    // A return has a phase of its own, which is not the exception phase.
    return_to_sender: asPlanned,
    rejected_by_recipient: asPlanned,
    cancelled: incident,
  },
  storage: {
    deposit_expected: asPlanned,
    stored: asPlanned,
    overdue: incident,
    exception_opened: incident,
    exception_resolved: incident,
    collected: asPlanned,
    removed: asPlanned,
    deposit_cancelled: incident,
  },
  unregistered: {
    'x-available_for_pickup': asPlanned,
    'x-customs_started': asPlanned,
    'x-customs_cleared': asPlanned,
    'x-customs_held': incident,
    'x-delayed': incident,
    'x-damaged': incident,
    'x-lost': incident,
    'x-disposed': incident,
    'x-undeliverable': incident,
    'x-returning': asPlanned,
    'x-exception': incident,
    'x-expired': incident,
    'x-*': asPlanned,
  },
}

/** The table as it is published. Every code is kept, as the name of a span. */
export const codes = mappingsOf(otlpStatuses, (row) => ({
  fidelity: '=',
  value: row.incident ? 'span of that name, STATUS_CODE_ERROR' : 'span of that name',
}))
