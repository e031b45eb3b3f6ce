import { givesWay } from '../../engine/index.ts'
import { parcel } from '../../profiles/index.ts'
import type { EventCode, Status } from './vocabulary.ts'

/** How a foreign event is read: exactly, or with a warning. */
interface Back {
  readonly code: string
  readonly reason?: string
  readonly exact: boolean
}

function exactly(code: string): Back {
  return { code, exact: true }
}

/** The codes of Amazon's events (docs/explanation/reading-other-formats.md). */
const eventsBack: Readonly<Record<EventCode | 'PackageReceivedByCarrier', Back>> = {
  ReadyForReceive: exactly('awaiting_pickup'),
  PickupDone: exactly('picked_up'),
  PackageReceivedByCarrier: exactly('received'),
  Departed: exactly('package_outbound'),
  ArrivedAtCarrierFacility: exactly('arrival_scan'),
  OutForDelivery: exactly('out_for_delivery'),
  DeliveryAttempted: exactly('delivery_failed'),
  Delivered: exactly('delivered'),
  AvailableForPickup: { code: 'x-available_for_pickup', exact: false },
  Rejected: exactly('rejected_by_recipient'),
  Undeliverable: { code: 'x-undeliverable', exact: false },
  Lost: { code: 'x-lost', exact: false },
  PickupCancelled: exactly('cancelled'),
  ReturnInitiated: { code: 'x-returning', exact: false },
  RecipientRequestedAlternateDeliveryTiming: {
    code: 'delivery_rescheduled',
    reason: 'recipient_requested',
    exact: true,
  },
}

const onItsWayBack: Back = { code: 'x-returning', exact: false }

/** The codes on the way back, where the recipient of the parcel is its sender. */
const returnsBack: Partial<Readonly<Record<EventCode, Back>>> = {
  OutForDelivery: onItsWayBack,
  DeliveryAttempted: onItsWayBack,
  AvailableForPickup: onItsWayBack,
  RecipientRequestedAlternateDeliveryTiming: onItsWayBack,
  Delivered: exactly('return_to_sender'),
}

const back = new Map(Object.entries(eventsBack))
const backOnReturns = new Map(Object.entries(returnsBack))

/** How an event of a leg is read; undefined for an event code that the model does not have. */
export function backOf(eventCode: string, leg: unknown): Back | undefined {
  return (leg === 'RETURNS' ? backOnReturns.get(eventCode) : undefined) ?? back.get(eventCode)
}

/** The status that follows each event (Shipping API v2: the status is derived from the events in the history). */
const statusOfEvent: ReadonlyMap<string, Status> = new Map(
  Object.entries({
    ReadyForReceive: 'PreTransit',
    PickupDone: 'InTransit',
    PackageReceivedByCarrier: 'InTransit',
    Departed: 'InTransit',
    ArrivedAtCarrierFacility: 'InTransit',
    OutForDelivery: 'OutForDelivery',
    DeliveryAttempted: 'DeliveryAttempted',
    Delivered: 'Delivered',
    AvailableForPickup: 'AwaitingCustomerPickup',
    Rejected: 'Rejected',
    Undeliverable: 'Undeliverable',
    Lost: 'Lost',
    PickupCancelled: 'PickupCancelled',
    ReturnInitiated: 'Undeliverable',
  } satisfies Partial<Record<EventCode | 'PackageReceivedByCarrier', Status>>),
)

/** The codes of Amazon's statuses, for a status that no event of the history explains. */
export const statusesBack: Readonly<Record<Status, string>> = {
  PreTransit: 'information_submitted',
  InTransit: 'in_transit',
  Delivered: 'delivered',
  Lost: 'x-lost',
  OutForDelivery: 'out_for_delivery',
  Rejected: 'rejected_by_recipient',
  Undeliverable: 'x-undeliverable',
  DeliveryAttempted: 'delivery_failed',
  PickupCancelled: 'cancelled',
  AwaitingCustomerPickup: 'x-available_for_pickup',
}

/** Final statuses: no later status replaces them, so they add nothing if an event of the history explains them. */
const final: readonly Status[] = ['Delivered', 'Lost', 'Rejected', 'Undeliverable', 'PickupCancelled']

/**
 * Whether a history explains a status: as its current status or, for a final status, at any point (the summary may be
 * either: a parcel that was brought back is `Delivered`). Any event goes beyond `PreTransit`.
 */
export function isImplied(history: readonly CodedEvent[], status: string): boolean {
  const { status: current } = currentOf(history)
  if (status === current || (status === 'PreTransit' && current !== undefined)) return true
  return final.some((one) => one === status) && history.some(({ eventCode }) => statusOfEvent.get(eventCode) === status)
}

/** The members of an event that the status of a history depends on. */
export interface CodedEvent {
  readonly eventCode: string
  readonly leg: unknown
}

/** The status of a history, and the index of the event that gives it. A terminal status is final, as in a timeline. */
export function currentOf(history: readonly CodedEvent[]): { readonly at: number; readonly status?: Status } {
  let code: string | undefined
  let current: { at: number; status?: Status } = { at: -1 }
  for (const [at, { eventCode, leg }] of history.entries()) {
    if (eventCode === 'RecipientRequestedAlternateDeliveryTiming' && current.status === 'OutForDelivery')
      current = { at: current.at, status: 'InTransit' }
    const status = statusOfEvent.get(eventCode)
    const next = backOf(eventCode, leg)?.code
    if (status === undefined || next === undefined || !givesWay(parcel, code, next)) continue
    code = next
    current = { at, status: next === 'return_to_sender' ? 'Undeliverable' : status }
  }
  return current
}
