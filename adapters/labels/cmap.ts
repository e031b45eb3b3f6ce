/**
 * Whether a character map has a letter (OpenType, cmap, formats 4 and 12, which fonts with Unicode have). The fonts of a system
 * have hundreds of maps; they are looked up as they are, because read into objects they would take a hundred megabytes.
 */
export function hasLetter(cmap: Buffer, codePoint: number): boolean {
  const tables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => {
    const [platform, encoding] = [cmap.readUInt16BE(4 + index * 8), cmap.readUInt16BE(6 + index * 8)]
    return { isUnicode: platform === 0 || (platform === 3 && encoding > 0), start: cmap.readUInt32BE(8 + index * 8) }
  }).filter(({ isUnicode }) => isUnicode)
  return tables.some(({ start }) => {
    const format = cmap.readUInt16BE(start)
    if (format === 12) return hasInGroups(cmap, start, codePoint)
    return format === 4 && codePoint <= 0xffff && hasInSegments(cmap, start, codePoint)
  })
}

function hasInGroups(cmap: Buffer, start: number, codePoint: number): boolean {
  const count = cmap.readUInt32BE(start + 12)
  const group = (index: number) => start + 16 + index * 12
  const index = firstOf(count, (index) => cmap.readUInt32BE(group(index) + 4) >= codePoint)
  if (index === count) return false
  const first = cmap.readUInt32BE(group(index))
  return first <= codePoint && cmap.readUInt32BE(group(index) + 8) + codePoint - first > 0
}

function hasInSegments(cmap: Buffer, start: number, codePoint: number): boolean {
  const count = cmap.readUInt16BE(start + 6) / 2
  const at = (part: number, index: number) => start + part + index * 2
  const [ends, begins] = [14, 16 + count * 2]
  const [deltas, offsets] = [begins + count * 2, begins + count * 4]
  const index = firstOf(count, (index) => cmap.readUInt16BE(at(ends, index)) >= codePoint)
  if (index === count) return false
  const first = cmap.readUInt16BE(at(begins, index))
  if (first > codePoint) return false
  const offset = cmap.readUInt16BE(at(offsets, index))
  const glyph = offset === 0 ? codePoint : cmap.readUInt16BE(at(offsets, index) + offset + (codePoint - first) * 2)
  return glyph !== 0 && (glyph + cmap.readUInt16BE(at(deltas, index))) % 0x10000 !== 0
}

/** The first of so many places for which something holds that then holds for all later ones; their number if there is none. */
function firstOf(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
