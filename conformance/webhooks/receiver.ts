import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

/** A request as it came over the wire. */
export interface Capture {
  readonly path: string
  /** In their order, their names as they were written. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** Epoch milliseconds of the clock of the sender. */
  readonly at: number
}

/** The response of a receiver: 200 without a body by default. */
interface Answer {
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds that pass first. */
  readonly after?: number
}

/** A receiver on this machine, which stores the requests. */
export interface Receiver {
  /** In the order in which they came; challenges are among them. */
  readonly captures: readonly Capture[]
  urlOf(path: string): string
  /** What has come to a path so far, but for challenges. */
  at(path: string): readonly Capture[]
  /** Answers requests to a path by this from now on; challenges to it too. */
  answer(path: string, by: (capture: Capture) => Answer): void
  close(): Promise<void>
}

/** Starts a receiver, on a free port of the loopback; it echoes challenges. `clock` is that of the sender. */
export async function startReceiver(clock: () => number): Promise<Receiver> {
  const captures: Capture[] = []
  const answers = new Map<string, (capture: Capture) => Answer>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const capture = { path: request.url ?? '', headers: pairsOf(request.rawHeaders), body, at: clock() }
    captures.push(capture)
    const by = answers.get(capture.path) ?? echo
    const { status = 200, body: text = '', headers = {}, after = 0 } = by(capture)
    if (after > 0) await setTimeout(after)
    response.writeHead(status, { ...headers }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    captures,
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    at: (path) => captures.filter((capture) => capture.path === path && challengeIn(capture) === undefined),
    answer: (path, by) => void answers.set(path, by),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The challenge of a request; undefined if it is none. */
export function challengeIn({ body }: Pick<Capture, 'body'>): string | undefined {
  const text = body.toString()
  if (!text.startsWith('{"type":"webhook.challenge"')) return undefined
  return (JSON.parse(text) as { readonly challenge: string }).challenge
}

/** The value of a header; names are case-insensitive. */
export function headerOf({ headers }: Pick<Capture, 'headers'>, name: string): string | undefined {
  return headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
}

function echo(capture: Capture): Answer {
  const challenge = challengeIn(capture)
  return challenge === undefined ? {} : { body: challenge }
}

function pairsOf(raw: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''] as const)
}
