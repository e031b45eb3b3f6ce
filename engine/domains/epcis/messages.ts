import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** The EPCIS interface. */
export const epcisMessages = {
  bad_request: {
    query_parameter_refused: '{parameter} is no parameter of a query, or has a wrong value: {reason}',
    query_parameter_not_offered: '{parameter} is not offered: {reason}',
    epcis_subscription_refused: 'A subscription cannot have this {parameter}: {reason}',
  },
  not_found: {
    epcis_query_not_found: 'There is no query with this name.',
    capture_job_not_found: 'There is no capture job with this id.',
    epcis_event_not_found: 'There is no event with this id that you may see.',
    epcis_subscription_not_found: 'There is no subscription with this id to this query.',
  },
  not_acceptable: {
    epcis_header_refused: '{header} is {received}. Offered: {expected}.',
  },
  conflict: {
    epcis_query_exists: 'There is already a query with this name.',
  },
  too_large: {
    query_too_large: 'The query has more results than {limit}.',
  },
} as const satisfies Catalogue

/** A code of refusals of the EPCIS interface. */
export type EpcisCode = CodeOf<typeof epcisMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<EpcisCode, 'epcis'> {}
}
