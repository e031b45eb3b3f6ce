import { EngineError, isObject } from '../../../engine/index.ts'
import { createLines, parsedOrError } from '../../http/json.ts'
import { linesIn } from './lines.ts'

/** The values of an NDJSON text, and the numbers of their lines. */
interface JsonLines {
  readonly values: readonly unknown[]
  readonly numbers: readonly number[]
}

/**
 * The lines of a text in which the first is an object and others follow, which is no JSON as a whole; undefined for any other
 * text. Throws `too_many_events` and `too_many_values`.
 */
export function jsonLinesIn(text: string): JsonLines | undefined {
  const lines = linesIn(text).flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]))
  const [first, ...others] = lines
  if (first === undefined || others.length === 0) return undefined
  const begin = parsedOrError(first.line)
  if (!isObject(begin) || begin instanceof EngineError) return undefined
  const { take, said } = createLines()
  for (const { line } of lines) take(line)
  return { values: said, numbers: lines.map(({ number }) => number) }
}

/** The lines of what is at these paths, such as `lines[7].occurred_at`; the empty path has none. */
export function* placesInLines(
  { numbers }: JsonLines,
  paths: readonly string[],
): Generator<void, ReadonlyMap<string, number>> {
  const placed = paths.flatMap((path) => {
    const number = numbers[Number(/^lines\[(\d+)\]/.exec(path)?.[1])]
    return number === undefined ? [] : [[path, number] as const]
  })
  return new Map(placed)
}
