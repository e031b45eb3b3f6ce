import type { Calendar, Property } from './schema.ts'

const encoder = new TextEncoder()

/** The text of a calendar (RFC 5545). */
export function textOfCalendar([name, properties, entries]: Calendar): string {
  const lines = [
    `BEGIN:${name.toUpperCase()}`,
    ...properties.map(lineOf),
    ...entries.flatMap(([entry, members]) => [
      `BEGIN:${entry.toUpperCase()}`,
      ...members.map(lineOf),
      `END:${entry.toUpperCase()}`,
    ]),
    `END:${name.toUpperCase()}`,
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** Types that are named, because their properties have another one by default. */
const named: readonly string[] = ['date', 'duration']

function lineOf([name, , type, value]: Property): string {
  const kind = named.includes(type) ? `;VALUE=${type.toUpperCase()}` : ''
  return `${name.toUpperCase()}${kind}:${written(type, value)}`
}

function written(type: string, value: string): string {
  if (type === 'text') return value.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')
  return type.startsWith('date') ? value.replace(/[-:]/g, '') : value
}

/** Lines have at most 75 bytes; the next one goes on after a space (RFC 5545, section 3.1). */
function folded(line: string): string {
  if (line.length <= 25) return line
  let [out, bytes] = ['', 0]
  for (const character of line) {
    const size = encoder.encode(character).length
    if (bytes + size > 75) [out, bytes] = [`${out}\r\n `, 1]
    out += character
    bytes += size
  }
  return out
}
