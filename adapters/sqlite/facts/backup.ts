import type { ReportProgress } from '../../node/damage.ts'
import { type Connection, chooseDriver, copyDatabase } from '../database.ts'
import { inLongTransaction } from '../transaction.ts'
import { problemsIn } from './check.ts'
import { openToRead } from './open.ts'
import { positionOf } from './row.ts'

/** What a copy of a store holds. */
export interface Copied {
  readonly events: number
  /** Position of the last event; nothing where there is none. */
  readonly position: string | undefined
}

/** Pages of a step: between two, other work of this process goes on. */
const rate = 1000

/**
 * Copies the store in `file` into `target`, which is empty, as it stands at this moment; servers go on writing. The copy
 * stands alone, without a log beside it, and is checked. Throws where it is not whole.
 */
export async function backUp(file: string, target: string, progress: ReportProgress = () => {}): Promise<Copied> {
  // A file of an earlier version stays one, and so does its copy.
  const database = openToRead(file)
  try {
    // As long as the transaction is open, the copy does not begin anew whenever somebody writes.
    const last = await inLongTransaction(database, 'DEFERRED', async () => {
      const { pos } = database.prepare('SELECT coalesce(max(pos), 0) AS pos FROM events').get() as { pos: number }
      await copyDatabase(database, target, {
        rate,
        progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
      })
      return pos
    })
    return settle(target, last, chooseDriver())
  } finally {
    database.close()
  }
}

function settle(target: string, expected: number, Connection: Connection): Copied {
  const copy = new Connection(target)
  try {
    copy.exec('PRAGMA journal_mode = DELETE')
    const counted = copy.prepare('SELECT count(*) AS events, coalesce(max(pos), 0) AS last FROM events').get()
    const { events, last } = counted as { readonly events: number; readonly last: number }
    const [problem = last === expected ? undefined : 'the last event is missing'] = problemsIn(copy, 'quick_check')
    if (problem !== undefined) throw new Error(`The copy is not whole: ${problem}.`)
    return { events, position: last === 0 ? undefined : positionOf(last) }
  } finally {
    copy.close()
  }
}
