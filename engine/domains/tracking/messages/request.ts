import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Refusals of requests for timelines and of ingested events. */
export const trackingRequestMessages = {
  bad_request: {
    unknown_format: 'There is no format {received}. Formats: {expected}.',
    events_not_in_format: 'The format {received} has no list of events. Formats that have one: {expected}.',
    format_not_read: 'Documents of the format {received} cannot be read. These can: {expected}.',
    not_digital_link: 'This is not a GS1 Digital Link: {received}.',
    member_too_late: 'In a stream, {field} must come before {before}.',
  },
  unauthenticated: {
    webhook_not_proved: 'There is no such provider, or this is not signed with its secret.',
  },
  forbidden: {
    wrong_postal_code: 'The postal code is not that of the delivery.',
    invalid_link: 'The link is not valid for this number, or it has expired.',
  },
  not_found: {
    resource_not_found: 'The document has no such part.',
    timeline_not_found: 'Nothing is known of this tracking number.',
    link_type_not_found: 'There is no link of the type {received}. Types: {expected}.',
  },
  conflict: {
    ambiguous_identifier: 'The {kind} {value} belongs to several timelines: {candidates}. Name one of them.',
    provider_not_in_timeline: '{received} has no event in this timeline. Providers that have: {expected}.',
    nothing_left_of_timeline: 'The timeline has no other providers than {expected}, so there is nothing to split.',
  },
  too_large: {
    too_many_events: 'One call can have at most {limit} events.',
    too_many_things: 'The events of one call can name at most {limit} things.',
  },
  invalid: {
    too_many_refused: 'More than {limit} events were refused. The rest was not read.',
    nothing_accepted: 'No event was accepted. The reasons are listed for each event.',
    nothing_stored: '{count} event(s) were refused, so nothing was stored: the call was all or nothing.',
  },
  value: {
    only_of_otep: 'Only the format otep has pages.',
    unknown_event: 'There is no event {received} in this timeline.',
    batch_too_large: 'The whole answer would be too large. Request this number separately.',
    other_business: 'This belongs to a business that this provider does not report for.',
    not_sscc: 'Expected an SSCC: 18 digits.',
    not_gln: 'Expected a GLN: 13 digits.',
    not_unlocode:
      'Expected a UN/LOCODE: two capital letters for the country, and three letters or digits for the place.',
    check_digit: 'The last digit is not the check digit of the others.',
  },
} as const satisfies Catalogue

/** A code of refusals of requests for timelines and of ingested events. */
export type TrackingRequestCode = CodeOf<typeof trackingRequestMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<TrackingRequestCode, 'tracking/request'> {}
}
