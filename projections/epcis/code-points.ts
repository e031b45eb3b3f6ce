/** From here on, code units do not sort like code points. */
const beyond = /[\ud800-\uffff]/

/** Parts of a text to be hashed, in the order of their code points (CBV 2.0, event hash id). */
export function sorted(parts: string[]): string {
  const text = parts.sort().join('')
  return beyond.test(text) ? parts.sort(byCodePoint).join('') : text
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
