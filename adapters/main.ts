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
  openStore,
  type StoreReports,
  webhookEventTypes,
} from './engine.ts'
import { allowOrigins } from './http/cross-origin.ts'
import type { Propose } from './mcp/tool-call.ts'
import { dropCachedTexts } from './node/cached-texts.ts'
import { type Config, defaultPublicBodyLimit, nameOfStore } from './node/config.ts'
import { createGateway, type Gateway } from './node/gateway.ts'
import { createHealth } from './node/health.ts'
import { errorFields, errorLog } from './node/log.ts'
import { once } from './node/once.ts'
import { type Renewable, renewable } from './node/renew.ts'
import { listen } from './node/server.ts'
import { packageVersion } from './node/version.ts'
import { watchWrites } from './node/writes.ts'
import { type Added, nothingAdded } from './plugins/findings.ts'
import { startPolicies } from './policies/index.ts'
import { readBody } from './rest/body.ts'
import { createRest } from './rest/index.ts'
import { errorResponse } from './rest/respond.ts'
import { statusOf } from './rest/status.ts'
import { createTelemetry, type Telemetry } from './telemetry/index.ts'
import type { Observe } from './telemetry/requests.ts'
import { refuseWrongSecret } from './vault/index.ts'

export { createParts, type EngineOptions, openStore } from './engine.ts'

/** Options of the HTTP interface, besides those of the engine. */
export interface InterfaceOptions {
  /** Whether responses tell browsers to use https only. */
  readonly hsts?: boolean
  /** Origins whose pages may call every operation with a token; none if absent. */
  readonly corsOrigins?: readonly string[]
  /** Aborted when the server is about to stop, so that live responses end. */
  readonly stopping?: AbortSignal
  /** Largest body in bytes that a caller without credentials may send; 1 MiB if absent. */
  readonly publicBodyLimit?: number
  /** Whether the store refused the last write; never if absent. */
  readonly areWritesRefused?: () => boolean
  /** Telemetry; without it, errors go to the standard error. */
  readonly telemetry?: Telemetry
}

/** Options of `createApp`. */
export interface AppOptions extends EngineOptions, InterfaceOptions {
  /** The parts of the engine, if they exist already. */
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
  const { hsts = false, corsOrigins = [], stopping = new AbortController().signal, telemetry } = options
  const { areWritesRefused = () => false, publicBodyLimit = defaultPublicBodyLimit } = options
  const version = packageVersion()
  const log = telemetry?.log ?? errorLog
  const parts = telemetry?.instrument(given) ?? given
  const all = options.operations ?? domains.flatMap((domain) => domain.operations)
  const operations = telemetry?.operations(all) ?? all
  const gateway = createGateway({
    parts,
    operations,
    authenticate: createAuthenticate(parts),
    version,
    stopping,
    log,
    publicBodyLimit,
  })
  const { liveStreams } = gateway
  const { models, webhooks } = given
  const health = {
    store,
    areWritesRefused,
    models,
    webhooks,
    version,
    stopping,
    log,
    liveStreams,
    metrics: telemetry?.metrics,
  }
  const observed: Observe = telemetry?.observe ?? ((_, handler) => handler)
  const assembled = createAssembly(gateway, observed, { hsts, corsOrigins })
  const described = { '/asyncapi-webhooks.json': () => webhooksDescription(version) }
  const app = assembled(createHealth(health), createRest(gateway, described))
  for (const { paths, load } of lateParts(gateway, hsts)) {
    const part = once(async () => assembled(await load()))
    for (const path of paths) mountLate(app, path, part, observed)
  }
  return app
}

/** Combines parts into one interface with shared observation and error responses. */
function createAssembly(
  gateway: Gateway,
  observed: Observe,
  { hsts, corsOrigins }: Required<Pick<InterfaceOptions, 'hsts' | 'corsOrigins'>>,
): (...parts: readonly Hono[]) => Hono {
  const missing = observed('none', (request) =>
    errorResponse(new EngineError('route_not_found'), gateway.open(request)),
  )

  function blank(otherwise: NotFoundHandler): Hono {
    const app = new Hono({ getPath: pathOf })
    if (hsts) app.use(strictTransport)
    if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins))
    app.notFound(otherwise)
    app.onError((error, request) => errorResponse(error, gateway.open(request)))
    return app
  }

  return (...parts) => {
    const ofAnyMethod = blank((request) => missing(request, async () => {}))
    const app = blank((request) => ofAnyMethod.fetch(request.req.raw, request.env))
    // Routes for any method are registered apart, and each handler is observed by itself: this keeps the path of a
    // single handler short.
    for (const { method, path, handler } of parts.flatMap(({ routes }) => routes))
      (method === 'ALL' ? ofAnyMethod : app).on(method, path, observed(path, handler))
    return app
  }
}

