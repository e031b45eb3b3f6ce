import { setImmediate } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { type Handler, Hono, type NotFoundHandler } from 'hono'
import { getPath } from 'hono/utils/url'
import {
  domains,
  EngineError,
  heldStates,
  keyExpiries,
  perform,
  primaryKeys,
  proposeWrite,
  type Storage,
} from '../engine/index.ts'
import { createAuthenticate, holdsCredentials } from './auth/index.ts'
import { createParts, type EngineOptions, type EngineParts, webhookEventTypes } from './engine.ts'
import { allowOrigins } from './http/cross-origin.ts'
import { oauthPaths } from './http/oauth.ts'
import { restMetadataOf, restMetadataPath } from './http/protected-resource.ts'
import { strictTransport } from './http/strict-transport.ts'
import type { Published } from './mcp/published.ts'
import type { Propose } from './mcp/tool-request.ts'
import { createGateway, type Gateway } from './node/gateway.ts'
import { createHealth } from './node/health.ts'
import type { OutsideIssuer } from './node/issuer.ts'
import { countingMisses } from './node/limited.ts'
import { noLimits } from './node/limits.ts'
import { errorLog, type Log } from './node/log.ts'
import type { MailFailure } from './node/mail.ts'
import { once } from './node/once.ts'
import { packageVersion } from './node/version.ts'
import type { PagesOptions } from './pages/index.ts'
import { readBody } from './rest/body.ts'
import type { RequestCache } from './rest/cached-reads.ts'
import { createRest } from './rest/index.ts'
import { errorResponse } from './rest/respond.ts'
import { statusOf } from './rest/status.ts'
import type { Telemetry } from './telemetry/index.ts'
import type { Observe } from './telemetry/requests.ts'

