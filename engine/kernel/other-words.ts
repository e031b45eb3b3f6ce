const points = ['geo', 'coordinates', 'coords', 'gps', 'lat_lng', 'position', 'point', 'geometry'] as const

/**
 * What fields of this engine are called elsewhere, in any spelling: by carriers, shops and in other formats. A refusal of such
 * a word names the field.
 */
export const otherWords = {
  tracking_number: ['tracking', 'tracking_no', 'tracking_id', 'waybill', 'awb', 'consignment', 'barcode'],
  external_tracking_number: ['carrier_tracking_number', 'courier_tracking_number', 'partner_tracking_number'],
  gs1_sscc: ['sscc'],
  otep_version: ['version', 'schema_version'],
  subject: ['shipment', 'parcel', 'package', 'tracker'],
  events: ['checkpoints', 'history', 'scans', 'tracking_events', 'activities', 'milestones'],
  event_id: ['id', 'uuid', 'event_uuid'],
  occurred_at: ['timestamp', 'time', 'datetime', 'event_time', 'event_date', 'checkpoint_time', 'date', 'at'],
  recorded_at: ['created_at', 'record_time', 'received_at'],
  status_code: ['status', 'event_code', 'event_type', 'state', 'code', 'tag'],
  incident_reason: ['reason', 'exception', 'reason_code', 'failure_reason', 'substatus', 'sub_status'],
  estimated_delivery_at: ['eta', 'estimated_delivery', 'estimated_delivery_date', 'est_delivery_date', 'expected_at'],
  description: ['message', 'details', 'text'],
  provider: ['carrier', 'courier', 'carrier_code', 'slug', 'carrier_name'],
  pod: ['proof_of_delivery', 'proof'],
  recipient: ['signed_by', 'received_by', 'signatory', 'consignee'],
  photo_urls: ['photos', 'photo', 'images', 'image_urls', 'pictures'],
  signature_url: ['signature', 'signature_image'],
  latitude: ['lat', ...points],
  longitude: ['lng', 'lon', 'long', ...points],
  street: ['address1', 'address_line1', 'street1', 'line1', 'address_line', 'addr1'],
  locality: ['city', 'town', 'place', 'suburb'],
  region: ['state', 'province', 'state_code', 'county'],
  postal_code: ['zip', 'zip_code', 'postcode', 'plz', 'cp', 'postal'],
  country: ['country_code', 'country_iso', 'country_region'],
  phone: ['telephone', 'tel', 'mobile', 'phone_number'],
  email: ['mail', 'e_mail', 'email_address'],
  name: ['full_name', 'contact_name', 'company', 'company_name'],
  weight_grams: ['weight', 'weight_kg', 'grams'],
  length_cm: ['length', 'depth'],
  width_cm: ['width'],
  height_cm: ['height'],
  order_id: ['order', 'order_no', 'order_number'],
  reference: ['ref', 'external_id', 'external_reference', 'customer_reference', 'order_reference'],
  per_page: ['limit', 'page_size', 'size', 'count', 'top', 'take'],
  page: ['offset', 'skip', 'page_number', 'start'],
} as const satisfies Readonly<Record<string, readonly string[]>>
