/** Lets everybody else be served who is ready, where it is time for that. It costs little where it is not. */
export type Pause = () => Promise<void>

/** Counts units of long work, with a pause after some of them. */
export interface Pauses {
  /** Call it before a unit. The result is a promise where it is time for a pause. */
  next(): Promise<void> | undefined
}

/** Pauses after every `units` units. A unit is about an event, and takes 10 to 50 µs. */
export function createPauses(pause: Pause, units = 20): Pauses {
  let left = units
  return {
    next: () => {
      if (left-- > 0) return undefined
      left = units - 1
      return pause()
    },
  }
}

/** Runs work in steps, with a pause after each. */
export async function inSteps<Result>(work: Generator<void, Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await pause()
  }
}

/** Runs work in steps, without pauses. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Units in a step of work that looks at each only briefly. */
const unitsPerStep = 50

/** Visits items in order, some of them in each step. */
export function* visitInSteps<Item>(
  items: readonly Item[],
  visit: (item: Item, at: number) => void,
): Generator<void, void> {
  for (let at = 0; at < items.length; at++) {
    if (at > 0 && at % unitsPerStep === 0) yield
    visit(items[at] as Item, at)
  }
}

/** The results for items in order, some of them made in each step. */
export function* mapInSteps<Item, Result>(
  items: readonly Item[],
  make: (item: Item, at: number) => Result,
): Generator<void, Result[]> {
  const made: Result[] = []
  yield* visitInSteps(items, (item, at) => void made.push(make(item, at)))
  return made
}

/** The items sorted in steps; items that compare as equal keep their order. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<void, readonly Item[]> {
  let runs: (readonly Item[])[] = []
  for (let at = 0; at < items.length; at += unitsPerStep) {
    if (at > 0) yield
    runs.push(items.slice(at, at + unitsPerStep).sort(compare))
  }
  while (runs.length > 1) {
    const longer: (readonly Item[])[] = []
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* mergeInSteps(runs[at] ?? [], runs[at + 1] ?? [], compare))
    runs = longer
  }
  return runs[0] ?? []
}

function* mergeInSteps<Item>(
  ones: readonly Item[],
  others: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<void, readonly Item[]> {
  const merged: Item[] = []
  let other = 0
  for (const one of ones) {
    while (other < others.length && compare(others[other] as Item, one) < 0) {
      merged.push(others[other++] as Item)
      if (merged.length % unitsPerStep === 0) yield
    }
    merged.push(one)
    if (merged.length % unitsPerStep === 0) yield
  }
  for (const left of others.slice(other)) merged.push(left)
  return merged
}

/** Thrown by a pass: what has to be waited for before it can be made again. */
interface Wait {
  readonly [waits]: Promise<unknown>
}

const waits = Symbol('waits')

/**
 * Ends a pass, because something has to be read first. `passed` then makes the pass again from its start, so a pass calls
 * this before it changes anything.
 */
export function waitFirst(read: Promise<unknown>): never {
  throw { [waits]: read } satisfies Wait
}

/**
 * The result of a pass: work without promises, which seldom has to wait. Most passes end at once; an `await` for each would
 * cost more than many of them.
 */
export function passed<Result>(pass: () => Result): Result | Promise<Result> {
  try {
    return pass()
  } catch (error) {
    if (!isWait(error)) throw error
    return error[waits].then(() => passed(pass))
  }
}

function isWait(error: unknown): error is Wait {
  return typeof error === 'object' && error !== null && waits in error
}
