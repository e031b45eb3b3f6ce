import type { Members } from '../../../engine/index.ts'
import { otepPrefix } from '../extension.ts'

/** That an event is taken back, and why: in the producer's own words where they are there (EPCIS 2.0, ErrorDeclaration). */
export function withdrawalOf(declared: Members): Members {
  const reason = declared[`${otepPrefix}reason`] ?? declared.reason
  return { declared_at: declared.declarationTime, ...(reason === undefined ? {} : { reason }) }
}
