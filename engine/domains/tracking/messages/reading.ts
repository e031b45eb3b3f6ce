import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Findings in documents of other formats. */
export const readingMessages = {
  value: {
    zone_assumed: 'The time has no zone. It is read as UTC and stored with the offset -00:00.',
    meaning_unknown: 'The meaning of {received} is not known. It was read as {decided}.',
    not_epcis: 'Expected an EPCISDocument, an EPCISQueryDocument, or an EPCIS event with its @context.',
    no_events:
      'The document has no events. Master data is only kept together with events, and messages of the query interface are not captured.',
    unknown_context: '{received} is not a known context, and contexts are not fetched. Known: {expected}.',
    undeclared_prefix: 'The prefix {received} is not declared.',
    reserved_term: '{received} is an EPCIS term and cannot be redefined.',
    not_a_uri: 'Expected an absolute URI.',
    not_an_event_id: 'Expected a UUID as a URN, or a SHA-256 as a ni URI.',
    not_an_offset: 'Expected an offset from UTC, for example +01:00 or -05:00.',
    unknown_cbv_word: '{received} is neither a CBV value of {field} nor a URI outside GS1.',
    allowed_only_with: '{field} is only allowed with {expected}.',
    corrects_itself: 'An event cannot correct itself.',
    not_taken: '{field} is not taken over.',
    class_level: '{received} names a class of things, not a single thing, so it belongs to no timeline.',
    no_single_thing: 'The event does not name a single tracked thing.',
    element_order: '{field} is not where the schema requires it.',
    code_decided: '{received} can mean several codes. It was read as {decided}.',
    code_missing: '{received} has no separate code. It was read as {decided}.',
    read_as: '{received} cannot be stored as it is. It was read as {decided}.',
    event_hash_differs: 'The id is not the hash of this event, which is {expected}.',
  },
} as const satisfies Catalogue

/** A code of findings in documents of other formats. */
export type ReadingCode = CodeOf<typeof readingMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<ReadingCode, 'tracking/reading'> {}
}
