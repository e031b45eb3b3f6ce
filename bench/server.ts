import { createApp, openStore, startServer } from '../adapters/main.ts'
import { configFrom, type LogLevel, secretFrom, storeFrom } from '../adapters/node/config.ts'
import { listen as listenAs } from '../adapters/node/server.ts'
import { packageVersion } from '../adapters/node/version.ts'
import { createTelemetry } from '../adapters/telemetry/index.ts'
import { startDouble } from '../conformance/eventstore/double.ts'
import { addProvider, type Context, call, createMemoryStore } from '../engine/index.ts'
import { bareGreeting, forgetful, greet, listen, listenBare, type Ready, readyAnswers, wholeDocuments } from './bare.ts'
import { handWritten } from './hand-written.ts'
import { contextOn, ingestLines } from './rows.ts'
import { eventLine } from './timelines.ts'
import { bareTools, benchTools } from './tools.ts'

/** The role of a server; `engine` begins with these lines in its store. */
export type Role =
  | { readonly kind: 'engine'; readonly dataDir: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'engine on a server'
      readonly store: string
      readonly dataDir: string
      readonly lines: readonly string[]
    }
  | { readonly kind: 'event store double'; readonly foreign?: number }
  | { readonly kind: 'hand-written'; readonly server: string }
  | { readonly kind: 'forgetful' }
  | { readonly kind: 'bare'; readonly answers: readonly Ready[] }
  | { readonly kind: 'bare node:http'; readonly answers: readonly Ready[] }
  | { readonly kind: 'writer'; readonly dataDir: string; readonly perSecond: number }
  | { readonly kind: 'engine on a store'; readonly dataDir: string }
  | { readonly kind: 'whole documents'; readonly dataDir: string }
  | { readonly kind: 'greeting'; readonly logLevel: LogLevel }
  | { readonly kind: 'bare greeting'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'agent tools' }
  | { readonly kind: 'bare tools' }

/** The messages of the parent: first the role, then any number of questions for what it uses. */
export type Question = { readonly role: Role } | { readonly ask: 'usage' }

/** What a process uses. */
export interface Usage {
  readonly cpuSeconds: number
  readonly rss: number
  readonly heapUsed: number
}

/** The messages to the parent: that it listens (and a provider's key), or its CPU time so far, in seconds, and its memory, in bytes. */
export type Reply = { readonly port: number; readonly key: string } | Usage

// A test runner turns source maps on in every process. The first stack of an error then takes half of a small heap.
process.setSourceMapsEnabled(false)

process.on('message', (question: Question) => {
  if ('role' in question) void start(question.role).then(reply)
  else reply(usage())
})

process.once('disconnect', () => process.exit())

function reply(message: Reply): void {
  process.send?.(message)
}

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { cpuSeconds: (user + system) / 1e6, rss, heapUsed }
}

async function start(role: Role): Promise<Reply> {
  switch (role.kind) {
    case 'engine':
    case 'engine on a server': {
      const { dataDir, lines } = role
      const settings = { OTEP_DATA_DIR: dataDir, ...('store' in role && { OTEP_STORE: role.store }) }
      const store = await openStore(storeFrom(settings))
      const context = contextOn(store, secretFrom(settings))
      const key = await keyFrom(context)
      await ingestLines(context, lines)
      await store.close()
      return { key, port: await portOn(settings) }
    }
    case 'event store double': {
      const double = await startDouble({ latency: { read: 1, write: 6, records: 1 } })
      double.foreign(role.foreign ?? 0)
      return { key: '', port: double.port }
    }
    case 'hand-written':
      return { key: '', port: await listen(handWritten(role.server)) }
    case 'forgetful': {
      const { app, store } = forgetful()
      return { key: await keyFrom(contextOn(store)), port: await listen(app) }
    }
    case 'bare':
      return { key: '', port: await listen(readyAnswers(role.answers)) }
    case 'bare node:http':
      return { key: '', port: await listenBare(role.answers) }
    case 'writer':
      return { key: '', port: await writing(role) }
    case 'engine on a store':
      return { key: '', port: await portOn({ OTEP_DATA_DIR: role.dataDir }) }
    case 'whole documents': {
      return { key: '', port: await listen(wholeDocuments(await contextOf({ OTEP_DATA_DIR: role.dataDir }))) }
    }
    case 'greeting':
      return { key: '', port: await greetingPort(role.logLevel) }
    case 'bare greeting':
      return { key: '', port: await listen(bareGreeting(role.headers)) }
    case 'agent tools':
      return { key: '', port: await listen(createApp({ store: createMemoryStore(Date.now), operations: benchTools })) }
    case 'bare tools':
      return { key: '', port: await listen(bareTools()) }
    default:
      return role satisfies never
  }
}

/** Commits an event of another timeline again and again, until the process ends; it listens on no port. */
async function writing({ dataDir, perSecond }: Role & { readonly kind: 'writer' }): Promise<number> {
  const context = await contextOf({ OTEP_DATA_DIR: dataDir })
  let parcel = firstWritten
  setInterval(() => void ingestLines(context, [eventLine(parcel++, 0)]), 1_000 / perSecond)
  return 0
}

/** Numbers from here on are of parcels that nobody reads. */
const firstWritten = 2_000_000

async function portOn(settings: Readonly<Record<string, string>>): Promise<number> {
  const { url } = await startServer(
    configFrom({
      PORT: '0',
      HOST: '127.0.0.1',
      ...settings,
      // A restarted server has the address that it had, which its answers depend on.
      OTEP_BASE_URL: 'http://otep.example',
      OTEP_LOG_LEVEL: 'error',
      OTEP_TRUSTED_PROXIES: '127.0.0.1',
    }),
  )
  return Number(new URL(url).port)
}

/** The whole interface with one small operation, on its own kind of socket. */
async function greetingPort(logLevel: LogLevel): Promise<number> {
  const config = configFrom({ OTEP_LOG_LEVEL: logLevel, OTEP_STORE: 'memory:' })
  const telemetry = await createTelemetry(config, packageVersion())
  const app = createApp({ store: createMemoryStore(Date.now), operations: [greet], telemetry })
  const { port } = await listenAs(app.fetch, { port: 0, host: '127.0.0.1' })
  return port
}

/** A provider's context on the store of these settings, with its secret. */
async function contextOf(settings: Readonly<Record<string, string>>): Promise<Context> {
  return contextOn(await openStore(storeFrom(settings)), secretFrom(settings))
}

async function keyFrom(context: Context): Promise<string> {
  const operator = { kind: 'operator', name: 'bench', scopes: ['providers:write'] } as const
  const { key } = await call(addProvider, { ...context, caller: operator }, { name: 'acme', all_businesses: true })
  return String(key)
}
