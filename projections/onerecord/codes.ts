import type { CodeMapping, Fidelity } from '../../engine/index.ts'
import { type CodeTable, mappingsOf, rowsOf } from '../shared/codes.ts'
import { segment } from '../shared/subject.ts'

/** A code of IATA's list, or none where the code goes out as this server's own, which is what it is. */
interface Row {
  readonly fidelity: Fidelity
  readonly iata?: string
}

/** IATA has no code that says this and no more; ours does, and stands in the published codebook. */
const own: Row = { fidelity: '=' }

const same = (iata: string): Row => ({ fidelity: '=', iata })
const near = (iata: string): Row => ({ fidelity: '~', iata })

/**
 * Codes of the list StatusCode (code lists 1.1, that of Cargo-XML 1.18). Its words speak of air cargo: a code that would
 * tell of a flight, a document or a notice that there was not is not used, however near the word: DEP and ARR are of
 * scheduled flights, NFD is a notice to the consignee, AWD hands over papers, FOH lies at the carrier, RCS is found
 * ready for carriage, and there is no bare DIS.
 */
const table: CodeTable<Row> = {
  parcel: {
    information_submitted: own,
    // A booking there is; that it is one on a given flight is not ours.
    booking_confirmed: near('BKD'),
    awaiting_pickup: own,
    out_for_pickup: own,
    // At the shipper's door, where a parcel may also be handed over elsewhere.
    picked_up: near('DPU'),
    pickup_failed: own,
    pickup_rescheduled: own,
    // "Into warehouse control"; our facility need not be a warehouse.
    received: near('FIW'),
    // Received from a flight or from surface transport.
    arrival_scan: near('RCF'),
    in_transit: own,
    // "Out of warehouse control"; that it is sorted is lost.
    package_outbound: near('FOW'),
    removed_from_route: own,
    route_cancelled: own,
    out_for_delivery: own,
    // To the consignee or his agent, wherever that is; DDL would claim his door.
    delivered: same('DLV'),
    delivery_failed: own,
    delivery_rescheduled: own,
    return_to_sender: own,
    rejected_by_recipient: own,
    cancelled: own,
  },
  storage: {
    // FIW and FOW are of a warehouse, and DLV of the consignee: a machine is none, and it may wait for the next courier.
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
    // Reported to customs, which begin with that.
    'x-customs_started': near('CRC'),
    'x-customs_cleared': same('CCD'),
    // Under the control of customs, which is not yet held.
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

/** What becomes of each code; without a code of IATA's, its own identifier in the codebook of the server. */
export const codes: Readonly<Record<string, Readonly<Record<string, CodeMapping>>>> = mappingsOf(
  table,
  ({ fidelity, iata }) => ({ fidelity, value: iata ?? 'otep:<profile>:<code>' }),
)

const statusCodes = 'https://onerecord.iata.org/ns/code-lists/StatusCode#'

const rowFor = rowsOf(table)

/**
 * The IRI of a code: one of IATA's list, or else one of the server's codebook, where its identifier is the fragment
 * (data model 3.2, code lists: `{base}/{list}#{code}`).
 */
export function codeIri(baseUrl: string, profile: string, code: string): string {
  const { iata } = rowFor(profile, code)
  if (iata !== undefined) return `${statusCodes}${iata}`
  return `${baseUrl}/api/otep-guide/codebook.json#otep:${segment(profile)}:${segment(code)}`
}
