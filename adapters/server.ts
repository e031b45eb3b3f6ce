import { randomUUID } from 'node:crypto'
import { addProvider, call, en } from '../engine/index.ts'
import { interfaceOn } from './app.ts'
import { builtIn, createParts, type EngineParts, openStore } from './engine.ts'
import { dataDirFrom, defaultBaseUrl, secretFrom, storeFrom } from './node/config.ts'
import { errorFields, errorLog } from './node/log.ts'
import { orElse } from './node/or-else.ts'
import { deliveriesFileOf, modelsFileOf } from './node/store-files.ts'
import { watchWrites } from './node/writes.ts'
import { pluginFindings } from './plugins/findings.ts'
import type { Plugin } from './plugins/index.ts'
import { refuseWrongSecret } from './vault/index.ts'
import { startWork } from './work.ts'

/** Options of `createEngine`; only `store` is required. Environment variables are not read. */
export interface ServerOptions extends Plugin {
  /** The address of the store: `sqlite:FILE`, `memory:`, `esdb://HOST:PORT`, or one that a store of `stores` opens. */
  readonly store: string
  /** The directory of this node's own files; `./data` if absent. Those of a SQLite store lie beside its file. */
  readonly dataDir?: string
  /**
   * Encrypts the keys of personal data: 32 bytes in base64 or hexadecimal. If absent, the file `secret.key`, which is
   * created on first use; a store in memory needs none.
   */
  readonly secretKey?: string
  /** The public address of the server, used for links in documents; `http://localhost:3000` if absent. */
  readonly baseUrl?: string
  /** How much of a timeline the public sees; `reduced` if absent. Requests, and so guesses of postal codes, are not limited. */
  readonly publicView?: 'full' | 'reduced'
  /** Whether responses tell browsers to use https only. */
  readonly hsts?: boolean
  /** Origins whose pages may call every operation with a token; none if absent. */
  readonly corsOrigins?: readonly string[]
  /** Private networks (CIDR) that webhooks may reach; none if absent. */
  readonly webhookAllow?: readonly string[]
  /** Private networks (CIDR) in which the servers of carriers may be; none if absent. */
  readonly carrierAllow?: readonly string[]
  /** Private networks (CIDR) in which the identity providers of businesses may be; none if absent. */
  readonly signOnAllow?: readonly string[]
}

/** An engine within another program. */
export interface Engine {
  /** Answers a request as `otep serve` does: REST, GraphQL, MCP and the pages. */
  fetch(request: Request): Promise<Response>
  /** Adds a provider for one business (its id) or for all, and returns its key, which is shown only once. */
  addProvider(name: string, reach: { readonly business: number } | 'all businesses'): Promise<string>
  /** Ends live responses and the work of the engine, and closes the store. */
  close(): Promise<void>
}

/**
 * Creates an engine on a store, with formats, profiles, stores and carriers in addition to the built-in ones. Rejects if the store
 * cannot be opened, if the secret does not fit it, or if something that is added is faulty.
 */
export async function createEngine(options: ServerOptions): Promise<Engine> {
  const {
    profiles = [],
    projections = [],
    stores = [],
    carriers = [],
    paymentProviders = [],
    hsts = false,
    corsOrigins = [],
  } = options
  refuseFaulty({ profiles, projections, stores, carriers, paymentProviders })
  const settings = { OTEP_STORE: options.store, OTEP_DATA_DIR: options.dataDir, OTEP_SECRET_KEY: options.secretKey }
  const [address, dataDir, secret] = [storeFrom(settings), dataDirFrom(settings), secretFrom(settings)]
  const { store, areRefused } = watchWrites(await openStore(address, { away }, stores))
  await orElse(() => refuseWrongSecret(store.keys, secret), store.close)
  const file = deliveriesFileOf(dataDir, address)
  const parts = createParts({
    ...{ store, secret, profiles, projections, carriers, paymentProviders, modelsFile: modelsFileOf(dataDir, address) },
    baseUrl: options.baseUrl ?? defaultBaseUrl,
    ...(options.carrierAllow && { carrierAllow: options.carrierAllow }),
    ...(options.signOnAllow && { signOn: { allow: options.signOnAllow } }),
    ...(options.publicView && { publicView: options.publicView }),
    webhooks: { allow: options.webhookAllow ?? [], ...(file === undefined ? {} : { file }) },
  })
  const { signal, stop } = await startWork(parts, store, { log: errorLog, watch: () => () => {} })
  const app = interfaceOn(parts, store, { hsts, corsOrigins, stopping: signal, areWritesRefused: areRefused })
  return {
    fetch: async (request) => app.fetch(request),
    addProvider: (name, reach) =>
      providerKey(parts, {
        name,
        ...(reach === 'all businesses' ? { all_businesses: true } : { business_id: reach.business }),
      }),
    close: stop,
  }
}

function away(error: unknown): void {
  errorLog.error(errorFields(error), 'store lost')
}

function refuseFaulty(plugin: Required<Plugin>): void {
  const findings = pluginFindings(plugin, builtIn)
  const reasons = findings.map(({ path, message }) => `${path}: ${message}`)
  if (reasons.length > 0) throw new TypeError(`The engine cannot be created: ${reasons.join('; ')}`)
}

async function providerKey(parts: EngineParts, provider: object): Promise<string> {
  const caller = { kind: 'operator', name: 'server', scopes: ['providers:write'] } as const
  const context = { ...parts, caller, messages: en, requestId: randomUUID() }
  const { key } = await call(addProvider, context, provider)
  return String(key)
}
