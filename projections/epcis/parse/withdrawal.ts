import type { Members } from '../../../engine/index.ts'
import { otepPrefix } from '../extension.ts'
import { storableTime } from './clock.ts'
import { plainWord } from './words.ts'

/**
 * The withdrawal of an event with its reason, in the producer's own words if available (EPCIS 2.0, ErrorDeclaration).
 * Names of OTEP's own members begin with `start`.
 */
export function withdrawalOf(
  declared: Members,
  prefixes: ReadonlyMap<string, string>,
  occurred: string,
  start: string = otepPrefix,
): Members {
  const { [`${start}reason`]: own, reason: word, declarationTime } = declared
  const reason = own ?? (typeof word === 'string' ? plainWord('reason', word, prefixes) : undefined)
  // The XML Schema does not require a time, and allows several.
  const [time] = [declarationTime].flat()
  const declared_at = typeof time === 'string' ? storableTime(time) : undefined
  return { declared_at: declared_at ?? occurred, ...(isReason(reason) && { reason }) }
}

const longestReason = 500

function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && reason.length <= longestReason
}
