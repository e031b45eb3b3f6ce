/** The scratch buffer grows as needed, but is not kept if it exceeds this size in bytes. */
const room = 1024 * 1024

let scratch = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * The UTF-8 bytes of a text in parts. Parts are encoded one by one: a single letter outside Latin-1 doubles the size
 * of a whole string and makes it several times slower to encode.
 */
export function bytesOf(parts: Iterable<string>): Buffer {
  let length = 0
  for (const part of parts) {
    // A UTF-16 code unit takes at most three bytes.
    if (length + part.length * 3 > scratch.length) grow(length, part.length * 3)
    length += scratch.write(part, length)
  }
  const bytes = Buffer.allocUnsafe(length)
  scratch.copy(bytes, 0, 0, length)
  if (scratch.length > room) scratch = Buffer.allocUnsafeSlow(64 * 1024)
  return bytes
}

function grow(length: number, more: number): void {
  const larger = Buffer.allocUnsafeSlow(2 * (length + more))
  scratch.copy(larger, 0, 0, length)
  scratch = larger
}
