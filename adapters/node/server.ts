import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'

/** A listening socket. */
export interface Listening {
  readonly port: number
  /** Tells the clients of all later responses, and of those in progress, to use another connection. */
  drain(): void
  /** Stops accepting connections and waits for requests in progress; returns whether all ended in time. */
  close(): Promise<boolean>
}

/** Where to listen. */
export interface ListenAddress {
  /** 0 lets the system choose a port. */
  readonly port: number
  /** All interfaces if absent. */
  readonly host: string | undefined
}

/** Accepts a connection from an address until the returned function is called; undefined refuses it. */
export type Accept = (address: string | undefined) => (() => void) | undefined

/** Answers a request; `env` holds the request and response of Node. */
export type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** Answers a request, or hands it on. */
export type Front = (request: IncomingMessage, response: ServerResponse, otherwise: RequestListener) => void

/** What stands before the answers. */
export interface Guards {
  readonly accept?: Accept | undefined
  readonly front?: Front | undefined
}

/** Milliseconds that a stop waits for requests in progress. */
const stopGrace = 5_000

/** Milliseconds between two checks for idle connections during a stop. */
const idleCheckInterval = 50

/** Milliseconds without a byte after which a connection is closed. */
const idleTimeout = 120_000

/** Listens on an address; the error of a failure says what to change. */
export async function listen(fetch: Fetch, place: ListenAddress, guards: Guards = {}): Promise<Listening> {
  const server = await listening(fetch, place, guards)
  const drain = drainOf(server)
  return {
    port: (server.address() as AddressInfo).port,
    drain,
    close: () => {
      drain()
      return close(server)
    },
  }
}

/** A client whose connection is closed between two calls loses the second one, so it is told beforehand. */
function drainOf(server: ServerType): () => void {
  const latest = new Map<Socket, ServerResponse>()
  let isDraining = false
  server.on('connection', (socket: Socket) => socket.once('close', () => latest.delete(socket)))
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (isDraining) response.setHeader('Connection', 'close')
    else latest.set(socket, response)
  })
  return () => {
    isDraining = true
    for (const response of latest.values()) if (!response.headersSent) response.setHeader('Connection', 'close')
    latest.clear()
  }
}

/** Milliseconds for the headers of a request to arrive, and between two checks of that. */
const headersTimeout = { total: 20_000, checkInterval: 1_000 }

function listening(
  fetch: Fetch,
  { port, host }: ListenAddress,
  { accept = () => () => {}, front }: Guards,
): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    // Bodies have their own time limits, which consider which side is slow.
    const serverOptions = {
      headersTimeout: headersTimeout.total,
      connectionsCheckingInterval: headersTimeout.checkInterval,
      requestTimeout: 0,
    }
    const withFront = (options: ServerOptions, answer: RequestListener) =>
      createServer(options, front === undefined ? answer : (request, response) => front(request, response, answer))
    const named = host === undefined ? {} : { hostname: host }
    const server = serve({ fetch, port, serverOptions, createServer: withFront as typeof createServer, ...named }, () =>
      resolve(server),
    )
    server.setTimeout(idleTimeout)
    server.prependListener('connection', (socket: Socket) => {
      const leave = accept(socket.remoteAddress)
      if (leave === undefined) socket.destroy()
      else socket.once('close', leave)
    })
    server.on('request', (_, answer) => {
      // Before the response starts, the server is the silent side.
      answer.on('timeout', (socket: Socket) => answer.headersSent && socket.destroy())
    })
    server.once('error', (error) => reject(explainListenError(error, port, host)))
  })
}

/** Idle connections are closed at once, and all others after the grace period. */
async function close(server: ServerType): Promise<boolean> {
  let inTime = true
  const sweeping = setInterval(
    () => 'closeIdleConnections' in server && server.closeIdleConnections(),
    idleCheckInterval,
  )
  const deadline = setTimeout(() => {
    inTime = false
    if ('closeAllConnections' in server) server.closeAllConnections()
  }, stopGrace)
  await new Promise((resolve) => server.close(resolve))
  clearInterval(sweeping)
  clearTimeout(deadline)
  return inTime
}

function explainListenError(error: NodeJS.ErrnoException, port: number, host = 'this machine'): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken: another program listens there. Choose another one.`,
    EACCES: `Port ${port} may not be listened on by this user. Choose one from 1024 on.`,
    EADDRNOTAVAIL: `${host} is no address of this machine.`,
    ENOTFOUND: `${host} is no address that is known.`,
  }
  const reason = reasons[error.code ?? '']
  return reason === undefined ? error : new Error(reason, { cause: error })
}
