/** One question for the end of the log for all that a request reads. */
export interface Requests {
  /** Runs a request. */
  within<Result>(body: () => Promise<Result>): Promise<Result>
  /** Whether a request is under way. */
  isWithin(): boolean
  /** The end of the log, asked since the newest request began; asked now if none is under way. */
  latest(): Promise<string | undefined>
  /** Waits until this node has seen what requests must see of a stream. */
  isCurrent(stream: string): Promise<void>
  /** What follows asks again, because something was written. */
  renew(): void
  /** What `hasRead` is told of a read that begins now. */
  ticket(): number
  /**
   * A stream was read at the server, where it may be newer than what this node has seen; undefined if what was read is not
   * in memory.
   */
  hasRead(stream: string | undefined, ticket: number): void
}

/** What is known since the newest request began. */
interface Known {
  readonly latest?: Promise<string | undefined>
  /** The stream that was read at the server last. */
  readonly newest?: string
  /** Until when, by `performance.now()`. */
  readonly until: number
}

const nothing: Known = { until: 0 }

/** Milliseconds after which a request that takes long asks again. */
const maxAge = 250

/**
 * Creates it; `ask` waits until this node has seen the end. A request must see what was recorded before it began. What was
 * asked after the newest one began is enough for all of them, so no call has to know of which request it is a part. (With an
 * AsyncLocalStorage it would; on Node 20 that takes a seventh of the CPU time of a POST.)
 */
export function createRequests(ask: () => Promise<string | undefined>): Requests {
  let underWay = 0
  let turn = 0
  let known = nothing

  function forget(): void {
    turn++
    known = nothing
  }

  function learn(found: Omit<Known, 'until'>): void {
    known = { ...found, until: performance.now() + maxAge }
  }

  function current(): Known {
    return underWay > 0 && performance.now() < known.until ? known : nothing
  }

  function latest(): Promise<string | undefined> {
    const { latest: answer } = current()
    if (answer !== undefined) return answer
    const asked = ask()
    learn({ latest: asked })
    asked.catch(() => {
      if (known.latest === asked) forget()
    })
    return asked
  }

  async function within<Result>(body: () => Promise<Result>): Promise<Result> {
    underWay++
    forget()
    try {
      return await body()
    } finally {
      underWay--
    }
  }

  return {
    within,
    isWithin: () => underWay > 0,
    latest,
    isCurrent: async (stream) => {
      if (current().newest !== stream) await latest()
    },
    renew: forget,
    ticket: () => turn,
    hasRead: (newest, ticket) => {
      if (newest !== undefined && ticket === turn) learn({ newest })
      else forget()
    },
  }
}
