import type { IncomingHttpHeaders } from 'node:http'

/** Maximum bytes of a response body in the log, both as received and as UTF-8 text. */
export const maxBody = 16 * 1024

const maxHeaders = 64
const maxHeaderName = 128
const maxHeaderValue = 1024

/** Response headers for the log: a limited number, shortened, without the values of cookies. */
export function loggedHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const some = Object.entries(headers).slice(0, maxHeaders)
  return Object.fromEntries(some.map(([name, value]) => [name.slice(0, maxHeaderName), loggedValue(name, value)]))
}

function loggedValue(name: string, value: string | readonly string[] | undefined): string {
  if (/^set-cookie/.test(name)) return ''
  const text = typeof value === 'string' ? value : (value ?? []).join(', ')
  return text.slice(0, maxHeaderValue)
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The text of a response body; bytes that are not UTF-8 become U+FFFD. */
export function loggedBody(body: Uint8Array): string {
  const text = decoder.decode(body.subarray(0, maxBody))
  // An invalid byte becomes a character of three bytes.
  if (body.length * 3 <= maxBody) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBody))
  return text.slice(0, read)
}
