import { wait } from '../../node/wait.ts'
import { serverRefusalOf } from './failure.ts'
import type { Server } from './server.ts'

/** An event of a live response (WHATWG HTML, section 9.2). */
interface LiveEvent {
  readonly name: string
  readonly data: string
}

/** What is done about a live response. */
interface Listening {
  readonly signal: AbortSignal
  /** Called when the connection is lost, and when it is there again. */
  readonly lost: () => void
  readonly back: () => void
}

/** Milliseconds without a byte after which a connection is dead: the server says every 15 seconds that it is there. */
const silence = 45_000

/** Milliseconds before the next attempt to connect, at first and at most. */
const retry = { first: 500, most: 30_000 }

/**
 * The events at a path, for as long as the signal allows. After a loss it goes on behind the last id, so none is missed and
 * none comes twice. Throws what the server refuses.
 */
export async function* liveEvents(
  server: Server,
  path: string,
  { signal, lost, back }: Listening,
): AsyncGenerator<LiveEvent> {
  let last: string | undefined
  let pause = retry.first
  let isLost = false
  while (!signal.aborted) {
    const dead = new AbortController()
    const stop = () => dead.abort()
    signal.addEventListener('abort', stop)
    try {
      const response = await connect(server, path, last, dead.signal)
      for await (const { id, name, data } of blocksOf(response, stop)) {
        if (isLost) back()
        isLost = false
        pause = retry.first
        if (data !== undefined) yield { name, data }
        // The event was processed, so the next connection begins behind it.
        last = id ?? last
      }
    } catch (error) {
      if (!signal.aborted && last === undefined) throw error
      if (!signal.aborted && isFinal(error)) throw error
    } finally {
      signal.removeEventListener('abort', stop)
      dead.abort()
    }
    if (signal.aborted) return
    if (!isLost) lost()
    isLost = true
    await wait(pause * (0.5 + Math.random()), signal)
    pause = Math.min(pause * 2, retry.most)
  }
}

/** Whether the server has refused it for good. */
function isFinal(error: unknown): boolean {
  const { status = 0 } = serverRefusalOf(error) ?? {}
  return status >= 400 && status < 500 && status !== 429
}

function connect(server: Server, path: string, last: string | undefined, signal: AbortSignal): Promise<Response> {
  const headers = { Accept: 'text/event-stream', ...(last === undefined ? {} : { 'Last-Event-ID': last }) }
  return server.send({ method: 'GET', path, isRepeatable: true, headers, patience: 'live', signal })
}

/** The parts of a live response; `die` is called when nothing has come for too long. */
async function* blocksOf({ body }: Response, die: () => void) {
  const decoder = new TextDecoder()
  let text = ''
  let timer = setTimeout(die, silence)
  try {
    for await (const chunk of body ?? []) {
      clearTimeout(timer)
      timer = setTimeout(die, silence)
      text += decoder.decode(chunk, { stream: true }).replaceAll('\r\n', '\n')
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield blockIn(block)
    }
  } finally {
    clearTimeout(timer)
  }
}

function blockIn(block: string) {
  const found: { id?: string; name: string; data?: string } = { name: 'message' }
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    if (field === 'id') found.id = value
    if (field === 'event') found.name = value
    if (field === 'data') found.data = found.data === undefined ? value : `${found.data}\n${value}`
  }
  return found
}
