import type { CustomHeader } from '../../../engine/index.ts'
import { attemptError } from './failure.ts'

/** Headers that the connection sets; callers must not. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|expect|te|trailer|proxy-\w+|cookie)$/i

/**
 * The headers of a request; our own override those of the caller, and both those of the owner of the URL. Throws `internal`
 * for a header that cannot be sent unchanged: names must be tokens, values printable ASCII.
 */
export function requestHeaders(
  headers: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
  extra: readonly CustomHeader[] = [],
): Readonly<Record<string, string>> {
  const theirs = Object.entries(headers).filter(([name]) => !Object.hasOwn(own, name.toLowerCase()))
  const set = [...theirs, ...added(extra, [...Object.keys(own), ...Object.keys(headers)])]
  if (!set.every(([name, value]) => isClean(name, value))) throw attemptError('internal')
  return { ...Object.fromEntries(set), ...own }
}

function added(extra: readonly CustomHeader[], names: readonly string[]): readonly (readonly [string, string])[] {
  if (extra.length === 0) return []
  const taken = new Set(names.map((name) => name.toLowerCase()))
  return extra.flatMap(({ name, value }) => (taken.has(name.toLowerCase()) ? [] : [[name, value] as const]))
}

function isClean(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value) && !reserved.test(name)
}
