/** Directions that a text sets for what follows it, and the mark of a byte order: what is read there is not what is written. */
const directions = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g

/** A text on one line, with at most `limit` characters: line ends, tabs and control characters become a space. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .replace(directions, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`
}
