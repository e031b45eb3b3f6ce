import { isIP } from 'node:net'

/** A token bucket: it holds `burst` tokens when it is full, and gets `count` tokens in `seconds`. */
export interface Rate {
  readonly count: number
  readonly seconds: number
  readonly burst: number
}

/** THE TABLE of limits on how often something may be requested, with their defaults. */
export const rates = {
  public_reads: { count: 50, seconds: 1, burst: 200, by: 'source', of: 'reads without credentials' },
  misses: { count: 60, seconds: 60, burst: 60, by: 'source and networks', of: 'public lookups that find nothing' },
  all_misses: { count: 50, seconds: 1, burst: 3_000, by: 'server', of: 'the same, without credentials' },
  guesses: { count: 5, seconds: 3_600, burst: 5, by: 'number and source', of: 'wrong postal codes' },
  batch: { count: 2, seconds: 1, burst: 10, by: 'source', of: 'batches of public reads' },
  validate: { count: 5, seconds: 1, burst: 20, by: 'source', of: 'validations' },
  public_calls: { count: 10, seconds: 1, burst: 50, by: 'source', of: 'other calls without valid credentials' },
  sign_in: { count: 10, seconds: 60, burst: 10, by: 'account and source', of: 'attempts to sign in' },
  failed_sign_ins: {
    count: 10,
    seconds: 60,
    burst: 60,
    by: 'source and networks',
    of: 'attempts to sign in that fail',
  },
  messages_from: { count: 20, seconds: 3_600, burst: 20, by: 'source', of: 'requests for a link or code by e-mail' },
  messages_again: { count: 1, seconds: 60, burst: 1, by: 'recipient and source', of: 'the same requests again' },
  messages_to: { count: 5, seconds: 3_600, burst: 5, by: 'recipient', of: 'links and codes that are sent' },
  news_of: { count: 20, seconds: 3_600, burst: 20, by: 'timeline', of: 'requests for news of a timeline by e-mail' },
  registrations: {
    count: 20,
    seconds: 3_600,
    burst: 20,
    by: 'source',
    of: 'registrations of programs, and look-ups of their metadata',
  },
  ingest: { count: 10_000, seconds: 1, burst: 20_000, by: 'key', of: 'calls that push events' },
  calls: { count: 200, seconds: 1, burst: 1_000, by: 'key or account', of: 'other calls with credentials' },
  mcp: { count: 20, seconds: 1, burst: 100, by: 'key, account or source', of: 'messages of agents' },
  graphql: { count: 20, seconds: 1, burst: 100, by: 'key or account', of: 'GraphQL requests' },
} as const satisfies Readonly<Record<string, Rate & { readonly by: string; readonly of: string }>>

/**
 * THE TABLE of the networks around a source: what counts by source and networks also counts in those, which have so
 * many times the rate and the burst of a source. An office, or what a carrier puts behind one network, has room in them.
 */
export const networks = [
  { version: 6, bits: 56, times: 4 },
  { version: 6, bits: 48, times: 16 },
  { version: 4, bits: 24, times: 16 },
] as const

/** THE TABLE of limits on how many things one source may have open at a time, with their defaults. */
export const counts = {
  streams: { count: 100, by: 'source', of: 'open live streams' },
  connections: { count: 1_000, by: 'source', of: 'open connections' },
} as const satisfies Readonly<Record<string, { readonly count: number; readonly by: string; readonly of: string }>>

/** The name of a limit on how often something may be requested. */
export type RateName = keyof typeof rates

/** The name of a limit on how many things may be open at a time. */
export type CountName = keyof typeof counts

/** The limits in force; one that is undefined is off. */
export interface LimitSettings {
  readonly rates: Readonly<Record<RateName, Rate | undefined>>
  readonly counts: Readonly<Record<CountName, number | undefined>>
}

