/** What is reported about each value of a JSON text, in the order of the text. */
export interface Visitor {
  /** A value begins: the name or the index that it has in its container, and where it, or its name, begins. */
  value(step: string | number | undefined, at: number): void
  /** The value that began last is a container. */
  opened(): void
  closed(): void
}

/** An open container: its closing bracket, and the index of the next item if it is an array. */
interface Open {
  readonly end: '}' | ']'
  index: number
}

const blank = /[ \t\n\r]*/y
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** Values that are visited in one step. */
const valuesPerStep = 5_000

/** Walks through a JSON text in steps; returns where it ceases to be JSON, or undefined if it is JSON as a whole. */
export function* walk(text: string, visitor: Visitor): Generator<void, number | undefined> {
  const open: Open[] = []
  let at = skipped(blank, text, 0)
  let step: string | number | undefined
  let start = at
  for (let visited = 1; ; visited++) {
    if (visited % valuesPerStep === 0) yield
    visitor.value(step, start)
    const first = text[at]
    if (first === '{' || first === '[') {
      visitor.opened()
      open.push({ end: first === '{' ? '}' : ']', index: 0 })
      at = skipped(blank, text, at + 1)
      if (text[at] !== open.at(-1)?.end) {
        const next = memberAt(text, at, open.at(-1) as Open)
        if (typeof next === 'number') return next
        ;[step, start, at] = [next.step, at, next.value]
        continue
      }
    } else {
      const end = first === '"' ? endOfString(text, at) : skipped(scalar, text, at)
      if (end <= at) return Math.abs(end)
      at = end
    }
    const next = afterValue(text, at, open, visitor)
    if (next === undefined || typeof next === 'number') return next
    ;[step, start, at] = [next.step, next.start, next.value]
  }
}

/** A member or item: its name or index, where it begins, and where its value begins. */
interface Next {
  readonly step: string | number
  readonly start: number
  readonly value: number
}

/** What follows a value or an empty container: closes containers; undefined at the end of the text, a number where it is wrong. */
function afterValue(text: string, end: number, open: Open[], visitor: Visitor): Next | number | undefined {
  let at = end
  // An empty container is still open at its closing bracket.
  for (;;) {
    at = skipped(blank, text, at)
    const top = open.at(-1)
    if (top === undefined) return at === text.length ? undefined : at
    if (text[at] === ',') {
      const start = skipped(blank, text, at + 1)
      const next = memberAt(text, start, top)
      return typeof next === 'number' ? next : { ...next, start }
    }
    if (text[at] !== top.end) return at
    open.pop()
    visitor.closed()
    at++
  }
}

function memberAt(text: string, at: number, top: Open): Omit<Next, 'start'> | number {
  if (top.end === ']') return { step: top.index++, value: at }
  if (text[at] !== '"') return at
  const end = endOfString(text, at)
  if (end <= at) return Math.abs(end)
  const colon = skipped(blank, text, end)
  if (text[colon] !== ':') return colon
  return { step: JSON.parse(text.slice(at, end)) as string, value: skipped(blank, text, colon + 1) }
}

function skipped(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The index after a string; where it is wrong, as a negative number. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return -at
    if (code !== 0x5c) continue
    const length = escapeLength(text, at)
    if (length === 0) return -at
    at += length - 1
  }
  return -text.length
}

const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

function escapeLength(text: string, at: number): number {
  return skipped(escaped, text, at) - at
}
