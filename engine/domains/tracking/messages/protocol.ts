import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Deviations of events and timelines from the protocol or from earlier records. */
export const protocolMessages = {
  value: {
    occurred_at_required: 'occurred_at is required (ISO-8601 with offset)',
    unsupported_version: 'Protocol version {received} is not supported. Supported: {expected}.',
    unknown_profile: 'There is no profile {received}. Profiles: {expected}.',
    unknown_status_code:
      '{received} is not a code of the profile {profile}. Unregistered codes start with x-.[ Did you mean {meant}?]',
    experimental_code: '{received} is an unregistered code. It is accepted, but level 2 only allows registered codes.',
    unseen_characters:
      'This has characters that nobody can see: {characters}. They do not count when identifiers are compared.',
    no_identifier: 'The subject needs at least one identifier: {expected}.',
    phase_mismatch: 'The phase of {code} is {expected}, not {received}.',
    current_status_mismatch: 'According to the events, the current status is {expected}, not {received}.',
    delivered_mismatch: 'According to the events, delivered is {expected}.',
    events_or_status_required: 'A timeline needs events, or a current_status if its source has no history.',
    source_missing: 'The event does not say who reported it (source.type).',
    duplicate_event_id: 'event_id {received} is already used at {first}.',
    out_of_order: 'This event occurred before the one above it. Events are ordered by time of occurrence.',
    order_contradicted:
      'This event has the same time as {first}, which is listed above it. In the timeline it comes first, because {later} follows {code}.',
    in_future: 'This is more than a day in the future. It does not count until its time comes.',
    long_ago: 'This is before the year 2000. Systems write a time such as {received} when they know none.',
    no_date: 'Systems write {received} when they know no date. No expected time is recorded.',
    first_step_skipped: 'A timeline does not begin with {to}; expected one of: {expected}.',
    step_skipped: '{from} -> {to} skips a step; expected one of: {expected}.',
    late_announcement:
      '{to} is an announcement that came late, after {from}. The tracking page does not take the journey back.',
    after_terminal: '{to} comes after the terminal status {from}, which remains in force.',
    impossible_transition: '{from} -> {to} is not possible.',
    providers_contradict:
      '{provider} and {other} contradict each other: one parcel cannot have been where both report it. Two parcels may have this number.',
    no_projection: 'No projection to an external standard covers every code of this timeline.',
    projection_misfit:
      'The document of this timeline in the format {format} does not fit the schema of that format at {path}.',
    unexpected_proof: 'Events with the code {code} cannot carry proof.',
    event_id_conflict: 'event_id {received} is already recorded with another {field}: {recorded}.',
    event_id_reused: 'An event with the id {received} is already recorded, and it says something else.',
    field_differs: '{field} is already recorded with another value, which is kept. Withdraw the event to correct it.',
    personal_data_dropped:
      'The personal data in this event is not stored, because the personal data of this timeline was erased.',
    source_mismatch: 'These credentials can only write as {expected}, not as {received}.',
    other_identifier: 'The timeline of {owner} has another {kind}: {known}, not {value}.',
    other_profile: 'The timeline of {owner} uses the profile {known}, not {received}.',
    identifiers_disagree:
      '{kind} {value} belongs to the timeline of {owner}, but {other} belongs to the timeline of {otherOwner}.',
  },
} as const satisfies Catalogue

/** A code for a deviation of an event or a timeline from the protocol or from earlier records. */
export type ProtocolCode = CodeOf<typeof protocolMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<ProtocolCode, 'tracking/protocol'> {}
}
