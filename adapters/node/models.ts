import type { ReadModel, ReadModels, Row } from '../../engine/index.ts'
import type { wait as waitFor } from './wait.ts'

/** The state of a read model of this node. */
export interface ModelState {
  readonly name: string
  readonly version: number
  /** Store position up to which events are applied; absent if there are none yet. */
  readonly checkpoint: string | undefined
  /** Whether it serves lookups and has applied all events of the store, as of the last check. */
  readonly isCaughtUp: boolean
  /** Whether this process has ever seen it caught up; from then on, lookups bring it up to date. */
  readonly wasCaughtUp: boolean
  /** Seconds since this process last saw it caught up, or since its start if never; 0 if it is caught up. */
  readonly secondsBehind: number
  /** How many parts of the events this process has looked through for it, with events of the model in them or not. */
  readonly looks: number
}

/** The read models of a node, and their maintenance. */
export interface NodeModels extends ReadModels {
  readonly models: readonly ReadModel[]
  /** Follows the store in the background until `signal` is aborted, so that lookups find the models up to date. */
  start(signal: AbortSignal, wait?: typeof waitFor): void
  /** The state of each model, after a short attempt to bring it up to date. Throws if its file or the store fails. */
  state(): Promise<readonly ModelState[]>
  /**
   * Up to `limit` rows of the serving table after the row with a key (`undefined`: from the first), in order of the key; empty if
   * there is none. The table is read as it is, and is not brought up to date.
   */
  scan(model: ReadModel, after: Row | undefined, limit: number): Promise<readonly Row[]>
  /** Number of rows of the serving table; 0 if there is none. Counts the rows, which takes time for large tables. */
  count(model: ReadModel): Promise<number>
  /**
   * Rebuilds the table beside the serving one and then replaces it. Continues an interrupted rebuild. Returns whether
   * it finished; it does not if `signal` is aborted. `onPage` receives the number of rows so far.
   */
  rebuild(model: ReadModel, signal: AbortSignal, onPage?: (rows: number) => void): Promise<boolean>
  close(): Promise<void>
}
