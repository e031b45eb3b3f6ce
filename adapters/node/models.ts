import type { ReadModel, ReadModels } from '../../engine/index.ts'

/** How far a read model of this node has come. */
export interface ModelState {
  readonly name: string
  readonly version: number
  /** Position in the store up to which the facts are in it; nothing where it has none yet. */
  readonly checkpoint: string | undefined
  /** Whether it serves, with all in it that stood in the store at the last look. */
  readonly isCaughtUp: boolean
  /** Whether this process has once seen it caught up; from then on a look-up brings it up itself. */
  readonly wasCaughtUp: boolean
  /** Seconds since this process last saw it caught up, counted from its start where it never did; 0 where it is. */
  readonly secondsBehind: number
}

/** The read models of a node, with what its process does with them beside reading. */
export interface NodeModels extends ReadModels {
  readonly models: readonly ReadModel[]
  /** Follows the store in the background until `signal` is aborted, so that look-ups find the models ready. */
  start(signal: AbortSignal): void
  /** How far each model has come, after a short attempt to bring it up. Throws where its file or the store fails. */
  state(): Promise<readonly ModelState[]>
  /** Rows of the table that serves; 0 where none does yet. Counts them, which takes its time where there are many. */
  count(model: ReadModel): Promise<number>
  /**
   * Builds the table anew beside the one that serves, and puts it in that one's place. Goes on where an earlier run was
   * stopped. Answers whether it came to its end; it does not where `signal` is aborted. `onPage` is told the rows so far.
   */
  rebuild(model: ReadModel, signal: AbortSignal, onPage?: (rows: number) => void): Promise<boolean>
  close(): Promise<void>
}
