import { basename, join } from 'node:path'
import { homeOf, nameOfStore, type StoreAddress } from './config.ts'
import type { StartReader } from './start-log.ts'

/** A file of read models, and the name of the store that they are built from. */
export interface ModelsFile {
  readonly file: string
  readonly name: string
  /** Called if the file has read models of another history, which are built again. */
  readonly onOtherHistory?: () => void
  /** Called for each read model when this process has first brought it to the end of the store. */
  readonly onCaughtUp?: (reader: StartReader) => void
}

/** The file of webhook deliveries; none for a store in memory. */
export function deliveriesFileOf(dataDir: string, address: StoreAddress): string | undefined {
  return address.kind === 'memory' ? undefined : join(homeOf(address, dataDir), 'webhooks.db')
}

/** The file of the read models of a store; none for a store in memory. */
export function modelsFileOf(dataDir: string, address: StoreAddress): ModelsFile | undefined {
  if (address.kind === 'memory') return undefined
  const file = join(homeOf(address, dataDir), 'models.db')
  // Relative to the models file, so that the store has one name whatever path a process opened it by.
  return { file, name: address.kind === 'sqlite' ? basename(address.file) : nameOfStore(address) }
}
