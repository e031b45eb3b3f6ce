import { givesWay } from '../../engine/index.ts'
import { parcel } from '../../profiles/index.ts'
import type { EventCode, Status } from './vocabulary.ts'

/** What a foreign event is read into: exactly, or with a warning that says so. */
export interface Back {
  readonly code: string
  readonly reason?: string
  readonly exact: boolean
}

function exactly(code: string): Back {
  return { code, exact: true }
}

/** From Amazon's event codes to ours (docs/explanation/reading-other-formats.md). */
export const eventsBack: Readonly<Record<EventCode | 'PackageReceivedByCarrier', Back>> = {
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
  ReturnInitiated: { code: 'return_to_sender', exact: false },
  RecipientRequestedAlternateDeliveryTiming: {
    code: 'delivery_rescheduled',
    reason: 'recipient_requested',
    exact: true,
  },
}

const onItsWayBack: Back = { code: 'x-returning', exact: false }

/** The same on the way back, where the one who receives is the sender. */
const returnsBack: Partial<Readonly<Record<EventCode, Back>>> = {
  OutForDelivery: onItsWayBack,
  DeliveryAttempted: onItsWayBack,
  AvailableForPickup: onItsWayBack,
  RecipientRequestedAlternateDeliveryTiming: onItsWayBack,
  Delivered: exactly('return_to_sender'),
}

const back = new Map(Object.entries(eventsBack))
const backOnReturns = new Map(Object.entries(returnsBack))

/** What an event of a leg is read into; nothing for an event code that the model does not have. */
export function backOf(eventCode: string, leg: unknown): Back | undefined {
  return (leg === 'RETURNS' ? backOnReturns.get(eventCode) : undefined) ?? back.get(eventCode)
}

/** The status that each event gives (Shipping API v2: the status is derived from the events in the history). */
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

/** From Amazon's statuses to ours, for one that no event of the history gives. */
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

/** Statuses that no later one replaces: one that an event of the history gives is no news. */
const final: readonly Status[] = ['Delivered', 'Lost', 'Rejected', 'Undeliverable', 'PickupCancelled']

/**
 * Whether a history gives a status: as its present one, or, where it is final, anywhere (the summary folds both ways: a
 * parcel that was brought back is `Delivered`). `PreTransit` is behind whatever happened.
 */
export function isImplied(history: readonly CodedEvent[], status: string): boolean {
  const { status: current } = currentOf(history)
  if (status === current || (status === 'PreTransit' && current !== undefined)) return true
  return final.some((one) => one === status) && history.some(({ eventCode }) => statusOfEvent.get(eventCode) === status)
}

/** An event as far as the status of a history needs it. */
export interface CodedEvent {
  readonly eventCode: string
  readonly leg: unknown
}

/** The status of a history and where the event stands that gives it; a terminal one holds, as it does in a timeline. */
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
