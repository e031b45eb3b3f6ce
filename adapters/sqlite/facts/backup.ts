import type { ReportProgress } from '../../node/damage.ts'
import { type Connection, chooseDriver, copyDatabase } from '../database.ts'
import { explained } from '../failure.ts'
import { problemsIn } from '../file.ts'
import { inLongTransaction } from '../transaction.ts'
import { openToRead } from './open.ts'
import { positionOf } from './row.ts'

/** The contents of a copy. */
interface Copied {
  readonly events: number
  /** Position of the last event; `undefined` if there is none. */
  readonly position: string | undefined
}

/** Pages per step; other work of this process runs in between. */
const rate = 1000

/**
 * Copies the store in `file` to the empty file `target` as of this moment, while servers go on writing. The copy needs
 * no log file and is checked. Throws if it is damaged.
 */
export async function backUp(file: string, target: string, progress: ReportProgress = () => {}): Promise<Copied> {
  return explained(
    (reason) => `The backup of ${file} failed: ${reason}.`,
    () => copy(file, target, progress),
  )
}

async function copy(file: string, target: string, progress: ReportProgress): Promise<Copied> {
  // A file of an earlier schema version keeps it, and so does its copy.
  const database = openToRead(file)
  try {
    // Inside the transaction the copy does not restart whenever somebody writes.
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
