import type { DeliveryChange, DeliveryRepository, Structured } from '../../node/deliveries.ts'
import type { Progress } from '../progress.ts'
import { redeliveryOf } from '../redelivery.ts'
import { type DispatcherRun, retryUntilAborted } from '../retry.ts'
import type { Batch, JournalChange } from './batch.ts'
import type { DeliveryJournal } from './journal.ts'

/** What copying needs. */
interface CopyParts {
  readonly repository: DeliveryRepository
  readonly journal: DeliveryJournal
  /** The name of this node. */
  readonly by: string
  readonly structured: Structured
  /** How far the own flow of events has come: the deliveries of a change have to be there first. */
  readonly progress: Progress
  /** Called when anything may have become due. */
  readonly wake: () => void
}

/** Milliseconds between two looks at the journal, and while the flow of events catches up. */
const pause = { journal: 500, events: 20 }

/** Own batches need no copying; the place of those that may safely be copied again is noted only now and then. */
const noted = 100

/** Copies what other nodes have journalled, until the signal is aborted; `reached` is called with the next number. */
export async function keepCopying(
  parts: CopyParts,
  run: DispatcherRun,
  reached: (next: number) => void,
): Promise<void> {
  const { repository, journal } = parts
  const tried = <Result>(work: () => Promise<Result>) =>
    retryUntilAborted(run, 'the deliveries of other nodes cannot be copied', work)
  let next = await tried(async () => Math.min(await repository.nextCopied(), ((await journal.last()) ?? -1) + 1))
  while (!run.signal.aborted) {
    reached(next)
    const batches = await tried(() => journal.read(next))
    for (const batch of batches) {
      await flowTo(batch.through, parts, run)
      if (run.signal.aborted) return
      await tried(() => copyOne(parts, batch))
      next = batch.number + 1
    }
    if (batches.length === 0) await run.wait(pause.journal, run.signal)
  }
}

async function flowTo(position: string, { progress }: CopyParts, { signal, wait }: DispatcherRun): Promise<void> {
  while (progress.saved < position && !signal.aborted) await wait(pause.events, signal)
}

async function copyOne(parts: CopyParts, { by, number, changes }: Batch & { readonly number: number }): Promise<void> {
  const isSafeTwice = changes.every(({ kind }) => kind === 'attempt')
  if (by === parts.by) return isSafeTwice && number % noted > 0 ? undefined : parts.repository.copy([], number + 1)
  const ready: DeliveryChange[] = []
  for (const change of changes) {
    if (change.kind !== 'redelivery') ready.push(change)
    // Its original may be among what is ready.
    else ready.push(...(await parts.repository.copy(ready.splice(0), number).then(() => madeAgain(parts, change))))
  }
  await parts.repository.copy(ready, number + 1)
  if (!isSafeTwice) parts.wake()
}

/** A redelivery is made of the original of this node; there is none of what was erased. */
async function madeAgain(
  { repository, structured }: CopyParts,
  { delivery }: Extract<JournalChange, { readonly kind: 'redelivery' }>,
): Promise<readonly DeliveryChange[]> {
  const { id, businessId, of, dueAt, createdAt } = delivery
  const original = await repository.original(businessId, of)
  if (original === undefined || original.native.length === 0) return []
  const endpoint = { ...original.endpoint, ...delivery.endpoint }
  return [{ kind: 'add', delivery: { ...redeliveryOf(original, endpoint, { id, dueAt, structured }), createdAt } }]
}