/** Limits the requests of each key, account and source. Limits hold for one server, with all of its workers. */
export interface Limits {
  /**
   * The source of a request: the address of its peer, or the one that a trusted proxy forwards; an IPv6 address counts
   * as its /64 network.
   */
  sourceOf(peer: string | undefined, forwardedBy: ForwardedHeaders): string
  /** Takes a token from the bucket of a key. Throws `too_many_requests` if it has none. */
  take(name: RateName, key: string): void
  /** Takes a token if the bucket of a key has one; returns whether it had. */
  tryTake(name: RateName, key: string): boolean
  /** Whether the bucket of a key has a token. */
  hasToken(name: RateName, key: string): boolean
  /** Throws `too_many_requests` if the bucket of a key has no token. */
  requireToken(name: RateName, key: string): void
  /** Takes tokens that the bucket may not have yet: it then stays empty for longer. */
  charge(name: RateName, key: string, tokens: number): void
  /** Takes a place until the returned function is called. Throws `too_many_requests` if the key has taken all. */
  occupy(name: CountName, key: string): () => void
  /** Accepts a connection until the returned function is called; undefined if its peer has too many. */
  connect(peer: string | undefined): (() => void) | undefined
}

/** Returns a request header by its name. */
export type ForwardedHeaders = (name: string) => string | undefined

/** The source of requests that arrive without a socket. */
export const localSource = 'local'

const nothing = () => {}

/** Limits nothing, for use without a socket. */
export const noLimits: Limits = {
  sourceOf: () => localSource,
  take: nothing,
  tryTake: () => true,
  hasToken: () => true,
  requireToken: nothing,
  charge: nothing,
  occupy: () => nothing,
  connect: () => nothing,
}

/** The limits of an environment: `OTEP_LIMITS` is `off`, or `public_reads=100/s:400,misses=off,streams=50`. */
export function limitsFrom({ OTEP_LIMITS: text = '' }: Readonly<Record<string, string | undefined>>): LimitSettings {
  const given = text.split(',').flatMap((part) => part.trim() || [])
  const isOff = given.length === 1 && given[0] === 'off'
  const settings = isOff ? allOff() : defaultLimits()
  if (!isOff) for (const part of given) apply(settings, part)
  return settings
}

type Changeable = {
  readonly rates: Record<RateName, Rate | undefined>
  readonly counts: Record<CountName, number | undefined>
}

/** The limits that are in force if the operator says nothing. */
export function defaultLimits(): Changeable {
  return { rates: { ...rates }, counts: { streams: counts.streams.count, connections: counts.connections.count } }
}

function allOff(): Changeable {
  const settings = defaultLimits()
  for (const name of rateNames) settings.rates[name] = undefined
  for (const name of countNames) settings.counts[name] = undefined
  return settings
}

const rateNames = Object.keys(rates) as readonly RateName[]
const countNames = Object.keys(counts) as readonly CountName[]

function apply(settings: Changeable, part: string): void {
  const [name = '', value = ''] = part.split('=').map((text) => text.trim())
  const rate = rateNames.find((known) => known === name)
  const count = countNames.find((known) => known === name)
  if (rate !== undefined) settings.rates[rate] = rateIn(name, value)
  else if (count !== undefined) settings.counts[count] = countIn(name, value)
  else throw new Error(`OTEP_LIMITS has no limit ${name}; there are ${[...rateNames, ...countNames].join(', ')}`)
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 }

function rateIn(name: string, text: string): Rate | undefined {
  if (text === 'off') return undefined
  const [, count, unit = '', burst = count] = /^([1-9]\d{0,6})\/([smh])(?::([1-9]\d{0,6}))?$/.exec(text) ?? []
  const seconds = units[unit]
  if (seconds === undefined)
    throw new Error(`OTEP_LIMITS: ${name} must be off or a rate such as 100/s, 60/m or 100/s:400, not ${text}`)
  return { count: Number(count), seconds, burst: Number(burst) }
}

function countIn(name: string, text: string): number | undefined {
  if (text === 'off') return undefined
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`OTEP_LIMITS: ${name} must be off or a number, not ${text}`)
  return Number(text)
}

/** `OTEP_TRUSTED_PROXIES`: addresses and networks such as `10.0.0.0/8, ::1`. */
export function proxiesFrom({
  OTEP_TRUSTED_PROXIES: text = '',
}: Readonly<Record<string, string | undefined>>): readonly string[] {
  const networks = text.split(',').flatMap((part) => part.trim() || [])
  const wrong = networks.find((network) => !isNetwork(network) && isIP(network) === 0)
  if (wrong === undefined) return networks
  throw new Error(`OTEP_TRUSTED_PROXIES must list addresses or networks such as 10.0.0.0/8, not ${wrong}`)
}

/** Whether a text is a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...more] = text.split('/')
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  return more.length === 0 && bits !== undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}
