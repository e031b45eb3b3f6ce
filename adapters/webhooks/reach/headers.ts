import type { CustomHeader } from '../../../engine/index.ts'
import { attemptError } from './failure.ts'

/** A token, but not the name of a header that the connection sets; callers must not. */
const cleanName =
  /^(?!(host|connection|content-length|transfer-encoding|upgrade|keep-alive|expect|te|trailer|proxy-\w+|cookie)$)[\w!#$%&'*+.^`|~-]+$/i

const cleanValue = /^[\x20-\x7e]*$/

/**
 * The headers of a request; our own override those of the caller, and both those of the owner of the URL. Throws `internal`
 * for a header that cannot be sent unchanged: names must be tokens, values printable ASCII.
 */
export function requestHeaders(
  headers: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
  extra: readonly CustomHeader[] = [],
): Readonly<Record<string, string>> {
  // Without a prototype, `__proto__` is a name as any other.
  const set: Record<string, string> = Object.create(null)
  const add = ([name, value]: readonly [string, string]) => {
    if (!cleanName.test(name) || !cleanValue.test(value)) throw attemptError('internal')
    set[name] = value
  }
  for (const one of Object.entries(headers)) if (!Object.hasOwn(own, one[0].toLowerCase())) add(one)
  for (const one of added(extra, own, headers)) add(one)
  return Object.assign(set, own)
}

function added(
  extra: readonly CustomHeader[],
  ...sets: readonly Readonly<Record<string, string>>[]
): readonly (readonly [string, string])[] {
  if (extra.length === 0) return []
  const taken = new Set(sets.flatMap((set) => Object.keys(set)).map((name) => name.toLowerCase()))
  return extra.flatMap(({ name, value }) => (taken.has(name.toLowerCase()) ? [] : [[name, value] as const]))
}
