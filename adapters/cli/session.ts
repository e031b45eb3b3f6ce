import { randomUUID } from 'node:crypto'
import { type Caller, type Context, createMemoryStore, languages, type Storage } from '../../engine/index.ts'
import { createParts, type EngineOptions, type EngineParts, hasStore, modelsFileOf, openStore } from '../engine.ts'
import { languageOf } from '../http/language.ts'
import { baseUrlFrom, dataDirFrom, nameOfStore, secretFrom, storeFrom } from '../node/config.ts'
import { type Invocation, settingsOf } from './command.ts'

/** Whoever can open the store may do everything with it. */
const operatorScopes = ['otep:ingest', 'otep:erase', 'providers:write', 'platform:write']

/** How a command opens the store. */
export interface Opening {
  /** In whose name events are recorded. */
  readonly name?: string
  /** Whether a store that does not exist is made, and not a mistake. */
  readonly isMade?: boolean
  /** The store, where it is not the configured one; its read models are then built anew, and forgotten. */
  readonly store?: Storage
}

/** The context of a command, with the read models as this node has them. */
export type SessionContext = Context & Pick<EngineParts, 'models'>

/** Opens the store of the data directory for one command and closes it afterwards; `storage` is the store as it is kept. */
export async function withContext<Result>(
  { env, values }: Invocation,
  run: (context: SessionContext, storage: Storage) => Promise<Result>,
  { name = 'cli', isMade = false, store: given }: Opening = {},
): Promise<Result> {
  const settings = settingsOf({ env, values })
  const address = storeFrom(settings)
  if (address.kind === 'memory')
    throw new Error('A store in memory is gone when the command ends. It is for otep serve alone.')
  if (given === undefined && !isMade && !hasStore(address)) {
    throw new Error(
      `There is no store ${nameOfStore(address)}. Run this where the server runs, or say --data-dir DIR or --store ADDRESS.`,
    )
  }
  const store = given ?? (await openStore(address))
  const modelsFile = given === undefined ? modelsFileOf(dataDirFrom(settings), address) : undefined
  const context = contextOf({ store, modelsFile, secret: secretFrom(settings) }, name, settings)
  try {
    return await run(context, store)
  } finally {
    await context.models.close()
    await store.close()
  }
}

function contextOf(options: EngineOptions, name: string, env: Invocation['env']): SessionContext {
  const caller: Caller = { kind: 'operator', name, scopes: operatorScopes }
  return {
    ...createParts({ ...options, baseUrl: baseUrlFrom(env) ?? `http://localhost:${env.PORT || 3000}` }),
    caller,
    messages: messagesFor(env),
    requestId: randomUUID(),
  }
}

/** A context for a command that needs no history: its store is empty and forgotten. */
export function contextWithoutStore({ env }: Invocation, name = 'cli'): Context {
  return contextOf({ store: createMemoryStore(Date.now) }, name, env)
}

/** The messages in the language of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`, as POSIX orders them). */
export function messagesFor(env: Invocation['env']): Context['messages'] {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return languages[languageOf(locale.replace(/[.@].*$/, '').replace('_', '-'))]
}
