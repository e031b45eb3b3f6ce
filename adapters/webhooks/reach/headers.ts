import { failed } from './failure.ts'

/** What the connection decides on, and callers do not. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|expect|te|trailer|proxy-\w+|cookie)$/i

/**
 * The headers of a request: those of the caller, and our own, which count where both say something. Throws `internal`
 * where one could not be sent as it is: names are tokens, values printable ASCII.
 */
export function requestHeaders(
  headers: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const theirs = Object.entries(headers).filter(([name]) => own[name.toLowerCase()] === undefined)
  if (!theirs.every(([name, value]) => isClean(name, value))) throw failed('internal')
  return { ...Object.fromEntries(theirs), ...own }
}

function isClean(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value) && !reserved.test(name)
}
