import { setTimeout } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { type Handler, Hono, type Next, type NotFoundHandler, type Context as Request } from 'hono'
import { getPath } from 'hono/utils/url'
import { domains, EngineError, perform, proposeWrite, type Storage } from '../engine/index.ts'
import { createAuthenticate } from './auth/index.ts'
import { watchDeadlines } from './deadlines/index.ts'
import {
  createParts,
  deliveriesFileOf,
  type EngineOptions,
  type EngineParts,
  modelsFileOf,
  notices,
  openStore,
} from './engine.ts'
import type { Propose } from './mcp/tool-call.ts'
import { type Config, nameOfStore } from './node/config.ts'
import { createDoor, type Door } from './node/door.ts'
import { createHealth } from './node/health.ts'
import { errorFields, errorLog } from './node/log.ts'
import { once } from './node/once.ts'
import { type Renewable, renewable } from './node/renew.ts'
import { listen } from './node/server.ts'
import { packageVersion } from './node/version.ts'
import { startPolicies } from './policies/index.ts'
import { readBody } from './rest/body.ts'
import { createRest } from './rest/index.ts'
import { failed } from './rest/respond.ts'
import { statusOf } from './rest/status.ts'
import { createTelemetry, type Telemetry } from './telemetry/index.ts'
import type { Observe } from './telemetry/requests.ts'
import { refuseWrongSecret } from './vault/index.ts'

export { createParts, type EngineOptions, openStore } from './engine.ts'

/** How an interface behaves, beside its engine. */
export interface InterfaceOptions {
  /** Whether answers tell browsers to come back by https only. */
  readonly hsts?: boolean
  /** Aborted when the server is about to stop, so that live answers end. */
  readonly stopping?: AbortSignal
  /** What watches it; errors are written to the standard error where nothing does. */
  readonly telemetry?: Telemetry
}

/** What an interface is made of. */
export interface AppOptions extends EngineOptions, InterfaceOptions {
  /** The parts of the engine, where they were made already. */
  readonly parts?: EngineParts
}

/** The whole HTTP interface on a store, without a socket: `app.fetch(request)` answers. */
export function createApp(options: AppOptions): Hono {
  return interfaceOn(options.parts ?? createParts(options), options.store, options)
}

function interfaceOn(
  given: EngineParts,
  store: Storage,
  options: InterfaceOptions & Pick<EngineOptions, 'operations'>,
): Hono {
  const { hsts = false, stopping = new AbortController().signal, telemetry } = options
  const version = packageVersion()
  const log = telemetry?.log ?? errorLog
  const parts = telemetry?.instrument(given) ?? given
  const all = options.operations ?? domains.flatMap((domain) => domain.operations)
  const operations = telemetry?.operations(all) ?? all
  const door = createDoor({ parts, operations, authenticate: createAuthenticate(parts), version, stopping, log })
  const { liveStreams } = door
  const { models, webhooks } = given
  const health = { store, models, webhooks, version, stopping, log, liveStreams, metrics: telemetry?.metrics }
  const observed: Observe = telemetry?.observe ?? ((_, handler) => handler)
  const assembled = assembly(door, observed, hsts)
  const described = { '/asyncapi-webhooks.json': () => webhooksTold(version) }
  const app = assembled(createHealth(health), createRest(door, described))
  for (const { paths, load } of lateParts(door, hsts)) {
    const part = once(async () => assembled(await load()))
    for (const path of paths) mountLate(app, path, part, observed)
  }
  return app
}

/** Makes one interface of parts: what they answer is observed, and what is missing or goes wrong is told alike. */
function assembly(door: Door, observed: Observe, hsts: boolean): (...parts: readonly Hono[]) => Hono {
  const missing = observed('none', (request) => failed(new EngineError('route_not_found'), door.enter(request)))

  function blank(otherwise: NotFoundHandler): Hono {
    const app = new Hono({ getPath: pathOf })
    if (hsts) app.use(strictTransport)
    app.notFound(otherwise)
    app.onError((error, request) => failed(error, door.enter(request)))
    return app
  }

  return (...parts) => {
    const ofAnyMethod = blank((request) => missing(request, async () => {}))
    const app = blank((request) => ofAnyMethod.fetch(request.req.raw, request.env))
    // What takes any method waits apart, and what is observed is a handler and not all of them: what one handler alone
    // can answer is answered sooner.
    for (const { method, path, handler } of parts.flatMap(({ routes }) => routes))
      (method === 'ALL' ? ofAnyMethod : app).on(method, path, observed(path, handler))
    return app
  }
}

/** Hands what comes for a path to a part that is loaded then; one that cannot be loaded is a fault of that path. */
function mountLate(app: Hono, path: string, part: () => Promise<Hono>, observed: Observe): void {
  app.all(path, async (request, next) => {
    const answer: Handler = await part().then(
      (late) => () => late.fetch(request.req.raw, request.env),
      (error: unknown) => observed(path, () => Promise.reject(error)),
    )
    return answer(request, next)
  })
}

/** A part of the interface that is loaded when somebody first asks for what lies under its paths. */
interface LatePart {
  readonly paths: readonly string[]
  load(): Promise<Hono>
}

