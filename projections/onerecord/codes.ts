import * as v from 'valibot'
import type { Profile, Projection } from '../../engine/index.ts'
import { type CarriedRows, type CodeTable, fidelitySchema, mappingsOf, rowsOf } from '../shared/codes.ts'
import { segment } from '../shared/subject.ts'

/** A code of IATA's list. Without one, the code is written as a code of this server's own codebook. */
export const rowSchema = v.strictObject({
  fidelity: fidelitySchema,
  iata: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Z_]{3,}$/))),
})

type Row = Readonly<v.InferOutput<typeof rowSchema>>

const carried: CarriedRows<Row> = { format: 'onerecord', schema: rowSchema }

/** IATA has no code with exactly this meaning. The code in this server's published codebook has. */
const own: Row = { fidelity: '=' }

const same = (iata: string): Row => ({ fidelity: '=', iata })
const near = (iata: string): Row => ({ fidelity: '~', iata })

/**
 * Codes of the list StatusCode (code lists 1.1, that of Cargo-XML 1.18). They describe air cargo. A code is not used if
 * it implies a flight, a document or a notice that did not exist: DEP and ARR are for scheduled flights, NFD is a
 * notice to the consignee, AWD hands over papers, FOH is freight on hand, RCS is ready for carriage, and DIS needs a
 * detail.
 */
const table: CodeTable<Row> = {
  parcel: {
    information_submitted: own,
    // BKD is a booking on a given flight. Ours has no flight.
    booking_confirmed: near('BKD'),
    awaiting_pickup: own,
    out_for_pickup: own,
    // DPU is at the shipper's door. A parcel may also be handed over elsewhere.
    picked_up: near('DPU'),
    pickup_failed: own,
    pickup_rescheduled: own,
    // FIW is "into warehouse control". Our facility may not be a warehouse.
    received: near('FIW'),
    // RCF is received from a flight or from surface transport.
    arrival_scan: near('RCF'),
    in_transit: own,
    // FOW is "out of warehouse control". It does not say that the parcel was sorted.
    package_outbound: near('FOW'),
    removed_from_route: own,
    route_cancelled: own,
    out_for_delivery: own,
    // DLV is to the consignee or an agent, anywhere. DDL would say that it was at the door.
    delivered: same('DLV'),
    delivery_failed: own,
    delivery_rescheduled: own,
    return_to_sender: own,
    rejected_by_recipient: own,
    cancelled: own,
  },
  storage: {
    // FIW and FOW need a warehouse, and DLV a consignee. A machine is not a warehouse, and the next courier may
    // collect.
    deposit_expected: own,
    stored: own,
    overdue: own,
    exception_opened: own,
    exception_resolved: own,
    collected: own,
    removed: own,
    deposit_cancelled: own,
  },
  unregistered: {
    'x-available_for_pickup': own,
    // CRC is reported to customs, which is how customs start.
    'x-customs_started': near('CRC'),
    'x-customs_cleared': same('CCD'),
    // TGC is under the control of customs, which does not mean held.
    'x-customs_held': near('TGC'),
    'x-delayed': own,
    'x-damaged': own,
    'x-lost': same('DIS_MSCA'),
    'x-disposed': own,
    'x-undeliverable': own,
    'x-returning': own,
    'x-exception': own,
    'x-expired': own,
    'x-*': own,
  },
}

/** The published mappings. A code without an IATA code is kept as its identifier in this server's codebook. */
export const codes: Projection['codes'] = mappingsOf(
  table,
  ({ fidelity, iata }) =>
    iata === undefined ? { fidelity: '=', value: 'otep:<profile>:<code>' } : { fidelity, value: iata },
  carried,
)

const statusCodes = 'https://onerecord.iata.org/ns/code-lists/StatusCode#'

const rowFor = rowsOf(table, carried)

/**
 * The IRI of a code in IATA's list, or in the server's codebook with its identifier as the fragment (data model 3.2,
 * code lists: `{base}/{list}#{code}`).
 */
export function codeIri(baseUrl: string, profile: Profile, code: string): string {
  const { iata } = rowFor(profile, code)
  if (iata !== undefined) return `${statusCodes}${iata}`
  return `${baseUrl}/api/otep-guide/codebook.json#otep:${segment(profile.name)}:${segment(code)}`
}

/** The code of IATA's list that a code of a profile is written as; undefined if it is written as a code of this server. */
export function iataCodeOf(profile: Profile, code: string): string | undefined {
  return rowFor(profile, code).iata
}
