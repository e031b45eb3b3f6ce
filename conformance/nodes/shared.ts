import { join } from 'node:path'
import { startDouble } from '../eventstore/double.ts'

/** A store that several processes may open, its address, and the files of each process. */
export interface SharedStore {
  /** As `OTEP_STORE` has it. */
  readonly address: string
  /** The data directory of a node. */
  readonly dataDirOf: (node: string) => string
  readonly close: () => Promise<void>
}

/** The stores that serve several nodes, each made in an empty directory. */
export const sharedStores = {
  'one SQLite file': async (directory: string): Promise<SharedStore> => ({
    address: `sqlite:${join(directory, 'otep.db')}`,
    // Processes of one machine may share all that they have, and most likely do.
    dataDirOf: () => directory,
    close: async () => {},
  }),
  'the double of an EventStoreDB': async (directory: string): Promise<SharedStore> => {
    const { connectionString, close } = await startDouble()
    return { address: connectionString, dataDirOf: (node) => join(directory, node), close }
  },
}

/** Those that a long test tries: at night all (`OTEP_STORES=all`), else the one that also serves several machines. */
export const storesOfRun = Object.entries(sharedStores).filter(
  ([name]) => process.env.OTEP_STORES === 'all' || name !== 'one SQLite file',
)
