import { type Code, type Kind, kinds } from '../../engine/index.ts'

/** The HTTP status of each kind of refusal. */
const statuses: Readonly<Record<Kind, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  not_acceptable: 406,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported: 415,
  invalid: 422,
  too_often: 429,
  failed: 500,
  unavailable: 503,
}

/** The HTTP status of a refusal; a code that only describes a value has that of an invalid input. */
export function statusOf(code: Code): number {
  return statuses[kinds[code] ?? 'invalid']
}
