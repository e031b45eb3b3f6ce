import { attemptError } from './failure.ts'

/** Headers that the connection sets; callers must not. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|expect|te|trailer|proxy-\w+|cookie)$/i

/**
 * The headers of a request; our own override those of the caller. Throws `internal` for a header that cannot be sent
 * unchanged: names must be tokens, values printable ASCII.
 */
export function requestHeaders(
  headers: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const theirs = Object.entries(headers).filter(([name]) => own[name.toLowerCase()] === undefined)
  if (!theirs.every(([name, value]) => isClean(name, value))) throw attemptError('internal')
  return { ...Object.fromEntries(theirs), ...own }
}

function isClean(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value) && !reserved.test(name)
}
