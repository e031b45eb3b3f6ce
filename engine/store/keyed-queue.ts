/** Runs the tasks of one key in order (keyed mutex). Not re-entrant. */
type KeyedQueue<Key> = <Result>(key: Key, run: () => Promise<Result>) => Promise<Result>

/** Creates a queue for each key. An empty queue is dropped, and a failed task does not affect the next ones. */
export function createKeyedQueue<Key>(): KeyedQueue<Key> {
  const tails = new Map<Key, Promise<unknown>>()
  return (key, run) => {
    const answer = (tails.get(key) ?? Promise.resolve()).then(run)
    const ended = answer.then(
      () => {},
      () => {},
    )
    tails.set(key, ended)
    void ended.then(() => tails.get(key) === ended && tails.delete(key))
    return answer
  }
}
