import { setTimeout } from 'node:timers/promises'
import type { Hono } from 'hono'
import { readModels, type Storage } from '../engine/index.ts'
import { interfaceOn } from './app.ts'
import { createParts, type EngineParts, openStore, type StoreReports } from './engine.ts'
import { isImportUnfinished, unfinishedImport } from './history/unfinished.ts'
import { isYoungTooLarge } from './http/memory.ts'
import { strictTransportHeaders } from './http/strict-transport.ts'
import { systemFontFolders } from './labels/index.ts'
import { createLimits } from './limits/index.ts'
import { openMail } from './mail/index.ts'
import { type WatchedMail, watchMail } from './mail/watch.ts'
import { type Config, nameOfStore } from './node/config.ts'
import { metricsPort } from './node/inside.ts'
import type { Limits } from './node/limits.ts'
import { errorFields } from './node/log.ts'
import { once } from './node/once.ts'
import { orElse } from './node/or-else.ts'
import type { Peers } from './node/peers.ts'
import { type Renewable, renewable } from './node/renew.ts'
import { createSecurityLog } from './node/security-log.ts'
import { type Fetch, type Front, type Guards, handOn, type Listening, listen } from './node/server.ts'
import { serverSetting } from './node/server-state.ts'
import { logStart } from './node/start-log.ts'
import { deliveriesFileOf, modelsFileOf } from './node/store-files.ts'
import { packageVersion } from './node/version.ts'
import { watchWrites } from './node/writes.ts'
import { type Added, nothingAdded } from './plugins/findings.ts'
import { createRequestCache, type RequestCache } from './rest/cached-reads.ts'
import { createFront, type FrontOptions } from './rest/front.ts'
import { createKeptAnswers } from './rest/kept-answers.ts'
import { openSms } from './sms/index.ts'
import { createTelemetry, type Telemetry } from './telemetry/index.ts'
import { refuseWrongSecret } from './vault/index.ts'
import { startWithMqtt } from './work.ts'

export { type AppOptions, createApp, type InterfaceOptions } from './app.ts'
export { createParts, type EngineOptions, openStore } from './engine.ts'

/** A running server. */
interface Running {
  readonly url: string
  /** Where its metrics are, if they have their own port. */
  readonly metricsUrl: string | undefined
  /** Stops being ready, drains, ends live connections, finishes requests, and closes the store and the log. */
  stop(): Promise<void>
}

/** Milliseconds between the server's own probes, so that the log reports a lost store. */
const probeInterval = 10_000

/** What serves one history of the store. */
interface ServedStore {
  readonly app: Hono
  readonly front: Front
  close(): Promise<void>
}

/** Serves the whole interface on the configured store, with what plug-ins add, alone or together with peers. */
export async function startServer(config: Config, plugins: Added = nothingAdded, peers?: Peers): Promise<Running> {
  const mail = config.mail && watchMail(await openMail(config.mail), Date.now)
  const telemetry = await createTelemetry(config, packageVersion(), peers)
  const { log } = telemetry
  const limits = limitsFor(config, telemetry, peers)
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
      ...{ ...telemetry.outages, scrubs: peers === undefined || peers.number === 1 },
    })
  const store = await orElse(open, telemetry.close)
  if (await isImportUnfinished(store.leases).catch(() => false)) log.warn({}, unfinishedImport)
  const answer = (request: globalThis.Request, env: object) => serving?.current()?.app.fetch(request, env) ?? notReady()
  const front: Front = (request, response, otherwise) =>
    (serving?.current()?.front ?? handOn)(request, response, otherwise)
  const server = await orElse(
    () => listenOn(answer, config, { accept: limits.connect, front }),
    () => store.close().finally(telemetry.close),
  )
  const { port, metricsPort } = server
  const url = urlAt(config.host, port)
  const [stopping, drained] = [new AbortController(), new AbortController()]
  const signals = { stopping: stopping.signal, drained: drained.signal }
  const around = { ownUrl: url, signals, telemetry, limits, plugins, mail }
  const serve = (opened: Storage) => serveStore(opened, config, around)
  const stopAll = () => server.close().then(telemetry.close)
  serving = renewable(
    await orElse(() => serve(store), stopAll),
    async () => serve(await open()),
    (error) => log.error(errorFields(error), 'the store is not open again yet'),
  )
  if (isReplaced) serving.renew()
  const looking = setInterval(() => void serving?.current()?.app.request('/readyz'), probeInterval)
  log.info({ ...programFields(), port, metricsPort, store: nameOfStore(config.store) }, 'started')
  warnOfSettings(config, port, log)
  return {
    url,
    metricsUrl: metricsPort === undefined ? undefined : `${urlAt(config.metricsAddress?.host, metricsPort)}/metrics`,
    stop: once(async () => {
      log.info({}, 'stopping')
      stopping.abort()
      clearInterval(looking)
      server.drain()
      await setTimeout(config.drainSeconds * 1_000)
      drained.abort()
      const inTime = await server.close()
      await serving?.close()
      log.info(inTime ? {} : { aborted: true }, 'stopped')
      await telemetry.close()
    }),
  }
}

