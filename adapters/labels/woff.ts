import { inflateSync } from 'node:zlib'

/** Bytes of the headers and of the entries of a table: in WOFF (WOFF File Format 1.0, 3 and 4), and in the font that is packed in it. */
const woff = { header: 44, entry: 20 } as const
const sfnt = { header: 12, entry: 16 } as const

/** The font in a WOFF file. Those who read fonts would unpack it slowly, and again for each document. */
export function unpacked(file: Buffer): Buffer {
  const flavor = file.readUInt32BE(4)
  const count = file.readUInt16BE(12)
  const head = Buffer.alloc(sfnt.header + count * sfnt.entry)
  const power = Math.floor(Math.log2(count))
  head.writeUInt32BE(flavor, 0)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(2 ** power * 16, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(count * 16 - 2 ** power * 16, 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (let index = 0; index < count; index++) {
    const from = woff.header + index * woff.entry
    const [start, packed, length] = [4, 8, 12].map((place) => file.readUInt32BE(from + place)) as [
      number,
      number,
      number,
    ]
    const stored = file.subarray(start, start + packed)
    const table = packed < length ? inflateSync(stored) : stored
    const entry = sfnt.header + index * sfnt.entry
    file.copy(head, entry, from, from + 4)
    file.copy(head, entry + 4, from + 16, from + 20)
    head.writeUInt32BE(offset, entry + 8)
    head.writeUInt32BE(length, entry + 12)
    const rest = Buffer.alloc((4 - (length % 4)) % 4)
    parts.push(table, rest)
    offset += length + rest.length
  }
  return Buffer.concat(parts)
}
