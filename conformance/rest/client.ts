import { Readable } from 'node:stream'
import { run } from '../../adapters/cli/run.ts'
import type { Members } from '../../engine/index.ts'

/** What came back: the status, the headers, and the body as JSON. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Members
}

/** A client that knows the address of a server and a provider's key, and nothing of its internals. */
export interface Client {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answered>
  post(path: string, body: string, headers?: Readonly<Record<string, string>>): Promise<Answered>
  ingest(document: unknown, query?: string): Promise<Answered>
  /** The timeline of an identifier. */
  timeline(identifier: string): Promise<Timeline>
  /** The live stream of a timeline, with what a browser would send. */
  live(identifier: string, headers?: Readonly<Record<string, string>>): Promise<Live>
}

/** What these tests look at in a timeline. */
interface Timeline {
  readonly subject: Members
  readonly current_status?: string
  readonly delivered: boolean
  readonly events: readonly Members[]
  readonly withdrawn_events?: readonly Members[]
}

/** A live stream that is open. */
interface Live {
  /** The next event of the stream: its id, its name and its data. */
  next(): Promise<{ readonly id: string; readonly event: string; readonly data: Members }>
  close(): Promise<void>
}

const base = '/api/v1/otep'

/** A client of the server at this address. */
export function clientOf(url: string, key: string): Client {
  async function send(path: string, init: RequestInit): Promise<Answered> {
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }
  // Identifiers that are not public find a timeline for those who may see it.
  const known = { Authorization: `Bearer ${key}` }
  const post: Client['post'] = (path, body, headers = {}) =>
    send(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...known, ...headers },
    })
  const get: Client['get'] = (path, headers = {}) => send(path, { headers })
  return {
    get,
    post,
    ingest: (document, query = '') => post(`${base}/ingest${query}`, JSON.stringify(document)),
    timeline: async (identifier) => {
      const { status, body } = await get(`${base}/trackings/${encodeURIComponent(identifier)}`, known)
      if (status !== 200) throw new Error(`${identifier}: ${status} ${JSON.stringify(body)}`)
      return body.data as Timeline
    },
    live: (identifier, headers = {}) =>
      liveOf(`${url}${base}/trackings/${encodeURIComponent(identifier)}/stream`, { ...known, ...headers }),
  }
}

async function liveOf(url: string, headers: Readonly<Record<string, string>>): Promise<Live> {
  const { body } = await fetch(url, { headers })
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    next: async () => {
      for (;;) {
        const end = text.indexOf('\n\n')
        const block = text.slice(0, end)
        if (end >= 0) text = text.slice(end + 2)
        const { id = '', event = '', data } = fieldsOf(end < 0 ? '' : block)
        if (data !== undefined) return { id, event, data: JSON.parse(data) as Members }
        if (end >= 0) continue
        const { value, done } = await reader.read()
        if (done) throw new Error('The live stream has ended.')
        text += value
      }
    },
    close: () => reader.cancel(),
  }
}

/** The fields of one event of a stream (WHATWG HTML, section 9.2.6). */
function fieldsOf(block: string): Readonly<Record<string, string>> {
  return Object.fromEntries(block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line)?.slice(1) ?? []))
}

/** Runs `otep` with these words on a store, and answers what it printed. */
export async function otep(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await run(words, {
    env,
    stdin: Readable.from([]),
    stdout: { write: (text: string) => printed.push(text) > 0 },
    stderr: { write: (text: string) => complaints.push(text) > 0, isTTY: false, columns: 80 },
  })
  if (code !== 0) throw new Error(`otep ${words.join(' ')}: ${complaints.join('')}`)
  return printed.join('')
}
