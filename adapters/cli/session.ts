import { randomUUID } from 'node:crypto'
import { type Caller, type Context, createMemoryStore, languages, type Storage } from '../../engine/index.ts'
import {
  builtIn,
  createParts,
  deliveriesFileOf,
  type EngineOptions,
  type EngineParts,
  hasStore,
  modelsFileOf,
  openStore,
} from '../engine.ts'
import { languageOf } from '../http/language.ts'
import {
  baseUrlFrom,
  dataDirFrom,
  epcisStrictFrom,
  nameOfStore,
  networksFrom,
  secretFrom,
  storeFrom,
} from '../node/config.ts'
import type { Added } from '../plugins/findings.ts'
import { loadPlugins } from '../plugins/load.ts'
import { type Invocation, settingsOf } from './command.ts'

/** Anybody who can open the store may do everything with it. */
const operatorScopes = [
  ...['otep:ingest', 'otep:erase', 'providers:write', 'platform:write'],
  ...['labels:read', 'labels:write', 'webhooks:read', 'webhooks:write'],
]

/** How a command opens the store. */
export interface Opening {
  /** The provider in whose name events are recorded. */
  readonly name?: string
  /** Whether a missing store is created instead of being an error. */
  readonly isMade?: boolean
  /** A store other than the configured one; its read models are built in memory. */
  readonly store?: Storage
}

/** The context of a command, with the read models of this node. */
export type SessionContext = Context & Pick<EngineParts, 'models' | 'webhooks' | 'carriers' | 'singleSignOn'>

/** Loads the plug-ins of `otep.config.js`, `OTEP_PLUGINS` and `--plugin`, in this order. */
export function pluginsOf({ env, plugins }: Pick<Invocation, 'env' | 'plugins'>): Promise<Added> {
  const set = (env.OTEP_PLUGINS ?? '').split(',').flatMap((name) => name.trim() || [])
  return loadPlugins(builtIn, { directory: process.cwd(), names: [...set, ...plugins] })
}

/** Opens the configured store for one command and closes it afterwards; `storage` is the store with sealed events. */
export async function withContext<Result>(
  { env, values, plugins }: Invocation,
  run: (context: SessionContext, storage: Storage) => Promise<Result>,
  { name = 'cli', isMade = false, store: given }: Opening = {},
): Promise<Result> {
  const settings = settingsOf({ env, values })
  const address = storeFrom(settings)
  if (address.kind === 'memory')
    throw new Error('A store in memory disappears when the command ends. Only otep serve can use it.')
  if (given === undefined && !isMade && !hasStore(address)) {
    throw new Error(
      `There is no store ${nameOfStore(address)}. Run this where the server runs, or use --data-dir DIR or --store ADDRESS.`,
    )
  }
  const { stores, ...added } = await pluginsOf({ env, plugins })
  const store = given ?? (await openStore(address, {}, stores))
  const modelsFile = given === undefined ? modelsFileOf(dataDirFrom(settings), address) : undefined
  const deliveries = given === undefined ? deliveriesFileOf(dataDirFrom(settings), address) : undefined
  const webhooks = deliveries === undefined ? undefined : { file: deliveries }
  const context = contextOf({ store, modelsFile, webhooks, secret: secretFrom(settings), ...added }, name, settings)
  try {
    return await run(context, store)
  } finally {
    context.carriers.close()
    await context.singleSignOn.close()
    await context.webhooks.close()
    await context.models.close()
    await store.close()
  }
}

function contextOf(options: EngineOptions, name: string, env: Invocation['env']): SessionContext {
  const caller: Caller = { kind: 'operator', name, scopes: operatorScopes }
  return {
    ...createParts({
      ...options,
      baseUrl: baseUrlFrom(env),
      ownUrl: `http://localhost:${env.PORT || 3000}`,
      carrierAllow: networksFrom(env, 'OTEP_CARRIER_ALLOW'),
      strictReading: epcisStrictFrom(env),
    }),
    caller,
    messages: messagesFor(env),
    requestId: randomUUID(),
  }
}

/** A context with an empty store in memory, for commands that need no history. */
export async function contextWithoutStore(invocation: Invocation, name = 'cli'): Promise<SessionContext> {
  const { stores: _, ...added } = await pluginsOf(invocation)
  return contextOf({ store: createMemoryStore(Date.now), ...added }, name, invocation.env)
}

/** The messages in the language of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`, in the order of POSIX). */
export function messagesFor(env: Invocation['env']): Context['messages'] {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return languages[languageOf(locale.replace(/[.@].*$/, '').replace('_', '-'))]
}
