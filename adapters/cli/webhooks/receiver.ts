import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Received } from '../../webhooks/signing/index.ts'

/** The response to a delivery. */
export interface Reply {
  readonly status: number
  /** JSON. */
  readonly body?: string
}

/** A receiver on the loopback interface. */
export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

/** Handlers of received requests. */
export interface ReceiverHandlers {
  answer(received: Received): Reply
  /** Called with a request that is not a delivery, and its response status. */
  passOver(why: string, status: number): void
}

/** Maximum bytes of a body. */
const maxBody = 1024 * 1024

/** Milliseconds for a request to arrive. */
const requestTimeout = 10_000

/** Milliseconds that a response may take when the receiver closes; incomplete requests are cut off then. */
const closeTimeout = 1_000

/** Listens on a loopback port (0 for any free one) and answers each POST. Throws if the port is taken. */
export async function receive(port: number, taking: ReceiverHandlers): Promise<Receiver> {
  const options = { requestTimeout, headersTimeout: requestTimeout }
  const server = createServer(options, (request, response) => {
    handleRequest(request, response, taking).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const cut = setTimeout(() => server.closeAllConnections(), closeTimeout)
      await closed
      clearTimeout(cut)
    },
  }
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, passOver }: ReceiverHandlers,
) {
  const pass = (why: string, status: number) => {
    passOver(why, status)
    end(response, { status })
  }
  if (request.method !== 'POST') return pass(`${request.method ?? ''} instead of POST`, 405)
  const body = await bodyOf(request)
  if (body === undefined) return pass('a body of more than 1 MiB', 413)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
  return end(response, answer({ headers, body }))
}

/** Reads the body; `undefined` if it is too large, and the rest is not read. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Destroying the request would also destroy the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > maxBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function end(response: ServerResponse, { status, body }: Reply): void {
  // An open connection would keep the command from ending.
  response.writeHead(status, {
    Connection: 'close',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  })
  response.end(body)
}
