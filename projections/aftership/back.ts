import { type Back, exactly, nearly } from '../shared/back.ts'
import type { Tag } from './codes.ts'

/**
 * The codes of AfterShip's subtags (docs/explanation/reading-other-formats.md). An unknown subtag is read by its tag
 * alone. `Pending` says nothing about a parcel and has no code.
 */
export const subtagsBack: Readonly<Record<string, Back>> = {
  InfoReceived_001: exactly('information_submitted'),
  InTransit_001: exactly('in_transit'),
  InTransit_002: exactly('picked_up'),
  InTransit_003: exactly('arrival_scan'),
  InTransit_004: nearly('in_transit'),
  InTransit_005: exactly('x-customs_cleared'),
  InTransit_006: exactly('x-customs_started'),
  InTransit_007: exactly('package_outbound'),
  InTransit_008: nearly('in_transit'),
  InTransit_009: nearly('in_transit'),
  OutForDelivery_001: exactly('out_for_delivery'),
  OutForDelivery_003: nearly('out_for_delivery'),
  OutForDelivery_004: nearly('x-aftership_outfordelivery_004'),
  AttemptFail_001: exactly('delivery_failed'),
  AttemptFail_002: exactly('delivery_failed', 'consignee_absent'),
  AttemptFail_003: exactly('delivery_failed', 'business_closed'),
  Delivered_001: exactly('delivered'),
  Delivered_002: exactly('delivered'),
  Delivered_003: exactly('delivered'),
  Delivered_004: exactly('delivered'),
  Delivered_005: exactly('delivered', 'delivered_to_neighbor'),
  AvailableForPickup_001: exactly('x-available_for_pickup'),
  Exception_001: exactly('x-exception'),
  Exception_002: exactly('x-undeliverable', 'consignee_moved'),
  Exception_003: exactly('rejected_by_recipient'),
  Exception_004: exactly('x-customs_held'),
  Exception_005: exactly('x-delayed'),
  Exception_006: nearly('x-exception', 'payment_due'),
  Exception_007: exactly('x-undeliverable', 'address_incorrect'),
  Exception_008: exactly('x-undeliverable', 'not_collected'),
  Exception_009: nearly('x-exception', 'rejected_by_carrier'),
  Exception_010: exactly('x-returning'),
  Exception_011: exactly('return_to_sender'),
  Exception_012: exactly('x-damaged'),
  Exception_013: exactly('x-lost'),
  Exception_016: exactly('x-delayed', 'processing_issue'),
  Exception_017: exactly('x-delayed', 'weather'),
  Exception_018: nearly('x-exception', 'documents_missing'),
  Exception_019: exactly('x-delayed', 'late_flight'),
  Exception_020: exactly('cancelled'),
  Exception_021: exactly('x-disposed'),
  Expired_001: exactly('x-expired'),
}

/** The code of a tag whose subtag is unknown: it holds for every subtag of the tag. */
export const tagsBack: Readonly<Record<Exclude<Tag, 'Pending'>, string>> = {
  InfoReceived: 'information_submitted',
  InTransit: 'in_transit',
  OutForDelivery: 'out_for_delivery',
  AttemptFail: 'delivery_failed',
  Delivered: 'delivered',
  AvailableForPickup: 'x-available_for_pickup',
  Exception: 'x-exception',
  Expired: 'x-expired',
}

/** A code of `checkpoints[].events`, and the tags with which it has this meaning. */
interface EventBack {
  readonly code: string
  readonly tags: readonly Tag[]
}

/**
 * The codes of `checkpoints[].events` that say more than the subtag. AfterShip's list is open and in beta, so they
 * count only with a matching tag: with `Delivered`, `picked_up` means that the recipient collected the parcel.
 */
export const eventsBack: Readonly<Record<string, EventBack>> = {
  picked_up: { code: 'picked_up', tags: ['InTransit'] },
  received_by_last_mile_carrier: { code: 'received', tags: ['InTransit'] },
  carrier_pickup_failed: { code: 'pickup_failed', tags: ['Exception', 'InfoReceived'] },
  delivery_attempt_failed: { code: 'delivery_failed', tags: ['AttemptFail', 'Exception'] },
  redelivery_scheduled: { code: 'delivery_rescheduled', tags: ['AttemptFail', 'Exception', 'InTransit'] },
  held_by_customs: { code: 'x-customs_held', tags: ['Exception', 'InTransit'] },
  rejected_by_customer: { code: 'rejected_by_recipient', tags: ['Exception', 'AttemptFail'] },
  returned_to_sender: { code: 'return_to_sender', tags: ['Exception'] },
  shipment_lost: { code: 'x-lost', tags: ['Exception'] },
  shipment_damaged: { code: 'x-damaged', tags: ['Exception'] },
  canceled: { code: 'cancelled', tags: ['Exception'] },
}
