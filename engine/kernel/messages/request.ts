import type { Catalogue, CodeOf } from '../catalogue.ts'

/** Refusals that concern the request or its caller, and failures of the server. */
export const requestMessages = {
  bad_request: {
    malformed_json: 'The text is not JSON: {reason}',
    malformed_xml: 'The text cannot be read as XML, line {line}: {reason}',
    invalid_utf8: 'The text is not UTF-8. A spreadsheet has to be saved as “CSV UTF-8”.',
    broken_encoding: 'The body cannot be decoded as {received}.',
    body_interrupted: 'The body ended before it was complete.',
    header_not_accepted: 'The header {field} is {received}. Accepted: {expected}.',
    credentials_in_address:
      'Keys and tokens are not accepted in an address, where logs keep them: send Authorization: Bearer <key or token>, and replace this one.',
  },
  unauthenticated: {
    unauthenticated: 'Valid credentials are needed: Authorization: Bearer <key or token>.',
  },
  forbidden: {
    forbidden: 'These credentials do not allow this. Needed: {scopes}.',
    outside_key: 'This API key may not do this ({operation}): it is narrowed to other operations, or to reading.',
    outside_role:
      'Your role {role} does not allow this ({operation}). An administrator of your business can change it.',
    wrong_account: 'This operation is only for accounts of kind {expected}, not {received}.',
    account_required: 'This operation needs the token of an account.',
    module_disabled: 'The module {module} is not enabled for this account.',
    PRICE_HIDDEN_SETTLE_OFFLINE: 'The prices of this order are hidden from this account. Settle it offline.',
  },
  not_found: {
    route_not_found: 'There is nothing at this address.',
    unknown_tool: 'There is no tool {received}.',
  },
  wrong_method: {
    method_not_allowed: 'This address does not accept {received}. Accepted: {expected}.',
  },
  not_acceptable: {
    not_acceptable: 'None of the offered types matches the Accept header. Offered: {expected}.',
  },
  conflict: {
    feature_disabled: 'The family {module} is switched off for this business.',
    wrong_expected_revision: 'The stream {stream} is at revision {actual}, not {expected}.',
  },
  too_large: {
    payload_too_large: 'The body is larger than {limit} bytes.',
    answer_too_large:
      'The answer has more than {limit} characters, too many for a tool. Ask for less, or use the REST interface.',
    too_many_members: 'An object has more than {limit} members.',
    too_many_values: 'The body has more than {limit} values.',
    too_large_to_store: 'The store takes no event of more than {limit} bytes, and this makes one that is larger.',
    event_too_large: 'An event has more than {values} values, or more than {characters} characters.',
  },
  unsupported: {
    unsupported_media_type: 'The content type {received} is not accepted here. Accepted: {expected}.',
    unsupported_encoding: 'The content encoding {received} is not accepted. Accepted: {expected}.',
  },
  invalid: {
    invalid_input: 'The input is not valid: {count} error(s), listed with their paths.',
    idempotency_key_reused: 'This Idempotency-Key was already used for another request.',
  },
  too_often: {
    too_many_attempts: 'Too many failed attempts. Try again in {seconds} seconds.',
    too_many_requests: 'Too many requests ({limit}). Try again in {seconds} seconds.',
  },
  failed: {
    wrong_secret_key:
      'Personal data is locked: OTEP_SECRET_KEY (or the file secret.key) is not the secret of this store.',
    internal: 'An unexpected error occurred on the server. It is logged as {request}.',
    damaged: 'The event {event} is damaged: it is not as it was recorded. Ask the operator of the server.',
  },
  unavailable: {
    module_not_migrated: 'The module {module} is not available on this system yet.',
    contention: 'Too many concurrent writes to the same data. Send the same request again.',
    too_many_streams: 'Too many live connections are open. Try again later.',
    too_busy: 'Too many large requests at once. Send the same request again in a moment.',
    store_unavailable: 'The store is currently unavailable. Send the same request again later.',
    erasure_unfinished:
      'The personal data was erased and can no longer be read, but its key may still be in the log of the store until the current readers are gone. Run this again then.',
  },
} as const satisfies Catalogue

/** A code of refusals that concern the request or its caller, or of failures of the server. */
export type RequestCode = CodeOf<typeof requestMessages>
