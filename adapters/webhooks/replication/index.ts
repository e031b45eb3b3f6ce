import { setMaxListeners } from 'node:events'
import type { Journals } from '../../../engine/index.ts'
import type { DeliveryRepository, Sealer, Structured } from '../../node/deliveries.ts'
import type { Progress } from '../progress.ts'
import { type DispatcherRun, retryUntilAborted } from '../retry.ts'
import { keepCopying } from './copy.ts'
import { createDeliveryJournal } from './journal.ts'
import { journalled } from './journalled.ts'

/** Keeps the deliveries of a node the same as those of the other nodes of a distributed store. */
export interface Replication {
  /** The deliveries of this node; what is changed here is changed at the other nodes too. */
  readonly repository: DeliveryRepository
  readonly progress: Progress
  /**
   * Copies what other nodes do and runs `parts` beside it, until the signal is aborted: in one process for each database. The
   * start is the position after which the journal knows of everything.
   */
  run(run: DispatcherRun, parts: ReplicationParts): Promise<void>
  /** Begins the journal after a position if there is none yet. */
  begin(start: () => Promise<string>): Promise<void>
  /** Waits until this node has made all changes that were recorded before the call. */
  current(run: DispatcherRun): Promise<void>
}

/** What runs beside the copying. */
interface ReplicationParts {
  readonly structured: Structured
  readonly wake: () => void
  /** Makes the deliveries of the events after a position. */
  readonly follow: (start: string, signal: AbortSignal) => Promise<void>
  /** Competes for sending. */
  readonly lead: (signal: AbortSignal) => Promise<void>
}

/** Dependencies of replication. */
interface ReplicationOptions {
  readonly repository: DeliveryRepository
  readonly journals: Journals
  readonly box: Sealer
  readonly clock: () => number
  /** The name of this node. */
  readonly by: string
}

/** Milliseconds between two looks for what another process does first. */
const pause = 500

const words = 'the deliveries of other nodes cannot be looked up'

/** Creates the replication of a node. */
export function createReplication({ repository, journals, box, clock, by }: ReplicationOptions): Replication {
  const progress: Progress = { begun: '', saved: '' }
  const through = async () => progress.begun || ((await repository.checkpoint())?.position ?? '')
  const journal = createDeliveryJournal({ journals, box, by, through })
  let next = 0

  const firstOf = async () => (await journal.read(0))[0]
  const last = async () => (await journal.last()) ?? -1

  async function replicate(run: DispatcherRun, { structured, wake, follow, lead }: ReplicationParts): Promise<void> {
    const copying = async () => {
      const first = await untilThere(run, firstOf)
      if (first === undefined) return
      const parts = { repository, journal, by, structured, progress, wake }
      const reached = (number: number) => {
        next = number
      }
      await Promise.all([follow(first.through, run.signal), keepCopying(parts, run, reached)])
    }
    // A node that makes everything again would keep the others from sending all that time.
    const leading = () => reach(run, last).then(() => lead(run.signal))
    await Promise.all([copying(), leading()])
  }

  /** Waits until this node has made the changes up to the number that `look` finds. */
  async function reach(run: DispatcherRun, look: () => Promise<number>) {
    const last = await retryUntilAborted(run, words, look)
    while (next <= last && !run.signal.aborted) await run.wait(20, run.signal)
  }

  async function takePart(run: DispatcherRun, parts: ReplicationParts): Promise<void> {
    setMaxListeners(0, run.signal)
    const leave = await untilThere(run, repository.takePlace)
    if (leave !== undefined) await replicate(run, parts).finally(leave)
  }

  return {
    repository: journalled(repository, journal, clock),
    progress,
    run: (run, parts) =>
      takePart(run, parts).catch((error: unknown) => {
        // What was tried until the end has been logged.
        if (!run.signal.aborted) throw error
      }),
    begin: async (start) => {
      if ((await journal.last()) === undefined) await journal.append({ by, through: await start(), changes: [] })
    },
    current: (run) => reach(run, last),
  }
}

/** Looks until something is there; undefined if the signal is aborted first. */
async function untilThere<Found>(
  run: DispatcherRun,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  while (!run.signal.aborted) {
    const found = await retryUntilAborted(run, words, look)
    if (found !== undefined) return found
    await run.wait(pause, run.signal)
  }
  return undefined
}
