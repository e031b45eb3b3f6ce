/** Adds to the headers of a response that it may hold messages, and in which language (RFC 9110, sections 8.5 and 12.5.5). */
export function translated(
  headers: Readonly<Record<string, string>>,
  language: string,
): Readonly<Record<string, string>> {
  const { Vary: vary } = headers
  const names = vary === undefined ? 'Accept-Language' : `${vary}, Accept-Language`
  return { ...headers, 'Content-Language': language, Vary: names }
}
