import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { type IngestCounts, omitUndefined, type Server, type Storage } from '../../engine/index.ts'
import { type Config, nameOfStore } from './config.ts'
import { readNodes, type SeenNode } from './heartbeats.ts'
import { createIngestCounter } from './ingest-counts.ts'

/** What a server says of itself, by its configuration. */
export interface ServerSetting {
  /** The address of the store, without credentials. */
  readonly store: string
  /** The files of this node. */
  readonly files: readonly string[]
  /** The accounts that see what concerns the whole server, not only their business. */
  readonly operators: readonly number[]
}

/** What this process knows of the server, and tells the others. */
export interface NodeServer extends Server {
  readonly operators: readonly number[]
  /** What this process has counted, for its heartbeat. */
  counted(): IngestCounts
}

/** The setting of a server with a configuration; `others` are its files beside that of the store. */
export function serverSetting(
  { store, operators }: Pick<Config, 'store' | 'operators'>,
  others: readonly (string | undefined)[],
): ServerSetting {
  const own = store.kind === 'sqlite' ? [store.file] : []
  return { store: nameOfStore(store), files: [...own, ...others.filter((file) => file !== undefined)], operators }
}

/** Looks at the server: at this process, and at others by what they tell through the store; in memory without a setting. */
export function createServer(
  { leases, damaged }: Pick<Storage, 'leases' | 'damaged'>,
  clock: () => number,
  { store, files, operators }: ServerSetting = { store: 'memory:', files: [], operators: [] },
): NodeServer {
  const by = randomUUID()
  const counter = createIngestCounter(by, clock)
  return {
    operators,
    pushed: counter.count,
    counted: counter.counts,
    ingest: async () => {
      const others = (await readNodes(leases, clock())).flatMap(({ ingest }) => ingest ?? [])
      return [counter.counts(), ...others.filter((one) => one.by !== by)]
    },
    state: async () => {
      const seen = omitUndefined({ bytes: bytesOf(files), damaged: damaged?.() })
      return { store, ...seen, nodes: (await readNodes(leases, clock())).map(nodeOf) }
    },
  }
}

function nodeOf({ name, host, version, since, at, state, leases, models }: SeenNode) {
  const lag = models.map(({ name, isCaughtUp, secondsBehind }) => ({ name, isCaughtUp, secondsBehind }))
  return { name, host, version, since, at, state, leases, models: lag }
}

/** The bytes of files, with what is written ahead of them; undefined if there is none. */
function bytesOf(files: readonly string[]): number | undefined {
  const found = files
    .flatMap((file) => [file, `${file}-wal`])
    .flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? [])
  return found.length === 0 ? undefined : found.reduce((sum, { size }) => sum + size, 0)
}
