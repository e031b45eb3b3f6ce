import type { Told } from '../servers.test.fixture.ts'

/** The members of each object that requests may have; another one is a fault. */
export const described: Readonly<Record<string, readonly string[]>> = {
  'POST /shipments': ['shipment'],
  'POST /shipments/:/buy': ['rate', 'insurance', 'end_shipper_id'],
  'POST /shipments/:/refund': [],
  'POST /scan_forms': ['shipments'],
  'POST /pickups': ['pickup'],
  'POST /pickups/:/buy': ['carrier', 'service'],
  'POST /pickups/:/cancel': [],
  pickup: [
    ...['address', 'shipment', 'batch', 'carrier_accounts', 'instructions', 'reference'],
    ...['is_account_address', 'min_datetime', 'max_datetime'],
  ],
  shipment: [
    'from_address',
    'to_address',
    'parcel',
    'reference',
    'options',
    'customs_info',
    'tax_identifiers',
    'carrier_accounts',
    'service',
  ],
  address: [
    'name',
    'company',
    'street1',
    'street2',
    'city',
    'state',
    'zip',
    'country',
    'phone',
    'email',
    'residential',
  ],
  customs_info: [
    ...['eel_pfc', 'contents_type', 'contents_explanation', 'customs_certify', 'customs_signer'],
    ...['non_delivery_option', 'restriction_type', 'restriction_comments', 'customs_items', 'declaration'],
  ],
  customs_item: [
    ...['description', 'quantity', 'value', 'weight', 'hs_tariff_number', 'code'],
    ...['origin_country', 'currency'],
  ],
  tax_identifier: ['entity', 'tax_id', 'tax_id_type', 'issuing_country'],
  options: ['label_format', 'incoterm', 'invoice_number'],
  parcel: ['length', 'width', 'height', 'weight', 'predefined_package'],
}

const at = '2026-06-10T09:00:00Z'
/** What every object has. */
export const dated = { created_at: at, updated_at: at, mode: 'test' } as const

/** An error as EasyPost answers it. */
export const error = (status: number, code: string, message: string, errors: readonly object[] = []): Told => ({
  status,
  json: { error: { code, message, errors } },
})

/** Notes members that are not described. */
export function wrong(
  double: { readonly faults: string[] },
  what: string,
  members: object | undefined,
  known: readonly string[] = [],
) {
  for (const name of Object.keys(members ?? {}))
    if (!known.includes(name)) double.faults.push(`${what}: ${name} is not described`)
}
