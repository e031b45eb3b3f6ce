import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Received } from '../../webhooks/signing/index.ts'

/** What is answered to a delivery. */
export interface Reply {
  readonly status: number
  /** JSON. */
  readonly body?: string
}

/** A receiver of deliveries on the loopback. */
export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

/** What becomes of what comes. */
export interface Taking {
  answer(received: Received): Reply
  /** Told of a request that is no delivery, and of what it was answered. */
  passOver(why: string, status: number): void
}

/** Bytes of the largest body that is read. */
const maxBody = 1024 * 1024

/** Milliseconds that a request may take to come in. */
const requestTimeout = 10_000

/** Milliseconds that an answer may take to go out when there is an end; a request that is not whole by then is cut off. */
const patience = 1_000

/** Listens on a port of the loopback (0 for any free one), and answers each POST as it is told to. Throws where it cannot listen there. */
export async function receive(port: number, taking: Taking): Promise<Receiver> {
  const options = { requestTimeout, headersTimeout: requestTimeout }
  const server = createServer(options, (request, response) => {
    take(request, response, taking).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const cut = setTimeout(() => server.closeAllConnections(), patience)
      await closed
      clearTimeout(cut)
    },
  }
}

async function take(request: IncomingMessage, response: ServerResponse, { answer, passOver }: Taking) {
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

/** Nothing where it is larger than it may be; the rest is then not read. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Destroying the request would take the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > maxBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function end(response: ServerResponse, { status, body }: Reply): void {
  // A connection that stays open would keep the command from ending.
  response.writeHead(status, {
    Connection: 'close',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  })
  response.end(body)
}
