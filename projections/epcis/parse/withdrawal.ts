import type { Members } from '../../../engine/index.ts'
import { otepPrefix } from '../extension.ts'

/**
 * The withdrawal of an event with its reason, in the producer's own words if available (EPCIS 2.0, ErrorDeclaration).
 */
export function withdrawalOf(declared: Members): Members {
  const reason = declared[`${otepPrefix}reason`] ?? declared.reason
  return { declared_at: declared.declarationTime, ...(reason === undefined ? {} : { reason }) }
}
