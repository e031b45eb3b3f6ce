import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { type PublicView, publicViews, type SessionDays } from '../../engine/index.ts'
import { hostFrom, portFrom } from './address.ts'
import { type BlobAddress, blobsFrom } from './blobs.ts'
import { drainFrom } from './drain.ts'
import { fontsDirFrom } from './fonts-dir.ts'
import { metricsTokenFrom } from './inside.ts'
import { issuerFrom, type OutsideIssuer } from './issuer.ts'
import { isNetwork, type LimitSettings, limitsFrom, proxiesFrom } from './limits.ts'
import { type MailAddress, mailFrom } from './mail.ts'
import { type MqttSetting, mqttFrom } from './mqtt.ts'
import { operatorsFrom } from './operators.ts'
import { originsFrom } from './origins.ts'
import { patienceFrom } from './patience.ts'
import { type Secret, secretIn, secretOf } from './secret.ts'
import { sessionDaysFrom } from './session-days.ts'
import { type SmsAddress, smsFrom } from './sms.ts'
import { journeysUrlFrom, tracesUrlFrom, urlFrom } from './urls.ts'

/** The configuration from the environment. */
export interface Config {
  /** `PORT`; 0 lets the system choose. */
  readonly port: number
  /** `HOST`; all interfaces where undefined. Without it and without `OTEP_BASE_URL`, it is this machine alone. */
  readonly host: string | undefined
  /** `OTEP_DATA_DIR`: the directory of this node's own files, and of an embedded store. */
  readonly dataDir: string
  /** `OTEP_STORE`: the address of the store. */
  readonly store: StoreAddress
  /**
   * `OTEP_SECRET_KEY`: encrypts the keys of personal data; the same for all nodes of a store. A file of this node if
   * not set.
   */
  readonly secret: Secret | undefined
  /** `OTEP_BLOBS`: where uploaded files lie; the directory `blobs` beside the store if not set. */
  readonly blobs: BlobAddress
  /** `OTEP_MAIL_URL` and `OTEP_MAIL_FROM`: where e-mail goes; none is sent if not set. */
  readonly mail: MailAddress | undefined
  /** `OTEP_SMS_URL` and `OTEP_SMS_FROM`: where text messages go; none are sent if not set. */
  readonly sms: SmsAddress | undefined
  /** `OTEP_SESSION_DAYS`: how long people stay signed in at most; 30 days, and 90 in apps, if not set. */
  readonly sessionDays: SessionDays
  /** `OTEP_SERVER_OPERATORS`: ids of accounts that see what concerns the whole server; none if not set. */
  readonly operators: readonly number[]
  /** `OTEP_OAUTH_ISSUER` and `OTEP_OAUTH_EMAIL_DOMAINS`: who gives out the tokens of agents; this server if not set. */
  readonly outsideIssuer: OutsideIssuer | undefined
  /** `OTEP_WORKERS`: how many processes share the port; `auto` is one for each core. */
  readonly workers: number
  /** `OTEP_HSTS`: whether responses tell browsers to use https only; for servers behind TLS. */
  readonly hsts: boolean
  /** `OTEP_CORS_ORIGINS`: origins whose pages may call every operation with a token; none if not set. */
  readonly corsOrigins: readonly string[]
  /** `OTEP_FRAME_ANCESTORS`: origins whose pages may show the tracking page in a frame; none if not set. */
  readonly frameAncestors: readonly string[]
  /** `OTEP_PUBLIC_VIEW`: how much the public sees of a timeline; reduced if not set. */
  readonly publicView: PublicView
  /** `OTEP_PUBLIC_BODY`: the largest body in bytes that a caller without credentials may send; 1 MiB if not set. */
  readonly publicBodyLimit: number
  /** `OTEP_LIMITS`: how much each key, account and source may request. */
  readonly limits: LimitSettings
  /** `OTEP_EPCIS_PUBLIC`: whether everybody may read EPCIS events whole as they came (`source`). */
  readonly publicSources: boolean
  /** `OTEP_TRUSTED_PROXIES`: proxies whose `X-Forwarded-For` is believed; none if not set. */
  readonly trustedProxies: readonly string[]
  /** `OTEP_WEBHOOK_ALLOW`: private networks (CIDR) that webhooks may reach, also over http; none if not set. */
  readonly webhookAllow: readonly string[]
  /** `OTEP_CARRIER_ALLOW`: private networks (CIDR) in which the servers of carriers may be; none if not set. */
  readonly carrierAllow: readonly string[]
  /** `OTEP_SIGN_ON_ALLOW`: private networks (CIDR) in which the identity providers of businesses may be; none if not set. */
  readonly signOnAllow: readonly string[]
  /** `OTEP_FONTS_DIR`: a folder of fonts for labels, which are taken before those of the system; none if not set. */
  readonly fontsDir: string | undefined
  /** `OTEP_BASE_URL`: the public address of the server, used for links in documents; its own address if not set. */
  readonly baseUrl: string | undefined
  /** `OTEP_EPCIS_STRICT`: whether EPCIS documents are refused also for what GS1's schemas accept. */
  readonly epcisStrict: boolean
  /** `OTEP_DRAIN_SECONDS`: how long a stopping server still takes requests while `/readyz` answers 503; 0 if not set. */
  readonly drainSeconds: number
  /** `OTEP_LOG_LEVEL`: the lowest level that is logged. */
  readonly logLevel: LogLevel
  /** `OTEP_SECURITY_LOG`: whether the log has lines of the security log, which tell where requests came from. */
  readonly securityLog: boolean
  /** `OTEP_METRICS`: whether `/metrics` is served and requests are counted. */
  readonly metrics: boolean
  /**
   * `OTEP_METRICS_PORT` and `OTEP_METRICS_HOST` (this machine alone if not set): where `/metrics` is served, if not on the port
   * of the server.
   */
  readonly metricsAddress: { readonly port: number; readonly host: string } | undefined
  /** `OTEP_METRICS_TOKEN`: what others than this machine send to read `/metrics` and the details of `/readyz`; they cannot if not set. */
  readonly metricsToken: string | undefined
  /** Where spans are sent: `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or `v1/traces` under `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly tracesUrl: string | undefined
  /** `OTEP_MQTT_PORT` and `OTEP_MQTT_URL`: where MQTT is spoken; nowhere if neither is set. */
  readonly mqtt: MqttSetting | undefined
  /** `OTEP_OTLP_EXPORT`: where the spans of journeys are sent; nowhere if not set. */
  readonly journeysUrl: string | undefined
}

