import { crc32 } from 'node:zlib'
import { EngineError, type EventMetadata, isoOf, type NewEvent, type RecordedEvent } from '../../../engine/index.ts'

/** The columns that come from the event itself. */
export interface EventColumns {
  readonly id: Uint8Array
  readonly type: string
  readonly data: string
  readonly meta: string
  /** When another store recorded it, in epoch milliseconds. */
  readonly recorded: number | undefined
}

/** An event with its position, as read by `eventColumns`. */
export type EventRow = readonly [
  pos: number,
  rev: number,
  id: string,
  type: string,
  data: string,
  meta: string,
  created: number,
  sum: number | null,
  ...others: readonly unknown[],
]

/**
 * The columns of a row. The id is read as hexadecimal text, because byte arrays are the most expensive values to read
 * from the driver.
 */
export const eventColumns = 'e.pos, e.rev, hex(e.id), e.type, e.data, e.meta, e.created, e.sum'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The columns of an event; throws `internal` if it could not be read back unchanged. */
export function columnsOf({ id, type, data, metadata, recordedAt }: NewEvent): EventColumns {
  if (!uuid.test(id)) throw new EngineError('internal', { request: `an event id that is not a lower-case UUID: ${id}` })
  const recorded = recordedAt === undefined ? undefined : Date.parse(recordedAt)
  return { id: bytesOf(id), type, data: textOf(data), meta: metaOf(metadata), recorded }
}

/** The bytes of a lower-case UUID. */
function bytesOf(id: string): Uint8Array {
  // From the pool of buffers: the driver would move the bytes of a separate small array out of the heap.
  const bytes = Buffer.allocUnsafe(16)
  let digits = 0
  for (let at = 0; digits < 32; at++) {
    const unit = id.charCodeAt(at)
    if (unit === hyphen) continue
    bytes[digits >> 1] = ((bytes[digits >> 1] as number) << 4) | (unit > 57 ? unit - 87 : unit - 48)
    digits++
  }
  return bytes
}

const hyphen = 45

/** The checksum of an event with its position (CRC-32 as in RFC 1952), which detects a single changed byte. */
export function sumOf(
  stream: string,
  revision: number,
  created: number,
  { id, type, data, meta }: Omit<EventColumns, 'recorded'>,
): number {
  return crc32(meta, crc32(data, crc32(id, crc32(`${stream}\0${revision}\0${created}\0${type}\0`))))
}

/** Whether a row of a stream is as it was recorded. Rows from before checksums existed count as whole. */
export function isWhole([, revision, id, type, data, meta, created, sum]: EventRow, stream: string): boolean {
  if (sum === null) return true
  idBytes.write(id, 'hex')
  return sum === sumOf(stream, revision, created, { id: idBytes, type, data, meta })
}

/** Reused, because a buffer for each id would double the cost of the check. */
const idBytes = Buffer.alloc(16)

/** The recorded event of a row in a stream. */
export function eventOf([pos, revision, id, type, data, meta, created]: EventRow, stream: string): RecordedEvent {
  return {
    id: idOf(id),
    type,
    data: JSON.parse(data),
    metadata: metadataOf(meta),
    stream,
    revision,
    position: positionOf(pos),
    recordedAt: recordedAtOf(created),
  }
}

// Events of one call share these.
const metaOf = remembering(textOf)
const metadataOf = remembering((text: string) => JSON.parse(text) as EventMetadata)
const recordedAtOf = remembering(isoOf)

/** Caches the last result. */
function remembering<Given, Answer>(answerTo: (given: Given) => Answer): (given: Given) => Answer {
  let last: { readonly given: Given; readonly answer: Answer } | undefined
  return (given) => {
    if (last === undefined || last.given !== given) last = { given, answer: answerTo(given) }
    return last.answer
  }
}

/** The UUID of 32 hexadecimal digits. */
export function idOf(hex: string): string {
  const digits = hex.toLowerCase()
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
}

/** The position of a row as text that sorts like the number. */
export function positionOf(pos: number): string {
  return String(pos).padStart(16, '0')
}

/** The row of a position; 0 is before the first. Throws for a position that this store has not issued. */
export function posOf(position: string | undefined): number {
  if (position === undefined) return 0
  if (!/^\d{16}$/.test(position))
    throw new EngineError('internal', { request: `a position of another store: ${position}` })
  return Number(position)
}

/** Whether SQLite stores a text unchanged: it cuts at NUL, and replaces half of a surrogate pair. */
export function isKeepable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function textOf(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new EngineError('internal', { request: 'an event whose data is not JSON' })
  return text
}
