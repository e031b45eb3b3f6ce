/** Runs after all that were given before under the same key; nobody waits for a second turn while he has one. */
export type InTurn<Key> = <Result>(key: Key, run: () => Promise<Result>) => Promise<Result>

/** Makes a line for each key; a line is forgotten once it is empty, and a failure ends the turn of whoever failed alone. */
export function createLines<Key>(): InTurn<Key> {
  const lines = new Map<Key, Promise<unknown>>()
  return (key, run) => {
    const answer = (lines.get(key) ?? Promise.resolve()).then(run)
    const ended = answer.then(
      () => {},
      () => {},
    )
    lines.set(key, ended)
    void ended.then(() => lines.get(key) === ended && lines.delete(key))
    return answer
  }
}