function lateParts(door: Door, hsts: boolean): readonly LatePart[] {
  return [
    {
      paths: ['/mcp/*', '/.well-known/oauth-protected-resource/*'],
      load: async () => (await import('./mcp/index.ts')).createMcp(door, { statusOf, propose }),
    },
    {
      paths: ['/graphql'],
      load: async () => (await import('./graphql/index.ts')).createGraphql(door, { statusOf, readBody, failed }),
    },
    {
      paths: ['/', '/track/*', '/mcp-approvals/*', '/webhooks/*', '/assets/*'],
      load: async () => (await import('./pages/index.ts')).createPages(door, { hsts }),
    },
  ]
}

async function webhooksTold(version: string): Promise<object> {
  const { asyncapi } = await import('./webhooks/asyncapi/index.ts')
  return asyncapi({ notices, version })
}

/** A call that an agent's connection wants an approval for is proposed, as by the tool that proposes. */
const propose: Propose = (context, { name }, input, key) =>
  perform(proposeWrite, context, { tool: name, arguments: input }, key)

/** A year of https only, on every answer; for servers behind TLS (RFC 6797). */
async function strictTransport(request: Request, next: Next): Promise<void> {
  await next()
  request.res.headers.set('Strict-Transport-Security', 'max-age=31536000')
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
  /** Is ready no more, ends live connections, finishes requests, and closes the store and the log. */
  stop(): Promise<void>
}

/** How often the server looks at itself where nobody else does, in milliseconds, so that the log tells of a lost store. */
const lookInterval = 10_000

/** What answers as long as one history stands in the store. */
interface Serving {
  readonly app: Hono
  close(): Promise<void>
}

/** Serves the whole interface on the configured store. */
export async function startServer(config: Config): Promise<Running> {
  const telemetry = await createTelemetry(config, packageVersion())
  const { log } = telemetry
  let serving: Renewable<Serving> | undefined
  let isReplaced = false
  const open = () =>
    openChecked(config, () => {
      log.warn({}, 'another history was restored')
      isReplaced = true
      serving?.renew()
    })
  const store = await orElse(open, telemetry.close)
  const answer = (request: globalThis.Request, env: object) => serving?.current()?.app.fetch(request, env) ?? notYet()
  const server = await orElse(
    () => listen(answer, config),
    async () => {
      await store.close()
      await telemetry.close()
    },
  )
  const url = `http://${config.host === undefined ? 'localhost' : urlHost(config.host)}:${server.port}`
  const stopping = new AbortController()
  const serve = (opened: Storage) => servingOn(opened, config, { baseUrl: url, stopping: stopping.signal, telemetry })
  serving = renewable(
    serve(store),
    async () => serve(await open()),
    (error) => log.error(errorFields(error), 'the store is not open again yet'),
  )
  if (isReplaced) serving.renew()
  const looking = setInterval(() => void serving?.current()?.app.request('/readyz'), lookInterval)
  log.info({ version: packageVersion(), port: server.port, store: nameOfStore(config.store) }, 'started')
  return {
    url,
    stop: async () => {
      log.info({}, 'stopping')
      stopping.abort()
      clearInterval(looking)
      const inTime = await server.close()
      await serving?.close()
      log.info(inTime ? {} : { aborted: true }, 'stopped')
      await telemetry.close()
    },
  }
}

/** The configured store, where the secret is that of its keys. */
async function openChecked({ store: address, secret }: Config, replaced: () => void): Promise<Storage> {
  const store = await openStore(address, replaced)
  await orElse(() => refuseWrongSecret(store.keys, secret), store.close)
  return store
}

/** The interface on an open store, until it is closed with it. */
function servingOn(
  store: Storage,
  config: Config,
  { baseUrl, stopping, telemetry }: { baseUrl: string; stopping: AbortSignal; telemetry: Telemetry },
): Serving {
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping, ending.signal])
  const modelsFile = modelsFileOf(config.dataDir, config.store)
  const file = deliveriesFileOf(config.dataDir, config.store)
  const webhooks = { allow: config.webhookAllow, ...(file === undefined ? {} : { file }) }
  const parts = createParts({ store, baseUrl: config.baseUrl ?? baseUrl, secret: config.secret, modelsFile, webhooks })
  parts.models.start(signal)
  const run = { signal, log: telemetry.log, now: () => performance.now(), wait }
  const policies = startPolicies(parts, store, run)
  const clock = watchDeadlines(parts, run)
  const sending = parts.webhooks.run({ ...run, leases: store.leases, watch: telemetry.watch })
  return {
    app: interfaceOn(parts, store, { hsts: config.hsts, stopping: signal, telemetry }),
    close: async () => {
      ending.abort()
      await Promise.all([policies, clock, sending])
      await parts.webhooks.close()
      await parts.models.close()
      await store.close()
    },
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {})
}

/** What is made; where that fails, something else is done first. */
async function orElse<Made>(make: () => Made | Promise<Made>, undo: () => Promise<void>): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    await undo()
    throw error
  }
}

/** A host as a URL holds it: IPv6 in brackets, and this machine where the address means all of them. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** For a request that comes before the port is known, and with it the address that documents carry. */
function notYet(): Response {
  return new Response(null, { status: 503, headers: { 'Retry-After': '1' } })
}
