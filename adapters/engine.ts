import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  createMemoryStore,
  createPorts,
  directory,
  domains,
  type Operation,
  type Storage,
  sealedStore,
} from '../engine/index.ts'
import { profiles } from '../profiles/index.ts'
import { createCredentials } from './auth/credentials.ts'
import type { PasswordCost } from './auth/passwords.ts'
import { formats } from './formats.ts'
import { defaultBaseUrl, homeOf, nameOfStore, type StoreAddress } from './node/config.ts'
import type { Parts } from './node/door.ts'
import type { NodeModels } from './node/models.ts'
import type { Secret } from './node/secret.ts'
import { packageVersion } from './node/version.ts'
import { createDeliveryBook } from './sqlite/deliveries/index.ts'
import { createSqliteStore } from './sqlite/facts/index.ts'
import { createReadModels } from './sqlite/models/index.ts'
import { createBox } from './vault/box.ts'
import { createVault } from './vault/index.ts'
import { createWebhooks, type NodeWebhooks } from './webhooks/index.ts'

/** What an engine is made of: a store, and time and chance unless the real ones will do. */
export interface EngineOptions {
  readonly store: Storage
  readonly clock?: () => number
  readonly randomId?: () => string
  /** `Context.baseUrl`; the local server's where absent. */
  readonly baseUrl?: string
  /** What seals the keys of personal data; without it they are kept beside the facts as they are. */
  readonly secret?: Secret | undefined
  /** What it offers; the operations of all domains where absent. */
  readonly operations?: readonly Operation[]
  /** Where the read models lie; in memory where absent. */
  readonly modelsFile?: ModelsFile | undefined
  /** How webhooks are sent; to public addresses alone where absent, and what waits is then in memory. */
  readonly webhooks?: WebhookSettings | undefined
  /** What the hash of a password costs, where tests are to be quick. */
  readonly passwordCost?: PasswordCost | undefined
}

/** How webhooks are sent. */
export interface WebhookSettings {
  /** The dispatcher's own database; in memory where absent. */
  readonly file?: string
  /** Private networks (CIDR) that may be sent to. */
  readonly allow?: readonly string[]
}

/** A file of read models, and the name of the store that they follow from. */
export interface ModelsFile {
  readonly file: string
  readonly name: string
}

/** The parts of this node's engine; its read models can be followed, looked at and closed, and its webhooks sent. */
export interface EngineParts extends Parts {
  readonly models: NodeModels
  readonly webhooks: NodeWebhooks
}

/** The parts that every context has. */
export function createParts({
  store,
  clock = Date.now,
  randomId = randomUUID,
  baseUrl = defaultBaseUrl,
  modelsFile,
  secret,
  passwordCost,
  webhooks: { file, allow = [] } = {},
  operations = domains.flatMap((domain) => domain.operations),
}: EngineOptions): EngineParts {
  const sealed = sealedStore(store, {
    vault: createVault({ keys: store.keys, secret }),
    upcasts: Object.assign({}, ...domains.map((domain) => domain.upcasts)),
    erasures: domains.flatMap((domain) => domain.erasures ?? []),
  })
  const readModels = domains.flatMap((domain) => domain.readModels ?? [])
  const models = createReadModels({ store: sealed, models: readModels, ...modelsFile })
  const outside = {
    credentials: createCredentials({ secret, clock, passwordCost }),
    directory,
    ports: createPorts(operations),
  }
  const facts = { store: sealed, models, baseUrl, ports: outside.ports, profiles }
  const webhooks = createWebhooks({
    ...{ store: sealed, kept: store, facts, notices, sources, clock, randomId, allow, version: packageVersion() },
    book: createDeliveryBook({
      clock,
      box: secret && createBox(secret, 'webhooks'),
      ...(file === undefined ? {} : { file }),
    }),
    serves: (provider, business) => directory.serves(facts, provider, business),
    hiddenFrom: async (customer) => (await directory.person(facts, customer))?.hiddenPrices ?? [],
  })
  return { store: sealed, models, clock, randomId, baseUrl, profiles, formats, ...outside, webhooks }
}

/** All that the outside can be told. */
export const notices = domains.flatMap((domain) => domain.notices ?? [])

const sources = domains.flatMap((domain) => domain.noticeSources ?? [])

/** Where what waits to be sent lies, but for a store in memory. */
export function deliveriesFileOf(dataDir: string, address: StoreAddress): string | undefined {
  return address.kind === 'memory' ? undefined : join(homeOf(address, dataDir), 'webhooks.db')
}

/** Where the read models of a store lie, but for a store in memory. */
export function modelsFileOf(dataDir: string, address: StoreAddress): ModelsFile | undefined {
  if (address.kind === 'memory') return undefined
  const file = join(homeOf(address, dataDir), 'models.db')
  // As it is seen from there, so that it has one name by whatever path a process came to it.
  return { file, name: address.kind === 'sqlite' ? basename(address.file) : nameOfStore(address) }
}

/** Whether there is a store at an address; of a distant one that shows when it is used. */
export function hasStore(address: StoreAddress): boolean {
  return address.kind !== 'sqlite' || existsSync(address.file)
}

/**
 * The store at an address; a file is made where it does not exist. `replaced` is called when a restore has put another
 * history there: the store is then over, and is to be closed and opened again.
 */
export async function openStore(address: StoreAddress, replaced?: () => void): Promise<Storage> {
  const clock = Date.now
  switch (address.kind) {
    case 'sqlite':
      return createSqliteStore({ file: address.file, clock, replaced })
    case 'memory':
      return createMemoryStore(clock)
    case 'eventstore': {
      // Its client takes longer to load than most commands to run.
      const { createEventstoreStorage } = await import('./eventstore/index.ts')
      return createEventstoreStorage({ connectionString: address.connectionString, clock })
    }
    default:
      return address satisfies never
  }
}
