/** Calls that are under way at once: a server takes about 100 over one connection. */
const width = 32

/** Does the same with all items, some at a time, and waits for all that were begun even where one fails. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const rest = items.entries()
  const failures: unknown[] = []
  const lane = async () => {
    for (const [index, item] of rest) {
      if (failures.length > 0) return
      await work(item).then(
        (answer) => {
          answers[index] = answer
        },
        (error: unknown) => failures.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
  return answers
}

/** Lets callers pass one at a time by name; a caller with several names waits for all of them. */
export function createTurns(): (names: readonly string[]) => Promise<() => void> {
  const last = new Map<string, Promise<void>>()
  return async (names) => {
    const before = names.flatMap((name) => last.get(name) ?? [])
    let pass = () => {}
    const turn = new Promise<void>((resolve) => {
      pass = resolve
    })
    for (const name of names) last.set(name, turn)
    await Promise.all(before)
    return () => {
      for (const name of names) if (last.get(name) === turn) last.delete(name)
      pass()
    }
  }
}

/**
 * Joins those who ask the same thing at once. Whoever comes while an answer is on its way waits for the next one, which is
 * asked for after he came: it holds everything that stood then.
 */
export function joined<Answer>(): (name: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<Answer>>()

  function start(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    next.delete(name)
    const answer = ask()
    const ended = answer.then(
      () => {},
      () => {},
    )
    running.set(name, ended)
    void ended.then(() => running.get(name) === ended && running.delete(name))
    return answer
  }

  return (name, ask) => {
    const current = running.get(name)
    if (current === undefined) return start(name, ask)
    const coming = next.get(name) ?? current.then(() => start(name, ask))
    next.set(name, coming)
    return coming
  }
}
