import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  type Audit,
  createMemoryStore,
  createPorts,
  directory,
  domains,
  type EventStore,
  lookUpsIn,
  type Operation,
  omitUndefined,
  ownFleetName,
  type Profile,
  type PublicView,
  readModels,
  type SessionDays,
  type Storage,
  sealedStore,
} from '../engine/index.ts'
import { profiles as builtInProfiles } from '../profiles/index.ts'
import { clearCaches } from '../projections/shared/template/index.ts'
import { createCredentials } from './auth/credentials.ts'
import type { PasswordCost } from './auth/passwords.ts'
import { createSingleSignOn, type NodeSignOn, type SignOnSettings } from './auth/sign-on/index.ts'
import { createFiles, openBlobs } from './blobs/index.ts'
import { builtInCarriers, createNodeCarriers, type NodeCarriers } from './carriers/index.ts'
import { dialects, formats } from './formats.ts'
import { withinHeap } from './http/memory.ts'
import { pause } from './http/pause.ts'
import { createLabelPrinter, type FontSources } from './labels/index.ts'
import { spokenProfile } from './locales/profiles.ts'
import { createMessenger, type NodeMessenger } from './mail/messenger.ts'
import type { AnswerVault, KeepingParts } from './node/answers.ts'
import type { BlobAddress } from './node/blobs.ts'
import { defaultBaseUrl, type StoreAddress } from './node/config.ts'
import type { Sealer } from './node/deliveries.ts'
import type { ContextParts } from './node/gateway.ts'
import { type Limits, noLimits } from './node/limits.ts'
import type { Mail } from './node/mail.ts'
import type { NodeModels } from './node/models.ts'
import type { OutageReports } from './node/outages.ts'
import type { Secret } from './node/secret.ts'
import { createServer, type NodeServer, type ServerSetting } from './node/server-state.ts'
import type { Sms } from './node/sms.ts'
import type { ModelsFile } from './node/store-files.ts'
import { packageVersion } from './node/version.ts'
import { builtInPaymentProviders, createNodePayments } from './payments/index.ts'
import type { BuiltIn } from './plugins/findings.ts'
import type { Plugin, StoreKind } from './plugins/index.ts'
import { createDeliveryRepository } from './sqlite/deliveries/index.ts'
import { createSqliteStore, type SqliteOptions } from './sqlite/facts/index.ts'
import { createReadModels } from './sqlite/models/index.ts'
import { createSnapshotRows, type NodeSnapshots } from './sqlite/models/snapshots.ts'
import { createVault } from './vault/index.ts'
import { createSealer } from './vault/sealer.ts'
import { createOutbound, createWebhooks, type NodeWebhooks } from './webhooks/index.ts'

/** Options of the engine: a store, and clock and random ids if the real ones will not do. */
export interface EngineOptions extends Omit<Plugin, 'stores'> {
  readonly store: Storage
  readonly clock?: () => number
  /** Milliseconds of a clock that never goes back, for waits; that of the process if absent. */
  readonly now?: () => number
  readonly randomId?: () => string
  /** The public address of the server, which never changes: `Context.baseUrl`, and where CloudEvents say they are from. */
  readonly baseUrl?: string | undefined
  /** `Context.baseUrl` without a public address; that of a local server if absent. */
  readonly ownUrl?: string
  /** How much the public sees of a timeline; `reduced` if absent. */
  readonly publicView?: PublicView
  /** `Context.strictReading`. */
  readonly strictReading?: boolean
  /** Encrypts the keys of personal data; without it the keys are stored in plain text beside the events. */
  readonly secret?: Secret | undefined
  /** Where the fonts of labels are. */
  readonly fonts?: FontSources
  /** Private networks (CIDR) in which the servers of carriers may be; none if absent. */
  readonly carrierAllow?: readonly string[]
  /** How the identity providers of businesses are asked; if absent, at public addresses only. */
  readonly signOn?: SignOnSettings
  /** Its operations; those of all domains if absent. */
  readonly operations?: readonly Operation[]
  /** The file of the read models; in memory if absent. */
  readonly modelsFile?: ModelsFile | undefined
  /** Whether everybody may read EPCIS events whole as they came. */
  readonly publicSources?: boolean
  /** How webhooks are sent; if absent, to public addresses only, with deliveries in memory. */
  readonly webhooks?: WebhookSettings | undefined
  /** Limits the requests of each key, account and source; nothing is limited if absent. */
  readonly limits?: Limits
  /** Where uploaded files lie; in memory if absent. */
  readonly blobs?: BlobAddress | undefined
  /** Sends e-mails; none are sent if absent. */
  readonly mail?: Mail | undefined
  /** Sends text messages; none are sent if absent. */
  readonly sms?: Sms | undefined
  /** Called when a message to a person could not be sent. */
  readonly onUnsent?: (error: unknown) => void
  /** The security log; none if absent. */
  readonly audit?: Audit | undefined
  /** Where the store is, and who runs the server; in memory and nobody if absent. */
  readonly server?: ServerSetting
  /** `Context.sessionDays`. */
  readonly sessionDays?: SessionDays
  /** Cost of password hashes, to speed up tests. */
  readonly passwordCost?: PasswordCost | undefined
}

