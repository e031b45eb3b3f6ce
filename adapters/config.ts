import { join } from 'node:path'

/** What the environment may set. */
export interface Config {
  /** `PORT`; 0 lets the system choose. */
  readonly port: number
  /** `HOST`; all interfaces where absent. */
  readonly host: string | undefined
  /** `OTEP_DATA_DIR`: what this node keeps for itself, and the store where it is embedded. */
  readonly dataDir: string
  /** `OTEP_STORE`: where the facts are. */
  readonly store: StoreAddress
  /** `OTEP_HSTS`: whether answers tell browsers to come back by https only; for servers behind TLS. */
  readonly hsts: boolean
  /** `OTEP_BASE_URL`: under which callers reach the server; links in documents lie under it. Where it listens, if absent. */
  readonly baseUrl: string | undefined
}

/** Where the server is reached if nobody says otherwise. */
export const defaultBaseUrl = 'http://localhost:3000'

/** Where facts are kept: in a file of this machine, in the memory of this process, or in an EventStoreDB or KurrentDB. */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'eventstore'; readonly connectionString: string }

/** Reads the configuration; a value that cannot be is refused with its name. */
export function configFrom(env: Readonly<Record<string, string | undefined>>): Config {
  const port = env.PORT ?? '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`PORT must be a number from 0 to 65535, not ${port}`)
  return {
    port: Number(port),
    host: env.HOST || undefined,
    dataDir: dataDirFrom(env),
    store: storeFrom(env),
    hsts: switchFrom(env, 'OTEP_HSTS'),
    baseUrl: baseUrlFrom(env),
  }
}

/** `OTEP_BASE_URL` without a slash at its end, where it is set. */
export function baseUrlFrom(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const text = env.OTEP_BASE_URL
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new Error(`OTEP_BASE_URL must be an http or https URL, not ${text}`)
  return url.href.replace(/\/+$/, '')
}

/** Where the store lies: `OTEP_DATA_DIR`, or `./data`. */
export function dataDirFrom(env: Readonly<Record<string, string | undefined>>): string {
  return env.OTEP_DATA_DIR || './data'
}

/** `OTEP_STORE`: `sqlite:FILE`, `memory:`, or a connection string `esdb://...`; the file `otep.db` in the data directory. */
export function storeFrom(env: Readonly<Record<string, string | undefined>>): StoreAddress {
  const address = env.OTEP_STORE || `sqlite:${join(dataDirFrom(env), 'otep.db')}`
  if (address === 'memory:') return { kind: 'memory' }
  const [, file] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(address) ?? []
  if (file !== undefined) return { kind: 'sqlite', file }
  const [, rest] = /^(?:esdb|kurrentdb|kurrent|kdb)((?:\+discover)?:\/\/.+)$/.exec(address) ?? []
  if (rest !== undefined) return { kind: 'eventstore', connectionString: `esdb${rest}` }
  throw new Error('OTEP_STORE must be sqlite:FILE, memory: or esdb://HOST:PORT.')
}

/** A store as people may read it: without the credentials of a connection string. */
export function nameOfStore(address: StoreAddress): string {
  if (address.kind === 'memory') return 'memory:'
  if (address.kind === 'sqlite') return address.file
  return address.connectionString.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '')
}

function switchFrom(env: Readonly<Record<string, string | undefined>>, name: string): boolean {
  const value = (env[name] ?? '').toLowerCase()
  if (['1', 'true', 'yes', 'on'].includes(value)) return true
  if (['', '0', 'false', 'no', 'off'].includes(value)) return false
  throw new Error(`${name} must be on or off, not ${env[name]}`)
}