/** What the log says of this process at its start. */
function programFields(): object {
  return { version: packageVersion(), pid: process.pid }
}

/** Listens for requests, and on a separate port for those of metrics, if there is one. */
async function listenOn(
  answer: Fetch,
  config: Config,
  guards: Guards,
): Promise<Listening & { readonly metricsPort: number | undefined }> {
  const server = await listen(answer, config, guards)
  const { metricsAddress: address } = config
  const ofMetrics: Fetch = (request, env) =>
    new URL(request.url).pathname === '/metrics'
      ? answer(request, { ...env, ...metricsPort })
      : new Response(null, { status: 404 })
  const metrics = await orElse(
    () => (address === undefined ? undefined : listen(ofMetrics, address)),
    async () => {
      await server.close()
    },
  )
  return {
    ...server,
    metricsPort: metrics?.port,
    close: async () => {
      const [inTime] = await Promise.all([server.close(), metrics?.close()])
      return inTime
    },
  }
}

/** The limits of the server, which report refusals as metrics and warn once of a proxy that is not trusted. */
function limitsFor(
  { limits: settings, trustedProxies: proxies }: Config,
  { log, metrics }: Telemetry,
  peers: Peers | undefined,
): Limits {
  let isWarned = false
  return createLimits({
    ...{ settings, proxies, peers, now: () => performance.now() },
    onRefused: (limit) => metrics?.refused(limit),
    onUntrusted: () => {
      metrics?.ignoredForwarding()
      if (!isWarned) log.warn({}, forwardedWarning)
      isWarned = true
    },
  })
}

const forwardedWarning =
  'a request has a forwarded address, which is ignored: if a proxy sent it, set OTEP_TRUSTED_PROXIES to the address of the proxy'

function warnOfSettings(config: Config, port: number, log: Telemetry['log']): void {
  if (isInClearText(config)) log.warn({ host: config.host ?? '*' }, clearTextWarning)
  if (config.baseUrl === undefined) log.warn({ port }, noAddressWarning)
  if (isYoungTooLarge) log.warn({}, youngWarning)
}

const clearTextWarning =
  'other machines can reach this server without TLS: put a proxy before it and set OTEP_BASE_URL to its https address, or HOST=127.0.0.1'

const noAddressWarning =
  'links in documents have the address of this process, and CloudEvents of webhooks have no dataschema and a relative source: set OTEP_BASE_URL to the public address. Without it and without HOST, this machine alone can connect'

const youngWarning =
  'the heap is too small for its young generation, and collecting garbage may take all of the CPU: give Node --max-semi-space-size=8, too, or a larger --max-old-space-size'

