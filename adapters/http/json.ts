import { atOnce, EngineError, inSteps, isEngineError, maxEvents, type Pause } from '../../engine/index.ts'
import { withinHeap } from './memory.ts'
import { pause } from './pause.ts'

/** Maximum nesting of arrays and objects in the input of an operation. */
export const maxLevels = 64

/** What a JSON text may hold. It is counted before anything is parsed, so that the counts bound the work. */
interface JsonBounds {
  /** Nesting of arrays and objects. */
  readonly levels: number
  /** Members of one object. */
  readonly members: number
  /** Values in all. */
  readonly values: number
}

/** The bounds of a document, which may hold more levels than the input of an operation: extensions, linked data. */
export const documentBounds: JsonBounds = { levels: 200, members: 1_000, values: withinHeap(1_000_000, 512) }

/** The values that were counted so far: of one text, or of several that are held together. */
interface Held {
  values: number
}

/** Characters that are scanned, or parsed, in one step. */
const charactersPerStep = 32 * 1024

/** The most characters of one text, which is parsed in one step. */
const maxText = 4 * 1024 * 1024

/**
 * Parses JSON at once. Throws `malformed_json` with the reason and position, `invalid_input` with `too_deep` or `too_long`, and
 * `too_many_members` or `too_many_values` beyond the bounds.
 */
export function parseJson(text: string, levels: number = documentBounds.levels, held: Held = { values: 0 }): unknown {
  try {
    atOnce(scan(text, { ...documentBounds, levels }, held))
  } catch (error) {
    if (!isEngineError(error, 'malformed_json')) throw error
    // JSON.parse tells the reason better.
  }
  return parsed(text)
}

/** How a text is parsed in steps; `values` is how many it may hold, where that is fewer than in a document. */
interface JsonSteps {
  readonly perStep?: number
  readonly pause?: Pause
  readonly values?: number
}

/** Parses JSON as `parseJson` does; a text of several steps with a pause after each. */
export async function parseJsonInSteps(
  text: string,
  levels: number = documentBounds.levels,
  { perStep = charactersPerStep, pause: paused = pause, values = documentBounds.values }: JsonSteps = {},
): Promise<unknown> {
  if (text.length <= perStep) return parseJson(text, levels)
  const bounds = { ...documentBounds, levels, values: Math.min(values, documentBounds.values) }
  const root = await inSteps(scan(text, bounds, { values: 0 }, perStep), paused)
  return root === undefined ? parsed(text) : inSteps(assembled(text, root, perStep), paused)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : '')
  }
}

function malformed(reason: string): EngineError {
  return new EngineError('malformed_json', { reason: reason.replace(/\p{Cc}/gu, ' ').slice(0, 120) })
}

/** An array or object that is longer than a step: its commas, and the long ones directly in it. */
interface LongContainer {
  readonly start: number
  /** The index after its closing bracket. */
  readonly end: number
  readonly commas: readonly number[]
  readonly inside: readonly LongContainer[]
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Counts what a text holds and finds its long containers. Returns the root if it is long; otherwise the text is a short
 * container or a scalar. Throws `malformed_json` for brackets that do not match.
 */
function* scan(
  text: string,
  bounds: JsonBounds,
  held: Held,
  perStep: number = charactersPerStep,
): Generator<void, LongContainer | undefined> {
  // One entry for each open container. Small ones leave nothing behind.
  const starts: number[] = []
  const members: number[] = []
  const firstCommas: number[] = []
  const commas: number[] = []
  const long: LongContainer[][] = [[]]
  // In a text no longer than a step there are only small ones.
  const isLong = text.length > perStep
  held.values++
  let stepEnd = perStep
  for (let at = 0; at < text.length; at++) {
    if (at >= stepEnd) {
      stepEnd = at + perStep
      yield
    }
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma) {
      if (++held.values > bounds.values) throw new EngineError('too_many_values', { limit: bounds.values })
      if (isLong) commas.push(at)
    } else if (code === colon) {
      const count = (members.at(-1) ?? 0) + 1
      if (count > bounds.members) throw new EngineError('too_many_members', { limit: bounds.members })
      members[members.length - 1] = count
    } else if (code === openArray || code === openObject) {
      if (starts.length >= bounds.levels) throw beyond('too_deep', bounds.levels)
      if (++held.values > bounds.values) throw new EngineError('too_many_values', { limit: bounds.values })
      starts.push(at)
      members.push(0)
      if (!isLong) continue
      firstCommas.push(commas.length)
      long.push([])
    } else if (code === closeArray || code === closeObject) {
      const start = starts.pop()
      members.pop()
      if (start === undefined || (text.charCodeAt(start) === openArray) !== (code === closeArray))
        throw malformed(`Unexpected token ${text[at]} in JSON at position ${at}`)
      if (!isLong) continue
      const inside = long.pop() ?? []
      const own = firstCommas.pop() ?? 0
      if (at - start > perStep) long.at(-1)?.push({ start, end: at + 1, commas: commas.slice(own), inside })
      commas.length = own
    }
  }
  if (starts.length > 0) throw malformed('Unexpected end of JSON input')
  const root = long[0]?.[0]
  if (root !== undefined) {
    if (!isBlank(text, 0, root.start)) throw misplaced(0)
    if (!isBlank(text, root.end, text.length)) throw misplaced(root.end)
  }
  return root
}

