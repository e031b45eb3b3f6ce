import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type HttpBindings, type ServerType, serve } from '@hono/node-server'

/** A listening socket. */
export interface Listening {
  readonly port: number
  /** Tells the clients of all later responses, and of those in progress, to use another connection. */
  drain(): void
  /** Stops accepting connections and waits for requests in progress; returns whether all ended in time. */
  close(): Promise<boolean>
}

/** Where to listen. */
interface ListenAddress {
  /** 0 lets the system choose a port. */
  readonly port: number
  /** All interfaces if absent. */
  readonly host: string | undefined
}

/** Accepts a connection from an address until the returned function is called; undefined refuses it. */
type Accept = (address: string | undefined) => (() => void) | undefined

/** Answers a request; `env` holds the request and response of Node. */
export type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** Answers a request, or hands it on. */
export type Front = (request: IncomingMessage, response: ServerResponse, otherwise: RequestListener) => void

/**
 * Reports the response to a public GET that was sent, like the response of a handler: with the id of the request, the
 * moment at which it came (`performance.now()`), and the bytes that were on the wire before it.
 */
export type ReportAnswer = (outgoing: HttpBindings['outgoing'], id: string, start: number, sent: number) => void

/** Returns how to report the responses of a route, by its path. */
export type ObserveAnswers = (path: string) => ReportAnswer

/** The front that hands everything on. */
export const handOn: Front = (request, response, otherwise) => otherwise(request, response)

/** What comes before the answers. */
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
  const { server, connections } = await listening(fetch, place, guards)
  return {
    port: (server.address() as AddressInfo).port,
    drain: connections.drain,
    close: () => {
      connections.drain()
      return close(server)
    },
  }
}

/** The latest response of each open connection. */
interface Connections {
  /** Notes the response to a request that has come. */
  note(response: ServerResponse): void
  /** Tells the clients of all later responses, and of those in progress, to use another connection. */
  drain(): void
}

/** A connection with its latest response. */
interface Connection extends Socket {
  [latest]?: ServerResponse
}

const latest: unique symbol = Symbol('latest response')

/** Watches the connections of a server: what a silent one means, and what they receive at the end. */
function connectionsOf(server: ServerType, accept: Accept): Connections {
  const open = new Set<Connection>()
  let isDraining = false
  server.prependListener('connection', (socket: Socket) => {
    const leave = accept(socket.remoteAddress)
    if (leave === undefined) {
      socket.destroy()
      return
    }
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      leave()
    })
  })
  server.setTimeout(idleTimeout)
  server.on('timeout', (socket: Connection) => {
    // Before the response starts, the server is the silent side.
    if (socket[latest]?.headersSent !== false) socket.destroy()
  })
  return {
    note: (response) => {
      const connection = response.socket as Connection | null
      if (isDraining) response.setHeader('Connection', 'close')
      else if (connection !== null) connection[latest] = response
    },
    // A client whose connection is closed between two calls loses the second one, so it is notified beforehand.
    drain: () => {
      isDraining = true
      for (const { [latest]: response } of open)
        if (response?.headersSent === false) response.setHeader('Connection', 'close')
    },
  }
}

/** Bytes of a body that come with its headers, or so soon after them that the connection can go on. */
const soonThere = 64 * 1024

/** An answer that comes before the body has says that the connection ends: the rest of the body is still to come on it. */
function closeBeforeTheEnd(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (Number(length) <= soonThere && encoding === undefined) return
  const { writeHead } = response
  response.writeHead = (...words: readonly unknown[]) => {
    if (!request.complete) response.setHeader('Connection', 'close')
    return Reflect.apply(writeHead, response, words)
  }
}

/** Milliseconds for the headers of a request to arrive, and between two checks of that. */
const headersTimeout = { total: 20_000, checkInterval: 1_000 }

function listening(
  fetch: Fetch,
  { port, host }: ListenAddress,
  { accept = () => () => {}, front = handOn }: Guards,
): Promise<{ readonly server: ServerType; readonly connections: Connections }> {
  return new Promise((resolve, reject) => {
    // Bodies have their own time limits, which consider which side is slow.
    const serverOptions = {
      headersTimeout: headersTimeout.total,
      connectionsCheckingInterval: headersTimeout.checkInterval,
      requestTimeout: 0,
    }
    const withFront = (options: ServerOptions, answer: RequestListener) =>
      createServer(options, (request, response) => {
        connections.note(response)
        closeBeforeTheEnd(request, response)
        front(request, response, answer)
      })
    // Node would take the first address of the name, which may be the one of IPv6 alone.
    const named = host === undefined ? {} : { hostname: host === 'localhost' ? '127.0.0.1' : host }
    const server = serve({ fetch, port, serverOptions, createServer: withFront as typeof createServer, ...named }, () =>
      resolve({ server, connections }),
    )
    const connections = connectionsOf(server, accept)
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
