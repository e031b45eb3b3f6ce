/**
 * Milliseconds that long work has in one turn of the event loop, no matter who it is for. A test that counts turns sets it below
 * zero, so that each pause is one turn.
 */
export const share = { milliseconds: 5 }

/** When the long work of this turn began; undefined until it pauses for the first time. */
let begun: number | undefined

const waiting: (() => void)[] = []

const goOn = Promise.resolve()

/**
 * Lets others be served once the share of this turn is used up. Work that waits goes on one piece a turn, in order, so that
 * many long requests at once keep a short one waiting no longer than one of them does.
 */
export function pause(): Promise<void> {
  if (begun === undefined) begin()
  else if (performance.now() - begun > share.milliseconds) return new Promise((resolve) => waiting.push(resolve))
  return goOn
}

function begin(): void {
  begun = performance.now()
  setImmediate(next)
}

function next(): void {
  begun = undefined
  const first = waiting.shift()
  if (first === undefined) return
  begin()
  first()
}
