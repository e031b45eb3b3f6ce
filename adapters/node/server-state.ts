import { statSync } from 'node:fs'
import type { IngestCounts, Server, Storage } from '../../engine/index.ts'
import { readNodes, type SeenNode } from './heartbeats.ts'
import { createIngestCounter } from './ingest-counts.ts'

/** Where a store is, and the files of this node. */
export interface StorePlace {
  /** The address without credentials. */
  readonly name: string
  readonly files: readonly string[]
}

/** What this process knows of the server, and tells the others. */
export interface NodeServer extends Server {
  /** What this process has counted, for its heartbeat. */
  counted(): IngestCounts
}

/** Looks at the server: at this process, and at others by what they tell through the store. */
export function createServer(
  by: string,
  { leases, damaged }: Pick<Storage, 'leases' | 'damaged'>,
  { name, files }: StorePlace,
  clock: () => number,
): NodeServer {
  const counter = createIngestCounter(by, clock)
  return {
    pushed: counter.count,
    counted: counter.counts,
    ingest: async () => {
      const others = (await readNodes(leases, clock())).flatMap(({ ingest }) => ingest ?? [])
      return [counter.counts(), ...others.filter((one) => one.by !== by)]
    },
    state: async () => {
      const bytes = bytesOf(files)
      const broken = damaged?.()
      const nodes = (await readNodes(leases, clock())).map(nodeOf)
      return {
        ...{ store: name, nodes },
        ...(bytes === undefined ? {} : { bytes }),
        ...(broken === undefined ? {} : { damaged: broken }),
      }
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
