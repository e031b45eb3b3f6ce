import { setTimeout } from 'node:timers/promises'

/** What a reader of a live timeline has received. */
interface Heard {
  /** The ids of its events, in the order in which they came. */
  readonly events: readonly string[]
  /** Milliseconds after which it had to connect again, for each time that the server said so. */
  readonly hints: readonly number[]
  /** How many times it connected. */
  readonly connections: number
}

/** A reader that connects again as a browser does, after the last event that it received. */
interface Reader {
  /** Ends it once this holds, and returns what it received. */
  until(holds: (events: readonly string[]) => boolean): Promise<Heard>
}

/** Reads the timeline of an identifier, from the next event on; resolves when it is connected. */
export async function followOn({ port }: { readonly port: number }, identifier: string): Promise<Reader> {
  const ending = new AbortController()
  const events: string[] = []
  const hints: number[] = []
  let connections = 0
  let last: string | undefined

  function take(message: string) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1]
    const [retry, id, data] = [field('retry'), field('id'), field('data')]
    if (retry !== undefined) hints.push(Number(retry))
    if (id !== undefined) last = id
    const { event } = JSON.parse(data ?? '{}') as { readonly event?: { readonly event_id: string } }
    if (event !== undefined) events.push(event.event_id)
  }

  async function connect() {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/otep/trackings/${identifier}/stream`, {
      headers: last === undefined ? {} : { 'Last-Event-ID': last },
      signal: ending.signal,
    })
    connections++
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      messages.forEach(take)
    }
  }

  const reading = (async () => {
    while (!ending.signal.aborted) {
      await connect().catch(() => {})
      await setTimeout(hints.at(-1) ?? 1_000, undefined, { signal: ending.signal }).catch(() => {})
    }
  })()

  while (hints.length === 0) await setTimeout(50)
  return {
    until: async (holds) => {
      while (!holds(events)) await setTimeout(50)
      ending.abort()
      await reading
      return { events, hints, connections }
    },
  }
}
