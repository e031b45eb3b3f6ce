/** The kinds of incident for which Recommendation 24 has separate codes. */
type Scene = 'pickup' | 'delivery' | 'refusal' | 'other'

const scenes: Readonly<Record<string, Scene>> = {
  awaiting_pickup: 'pickup',
  out_for_pickup: 'pickup',
  pickup_failed: 'pickup',
  pickup_rescheduled: 'pickup',
  out_for_delivery: 'delivery',
  delivery_failed: 'delivery',
  delivery_rescheduled: 'delivery',
  return_to_sender: 'delivery',
  rejected_by_recipient: 'refusal',
}

/** A code of Recommendation 24, the producers' words with exactly its meaning, and the incidents that it applies to. */
type Reason = readonly [code: string, scenes: readonly Scene[], ...words: readonly string[]]

const anywhere = ['pickup', 'delivery', 'refusal', 'other'] as const
const pickup = ['pickup'] as const
const delivery = ['delivery', 'refusal'] as const
const refusal = ['refusal'] as const
const notAtPickup = ['delivery', 'refusal', 'other'] as const

const reasons: readonly Reason[] = [
  ['269', notAtPickup, 'consignee_absent', 'recipient_absent', 'receiver_absent', 'customer_absent', 'not_at_home'],
  ['269', notAtPickup, 'not_home', 'nobody_home', 'nobody_at_home', 'no_one_home', 'no_one_at_home'],
  ['211', delivery, 'business_closed', 'company_closed', 'consignee_closed', 'recipient_closed', 'premises_closed'],
  ['338', pickup, 'business_closed', 'company_closed', 'consignor_closed', 'sender_closed', 'shipper_closed'],
  ['353', delivery, 'closed_saturday', 'closed_on_saturday', 'business_closed_on_saturday'],
  ['354', delivery, 'closed_holiday', 'closed_on_holiday', 'national_holiday', 'public_holiday'],
  ['352', delivery, 'inventory_count', 'closed_for_inventory', 'closed_for_stocktaking'],
  ['234', anywhere, 'address_incorrect', 'incorrect_address', 'wrong_address', 'address_wrong'],
  ['274', anywhere, 'address_incomplete', 'incomplete_address'],
  ['213', delivery, 'further_address_needed'],
  ['340', pickup, 'further_address_needed'],
  ['205', notAtPickup, 'outside_delivery_area', 'out_of_delivery_area', 'address_outside_delivery_area'],
  ['243', notAtPickup, 'no_recipient_contact_information', 'no_contact_information'],
  ['220', anywhere, 'destination_incorrect', 'incorrect_destination', 'wrong_destination', 'missent'],
  ['247', pickup, 'package_not_available', 'parcel_not_available'],
  ['212', ['delivery'], 'changed_schedule', 'schedule_changed'],
  ['339', pickup, 'changed_schedule', 'schedule_changed'],
  ['254', ['delivery'], 'past_cut_off_time', 'cut_off_missed', 'cutoff_missed'],
  ['344', pickup, 'past_cut_off_time', 'cut_off_missed', 'cutoff_missed'],
  ['318', ['delivery'], 'time_shortage', 'lack_of_time'],
  ['266', ['delivery'], 'weather', 'bad_weather', 'adverse_weather', 'adverse_weather_conditions'],
  ['345', pickup, 'weather', 'bad_weather', 'adverse_weather', 'adverse_weather_conditions'],
  ['224', ['delivery'], 'industrial_dispute', 'industrial_action', 'strike'],
  ['341', pickup, 'industrial_dispute', 'industrial_action', 'strike'],
  ['235', ['other'], 'industrial_dispute', 'industrial_action', 'strike'],
  ['227', ['delivery'], 'equipment_failure'],
  ['342', pickup, 'equipment_failure'],
  ['239', anywhere, 'mechanical_breakdown', 'vehicle_breakdown'],
  ['238', anywhere, 'vehicle_damaged'],
  ['222', anywhere, 'derailment'],
  ['270', ['other'], 'local_circumstances'],
  ['325', notAtPickup, 'refused_by_recipient', 'recipient_refused', 'rejected_by_recipient', 'refused_by_consignee'],
  ['325', notAtPickup, 'consignee_refused'],
  ['325', refusal, 'refused', 'rejected', 'delivery_refused'],
  ['106', ['delivery', 'other'], 'delivery_refused'],
  ['106', ['delivery'], 'refused', 'rejected'],
  ['207', notAtPickup, 'refused_by_agent', 'agent_refused'],
  ['253', refusal, 'no_reason_given', 'no_reason'],
  ['275', refusal, 'purchase_order_cancelled', 'order_cancelled', 'order_canceled'],
  ['277', refusal, 'inconsistent_with_order', 'not_as_ordered'],
  ['278', refusal, 'incorrect_delivery_date', 'wrong_delivery_date'],
  ['280', refusal, 'duplicate_delivery', 'duplicate'],
  ['283', refusal, 'delivery_incomplete', 'incomplete_delivery'],
  ['284', refusal, 'not_ordered'],
  ['286', refusal, 'spoilt', 'spoiled'],
  ['291', refusal, 'freight_charges_not_paid'],
  ['295', refusal, 'opened', 'package_opened', 'parcel_opened'],
  ['297', refusal, 'commercial_dispute'],
  ['308', ['pickup', 'delivery', 'other'], 'spoilt', 'spoiled'],
  ['309', ['pickup', 'delivery', 'other'], 'opened', 'package_opened', 'parcel_opened', 'packaging_opened'],
  ['251', anywhere, 'payment_refused', 'refused_payment'],
  ['250', anywhere, 'payment_not_received', 'transport_payment_not_received'],
  ['218', anywhere, 'damaged', 'parcel_damaged', 'package_damaged', 'goods_damaged'],
  ['18', anywhere, 'damaged_in_transit', 'transit_damage'],
  ['307', anywhere, 'damaged_but_deliverable'],
  ['331', anywhere, 'destroyed'],
  ['49', anywhere, 'lost'],
  ['117', anywhere, 'missing'],
  ['287', anywhere, 'contents_missing', 'missing_contents'],
  ['54', anywhere, 'unidentifiable'],
  ['17', anywhere, 'customs_refused', 'customs_clearance_refused', 'clearance_refused'],
  ['126', anywhere, 'customs_clearance', 'customs_clearance_in_progress', 'in_customs_clearance'],
  ['170', anywhere, 'customs_formalities'],
  ['228', anywhere, 'inspection_required', 'inspection_required_by_authority'],
  ['241', anywhere, 'document_missing', 'documents_missing', 'missing_document', 'missing_documents'],
  ['343', anywhere, 'document_incorrect', 'incorrect_document', 'incorrect_documents'],
  ['236', anywhere, 'awaiting_instructions', 'waiting_for_instructions'],
  ['267', anywhere, 'free_storage_time_expired', 'storage_time_expired'],
  ['265', anywhere, 'unknown', 'unknown_reason', 'reason_unknown'],
]

const codeOf: Readonly<Record<Scene, ReadonlyMap<string, string>>> = {
  pickup: wordsOf('pickup'),
  delivery: wordsOf('delivery'),
  refusal: wordsOf('refusal'),
  other: wordsOf('other'),
}

function wordsOf(scene: Scene): ReadonlyMap<string, string> {
  return new Map(
    reasons
      .filter(([, where]) => where.includes(scene))
      .flatMap(([code, , ...words]) => words.map((word) => [word, code] as const)),
  )
}

/**
 * The code of Recommendation 24 for the incident reason of an event with this status, if the list has an exact match.
 * `_` and `-` are equal, and so are upper and lower case. Without a match the reason stays a text.
 */
export function reasonCodeOf(statusCode: string, reason: string): string | undefined {
  const scene = Object.hasOwn(scenes, statusCode) ? scenes[statusCode] : undefined
  return codeOf[scene ?? 'other'].get(reason.toLowerCase().replaceAll('-', '_'))
}
