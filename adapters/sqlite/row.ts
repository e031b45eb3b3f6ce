import { crc32 } from 'node:zlib'
import { EngineError, isoOf, type NewEvent, type RecordedEvent } from '../../engine/index.ts'

/** The columns of an event that come from the event itself. */
export interface EventColumns {
  readonly id: Uint8Array
  readonly type: string
  readonly data: string
  readonly meta: string
  /** When another store took it, in epoch milliseconds. */
  readonly recorded: number | undefined
}

/** An event with its place, as it is read: its id in hexadecimal digits, `created` in epoch milliseconds. */
export interface EventRow extends Omit<EventColumns, 'id' | 'recorded'> {
  readonly id: string
  readonly pos: number
  readonly rev: number
  readonly created: number
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The columns of an event; refused with `internal` where it could not be given back as it is. */
export function columnsOf({ id, type, data, metadata, recordedAt }: NewEvent): EventColumns {
  if (!uuid.test(id)) throw new EngineError('internal', { request: `an event id that is not a lower-case UUID: ${id}` })
  const recorded = recordedAt === undefined ? undefined : Date.parse(recordedAt)
  return { id: Buffer.from(id.replaceAll('-', ''), 'hex'), type, data: textOf(data), meta: textOf(metadata), recorded }
}

/** The checksum of an event where it stands (CRC-32 as in RFC 1952): a changed byte is found, and not only a torn page. */
export function sumOf(
  stream: string,
  revision: number,
  created: number,
  { id, type, data, meta }: Omit<EventColumns, 'recorded'>,
): number {
  return crc32(meta, crc32(data, crc32(id, crc32(`${stream}\0${revision}\0${created}\0${type}\0`))))
}

/** The recorded event of a row in a stream. */
export function eventOf(row: EventRow, stream: string): RecordedEvent {
  return {
    id: idOf(row.id),
    type: row.type,
    data: JSON.parse(row.data),
    metadata: JSON.parse(row.meta),
    stream,
    revision: row.rev,
    position: positionOf(row.pos),
    recordedAt: isoOf(row.created),
  }
}

/** The UUID of its 32 hexadecimal digits. */
export function idOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The position of a row, as text that sorts like the number. */
export function positionOf(pos: number): string {
  return String(pos).padStart(16, '0')
}

/** The row of a position; 0 is before the first. Refuses a position that this store has not given out. */
export function posOf(position: string | undefined): number {
  if (position === undefined) return 0
  if (!/^\d{16}$/.test(position))
    throw new EngineError('internal', { request: `a position of another store: ${position}` })
  return Number(position)
}

/** Whether SQLite keeps the text as it is: it cuts at a NUL, and replaces half of a surrogate pair. */
export function isKeepable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function textOf(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new EngineError('internal', { request: 'an event whose data is not JSON' })
  return text
}
