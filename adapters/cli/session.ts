import { randomUUID } from 'node:crypto'
import { type Caller, type Context, createMemoryStore, languages, type Storage } from '../../engine/index.ts'
import { baseUrlFrom, dataDirFrom, storeFrom } from '../config.ts'
import { createParts, hasStore, openStore } from '../engine.ts'
import { languageOf } from '../language.ts'
import { type Invocation, settingsOf } from './command.ts'

/** Whoever can open the store may do everything with it. */
const operatorScopes = ['otep:ingest', 'providers:write']

/** How a command opens the store. */
export interface Opening {
  /** In whose name events are recorded. */
  readonly name?: string
  /** Whether a store that does not exist is made, and not a mistake. */
  readonly isMade?: boolean
}

/** Opens the store of the data directory for one command and closes it afterwards. */
export async function withContext<Result>(
  { env, values }: Invocation,
  run: (context: Context) => Promise<Result>,
  { name = 'cli', isMade = false }: Opening = {},
): Promise<Result> {
  const settings = settingsOf({ env, values })
  const address = storeFrom(settings)
  if (!isMade && !hasStore(address)) {
    throw new Error(
      `There is no store in ${dataDirFrom(settings)}. Run this where the server runs, or say --data-dir DIR.`,
    )
  }
  const store = openStore(address)
  try {
    return await run(contextOf(store, name, settings))
  } finally {
    await store.close()
  }
}

function contextOf(store: Storage, name: string, env: Invocation['env']): Context {
  const caller: Caller = { kind: 'operator', name, scopes: operatorScopes }
  return {
    ...createParts({ store, baseUrl: baseUrlFrom(env) ?? `http://localhost:${env.PORT || 3000}` }),
    caller,
    messages: messagesFor(env),
    requestId: randomUUID(),
  }
}

/** A context for a command that needs no history: its store is empty and forgotten. */
export function contextWithoutStore({ env }: Invocation, name = 'cli'): Context {
  return contextOf(createMemoryStore(Date.now), name, env)
}

/** The messages in the language of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`, as POSIX orders them). */
export function messagesFor(env: Invocation['env']): Context['messages'] {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return languages[languageOf(locale.replace(/[.@].*$/, '').replace('_', '-'))]
}
