import { createRequire } from 'node:module'
import type { AddressInfo, Socket } from 'node:net'
import { type HttpBindings, type ServerType, serve } from '@hono/node-server'
import { Hono, type Next, type Context as Request } from 'hono'
import { getPath } from 'hono/utils/url'
import { domains, EngineError } from '../engine/index.ts'
import { createAuthenticate } from './auth/index.ts'
import type { Config } from './config.ts'
import { createDoor, type Door } from './door.ts'
import { createParts, type EngineOptions, openStore } from './engine.ts'
import { createPages } from './pages/index.ts'
import { createRest } from './rest/index.ts'
import { failed } from './rest/respond.ts'

export { createParts, type EngineOptions, openStore } from './engine.ts'

/** What an interface is made of beside its engine. */
export interface AppOptions extends EngineOptions {
  /** Whether answers tell browsers to come back by https only. */
  readonly hsts?: boolean
  /** Aborted when the server is about to stop, so that live answers end. */
  readonly stopping?: AbortSignal
}

/** The whole HTTP interface on a store, without a socket: `app.fetch(request)` answers. */
export function createApp({ hsts = false, stopping = new AbortController().signal, ...options }: AppOptions): Hono {
  const parts = createParts(options)
  const operations = domains.flatMap((domain) => domain.operations)
  const door: Door = createDoor(parts, operations, createAuthenticate(parts), packageVersion(), stopping)
  const app = new Hono({ getPath: pathOf })
  if (hsts) app.use(strictTransport)
  app.route('/', createRest(door))
  app.route('/', createPages(door, { hsts }))
  app.notFound((request) =>
    failed(new EngineError('route_not_found'), door.enter(request.req.header('accept-language'), undefined).context),
  )
  app.onError((error, request) => failed(error, door.enter(request.req.header('accept-language'), undefined).context))
  return app
}

/** A year of https only, on every answer; for servers behind TLS (RFC 6797). */
async function strictTransport(request: Request, next: Next): Promise<void> {
  await next()
  request.header('Strict-Transport-Security', 'max-age=31536000')
}

/**
 * The path of a request, percent-encoded dots being data: a URL parser takes a segment of them for the way up, so where
 * there are any the path is read as it came over the wire.
 */
function pathOf(request: globalThis.Request, options?: { readonly env?: unknown }): string {
  const raw = (options?.env as Partial<HttpBindings> | undefined)?.incoming?.url
  return raw !== undefined && /%2e/i.test(raw)
    ? getPath({ url: `http://localhost${raw}` } as globalThis.Request)
    : getPath(request)
}

/** A server that listens. */
export interface Running {
  readonly url: string
  /** Ends live connections, finishes requests and closes the store. */
  stop(): Promise<void>
}

/** Serves the whole interface on the configured store. */
export async function startServer(config: Config): Promise<Running> {
  const store = openStore(config.store)
  const stopping = new AbortController()
  let app: Hono | undefined
  const server = await listening((request, env) => app?.fetch(request, env) ?? notYet(), config)
  const { port } = server.address() as AddressInfo
  const url = `http://${config.host === undefined ? 'localhost' : urlHost(config.host)}:${port}`
  app = createApp({ store, hsts: config.hsts, baseUrl: config.baseUrl ?? url, stopping: stopping.signal })
  return {
    url,
    stop: async () => {
      stopping.abort()
      const impatience = setTimeout(() => closeAll(server), grace)
      await new Promise((resolve) => server.close(resolve))
      clearTimeout(impatience)
      await store.close()
    },
  }
}

/** A host as a URL holds it: IPv6 in brackets, and this machine where the address means all of them. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** How long a stop waits for requests under way, in milliseconds. */
const grace = 5_000

function closeAll(server: ServerType): void {
  if ('closeAllConnections' in server) server.closeAllConnections()
}

/** For a request that comes before the port is known, and with it the address that documents carry. */
function notYet(): Response {
  return new Response(null, { status: 503, headers: { 'Retry-After': '1' } })
}

type Fetch = (request: globalThis.Request, env: object) => Response | Promise<Response>

/** After so long without a byte a connection is closed, in milliseconds. */
const idle = 120_000

function listening(fetch: Fetch, { port, host }: Config): Promise<ServerType> {
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
    server.once('error', reject)
  })
}

/** The version of this package. */
export function packageVersion(): string {
  const require = createRequire(import.meta.url)
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return (require(path) as { version: string }).version
    } catch {}
  }
  return '0.0.0'
}
