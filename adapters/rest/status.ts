import type { Code } from '../../engine/index.ts'

/** HTTP status of each refusal that concerns a whole request; codes that only describe a value have none of their own. */
const statuses: Partial<Record<Code, number>> = {
  malformed_json: 400,
  malformed_xml: 400,
  header_not_accepted: 400,
  member_too_late: 400,
  invalid_utf8: 400,
  broken_encoding: 400,
  body_interrupted: 400,
  invalid_input: 422,
  unknown_format: 400,
  format_not_read: 400,
  unauthenticated: 401,
  forbidden: 403,
  route_not_found: 404,
  timeline_not_found: 404,
  provider_not_found: 404,
  resource_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  ambiguous_identifier: 409,
  provider_exists: 409,
  wrong_expected_revision: 409,
  payload_too_large: 413,
  too_many_events: 413,
  too_many_refused: 422,
  unsupported_media_type: 415,
  unsupported_encoding: 415,
  nothing_accepted: 422,
  nothing_stored: 422,
  // Accounts, sign-in and access
  wrong_account: 403,
  account_required: 403,
  PRICE_HIDDEN_SETTLE_OFFLINE: 403,
  idempotency_key_reused: 422,
  invalid_id_token: 401,
  too_many_attempts: 429,
  module_disabled: 403,
  module_not_migrated: 503,
  // Orders, routes and assignments
  order_not_found: 404,
  order_status_forbids: 409,
  // Device orders
  device_order_not_found: 404,
  // Approvals
  proposal_not_found: 404,
  // Tools and other interfaces
  confirm_required: 422,
  // This side
  internal: 500,
  wrong_secret_key: 500,
  contention: 503,
  erasure_unfinished: 503,
  too_many_streams: 503,
  too_busy: 503,
  store_unavailable: 503,
}

/** The HTTP status of a refusal. */
export function statusOf(code: Code): number {
  return statuses[code] ?? 422
}
