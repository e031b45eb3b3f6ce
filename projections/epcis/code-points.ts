/** From here on, code units do not sort like code points. */
const beyond = /[\ud800-\uffff]/

/** Parts of a text to be hashed, in the order of their code points (CBV 2.0, event hash id). */
export function sorted(parts: string[]): string {
  if (parts.length < 2) return parts[0] ?? ''
  const text = joined(parts.length > fewParts ? parts.sort() : inserted(parts))
  return beyond.test(text) ? joined(parts.sort(byCodePoint)) : text
}

/** So many are sorted by insertion, which is faster for few. */
const fewParts = 32

function inserted(parts: string[]): string[] {
  for (let end = 1; end < parts.length; end++) {
    const part = parts[end] as string
    let at = end
    for (; at > 0 && (parts[at - 1] as string) > part; at--) parts[at] = parts[at - 1] as string
    parts[at] = part
  }
  return parts
}

function joined(parts: readonly string[]): string {
  let text = ''
  for (const part of parts) text += part
  return text
}

function byCodePoint(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const difference = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Maps a code unit so that it sorts by code point: surrogates come after U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
