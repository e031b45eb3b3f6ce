/** Room for what is being encoded; grows to what was needed once, but is not kept beyond this. */
const room = 1024 * 1024

let scratch = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * The UTF-8 of a text that comes in parts. Each is encoded by itself: one letter outside of Latin-1 makes the whole of a
 * text twice as large, and several times as slow to encode.
 */
export function bytesOf(parts: Iterable<string>): Buffer {
  let length = 0
  for (const part of parts) {
    // Three bytes are the most that a code unit takes.
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
