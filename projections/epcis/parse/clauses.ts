import type { ClauseFinding, Code, DocumentCheck, Finding, Target } from '../../../engine/index.ts'
import { checkEpcisInSteps } from './index.ts'

/** The clause for each code, where it does not depend on the member. */
const clauses: Readonly<Partial<Record<Code, string>>> = {
  not_epcis: 'EPCIS 2.0, 9.3',
  no_events: 'EPCIS 2.0, 8.2.1',
  unknown_context: 'EPCIS 2.0, 9.1',
  undeclared_prefix: 'EPCIS 2.0, 9.1',
  reserved_term: 'EPCIS 2.0, 9.1',
  not_an_event_id: 'EPCIS 2.0, 7.4.1',
  duplicate_event_id: 'EPCIS 2.0, 7.4.1',
  corrects_itself: 'EPCIS 2.0, 7.4.1',
  not_an_offset: 'EPCIS 2.0, 7.4.1',
  not_a_date_time: 'EPCIS 2.0, 7.3.1',
  no_such_date: 'EPCIS 2.0, 7.3.1',
  offset_missing: 'EPCIS 2.0, 7.3.1',
  unknown_cbv_word: 'CBV 2.0, 7',
  event_hash_differs: 'CBV 2.0, event hash id',
  not_sscc: 'EPC Tag Data Standard, SSCC',
  not_gln: 'EPC Tag Data Standard, SGLN',
  check_digit: 'GS1 General Specifications, 7.9',
  element_order: 'EPCIS XML Schema',
}

/** The clause for the other findings, by the first member of the path that has one. */
const places: readonly (readonly [place: RegExp, clause: string])[] = [
  [/@context/, 'EPCIS 2.0, 9.1'],
  [/sensorElementList/, 'EPCIS 2.0, SensorElement'],
  [/errorDeclaration/, 'EPCIS 2.0, ErrorDeclaration'],
  [/persistentDisposition/, 'EPCIS 2.0, PersistentDisposition'],
  [/[qQ]uantityList/, 'EPCIS 2.0, QuantityElement'],
  [/(?:source|destination)List/, 'EPCIS 2.0, Source and Destination'],
  [/bizTransactionList/, 'EPCIS 2.0, BusinessTransaction'],
  [/eventList\[\d+\].*:/, 'EPCIS 2.0, 9.1'],
  [/eventList\[\d+\]|^(?!epcis)[a-z]\w*(?:\[\d+\])?$/, 'EPCIS 2.0, 7.4'],
]

function withClause(finding: Finding): ClauseFinding {
  const { code, path } = finding
  const clause = clauses[code] ?? places.find(([place]) => place.test(path))?.[1] ?? 'EPCIS 2.0, 9.3'
  return { ...finding, clause }
}

/** The check of a document by this reader, in steps, each finding with its clause. */
export function* checkedByClauses(document: unknown, { strict = false }: Target): Generator<void, DocumentCheck> {
  const { refusing, remarks } = yield* checkEpcisInSteps(document, strict)
  return { errors: refusing.map(withClause), warnings: remarks.map(withClause) }
}