/** Log levels, from everything to nothing. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** One of the log levels. */
export type LogLevel = (typeof logLevels)[number]

/** The default address of the server. */
export const defaultBaseUrl = 'http://localhost:3000'

/**
 * Address of a store: a file, the memory of this process, an EventStoreDB or KurrentDB (for which calls wait so many
 * milliseconds at most), or a store of a plug-in.
 */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'eventstore'; readonly connectionString: string; readonly patience: number }
  | { readonly kind: 'plugin'; readonly scheme: string; readonly url: string }

/** Reads the configuration. Throws an error that names the variable if a value is invalid. */
export function configFrom(env: Readonly<Record<string, string | undefined>>): Config {
  const store = storeFrom(env)
  return {
    port: portFrom('PORT', env.PORT ?? '3000'),
    host: hostFrom(env),
    dataDir: dataDirFrom(env),
    store,
    secret: secretFrom(env),
    blobs: blobsFrom(env, store.kind === 'memory' ? undefined : homeOf(store, dataDirFrom(env))),
    ...{ mail: mailFrom(env), sms: smsFrom(env), sessionDays: sessionDaysFrom(env), operators: operatorsFrom(env) },
    outsideIssuer: issuerFrom(env),
    workers: workersFrom(env),
    hsts: switchFrom(env, 'OTEP_HSTS'),
    corsOrigins: originsFrom(env, 'OTEP_CORS_ORIGINS'),
    frameAncestors: originsFrom(env, 'OTEP_FRAME_ANCESTORS'),
    publicView: publicViewFrom(env),
    publicBodyLimit: publicBodyFrom(env),
    limits: limitsFrom(env),
    publicSources: publicSourcesFrom(env),
    trustedProxies: proxiesFrom(env),
    webhookAllow: networksFrom(env, 'OTEP_WEBHOOK_ALLOW'),
    ...{ carrierAllow: networksFrom(env, 'OTEP_CARRIER_ALLOW'), signOnAllow: networksFrom(env, 'OTEP_SIGN_ON_ALLOW') },
    ...{ baseUrl: baseUrlFrom(env), fontsDir: fontsDirFrom(env), epcisStrict: epcisStrictFrom(env) },
    ...{ drainSeconds: drainFrom(env), logLevel: logLevelFrom(env) },
    ...{ securityLog: switchFrom(env, 'OTEP_SECURITY_LOG', true), metrics: switchFrom(env, 'OTEP_METRICS', true) },
    ...{ metricsAddress: metricsAddressFrom(env), metricsToken: metricsTokenFrom(env) },
    ...{ tracesUrl: tracesUrlFrom(env), journeysUrl: journeysUrlFrom(env), mqtt: mqttFrom(env) },
  }
}