function beyond(code: 'too_deep' | 'too_long', limit: number): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [{ path: '', code, params: { limit } }])
}

/** The index of the quote that ends the string that starts here; the end of the text without one. Throws `too_long`. */
function endOfString(text: string, start: number): number {
  const end = quoteAfter(text, start)
  if (end - start > maxText) throw beyond('too_long', maxText)
  return end
}

function quoteAfter(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

const visible = /[^ \t\n\r]/g

function isBlank(text: string, start: number, end: number): boolean {
  visible.lastIndex = start
  return (visible.exec(text)?.index ?? end) >= end
}

/** Parses a long container, some of its items at a time. */
function* assembled(text: string, container: LongContainer, perStep: number): Generator<void, unknown> {
  const isArray = text.charCodeAt(container.start) === openArray
  const list: unknown[] = []
  const object: Record<string, unknown> = {}
  let [first, count] = [container.start + 1, 0]
  let next = 0

  function take(end: number) {
    if (count === 0) return
    const part = text.slice(first, end)
    const items = isArray ? (parsed(`[${part}]`) as unknown[]) : (parsed(`{${part}}`) as object)
    if (isArray ? (items as unknown[]).length !== count : part.trim() === '') throw misplaced(first)
    if (isArray) for (const item of items as unknown[]) list.push(item)
    else for (const [name, value] of Object.entries(items)) setMember(object, name, value)
    count = 0
  }

  const ends = [...container.commas, container.end - 1]
  if (ends.length === 1 && isBlank(text, first, container.end - 1)) return isArray ? list : object
  let start = first
  for (const end of ends) {
    const inner = container.inside[next]
    if (inner !== undefined && inner.start < end) {
      take(start - 1)
      const name = isArray ? undefined : nameBefore(text, start, inner.start)
      if ((isArray && !isBlank(text, start, inner.start)) || !isBlank(text, inner.end, end)) throw misplaced(start)
      const value = yield* assembled(text, inner, perStep)
      if (name === undefined) list.push(value)
      else setMember(object, name, value)
      first = end + 1
      next++
    } else {
      count++
      if (end - first > perStep) {
        take(end)
        first = end + 1
        yield
      }
    }
    start = end + 1
  }
  take(container.end - 1)
  return isArray ? list : object
}

/** The name of a member whose value starts at `end`. */
function nameBefore(text: string, start: number, end: number): string {
  const [name] = Object.keys(parsed(`{${text.slice(start, end)}null}`) as object)
  if (name === undefined) throw misplaced(start)
  return name
}

/** Sets a member as JSON.parse does, also one that is called `__proto__`. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

function misplaced(at: number): EngineError {
  return malformed(`Unexpected token in JSON near position ${at}`)
}

/** The parsed value, or the error. */
export function parsedOrError(text: string): unknown {
  return valueOrError(text, { values: 0 })
}

function valueOrError(text: string, held: Held): unknown {
  try {
    return parseJson(text, documentBounds.levels, held)
  } catch (error) {
    return error
  }
}

/** What lines of NDJSON say, with an error in place of one that is not JSON. */
interface Lines {
  /** Adds a line; a blank one says nothing. Throws `too_many_events`, and `too_many_values` of all of them. */
  take(line: string): void
  readonly said: readonly unknown[]
}

/** Lines of NDJSON that are held together. */
export function createLines(): Lines {
  const said: unknown[] = []
  const held = { values: 0 }
  return {
    take: (line) => {
      if (line.trim() === '') return
      if (said.length >= maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
      const value = valueOrError(line, held)
      if (isEngineError(value, 'too_many_values')) throw value
      said.push(value)
    },
    said,
  }
}