/** How webhooks are sent. */
interface WebhookSettings {
  /** The database of the dispatcher; in memory if absent. */
  readonly file?: string
  /** Private networks (CIDR) that webhooks may reach. */
  readonly allow?: readonly string[]
}

/** The parts of this node's engine, with its read models and webhooks. */
export interface EngineParts extends ContextParts {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  readonly models: NodeModels
  readonly webhooks: NodeWebhooks
  readonly carriers: NodeCarriers
  readonly singleSignOn: NodeSignOn
  /** With what answers to the public are kept; absent if they are not. */
  readonly keeping?: KeepingParts
  /** Sends e-mails; absent if nothing does. */
  readonly mail?: Mail
  readonly messenger: NodeMessenger
  readonly server: NodeServer
}

/** Bytes of folded timelines, and of identifiers, that are kept in memory: together a tenth of a small heap. */
const bytesForStates = withinHeap(16 * 1024 * 1024, 20)

/** Creates the parts that every context has. */
export function createParts({
  store,
  clock = Date.now,
  now = () => performance.now(),
  randomId = randomUUID,
  baseUrl: publicUrl,
  ownUrl = defaultBaseUrl,
  publicView = 'reduced',
  strictReading = false,
  modelsFile,
  secret,
  passwordCost,
  audit,
  sessionDays,
  blobs = { kind: 'memory' },
  limits = noLimits,
  mail,
  sms,
  onUnsent = () => {},
  publicSources = false,
  webhooks: { file, allow = [] } = {},
  profiles: addedProfiles = [],
  projections = [],
  carriers = [],
  paymentProviders = [],
  carrierAllow = [],
  fonts,
  server,
  signOn = {},
  operations = domains.flatMap((domain) => domain.operations),
}: EngineOptions): EngineParts {
  const snapshots = modelsFile && snapshotsBeside(modelsFile, store)
  const vault = createVault({ keys: store.keys, secret, onForgotten: clearCaches })
  const room = { roomForStates: { bytes: bytesForStates } }
  const sealed = sealedStore(store, { vault, upcasts, erasures, pause, snapshots, ...room })
  const profiles = [...spokenProfiles, ...addedProfiles] as const
  const models = closingWith(modelsOf(store, sealed, modelsFile), snapshots)
  const credentials = createCredentials({ secret, clock, now, limits, leases: store.leases, passwordCost })
  const [ports, baseUrl, box] = [createPorts(operations), publicUrl ?? ownUrl, secret && deliverySealer(secret)]
  const written = [...formats, ...projections] as const
  const facts = { store: sealed, models, baseUrl, pause, profiles, formats: written, credentials, ports }
  const repository = createDeliveryRepository({ clock, box, ...(file === undefined ? {} : { file }) })
  const webhooks = createWebhooks({
    ...{ store: sealed, kept: store, facts, publicUrl, credentials, directory, clock, randomId, allow },
    ...{ version: packageVersion(), eventTypes: webhookEventTypes, sources: webhookEventSources, repository },
    ...{ sendsMail: mail !== undefined, journals: box && store.journals && { of: store.journals, box } },
    serves: (provider, business) => directory.serves(facts, provider, business),
    hiddenFrom: async (customer) => (await directory.person(facts, customer))?.hiddenPrices ?? [],
  })
  return {
    ...facts,
    ...{ directory, clock, now, randomId, publicSources, publicView, strictReading },
    ...{ files: createFiles(openBlobs(blobs), vault), server: createServer(store, clock, server) },
    ...{ dialects, messenger: createMessenger({ mail, sms, limits, failed: onUnsent }) },
    ...{ webhooks, carriers: createNodeCarriers(createOutbound(carrierAllow, clock), carriers, clock) },
    ...{ paymentProviders: createNodePayments(paymentProviders, clock), printer: createLabelPrinter(fonts) },
    singleSignOn: createSingleSignOn(createOutbound(signOn.allow ?? [], clock), { clock, now }, signOn),
    ...{ ...keepingOf(store, snapshots, vault), ...omitUndefined({ mail, audit, sessionDays }) },
  }
}

