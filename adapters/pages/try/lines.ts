import { type Visitor, walk } from './walk.ts'

/** The lines of a text, of any kind of line break. */
export function linesIn(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/)
}

/** The number of the line that has the character at an index, from 1. */
function lineAt(text: string, index: number): number {
  return linesIn(text.slice(0, index)).length
}

/** The line at which a text ceases to be JSON; undefined if it is JSON. */
export function* brokenLine(text: string): Generator<void, number | undefined> {
  const nothing = () => {}
  const at = yield* walk(text, { value: nothing, opened: nothing, closed: nothing })
  return at === undefined ? undefined : lineAt(text, lastBefore(text, at))
}

/** At the end of a text, what is missing belongs to the last line that is not blank. */
function lastBefore(text: string, at: number): number {
  return at < text.length ? at : text.trimEnd().length
}

/** A path on its way to its value: its place in the list, and how many of its characters have led here. */
interface Trail {
  readonly order: number
  readonly matched: number
}

/**
 * The lines of the values at these paths of a JSON text, such as `events[0].occurred_at`. A member that is missing has the
 * line of what would hold it; the empty path has none. The work grows with the number of paths, so there should be few.
 */
export function* linesOf(text: string, paths: readonly string[]): Generator<void, ReadonlyMap<string, number>> {
  const sought = [...new Set(paths)].filter((path) => path !== '')
  const best = sought.map(() => ({ matched: -1, at: 0 }))
  const containers: (readonly Trail[])[] = [sought.map((_, order) => ({ order, matched: 0 }))]
  let current: readonly Trail[] = []
  const visitor: Visitor = {
    value: (step, at) => {
      current = (containers.at(-1) ?? []).flatMap((trail) => {
        const matched = step === undefined ? 0 : matchedBy(sought[trail.order] ?? '', trail.matched, step)
        return matched < 0 ? [] : [{ order: trail.order, matched }]
      })
      for (const { order, matched } of current) if (matched > (best[order]?.matched ?? 0)) best[order] = { matched, at }
    },
    opened: () => void containers.push(current),
    closed: () => void containers.pop(),
  }
  yield* walk(text, visitor)
  const starts = lineStarts(text)
  return new Map(sought.map((path, order) => [path, lineIn(starts, best[order]?.at ?? 0)]))
}

/** How much of a path is matched with one more step; -1 if the step is none of its. */
function matchedBy(path: string, matched: number, step: string | number): number {
  const part = typeof step === 'number' ? `[${step}]` : matched === 0 ? step : `.${step}`
  if (!path.startsWith(part, matched)) return -1
  const end = matched + part.length
  return end === path.length || path[end] === '.' || path[end] === '[' ? end : -1
}

/** Where the lines of a text begin. */
export function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ index, 0: end }) => index + end.length)]
}

/** The number of the line that has the character at an index, from 1, where lines begin at `starts`. */
export function lineIn(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low + 1
}
