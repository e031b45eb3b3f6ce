import type { DeliveryChange, Sealer } from '../../node/deliveries.ts'
import { chooseDriver, type Database } from '../database.ts'
import { resultCodeOf, resultCodes } from '../failure.ts'
import { makePrivate } from '../file.ts'
import type { Queues } from './queues.ts'
import { type DeliveryWriter, hashesOf } from './save.ts'
import type { Settling } from './settle.ts'

/** Copies what other nodes did. */
export interface Copying {
  /** The number of the next record to copy. */
  next(): number
  /** Makes changes, and notes the next record to copy, inside the caller's transaction. */
  copy(changes: readonly DeliveryChange[], next: number): void
}

/** What changes are made with. */
interface CopyingParts {
  readonly keeping: DeliveryWriter
  readonly settling: Settling
  readonly queues: Pick<Queues, 'acknowledge'>
  readonly box: Sealer
}

/** Creates what copies into an open file. */
export function createCopying(database: Database, { keeping, settling, queues, box }: CopyingParts): Copying {
  const copied = database.prepare('SELECT next FROM copied')
  const move = database.prepare('INSERT OR REPLACE INTO copied (only, next) VALUES (1, ?)')

  function make(change: DeliveryChange) {
    if (change.kind === 'attempt') settling.copy(change)
    else if (change.kind === 'skip') settling.giveUp(change.id)
    else if (change.kind === 'retry') settling.revive(change.businessId, change.id, change.at)
    else if (change.kind === 'acknowledge') queues.acknowledge(change.endpointId, change.through)
    else keeping.keep(change.delivery, hashesOf(change.delivery, box))
  }

  return {
    next: () => (copied.get() as { readonly next: number } | undefined)?.next ?? 0,
    copy: (changes, next) => {
      for (const change of changes) make(change)
      move.run(next)
    },
  }
}

/**
 * Locks a separate file until the returned function is called or the process ends, however it ends; undefined if another process
 * has it locked.
 */
export function takePlace(file: string): (() => void) | undefined {
  makePrivate(file)
  const database = new (chooseDriver())(file)
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return () => database.close()
  } catch (error) {
    database.close()
    if (resultCodeOf(error) === resultCodes.busy) return undefined
    throw error
  }
}