function metricsAddressFrom(env: Readonly<Record<string, string | undefined>>): Config['metricsAddress'] {
  const { OTEP_METRICS_PORT: port, OTEP_METRICS_HOST: host } = env
  if (!port && !host) return undefined
  if (!port) throw new Error('OTEP_METRICS_HOST needs OTEP_METRICS_PORT.')
  if (!switchFrom(env, 'OTEP_METRICS', true)) throw new Error('OTEP_METRICS_PORT is set, but OTEP_METRICS is off.')
  return { port: portFrom('OTEP_METRICS_PORT', port), host: host || '127.0.0.1' }
}

/** `OTEP_EPCIS_STRICT`: on or off. */
export function epcisStrictFrom(env: Readonly<Record<string, string | undefined>>): boolean {
  return switchFrom(env, 'OTEP_EPCIS_STRICT')
}

/** `OTEP_BASE_URL` without a trailing slash, if set. */
export function baseUrlFrom(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const url = urlFrom(env, 'OTEP_BASE_URL')
  if (url?.username || url?.password || url?.search || url?.hash)
    throw new Error('OTEP_BASE_URL must have no user, no password, no query and no fragment.')
  return url?.href.replace(/\/+$/, '')
}

/** The largest body in bytes that a caller without credentials may send, if the operator does not say. */
export const defaultPublicBodyLimit = 1024 * 1024

/** `OTEP_PUBLIC_BODY`: `512KiB`, `4MiB`. */
function publicBodyFrom({ OTEP_PUBLIC_BODY: text }: Readonly<Record<string, string | undefined>>): number {
  if (!text) return defaultPublicBodyLimit
  const [, count, unit] = /^([1-9]\d{0,3})(KiB|MiB)$/.exec(text) ?? []
  if (count === undefined) throw new Error(`OTEP_PUBLIC_BODY must be a size such as 512KiB or 4MiB, not ${text}`)
  return Number(count) * (unit === 'KiB' ? 1024 : 1024 * 1024)
}

function publicViewFrom({ OTEP_PUBLIC_VIEW: text }: Readonly<Record<string, string | undefined>>): PublicView {
  const view = publicViews.find((one) => one === (text || 'reduced'))
  if (view !== undefined) return view
  throw new Error(`OTEP_PUBLIC_VIEW must be ${publicViews.join(' or ')}, not ${text}`)
}

function publicSourcesFrom({ OTEP_EPCIS_PUBLIC: view }: Readonly<Record<string, string | undefined>>): boolean {
  if (view !== undefined && view !== '' && view !== 'source')
    throw new Error(`OTEP_EPCIS_PUBLIC must be source or not set, not ${view}`)
  return view === 'source'
}

const mostWorkers = 64

function workersFrom(env: Readonly<Record<string, string | undefined>>): number {
  const text = env.OTEP_WORKERS || '1'
  const count = text === 'auto' ? availableParallelism() : Number(text)
  if (!/^(auto|\d{1,3})$/.test(text) || count < 1 || count > mostWorkers)
    throw new Error(`OTEP_WORKERS must be auto or a number from 1 to ${mostWorkers}, not ${text}`)
  if (count > 1 && text !== 'auto' && storeFrom(env).kind === 'memory')
    throw new Error('OTEP_WORKERS must be 1 with the store memory:, which is that of one process.')
  return storeFrom(env).kind === 'memory' ? 1 : count
}

function logLevelFrom(env: Readonly<Record<string, string | undefined>>): LogLevel {
  const level = (env.OTEP_LOG_LEVEL || 'info').toLowerCase()
  if (isLogLevel(level)) return level
  throw new Error(`OTEP_LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${env.OTEP_LOG_LEVEL}`)
}

function isLogLevel(text: string): text is LogLevel {
  return (logLevels as readonly string[]).includes(text)
}

