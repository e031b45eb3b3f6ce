/** Grows to what was needed once, and no further than this. */
const largest = 4 * 1024 * 1024

let scratch = Buffer.allocUnsafe(64 * 1024)

/**
 * The UTF-8 of a text that comes in parts. Each is encoded by itself: one letter outside of Latin-1 makes a whole text
 * twice as large, and several times as slow to encode.
 */
export function bytesOf(parts: Iterable<string>): Buffer {
  const filled: Buffer[] = []
  let length = 0
  for (const part of parts) {
    // Three bytes are the most that a code unit takes.
    const most = part.length * 3
    if (length + most > scratch.length) {
      filled.push(Buffer.from(scratch.subarray(0, length)))
      length = 0
      if (most > scratch.length) scratch = Buffer.allocUnsafe(most)
    }
    length += scratch.write(part, length)
  }
  filled.push(Buffer.from(scratch.subarray(0, length)))
  if (scratch.length > largest) scratch = Buffer.allocUnsafe(64 * 1024)
  return filled.length === 1 ? (filled[0] as Buffer) : Buffer.concat(filled)
}
