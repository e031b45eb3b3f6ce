import type { Members } from '../../../engine/index.ts'
import { type OwnStart, ownStarts, unextendedValue } from '../extension.ts'
import { storableTime } from './clock.ts'
import { plainWord } from './words.ts'

/**
 * The withdrawal of an event with its reason, in the producer's own words if available (EPCIS 2.0, ErrorDeclaration).
 * OTEP's own members may be written in each of the ways of `starts`.
 */
export function withdrawalOf(
  declared: Members,
  prefixes: ReadonlyMap<string, string>,
  occurred: string,
  starts: readonly OwnStart[] = ownStarts(prefixes),
): Members {
  const { reason: word, declarationTime } = declared
  const own = starts.find(({ start }) => declared[`${start}reason`] !== undefined)
  const reason =
    own !== undefined
      ? unextendedValue(declared[`${own.start}reason`], own)
      : typeof word === 'string'
        ? plainWord('reason', word, prefixes)
        : undefined
  // The XML Schema does not require a time, and allows several.
  const [time] = [declarationTime].flat()
  const declared_at = typeof time === 'string' ? storableTime(time) : undefined
  return { declared_at: declared_at ?? occurred, ...(isReason(reason) && { reason }) }
}

const longestReason = 500

function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && reason.length <= longestReason
}