/** Mounts a part that is loaded on first request; a failure to load is an error of that path. */
function mountLate(app: Hono, path: string, part: () => Promise<Hono>, observed: Observe): void {
  app.all(path, async (request, next) => {
    const answer: Handler = await part().then(
      (late) => () => late.fetch(request.req.raw, request.env),
      (error: unknown) => observed(path, () => Promise.reject(error)),
    )
    return answer(request, next)
  })
}

/** A part of the interface that is loaded on the first request under its paths. */
interface LatePart {
  readonly paths: readonly string[]
  load(): Promise<Hono>
}

function lateParts(gateway: Gateway, hsts: boolean): readonly LatePart[] {
  return [
    {
      paths: ['/mcp/*', '/.well-known/oauth-protected-resource/*'],
      load: async () => (await import('./mcp/index.ts')).createMcp(gateway, { statusOf, propose }),
    },
    {
      paths: ['/graphql'],
      load: async () =>
        (await import('./graphql/index.ts')).createGraphql(gateway, { statusOf, readBody, failed: errorResponse }),
    },
    {
      paths: ['/', '/track/*', '/mcp-approvals/*', '/webhooks/*', '/assets/*'],
      load: async () => (await import('./pages/index.ts')).createPages(gateway, { hsts }),
    },
  ]
}

async function webhooksDescription(version: string): Promise<object> {
  const { asyncapi } = await import('./webhooks/asyncapi/index.ts')
  return asyncapi({ eventTypes: webhookEventTypes, version })
}

/** Proposes a call of a connection that requires approvals, like the tool `propose_write`. */
const propose: Propose = (context, { name }, input, key) =>
  perform(proposeWrite, context, { tool: name, arguments: input }, key)

/** Adds a year of https only to every response; for servers behind TLS (RFC 6797). */
async function strictTransport(request: Request, next: Next): Promise<void> {
  await next()
  request.res.headers.set('Strict-Transport-Security', 'max-age=31536000')
}

/**
 * The path of a request. URL parsers treat percent-encoded dots as a step up, but here they are data, so a path with
 * any is read from the wire.
 */
function pathOf(request: globalThis.Request, options?: { readonly env?: unknown }): string {
  const raw = (options?.env as Partial<HttpBindings> | undefined)?.incoming?.url
  return raw !== undefined && /%2e/i.test(raw)
    ? getPath({ url: `http://localhost${raw}` } as globalThis.Request)
    : getPath(request)
}

/** A running server. */
export interface Running {
  readonly url: string
  /** Stops being ready, ends live connections, finishes requests, and closes the store and the log. */
  stop(): Promise<void>
}

/** Milliseconds between the server's own probes, so that the log reports a lost store. */
const probeInterval = 10_000

/** What serves one history of the store. */
interface ServedStore {
  readonly app: Hono
  close(): Promise<void>
}