/** The data directory: `OTEP_DATA_DIR`, or `./data`. */
export function dataDirFrom(env: Readonly<Record<string, string | undefined>>): string {
  return env.OTEP_DATA_DIR || './data'
}

/**
 * `OTEP_STORE`: `sqlite:FILE`, `memory:`, a connection string `esdb://...`, or the address of a store of a plug-in; by
 * default the file `otep.db` in the data directory. `OTEP_STORE_PATIENCE`: `10`.
 */
export function storeFrom(env: Readonly<Record<string, string | undefined>>): StoreAddress {
  const address = env.OTEP_STORE || `sqlite:${join(dataDirFrom(env), 'otep.db')}`
  if (address === 'memory:') return { kind: 'memory' }
  const [, file] = /^sqlite:(?:\/\/(?=\/)|(?!\/\/))(.+)$/.exec(address) ?? []
  if (file !== undefined) return { kind: 'sqlite', file }
  const [, rest] = /^(?:esdb|kurrentdb|kurrent|kdb)((?:\+discover)?:\/\/.+)$/.exec(address) ?? []
  if (rest === undefined) return pluginStoreFrom(address)
  if (!connection.test(rest)) throw new Error('OTEP_STORE: write @ and ? in a user or password as %40 and %3F.')
  return { kind: 'eventstore', connectionString: `esdb${rest}`, patience: patienceFrom(env) }
}

/** An address with a scheme that is not built in. Whether a plug-in has a store for it shows when the store is opened. */
function pluginStoreFrom(address: string): StoreAddress {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]+):/.exec(address) ?? []
  if (scheme !== '' && !builtInSchemes.includes(scheme.replace('+discover', '')))
    return { kind: 'plugin', scheme, url: address }
  throw new Error('OTEP_STORE must be sqlite:FILE, memory:, esdb://HOST:PORT, or an address that a plug-in can open.')
}

/** Schemes of the built-in stores. */
export const builtInSchemes: readonly string[] = ['sqlite', 'memory', 'esdb', 'kurrentdb', 'kurrent', 'kdb']

/** Without credentials there is no `@`. Credentials end before the query, which is `NAME=...`. */
const connection = /:\/\/(?:[^?@]+(?:\?[^@]*)?|[^?]+@[^?@]+(?:\?(?:[^@=]+=.*)?)?)$/

/** `OTEP_SECRET_KEY`, or the file `secret.key` in the data directory; a store in memory needs none. */
export function secretFrom(env: Readonly<Record<string, string | undefined>>): Secret | undefined {
  if (!env.OTEP_SECRET_KEY)
    return storeFrom(env).kind === 'memory'
      ? undefined
      : secretIn(join(homeOf(storeFrom(env), dataDirFrom(env)), 'secret.key'))
  const secret = secretOf(env.OTEP_SECRET_KEY)
  if (secret === undefined) throw new Error('OTEP_SECRET_KEY must be 32 bytes in base64 or hexadecimal.')
  return secret
}

/** The directory of the files that belong to a store: that of its file, or the data directory. */
export function homeOf(address: StoreAddress, dataDir: string): string {
  return address.kind === 'sqlite' ? dirname(address.file) : dataDir
}

/** The name of a store for people, without the credentials of a connection string. */
export function nameOfStore(address: StoreAddress): string {
  if (address.kind === 'memory') return 'memory:'
  if (address.kind === 'sqlite') return address.file
  const url = address.kind === 'plugin' ? address.url : address.connectionString
  return url.replace(/\?.*$/, '').replace(/\/\/.*@/, '//')
}

/** The networks of a setting, such as `127.0.0.0/8, fd00::/8`. */
export function networksFrom(env: Readonly<Record<string, string | undefined>>, name: string): readonly string[] {
  const networks = (env[name] ?? '').split(',').flatMap((text) => text.trim() || [])
  const wrong = networks.find((network) => !isNetwork(network))
  if (wrong === undefined) return networks
  throw new Error(`${name} must be networks such as 127.0.0.0/8, not ${wrong}`)
}

function switchFrom(env: Readonly<Record<string, string | undefined>>, name: string, otherwise = false): boolean {
  const value = (env[name] ?? '').toLowerCase()
  if (value === '') return otherwise
  if (['1', 'true', 'yes', 'on'].includes(value)) return true
  if (['0', 'false', 'no', 'off'].includes(value)) return false
  throw new Error(`${name} must be on or off, not ${env[name]}`)
}
