/**
 * Coalesces identical requests. A request that arrives while another is running shares the next one, which starts after
 * it arrived and so sees everything stored before.
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