function snapshotsBeside({ file, name }: ModelsFile, { history = '' }: Storage): NodeSnapshots {
  return createSnapshotRows({ file, history: `${name} ${history}` })
}

/** Answers are kept where it is known without waiting whether they are current. */
function keepingOf(
  { growth }: Storage,
  snapshots: NodeSnapshots | undefined,
  vault: AnswerVault,
): Pick<EngineParts, 'keeping'> {
  return snapshots === undefined || growth === undefined ? {} : { keeping: { rows: snapshots.answers, vault, growth } }
}

function modelsOf({ identity }: Storage, sealed: EventStore, file: ModelsFile | undefined): NodeModels {
  const models = createReadModels({ store: sealed, models: readModels, ...(identity && { identity }), ...file })
  return { ...models, ...lookUpsIn(models) }
}

/** Both are in one file. */
function closingWith(models: NodeModels, snapshots: NodeSnapshots | undefined): NodeModels {
  return {
    ...models,
    close: async () => {
      snapshots?.close()
      await models.close()
    },
  }
}

const [first, ...others] = builtInProfiles

/** The built-in profiles, in every language. */
const spokenProfiles: readonly [Profile, ...Profile[]] = [spokenProfile(first), ...others.map(spokenProfile)]

/** The profiles, formats and carriers that the engine has without plug-ins. */
export const builtIn: BuiltIn = {
  profiles: spokenProfiles,
  projections: formats,
  carriers: [ownFleetName, ...builtInCarriers],
  paymentProviders: builtInPaymentProviders,
}

const upcasts = Object.assign({}, ...domains.map((domain) => domain.upcasts))
const erasures = domains.flatMap((domain) => domain.erasures ?? [])

/** All webhook event types. */
export const webhookEventTypes = domains.flatMap((domain) => domain.webhookEventTypes ?? [])
const webhookEventSources = domains.flatMap((domain) => domain.webhookEventSources ?? [])

/** What seals the contents of webhook deliveries. */
export function deliverySealer(secret: Secret): Sealer {
  return createSealer(secret, 'webhooks')
}

/** Whether there is a store at an address; for a remote one that shows on first use. */
export function hasStore(address: StoreAddress): boolean {
  return address.kind !== 'sqlite' || existsSync(address.file)
}

/** What a store reports, and whether its file is scrubbed. */
export type StoreReports = Pick<SqliteOptions, 'replaced' | 'lost' | 'damaged' | 'scrubs'> & OutageReports

/**
 * Opens the store at an address, creating its file if absent. `replaced` is called after a restore: the store must then
 * be closed and opened again. `stores` are those of plug-ins.
 */
export async function openStore(
  address: StoreAddress,
  reports: StoreReports = {},
  stores: readonly StoreKind[] = [],
): Promise<Storage> {
  const clock = Date.now
  switch (address.kind) {
    case 'sqlite':
      return createSqliteStore({ file: address.file, clock, ...reports })
    case 'memory':
      return createMemoryStore(clock)
    case 'eventstore': {
      // Loading its client takes longer than most commands run.
      const { openEventstoreStorage, timeoutsFor } = await import('./eventstore/index.ts')
      const { connectionString, patience } = address
      return openEventstoreStorage({ connectionString, clock, ...timeoutsFor(patience), ...reports })
    }
    case 'plugin':
      return storeKindOf(address.scheme, stores).open(address.url, { clock })
    default:
      return address satisfies never
  }
}

function storeKindOf(scheme: string, stores: readonly StoreKind[]): StoreKind {
  const kind = stores.find((one) => one.scheme === scheme)
  if (kind !== undefined) return kind
  const known = ['sqlite:FILE', 'memory:', 'esdb://HOST:PORT', ...stores.map((one) => `${one.scheme}:...`)]
  throw new Error(`OTEP_STORE must be ${known.join(', ')}; no plug-in has a store for ${scheme}:.`)
}
