import { inflateSync } from 'node:zlib'

/** Bytes of the headers and of the entries of a table: in WOFF (WOFF File Format 1.0, 3 and 4), and in a font. */
const woff = { header: 44, entry: 20 } as const
const sfnt = { header: 12, entry: 16 } as const

/** A table of a font: its tag, its checksum and its bytes. */
interface Table {
  readonly tag: string
  readonly checksum: number
  readonly bytes: Buffer
}

/** Where a table is in a file. */
export interface Place {
  readonly tag: string
  readonly checksum: number
  readonly offset: number
  readonly length: number
}

/** A font in a file: the version in its header, and its tables. */
export interface Face {
  readonly flavor: number
  readonly places: readonly Place[]
}

/** The most fonts of a collection, and the most tables of a font, that are read. */
const most = 64

/** The font of these tables (OpenType, Table Directory). */
export function sfntOf(flavor: number, tables: readonly Table[]): Buffer {
  const count = tables.length
  const head = Buffer.alloc(sfnt.header + count * sfnt.entry)
  const power = Math.floor(Math.log2(count))
  head.writeUInt32BE(flavor, 0)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(2 ** power * 16, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(count * 16 - 2 ** power * 16, 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (const [index, { tag, checksum, bytes }] of tables.entries()) {
    const entry = sfnt.header + index * sfnt.entry
    head.write(tag, entry, 'latin1')
    head.writeUInt32BE(checksum, entry + 4)
    head.writeUInt32BE(offset, entry + 8)
    head.writeUInt32BE(bytes.length, entry + 12)
    const rest = Buffer.alloc((4 - (bytes.length % 4)) % 4)
    parts.push(bytes, rest)
    offset += bytes.length + rest.length
  }
  return Buffer.concat(parts)
}

/** The font in a WOFF file. Those who read fonts would unpack it slowly, and again for each document. */
export function unpacked(file: Buffer): Buffer {
  const tables = Array.from({ length: file.readUInt16BE(12) }, (_, index): Table => {
    const entry = woff.header + index * woff.entry
    const [start, packed, length, checksum] = [4, 8, 12, 16].map((place) => file.readUInt32BE(entry + place)) as [
      ...[number, number, number, number],
    ]
    const stored = file.subarray(start, start + packed)
    return {
      ...{ tag: file.toString('latin1', entry, entry + 4), checksum },
      bytes: packed < length ? inflateSync(stored, { maxOutputLength: length }) : stored,
    }
  })
  return sfntOf(file.readUInt32BE(4), tables)
}

/** Reads so many bytes of a file from a place on. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>

/** The fonts in a file, which is a font or a collection of them (OpenType, Font Collections). */
export async function facesIn(read: ReadAt): Promise<readonly Face[]> {
  const head = await read(0, sfnt.header)
  if (head.toString('latin1', 0, 4) !== 'ttcf') return [await faceAt(read, 0)]
  const count = Math.min(most, head.readUInt32BE(8))
  const offsets = await read(sfnt.header, 4 * count)
  const faces: Face[] = []
  for (let index = 0; index < count; index++) faces.push(await faceAt(read, offsets.readUInt32BE(4 * index)))
  return faces
}

async function faceAt(read: ReadAt, start: number): Promise<Face> {
  const head = await read(start, sfnt.header)
  const count = Math.min(most, head.readUInt16BE(4))
  const entries = await read(start + sfnt.header, count * sfnt.entry)
  const places = Array.from({ length: count }, (_, index): Place => {
    const [checksum, offset, length] = [4, 8, 12].map((place) => entries.readUInt32BE(index * sfnt.entry + place)) as [
      number,
      number,
      number,
    ]
    return { tag: entries.toString('latin1', index * sfnt.entry, index * sfnt.entry + 4), checksum, offset, length }
  })
  return { flavor: head.readUInt32BE(0), places }
}

/** The font of a face, alone. */
export async function faceAlone(read: ReadAt, { flavor, places }: Face): Promise<Buffer> {
  const tables: Table[] = []
  for (const { tag, checksum, offset, length } of places)
    tables.push({ tag, checksum, bytes: await read(offset, length) })
  return sfntOf(flavor, tables)
}