/** Serves the whole interface on the configured store, with what plug-ins add. */
export async function startServer(config: Config, plugins: Added = nothingAdded): Promise<Running> {
  const telemetry = await createTelemetry(config, packageVersion())
  const { log } = telemetry
  let serving: Renewable<ServedStore> | undefined
  let isReplaced = false
  const open = () =>
    openChecked(config, plugins.stores, {
      replaced: () => {
        log.warn({}, 'another history was restored')
        isReplaced = true
        serving?.renew()
      },
      lost: () => log.error({}, 'the file of the store was deleted or replaced: restart the server'),
      damaged: (event) => log.error({ event }, 'an event is damaged'),
      scrubs: true,
    })
  const store = await orElse(open, telemetry.close)
  const answer = (request: globalThis.Request, env: object) => serving?.current()?.app.fetch(request, env) ?? notReady()
  const server = await orElse(
    () => listen(answer, config),
    async () => {
      await store.close()
      await telemetry.close()
    },
  )
  const url = `http://${config.host === undefined ? 'localhost' : urlHost(config.host)}:${server.port}`
  const stopping = new AbortController()
  const serve = (opened: Storage) =>
    serveStore(opened, config, { baseUrl: url, stopping: stopping.signal, telemetry, plugins })
  serving = renewable(
    serve(store),
    async () => serve(await open()),
    (error) => log.error(errorFields(error), 'the store is not open again yet'),
  )
  if (isReplaced) serving.renew()
  const looking = setInterval(() => void serving?.current()?.app.request('/readyz'), probeInterval)
  log.info({ version: packageVersion(), port: server.port, store: nameOfStore(config.store) }, 'started')
  if (isInClearText(config)) log.warn({ host: config.host ?? '*' }, clearTextWarning)
  return {
    url,
    stop: async () => {
      log.info({}, 'stopping')
      stopping.abort()
      clearInterval(looking)
      server.drain()
      await setTimeout(config.drainSeconds * 1_000)
      const inTime = await server.close()
      await serving?.close()
      log.info(inTime ? {} : { aborted: true }, 'stopped')
      await telemetry.close()
    },
  }
}

const clearTextWarning =
  'other machines can reach this server without TLS: put a proxy before it and set OTEP_BASE_URL to its https address, or HOST=127.0.0.1'

/** Whether other machines can connect, and no setting says that a proxy adds TLS. */
function isInClearText({ host, hsts, baseUrl }: Pick<Config, 'host' | 'hsts' | 'baseUrl'>): boolean {
  const isLocal = host !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
  return !isLocal && !hsts && !baseUrl?.startsWith('https:')
}

/** Opens the configured store and checks that the secret fits its keys. */
async function openChecked(
  { store: address, secret }: Config,
  stores: Added['stores'],
  reports: StoreReports,
): Promise<Storage> {
  const store = await openStore(address, reports, stores)
  await orElse(() => refuseWrongSecret(store.keys, secret), store.close)
  return store
}

/** What a served store needs besides the configuration. */
interface Surroundings {
  readonly baseUrl: string
  readonly stopping: AbortSignal
  readonly telemetry: Telemetry
  readonly plugins: Added
}

/** Serves an open store until it is closed. */
function serveStore(
  opened: Storage,
  config: Config,
  { baseUrl, stopping, telemetry, plugins: { profiles, projections } }: Surroundings,
): ServedStore {
  const { store, areRefused } = watchWrites(opened)
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping, ending.signal])
  const modelsFile = modelsFileOf(config.dataDir, config.store)
  const file = deliveriesFileOf(config.dataDir, config.store)
  const webhooks = { allow: config.webhookAllow, ...(file === undefined ? {} : { file }) }
  const parts = createParts({
    ...{ store, baseUrl: config.baseUrl ?? baseUrl, secret: config.secret },
    ...{ modelsFile, webhooks, profiles, projections },
  })
  parts.models.start(signal)
  dropCachedTexts(signal)
  const run = { signal, log: telemetry.log, now: () => performance.now(), wait }
  const policies = startPolicies(parts, store, run)
  const clock = watchDeadlines(parts, run)
  const sending = parts.webhooks.run({ ...run, leases: store.leases, watch: telemetry.watch })
  return {
    app: interfaceOn(parts, store, {
      ...{ hsts: config.hsts, corsOrigins: config.corsOrigins, publicBodyLimit: config.publicBodyLimit },
      ...{ stopping: signal, telemetry, areWritesRefused: areRefused },
    }),
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

/** Makes something; if that fails, undoes something else first. */
async function orElse<Made>(make: () => Made | Promise<Made>, undo: () => Promise<void>): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    await undo()
    throw error
  }
}

/** A host for a URL: IPv6 in brackets, and localhost for addresses that mean all interfaces. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** The response to a request that arrives before the port, and so the base URL, is known. */
function notReady(): Response {
  return new Response(null, { status: 503, headers: { 'Retry-After': '1' } })
}
