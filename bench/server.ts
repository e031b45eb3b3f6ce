import { configFrom, storeFrom } from '../adapters/config.ts'
import { openStore, startServer } from '../adapters/main.ts'
import { addProvider, call, type Storage } from '../engine/index.ts'
import { forgetful, listen, readyAnswers } from './bare.ts'
import { contextOn, ingestLines } from './rows.ts'

/** What a server is to be; `engine` begins with these lines in its store. */
export type Role =
  | { readonly kind: 'engine'; readonly dataDir: string; readonly lines: readonly string[] }
  | { readonly kind: 'forgetful' }
  | { readonly kind: 'bare'; readonly texts: readonly (readonly [string, string])[] }

/** What the parent may say: first the role, then any number of questions for the CPU time. */
export type Question = { readonly role: Role } | { readonly ask: 'cpu' }

/** What is said to the parent: that it listens (and a provider's key), or its CPU time so far, in seconds. */
export type Reply = { readonly port: number; readonly key: string } | { readonly cpuSeconds: number }

process.on('message', (question: Question) => {
  if ('role' in question) void start(question.role).then(reply)
  else reply({ cpuSeconds: cpuSeconds() })
})

process.once('disconnect', () => process.exit())

function reply(message: Reply): void {
  process.send?.(message)
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function start(role: Role): Promise<Reply> {
  switch (role.kind) {
    case 'engine': {
      const { dataDir, lines } = role
      const store = await openStore(storeFrom({ OTEP_DATA_DIR: dataDir }))
      const key = await keyFrom(store)
      await ingestLines(contextOn(store), lines)
      await store.close()
      const { url } = await startServer(
        configFrom({ PORT: '0', HOST: '127.0.0.1', OTEP_DATA_DIR: dataDir, OTEP_LOG_LEVEL: 'error' }),
      )
      return { port: Number(new URL(url).port), key }
    }
    case 'forgetful': {
      const { app, store } = forgetful()
      return { key: await keyFrom(store), port: await listen(app) }
    }
    case 'bare':
      return { key: '', port: await listen(readyAnswers(new Map(role.texts))) }
    default:
      return role satisfies never
  }
}

async function keyFrom(store: Storage): Promise<string> {
  const operator = { kind: 'operator', name: 'bench', scopes: ['providers:write'] } as const
  const { key } = await call(addProvider, { ...contextOn(store), caller: operator }, { name: 'acme' })
  return String(key)
}
