import type { Journals } from '../../../engine/index.ts'
import type { Sealer } from '../../node/deliveries.ts'
import { type Batch, batchIn, type JournalChange, textOf } from './batch.ts'

/** The journal of the deliveries of a store, which all its nodes write and read. */
export interface DeliveryJournal {
  /** Adds changes, together with others of the same moment; resolves once they are durable. */
  write(changes: readonly JournalChange[]): Promise<void>
  /** Adds a separate batch. */
  append(batch: Batch): Promise<void>
  /** The batches from a number on, oldest first, with their numbers; at most a hundred. */
  read(from: number): Promise<readonly (Batch & { readonly number: number })[]>
  /** The number of the last batch. */
  last(): Promise<number | undefined>
}

/** What a journal is written on. */
interface DeliveryJournalOptions {
  readonly journals: Journals
  readonly box: Sealer
  /** The name of this node. */
  readonly by: string
  /** Position of the last event that changes of this node may follow from. */
  readonly through: () => Promise<string>
}

/** A batch that is being collected. */
interface Collected {
  readonly changes: JournalChange[]
  readonly written: Promise<void>
}

const name = 'webhooks'

/** Milliseconds that changes wait for others: so many batches a second are written at most, however many changes there are. */
const linger = 100

/** Changes of a batch at most, so that it stays below the megabyte that a server takes. */
const maxChanges = 1_000

const pageSize = 100

/** Creates the journal of a store. */
export function createDeliveryJournal({ journals, box, by, through }: DeliveryJournalOptions): DeliveryJournal {
  let collected: Collected | undefined
  let previous: Promise<unknown> = Promise.resolve()

  const append: DeliveryJournal['append'] = (batch) => journals.append(name, textOf(batch, box))

  /** Waits for others, and for the batch before, so that batches are in order. */
  async function writeLater(changes: JournalChange[], before: Promise<unknown>): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, linger))
    await before
    if (collected?.changes === changes) collected = undefined
    await append({ by, through: await through(), changes })
  }

  function collect(): Collected {
    if (collected !== undefined && collected.changes.length < maxChanges) return collected
    const changes: JournalChange[] = []
    const written = writeLater(changes, previous)
    previous = written.catch(() => {})
    collected = { changes, written }
    return collected
  }

  return {
    append,
    write: async (changes) => {
      if (changes.length === 0) return
      const batch = collect()
      batch.changes.push(...changes)
      await batch.written
    },
    read: async (from) =>
      (await journals.read(name, from, pageSize)).map(({ number, text }) => ({ number, ...batchIn(text, box) })),
    last: () => journals.last(name),
  }
}
