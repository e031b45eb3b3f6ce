import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startCluster, startDouble } from '../eventstore/double.ts'

/** The store under the servers. */
export interface SoakStore {
  /** As `OTEP_STORE` has it. */
  readonly address: string
  /** The data directory of each server: its own, or that of all where the store is a file. */
  dataDirOf(node: number): string
  /** Ends a server of the store, chosen by a number from 0 to 1, and starts it again after a while; nothing where it has none to lose. */
  disturb(at: number): Promise<void>
  /** How many servers of the store were ended, and how many of them led. */
  readonly figures: { ended: number; led: number }
  close(): Promise<void>
}

/** Milliseconds that a server of the store is away. */
const absence = 800

/** The store of that name in a directory: `sqlite`, `double` (a server, or three for several nodes), or an address. */
export async function openSoakStore(named: string, directory: string, nodes: number): Promise<SoakStore> {
  const figures = { ended: 0, led: 0 }
  const ownDir = (node: number) => join(directory, `node-${node}`)
  const still = { figures, disturb: async () => {}, close: async () => {} }
  if (named === 'sqlite')
    return { ...still, address: `sqlite:${join(directory, 'otep.db')}`, dataDirOf: () => directory }
  if (named !== 'double') return { ...still, address: named, dataDirOf: ownDir }
  if (nodes === 1) {
    const { connectionString: address, close } = await startDouble()
    return { ...still, address, dataDirOf: ownDir, close }
  }
  const { connectionString: address, doubles, leader, stopNode, startNode, close } = await startCluster(3)
  const disturb = async (at: number) => {
    const index = Math.floor(at * doubles.length)
    figures.ended++
    if (index === leader()) figures.led++
    await stopNode(index)
    await setTimeout(absence)
    await startNode(index)
  }
  return { figures, address, dataDirOf: ownDir, close, disturb }
}
