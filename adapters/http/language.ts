/** Adds to the headers of a response that it may hold messages, and in which language (RFC 9110, sections 8.5 and 12.5.5). */
export function translated(
  headers: Readonly<Record<string, string>>,
  language: string,
): Readonly<Record<string, string>> {
  const { Vary: vary } = headers
  const names = vary === undefined ? 'Accept-Language' : `${vary}, Accept-Language`
  return { ...headers, 'Content-Language': language, Vary: names }
}

/** `translated` of headers that many responses have, made once for each language. */
export function translatedOnce(
  headers: Readonly<Record<string, string>>,
): (language: string) => Readonly<Record<string, string>> {
  const made = new Map<string, Readonly<Record<string, string>>>()
  return (language) => {
    const known = made.get(language) ?? translated(headers, language)
    made.set(language, known)
    return known
  }
}
