import type { IncomingHttpHeaders } from 'node:http'

/** Bytes that are kept of a body, before and after it is made text. */
export const maxBody = 16 * 1024

const maxHeaders = 64
const maxHeaderName = 128
const maxHeaderValue = 1024

/** The headers of an answer as they are kept: not all of many, nor the whole of long ones, nor what a cookie says. */
export function keptHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const some = Object.entries(headers).slice(0, maxHeaders)
  return Object.fromEntries(some.map(([name, value]) => [name.slice(0, maxHeaderName), keptValue(name, value)]))
}

function keptValue(name: string, value: string | readonly string[] | undefined): string {
  if (/^set-cookie/.test(name)) return ''
  const text = typeof value === 'string' ? value : (value ?? []).join(', ')
  return text.slice(0, maxHeaderValue)
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The text of a body: UTF-8, in which what is not stands as U+FFFD. */
export function keptText(body: Uint8Array): string {
  const text = decoder.decode(body.subarray(0, maxBody))
  // A byte that is no UTF-8 becomes a letter of three.
  if (body.length * 3 <= maxBody) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBody))
  return text.slice(0, read)
}
