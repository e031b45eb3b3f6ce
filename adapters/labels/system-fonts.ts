import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { hasLetter } from './cmap.ts'
import { type Face, faceAlone, facesIn, type ReadAt } from './sfnt.ts'

/** How heavy letters are. */
export type Weight = 400 | 700

/** A font that is known to be there. */
export interface FoundFont {
  readonly name: string
  readonly weight: Weight
  has(codePoint: number): boolean
  bytes(): Promise<Buffer>
}

/** The folders in which systems keep fonts. */
export function systemFontFolders(): readonly string[] {
  const home = homedir()
  return [
    ...['/usr/share/fonts', '/usr/local/share/fonts', join(home, '.local/share/fonts'), join(home, '.fonts')],
    ...['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library/Fonts'), 'C:\\Windows\\Fonts'],
  ]
}

/** The most files of a folder that are looked at, and the bytes of the largest part of one that is read. */
const bounds = { files: 3000, bytes: 64 * 1024 * 1024 } as const

/** The fonts in these folders and below them that may be put into documents, the best ones for a label first. */
export async function fontsBelow(folders: readonly string[]): Promise<readonly FoundFont[]> {
  const found: { font: FoundFont; rank: number }[] = []
  for (const folder of folders) for (const path of await fontFilesBelow(folder)) found.push(...(await fontsOf(path)))
  return found
    .sort((one, other) => one.rank - other.rank || (one.font.name < other.font.name ? -1 : 1))
    .map(({ font }) => font)
}

async function fontFilesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const files = entries.filter((name) => /\.(ttf|otf|ttc|otc)$/i.test(name)).sort()
  return files.slice(0, bounds.files).map((name) => join(folder, name))
}

/** The fonts of a file; none if it is damaged or cannot be read, because others may have the letters. */
async function fontsOf(path: string) {
  try {
    return await reading(path, async (read) => {
      const found: { font: FoundFont; rank: number }[] = []
      for (const face of await facesIn(read)) {
        const font = await described(path, read, face)
        if (font !== undefined) found.push(font)
      }
      return found
    })
  } catch {
    return []
  }
}

async function reading<Result>(path: string, work: (read: ReadAt) => Promise<Result>): Promise<Result> {
  // A pipe would wait for somebody to write; on Windows there is no such flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    return await work((offset, length) => bytesAt(file, offset, length))
  } finally {
    await file.close()
  }
}

async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  if (length > bounds.bytes) throw new RangeError('The font is too large.')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead < length) throw new RangeError('The font is cut off.')
  return buffer
}

/** What is to be known of a font to choose it; undefined if it has no outlines, is slanted, or must not be put into documents. */
async function described(path: string, read: ReadAt, face: Face) {
  const tables = new Map(face.places.map((place) => [place.tag, place]))
  const table = async (tag: string) => {
    const place = tables.get(tag)
    return place && (await read(place.offset, place.length))
  }
  const [cmap, style, names] = [await table('cmap'), await table('OS/2'), await table('name')]
  const hasOutlines = (tables.has('glyf') || tables.has('CFF ')) && !tables.has('CBDT') && !tables.has('sbix')
  if (!hasOutlines || cmap === undefined || style === undefined || names === undefined) return undefined
  // OS/2, fsType: 2 alone forbids to embed it; fsSelection: 1 is italic, and 512 oblique.
  const [weight, rights, slant] = [style.readUInt16BE(4), style.readUInt16BE(8), style.readUInt16BE(62)]
  if ((rights & 0xf) === 2 || (slant & 0x201) !== 0) return undefined
  const name = postScriptName(names)
  const font: FoundFont = {
    ...{ name, weight: weight >= 600 ? 700 : 400 },
    has: (codePoint) => hasLetter(cmap, codePoint),
    bytes: () => reading(path, (read) => faceAlone(read, face)),
  }
  return { font, rank: rankOf(name, weight) }
}

/** How well a font suits a label: plain letters without serifs first, and of the shapes of Chinese letters the simplified ones. */
function rankOf(name: string, weight: number): number {
  const isPlain = !/mono|serif|condensed|narrow|light|thin|black|display|looped|rashi|unjoined/i.test(name)
  const isNoto = /^notosans/i.test(name)
  const isOther = /cjk(jp|kr|tc|hk)/i.test(name)
  return (isPlain ? 0 : 8) + (isNoto ? 0 : 4) + (weight === 400 || weight === 700 ? 0 : 2) + (isOther ? 1 : 0)
}

/** The name of a font in documents (OpenType, name, 6). */
function postScriptName(names: Buffer): string {
  const texts = names.readUInt16BE(4)
  for (let index = 0; index < names.readUInt16BE(2); index++) {
    const [platform, , , id, length, offset] = [0, 2, 4, 6, 8, 10].map((place) =>
      names.readUInt16BE(6 + index * 12 + place),
    ) as [number, number, number, number, number, number]
    if (id !== 6) continue
    const bytes = names.subarray(texts + offset, texts + offset + length)
    return platform === 1 ? bytes.toString('latin1') : Buffer.from(bytes).swap16().toString('utf16le')
  }
  return 'font'
}
