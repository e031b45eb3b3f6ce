import { sweepLogos, sweepUploads } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, type Log } from '../node/log.ts'

/** Milliseconds between two sweeps. */
const between = 24 * 3_600_000

/** Milliseconds from the start of a node to its first sweep, which is to read orders when nobody waits for the start. */
const beforeFirst = 600_000

/** An upload that is not part of an order or a brand after so many milliseconds never will be. */
const settledAfter = 3_600_000

/** What sweeping receives from its node. */
interface SweepRun {
  readonly signal: AbortSignal
  readonly log: Log
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Removes uploaded files that nothing needs, once a day until `signal` is aborted. Nodes may do so at the same time. */
export async function sweepFiles(parts: ContextParts, { signal, log, wait }: SweepRun): Promise<void> {
  await wait(beforeFirst, signal)
  while (!signal.aborted) {
    await sweepOnce(parts, log)
    await wait(between, signal)
  }
}

async function sweepOnce(parts: ContextParts, log: Log): Promise<void> {
  try {
    const before = parts.clock() - settledAfter
    const removed = (await sweepUploads(parts, before)) + (await sweepLogos(parts, before))
    if (removed > 0) log.info({ removed }, 'uploaded files that belong to nothing were removed')
  } catch (error) {
    log.error(errorFields(error), 'uploaded files could not be swept')
  }
}
