/** What a process keeps in memory in one structure, so that it need not be read or made again. */
export interface Held {
  readonly structure: string
  /** Bytes, estimated from the content. */
  readonly bytes: number
  /** The most bytes, at which the structure drops what was not used for longest. */
  readonly most: number
}

/**
 * About how many bytes a value takes in memory that was read from JSON. Within a tenth for recorded events, on a 64-bit
 * machine with texts in Latin letters; others take twice the bytes.
 */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 32
  for (const name in value) bytes += 8 + bytesOf(value[name as keyof typeof value])
  return bytes
}
