import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Caller, type Context, createMemoryStore, type Leases, type Storage } from '../../engine/index.ts'
import { builtIn, createParts, type EngineOptions, type EngineParts, hasStore, openStore } from '../engine.ts'
import { messagesIn } from '../locales/messages.ts'
import { languageOf } from '../locales/negotiate.ts'
import {
  baseUrlFrom,
  dataDirFrom,
  epcisStrictFrom,
  nameOfStore,
  networksFrom,
  secretFrom,
  storeFrom,
} from '../node/config.ts'
import { readNodes } from '../node/heartbeats.ts'
import { deliveriesFileOf, modelsFileOf } from '../node/store-files.ts'
import type { Added } from '../plugins/findings.ts'
import { loadPlugins } from '../plugins/load.ts'
import { type Invocation, localeIn, settingsOf } from './command.ts'

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
  /** What is made is of use only to servers of this store: whether it is said if there are none, or refused. */
  readonly servers?: 'noted' | 'required'
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
  { env, values, plugins, stderr }: Invocation,
  run: (context: SessionContext, storage: Storage) => Promise<Result>,
  { name = 'cli', isMade = false, servers, store: given }: Opening = {},
): Promise<Result> {
  const settings = settingsOf({ env, values })
  const address = storeFrom(settings)
  if (address.kind === 'memory')
    throw new Error('A store in memory disappears when the command ends. Only otep serve can use it.')
  const isNew = given === undefined && !hasStore(address)
  if (isNew && !isMade) {
    const offer = servers === undefined ? '' : ' otep provider add with --init makes one.'
    throw new Error(
      `There is no store ${nameOfStore(address)}. Run this where the server runs, or use --data-dir DIR or --store ADDRESS.${offer}`,
    )
  }
  if (isNew || stderr.isTTY === true) stderr.write(`Store ${nameOfStore(address)}${isNew ? ' (new)' : ''}\n`)
  const { stores, ...added } = await pluginsOf({ env, plugins })
  const store = given ?? (await openStore(address, {}, stores))
  const modelsFile = given === undefined ? modelsFileOf(dataDirFrom(settings), address) : undefined
  const deliveries = given === undefined ? deliveriesFileOf(dataDirFrom(settings), address) : undefined
  const webhooks = deliveries === undefined ? undefined : { file: deliveries }
  const context = contextOf({ store, modelsFile, webhooks, secret: secretFrom(settings), ...added }, name, settings)
  try {
    if (servers === 'required') await requireServers(store.leases, nameOfStore(address))
    else if (servers === 'noted' && !(await hasServers(store.leases)))
      stderr.write('No server uses this store now; the key is for servers that do.\n')
    return await run(context, store)
  } finally {
    context.carriers.close()
    await context.singleSignOn.close()
    await context.webhooks.close()
    await context.models.close()
    await store.close()
  }
}

async function hasServers(leases: Leases): Promise<boolean> {
  return (await readNodes(leases, Date.now())).length > 0
}

/** Milliseconds within which a server that answers has said which store it uses, and between two looks. */
const telling = { patience: 5_000, interval: 250 }

/** Refuses a store that no server uses, which most often is not the one that was meant. */
async function requireServers(leases: Leases, name: string): Promise<void> {
  for (let waited = 0; !(await hasServers(leases)); waited += telling.interval) {
    if (waited >= telling.patience)
      throw new Error(
        `No server uses the store ${name}, so none would know the key. Start the server first, name its store with --data-dir DIR or --store ADDRESS, or make the key with --init for a server that starts later.`,
      )
    await setTimeout(telling.interval)
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

/** The messages in the language of the environment. */
export function messagesFor(env: Invocation['env']): Context['messages'] {
  return messagesIn(languageOf(localeIn(env)))
}
