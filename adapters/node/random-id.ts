import { randomFillSync } from 'node:crypto'

/** Random bytes for many ids: to ask for those of each costs as much as the id. */
const bytes = Buffer.alloc(128 * 16)
let used = bytes.length

/** An id with its hyphens, and the places of the digits of each byte in it. */
const text = Buffer.from('00000000-0000-4000-8000-000000000000', 'latin1')
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const digits = Buffer.from('0123456789abcdef', 'latin1')

/**
 * A random UUID (RFC 9562, version 4). That of `crypto.randomUUID` is a chain of twenty texts in memory until it is first
 * read, and each event of a long call has one.
 */
export function randomId(): string {
  if (used === bytes.length) {
    randomFillSync(bytes)
    used = 0
  }
  for (let index = 0; index < 16; index++) {
    const place = places[index] as number
    const byte = bytes[used + index] as number
    text[place] = digits[index === 6 ? 4 : index === 8 ? 8 | ((byte >> 4) & 3) : byte >> 4] as number
    text[place + 1] = digits[byte & 15] as number
  }
  used += 16
  return text.toString('latin1')
}
