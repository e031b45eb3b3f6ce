import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Outcome, Outgoing, Sender } from '../../node/deliveries.ts'

/** A received request. */
export interface Got {
  readonly path: string
  readonly body: string
  readonly headers: IncomingMessage['headers']
  /** The time of receipt, by the clock of the test. */
  readonly at: number
}

/** The response of a receiver; with `hang` none until it is released, with `drip` the head of a 200 and no more until then. */
export type Reply =
  | number
  | 'hang'
  | 'drip'
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }

/** Receivers on this machine, one for each path. */
interface Receivers {
  readonly url: (path: string) => string
  readonly got: readonly Got[]
  /** The number of hanging requests. */
  hanging(): number
  /** The most concurrent requests of a path. */
  peak(path: string): number
  /** Answers all hanging requests, now and later, with a 200. */
  letGo(): void
  close(): Promise<void>
}

/** Starts receivers, which respond as `reply` says. */
export async function openReceivers(
  clock: () => number,
  reply: (got: Got, count: number) => Reply,
): Promise<Receivers> {
  const got: Got[] = []
  const hung = new Set<ServerResponse>()
  const open = new Map<string, number>()
  const peaks = new Map<string, number>()
  let isLetGo = false

  const server = createServer(async (incoming, response) => {
    const path = (incoming.url ?? '').replace(/\?.*/, '')
    open.set(path, (open.get(path) ?? 0) + 1)
    peaks.set(path, Math.max(peaks.get(path) ?? 0, open.get(path) ?? 0))
    response.on('close', () => open.set(path, (open.get(path) ?? 0) - 1))
    const one = { path, body: await text(incoming), headers: incoming.headers, at: clock() }
    got.push(one)
    const answer = reply(one, got.filter((other) => other.path === path).length)
    if (answer === 'drip') response.writeHead(200).flushHeaders()
    if (typeof answer === 'string' && !isLetGo) hung.add(response)
    else if (typeof answer === 'object') response.writeHead(answer.status, answer.headers).end()
    else end(response, answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  function letGo() {
    isLetGo = true
    for (const response of hung) end(response)
    hung.clear()
  }

  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    got,
    hanging: () => hung.size,
    peak: (path) => peaks.get(path) ?? 0,
    letGo,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function end(response: ServerResponse, answer: Reply = 200): void {
  if (!response.headersSent) response.writeHead(typeof answer === 'number' ? answer : 200)
  response.end()
}

/** A sender for friendly receivers: it has no deadline, and sends to this machine. */
export function createPlainSender(clock: () => number): Sender {
  const agent = new Agent({ keepAlive: true })

  async function send({ url, headers, body, answered }: Outgoing): Promise<Outcome> {
    const startedAt = clock()
    const nothing = { startedAt, duration: 0, responseHeaders: {}, responseBody: '', isResponseCut: false }
    try {
      const sent = request(url, { agent, method: 'POST', headers: { ...headers, 'Content-Length': body.length } })
      sent.end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const { statusCode: status = 0 } = response
      if (status >= 200 && status < 300) answered?.()
      const responseBody = await text(response)
      const asked = Number(response.headers['retry-after'])
      return {
        ...{ ...nothing, status, responseBody, duration: clock() - startedAt },
        ...(status < 200 || status > 299 ? { failure: 'status' as const } : {}),
        ...(Number.isFinite(asked) ? { retryAfter: asked * 1_000 } : {}),
      }
    } catch {
      return { ...nothing, failure: 'reset' }
    }
  }

  return { send, checkUrl: async () => {}, challenge: async () => {}, close: async () => agent.destroy() }
}
