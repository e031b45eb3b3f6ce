import type { AddressInfo, Socket } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'

/** A socket that listens. */
export interface Listening {
  readonly port: number
  /** Takes no more connections, and waits for the requests under way; answers whether all came to their end. */
  close(): Promise<boolean>
}

/** Where to listen. */
export interface Place {
  /** 0 lets the system choose. */
  readonly port: number
  /** All interfaces where absent. */
  readonly host: string | undefined
}

/** Answers a request; `env` holds Node's own pair. */
export type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** How long a stop waits for requests under way, in milliseconds. */
const grace = 5_000

/** How often a stop looks for connections that have nothing more to do, in milliseconds. */
const sweep = 50

/** After so long without a byte a connection is closed, in milliseconds. */
const idle = 120_000

/** Listens, and says clearly why where it cannot. */
export async function listen(fetch: Fetch, place: Place): Promise<Listening> {
  const server = await listening(fetch, place)
  return { port: (server.address() as AddressInfo).port, close: () => close(server) }
}

function listening(fetch: Fetch, { port, host }: Place): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    // A body has its own limits of time, which know who keeps whom waiting.
    const serverOptions = { headersTimeout: 20_000, requestTimeout: 0 }
    const server = serve({ fetch, port, serverOptions, ...(host === undefined ? {} : { hostname: host }) }, () =>
      resolve(server),
    )
    server.setTimeout(idle)
    server.on('request', (_, answer) => {
      // Until the answer begins, silence is our own.
      answer.on('timeout', (socket: Socket) => answer.headersSent && socket.destroy())
    })
    server.once('error', (error) => reject(explained(error, port, host)))
  })
}

/** Connections that are kept alive end with their answer, and all of them when the grace is over. */
async function close(server: ServerType): Promise<boolean> {
  let inTime = true
  const sweeping = setInterval(() => 'closeIdleConnections' in server && server.closeIdleConnections(), sweep)
  const impatience = setTimeout(() => {
    inTime = false
    if ('closeAllConnections' in server) server.closeAllConnections()
  }, grace)
  await new Promise((resolve) => server.close(resolve))
  clearInterval(sweeping)
  clearTimeout(impatience)
  return inTime
}

function explained(error: NodeJS.ErrnoException, port: number, host = 'this machine'): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken: another program listens there. Choose another one.`,
    EACCES: `Port ${port} may not be listened on by this user. Choose one from 1024 on.`,
    EADDRNOTAVAIL: `${host} is no address of this machine.`,
    ENOTFOUND: `${host} is no address that is known.`,
  }
  const reason = reasons[error.code ?? '']
  return reason === undefined ? error : new Error(reason, { cause: error })
}
