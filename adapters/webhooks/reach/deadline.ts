/**
 * The end of the time of an attempt. An `AbortController` would do, too, but costs as much as a signature, and an attempt waits
 * for one thing at a time.
 */
export interface Deadline {
  isOver: boolean
  /** Ends what is waited for at the moment. */
  stop: (() => void) | undefined
  /** The attempt has ended before. */
  clear(): void
}

/** Starts the time of an attempt; in milliseconds. */
export function startDeadline(milliseconds: number): Deadline {
  const timer = setTimeout(() => {
    deadline.isOver = true
    deadline.stop?.()
  }, milliseconds)
  const deadline: Deadline = { isOver: false, stop: undefined, clear: () => clearTimeout(timer) }
  return deadline
}
