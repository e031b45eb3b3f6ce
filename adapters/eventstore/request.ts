/** What a request knows of the end of the log: one question for all that it reads. */
export interface Request {
  /** The end of the log, asked since the request began. */
  latest(): Promise<string | undefined>
  /** Whether this node has seen what the request must see of a stream, or a promise that resolves when it has. */
  isCurrent(stream: string): true | Promise<unknown>
  /** What follows in the request asks again, because it has written. */
  renew(): void
  /**
   * The same, because it has read a stream at the server, where it may be newer than what this node has seen. With the name
   * of the stream if what was read is in memory now: that is current.
   */
  hasRead(stream: string | undefined): void
}

/** Milliseconds after which a request that takes long asks again. */
const maxAge = 1_000

/** Begins a request; `ask` waits until this node has seen the end. */
export function beginRequest(ask: () => Promise<string | undefined>): Request {
  let asked: Promise<string | undefined> | undefined
  let isAnswered = false
  /** The stream that was read at the server last, than which nothing newer is known. */
  let newest: string | undefined
  let until = 0

  function begin(question?: Promise<string | undefined>, read?: string) {
    asked = question
    isAnswered = false
    newest = read
    until = performance.now() + maxAge
  }

  function latest(): Promise<string | undefined> {
    if (asked !== undefined && performance.now() < until) return asked
    const question = ask()
    begin(question)
    question.then(
      () => {
        if (asked === question) isAnswered = true
      },
      () => {
        if (asked === question) begin()
      },
    )
    return question
  }

  return {
    latest,
    isCurrent: (stream) => ((isAnswered || newest === stream) && performance.now() < until) || latest(),
    renew: () => begin(),
    hasRead: (stream) => begin(undefined, stream),
  }
}
