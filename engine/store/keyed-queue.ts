/** Runs after all that were given before under the same key; nobody waits for a second turn while he has one. */
export type KeyedQueue<Key> = <Result>(key: Key, run: () => Promise<Result>) => Promise<Result>

/** Makes a line for each key; a line is forgotten once it is empty, and a failure ends the turn of whoever failed alone. */
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