/** Whether other machines can connect, and no setting says that a proxy adds TLS. */
function isInClearText({
  host,
  hsts,
  baseUrl,
  trustedProxies,
}: Pick<Config, 'host' | 'hsts' | 'baseUrl' | 'trustedProxies'>): boolean {
  const isLocal = host !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
  return !isLocal && !hsts && trustedProxies.length === 0 && !baseUrl?.startsWith('https:')
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
  /** The address at which it listens. */
  readonly ownUrl: string
  /** Aborted when the server is about to stop, and when it takes no more requests. */
  readonly signals: { readonly stopping: AbortSignal; readonly drained: AbortSignal }
  readonly telemetry: Telemetry
  readonly limits: Limits
  readonly plugins: Added
  readonly mail: WatchedMail | undefined
}

/** Serves an open store until it is closed. */
async function serveStore(
  opened: Storage,
  config: Config,
  { ownUrl, signals, telemetry, limits, mail, plugins: { stores: _, ...added } }: Surroundings,
): Promise<ServedStore> {
  const { store, areRefused } = watchWrites(opened)
  const modelsFile = modelsFileOf(config.dataDir, config.store)
  const onOtherHistory = () => telemetry.log.warn({ file: modelsFile?.file }, otherHistory)
  const file = deliveriesFileOf(config.dataDir, config.store)
  const webhooks = { allow: config.webhookAllow, ...(file === undefined ? {} : { file }) }
  const parts = createParts({
    ...{ store, baseUrl: config.baseUrl, ownUrl, secret: config.secret, publicView: config.publicView },
    ...{ carrierAllow: config.carrierAllow, signOn: { allow: config.signOnAllow }, sessionDays: config.sessionDays },
    ...(config.fontsDir !== undefined && { fonts: { folders: [config.fontsDir, ...systemFontFolders()] } }),
    ...{ strictReading: config.epcisStrict, publicSources: config.publicSources },
    ...{
      modelsFile: modelsFile && {
        ...modelsFile,
        onOtherHistory,
        onCaughtUp: logStart(telemetry.log, readModels.length),
      },
      webhooks,
      ...added,
      limits,
    },
    server: serverSetting(config, [modelsFile?.file, file]),
    ...{ blobs: config.blobs, mail: mail?.mail, sms: config.sms && openSms(config.sms) },
    onUnsent: (error) => telemetry.log.warn(errorFields(error), 'a message to a person was not sent'),
    audit: config.securityLog ? createSecurityLog(telemetry.log) : undefined,
  })
  const { signal, closing, stop } = await startWithMqtt(config, { ...parts, limits }, store, telemetry, [
    signals.stopping,
  ])
  const reads = createRequestCache(parts.keeping && createKeptAnswers(parts.keeping, parts))
  return {
    app: interfaceOn(parts, store, {
      ...{ frameAncestors: config.frameAncestors, outsideIssuer: config.outsideIssuer },
      ...{ hsts: config.hsts, corsOrigins: config.corsOrigins, publicBodyLimit: config.publicBodyLimit },
      ...{ stopping: signal, closing: AbortSignal.any([signals.drained, closing]) },
      ...{ telemetry, limits, areWritesRefused: areRefused, mailFailure: mail?.failure },
      ...{ areMetricsApart: config.metricsAddress !== undefined, metricsToken: config.metricsToken, reads },
    }),
    front: frontOf(config, { ...parts, growth: opened.growth }, reads, telemetry, limits),
    close: stop,
  }
}

/** Answers repeated public reads. Pages of listed origins get their own headers, and spans begin before a request. */
function frontOf(
  { corsOrigins, hsts }: Config,
  { growth, ...parts }: EngineParts & Pick<FrontOptions, 'growth'>,
  reads: RequestCache,
  { observeAnswers: observe }: Telemetry,
  limits: Limits,
): Front {
  if (corsOrigins.length > 0 || observe === undefined) return handOn
  const headers = hsts ? strictTransportHeaders : {}
  return createFront({ reads, parts, growth, limits, observe, headers })
}

const otherHistory = 'the read models of this data directory belong to another history and are built anew'

function urlAt(host: string | undefined, port: number): string {
  return `http://${host === undefined ? 'localhost' : urlHost(host)}:${port}`
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
