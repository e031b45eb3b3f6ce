import { AsyncLocalStorage } from 'node:async_hooks'

/** One question for the end of the log for all that a request reads. */
export interface Requests {
  /** Runs a request. */
  within<Result>(body: () => Promise<Result>): Promise<Result>
  /** Whether this is part of a request. */
  isWithin(): boolean
  /** The end of the log, asked since the request began; asked now outside of requests. */
  latest(): Promise<string | undefined>
  /**
   * Whether this node has seen what the request must see of a stream, or a promise that resolves when it has. `false` outside
   * of requests: only the server can tell.
   */
  isCurrent(stream: string): boolean | Promise<unknown>
  /** What follows in the request asks again, because it has written. */
  renew(): void
  /**
   * The same, because it has read a stream at the server, where it may be newer than what this node has seen. With the name
   * of the stream if what was read is in memory now: that is current.
   */
  hasRead(stream: string | undefined): void
}

interface Asked {
  /** The stream that was read at the server last, than which nothing newer is known. */
  newest?: string | undefined
  latest?: Promise<string | undefined> | undefined
  /** Whether that was answered. */
  isAnswered?: boolean
  until: number
}

/** Milliseconds after which a request that takes long asks again. */
const maxAge = 1_000

/** Creates it; `ask` waits until this node has seen the end. */
export function createRequests(ask: () => Promise<string | undefined>): Requests {
  const current = new AsyncLocalStorage<Asked>()

  function latest(): Promise<string | undefined> {
    const request = current.getStore()
    if (request === undefined) return ask()
    if (request.latest !== undefined && performance.now() < request.until) return request.latest
    const asked = ask()
    begin(request, { latest: asked })
    asked.then(
      () => {
        if (request.latest === asked) request.isAnswered = true
      },
      () => begin(request, {}),
    )
    return asked
  }

  function isCurrent(stream: string): boolean | Promise<unknown> {
    const request = current.getStore()
    if (request === undefined) return false
    const isKnown = request.isAnswered || request.newest === stream
    return (isKnown && performance.now() < request.until) || latest()
  }

  return {
    within: (body) => (current.getStore() === undefined ? current.run({ until: 0 }, body) : body()),
    isWithin: () => current.getStore() !== undefined,
    latest,
    isCurrent,
    renew: () => begin(current.getStore(), {}),
    hasRead: (newest) => begin(current.getStore(), { newest }),
  }
}

function begin(request: Asked | undefined, { latest, newest }: Pick<Asked, 'latest' | 'newest'>) {
  const isAnswered = false
  if (request !== undefined) Object.assign(request, { latest, isAnswered, newest, until: performance.now() + maxAge })
}