/** Options of the HTTP interface, besides those of the engine. */
export interface InterfaceOptions {
  /** Whether responses tell browsers to use https only. */
  readonly hsts?: boolean
  /** Origins whose pages may call every operation with a token; none if absent. */
  readonly corsOrigins?: readonly string[]
  /** Origins whose pages may show the tracking page in a frame; none if absent. */
  readonly frameAncestors?: readonly string[]
  /** Who gives out the tokens of agents; this server if absent. */
  readonly outsideIssuer?: OutsideIssuer | undefined
  /** Aborted when the server is about to stop, and so not ready any more. */
  readonly stopping?: AbortSignal
  /** Aborted when live responses are to end; `stopping` if absent. */
  readonly closing?: AbortSignal
  /** Largest body in bytes that a caller without credentials may send; 1 MiB if absent. */
  readonly publicBodyLimit?: number
  /** Whether the store refused the last write; never if absent. */
  readonly areWritesRefused?: () => boolean
  /** Since when no e-mail was taken; absent if none are sent. */
  readonly mailFailure?: (() => MailFailure | undefined) | undefined
  /** Whether `/metrics` has its own port. */
  readonly areMetricsApart?: boolean
  /** What others than this machine send to read `/metrics` and the details of `/readyz`. */
  readonly metricsToken?: string | undefined
  /** The cache of public reads, if others need it; it must not be of another history of the store. */
  readonly reads?: RequestCache
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

/** The interface on parts that exist already, and on the store under them. */
export function interfaceOn(
  given: EngineParts,
  store: Storage,
  options: InterfaceOptions & Pick<EngineOptions, 'operations' | 'limits'>,
): Hono {
  const {
    hsts = false,
    corsOrigins = [],
    frameAncestors = [],
    stopping = new AbortController().signal,
    telemetry,
    outsideIssuer,
  } = options
  const { closing = stopping } = options
  const { areWritesRefused = () => false, mailFailure, areMetricsApart = false, publicBodyLimit } = options
  const version = packageVersion()
  const log = telemetry?.log ?? errorLog
  const parts = telemetry?.instrument(given) ?? given
  const all = options.operations ?? domains.flatMap((domain) => domain.operations)
  const limits = options.limits ?? noLimits
  const operations = (telemetry?.operations(all) ?? all).map((one) => countingMisses(one, limits))
  const gateway = createGateway({
    parts,
    operations,
    authenticate: createAuthenticate(parts, expiryReport(log), outsideIssuer),
    version,
    stopping: closing,
    log,
    publicBodyLimit,
    limits,
  })
  const { liveStreams, largeCalls } = gateway
  const { models, webhooks } = given
  const health = {
    ...{ store, areWritesRefused, mailFailure, models, webhooks, version, stopping, log, liveStreams, largeCalls },
    keyExpiries: () => keyExpiries(parts),
    held: () => [store.held?.(), heldStates(parts.store), options.reads?.held()].flatMap((held) => held ?? []),
    ...{ metrics: telemetry?.metrics, areMetricsApart, metricsToken: options.metricsToken },
  }
  const observed: Observe = telemetry?.observe ?? ((_, handler) => handler)
  const assembled = createAssembly(gateway, observed, { hsts, corsOrigins })
  const rest = { [restMetadataPath]: async () => restMetadataOf(parts.baseUrl, outsideIssuer?.issuer) }
  const described = { '/asyncapi-webhooks.json': () => webhooksDescription(version), ...rest }
  const app = assembled(createHealth(health), createRest(gateway, described, options.reads))
  const pages = { hsts, frameAncestors, fetchDocument: webhooks.fetchDocument }
  for (const { paths, load } of lateParts(gateway, pages, outsideIssuer?.issuer)) {
    const part = once(async () => {
      const late = await load()
      // Its modules were loaded in this turn of the event loop, and many requests may have waited for them.
      await setImmediate()
      return assembled(late)
    })
    for (const path of paths) mountLate(app, path, part, observed)
  }
  return app
}

function expiryReport(log: Log): (provider: string, expiresAt: string) => void {
  return (provider, expires_at) => log.warn({ provider, expires_at }, 'a key that is in use expires soon')
}

/** Combines parts into one interface with shared observation and error responses. */
function createAssembly(
  gateway: Gateway,
  observed: Observe,
  { hsts, corsOrigins }: Required<Pick<InterfaceOptions, 'hsts' | 'corsOrigins'>>,
): (...parts: readonly Hono[]) => Hono {
  const missing = observed('none', (request) => {
    const opened = gateway.open(request)
    opened.take('public_reads')
    const code = holdsCredentials(request.req.url) ? 'credentials_in_address' : 'route_not_found'
    return errorResponse(new EngineError(code), opened)
  })

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

const authorizationServerPaths = ['/oauth/:call{token|register|revoke}', '/.well-known/oauth-authorization-server']

const pagePaths = [
  ...['/', '/ns/otep', '/docs/*', '/try', '/today/*', '/orders/*', '/records/*', '/register/*', '/otep-timeline.js'],
  ...['/track/*', '/track-map/*', '/track-logo/*', '/track-qr/*', '/track-notify/*', '/track-confirm/*'],
  ...['/track-stop/*', '/account/*', '/mcp-approvals/*', '/mcp-connections/*', '/keys/*', '/mark-ups/*', '/webhooks/*'],
  ...['/track-calendar/*', '/money/*', '/webhook-events/*', '/assets/*'],
]

/** Where an outside issuer gives out the tokens of agents, this server has no endpoints of an authorization server. */
function lateParts(
  gateway: Gateway,
  pages: Omit<PagesOptions, 'catalogue'>,
  issuer: string | undefined,
): readonly LatePart[] {
  return [
    {
      paths: ['/mcp/*', '/.well-known/oauth-protected-resource/*'],
      load: async () => {
        const { createMcp } = await import('./mcp/index.ts')
        const { checksOf: checkSignature } = await import('./webhooks/signing/index.ts')
        return createMcp(gateway, { statusOf, propose, published: publishedBy(gateway), checkSignature, issuer })
      },
    },
    {
      paths: issuer === undefined ? authorizationServerPaths : [],
      load: async () => (await import('./oauth/index.ts')).createOAuth(gateway, { statusOf, readBody }),
    },
    {
      paths: [oauthPaths.providerLogout],
      load: async () => (await import('./oauth/provider-logout.ts')).createProviderLogout(gateway, { statusOf }),
    },
    {
      paths: ['/graphql'],
      load: async () =>
        (await import('./graphql/index.ts')).createGraphql(gateway, { statusOf, readBody, failed: errorResponse }),
    },
    {
      paths: ['/epcis', '/epcis/*'],
      load: async () => (await import('./rest/epcis/index.ts')).createEpcis(gateway),
    },
    {
      paths: ['/sensorthings/*'],
      load: async () => (await import('./rest/sensorthings/index.ts')).createSensorThings(gateway),
    },
    {
      paths: ['/onerecord', '/onerecord/*'],
      load: async () => (await import('./rest/onerecord/index.ts')).createOneRecord(gateway),
    },
    {
      paths: [...primaryKeys.map((key) => `/${key}/*`), '/.well-known/gs1resolver'],
      load: async () => (await import('./rest/digital-link/index.ts')).createDigitalLinks(gateway),
    },
    {
      paths: [...pagePaths, ...(issuer === undefined ? [oauthPaths.authorize] : [])],
      load: async () => {
        const [{ createPages }, { createCatalogue }] = await Promise.all([
          import('./pages/index.ts'),
          import('./webhooks/catalogue.ts'),
        ])
        return createPages(gateway, { ...pages, catalogue: createCatalogue(webhookEventTypes, gateway.version) })
      },
    },
  ]
}

/** The documents of the REST interface, for agents. */
function publishedBy({ operations, version, formats, profiles }: Gateway): Published {
  return {
    codebook: async (wanted) => (await import('./rest/guide.ts')).codebook(wanted),
    timelineSchema: async () => (await import('./rest/guide.ts')).timelineJsonSchema(),
    openapi: async () => (await import('./rest/openapi.ts')).openapi(operations, version, formats, profiles),
  }
}

async function webhooksDescription(version: string): Promise<object> {
  const { asyncapi } = await import('./webhooks/asyncapi/index.ts')
  return asyncapi({ eventTypes: webhookEventTypes, version })
}

/**
 * Proposes a call of a connection that requires approvals, like the tool `propose_write`. The connection asks for the proposal,
 * so the scopes that it leaves the caller need not include those of `propose_write`.
 */
const propose: Propose = (context, { name }, input, key) => {
  const { caller } = context
  const scoped = { ...caller, scopes: [...caller.scopes, ...proposeWrite.scopes] }
  return perform(proposeWrite, { ...context, caller: scoped }, { tool: name, arguments: input }, key)
}

/** A path that no route has. */
const nowhere = '/-'

/**
 * The path of a request; one that no route has if there are keys or tokens in its address. URL parsers treat percent-encoded dots as a step up, but here they are data, so a path with
 * any is read from the wire.
 */
function pathOf(request: globalThis.Request, options?: { readonly env?: unknown }): string {
  const raw = (options?.env as Partial<HttpBindings> | undefined)?.incoming?.url
  if (holdsCredentials(raw ?? request.url)) return nowhere
  return raw !== undefined && /%2e/i.test(raw)
    ? getPath({ url: `http://localhost${raw}` } as globalThis.Request)
    : getPath(request)
}
