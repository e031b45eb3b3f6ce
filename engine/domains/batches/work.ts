import { callerOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type Batch, batches, batchStream, isDone } from './decider.ts'
import type { BatchEvent, BatchRowsGiven, RowResult } from './events.ts'
import { type DraftedRows, draftRows } from './rows.ts'

/**
 * Creates one chunk of a batch's orders on behalf of the account that sent them, in one transaction with their
 * results. So they are created once, however often this is called.
 */
export async function workOnBatch(context: Context, event: RecordedEvent<BatchEvent>): Promise<void> {
  if (event.type !== 'BatchRowsGiven') return
  await retryOnConflict(async () => {
    const history = (await context.store.read(
      event.stream as `${string}-${string}`,
    )) as readonly RecordedEvent<BatchEvent>[]
    const batch = fold(batches, history)
    const last = history.at(-1)
    if (batch === undefined || last === undefined || isDone(batch, event.data.from)) return
    const { results, appends } = await drafted(context, batch, event)
    const command = { type: 'RecordRows', at: isoOf(context.clock()), from: event.data.from, results } as const
    const events = batches.decide(command, batch).map(toNewEvent(context))
    await context.store.appendMany([...appends, { stream: batchStream(batch.id), events, expected: last.revision }])
  })
}

/** Creates nothing for an account that is erased or disabled. */
async function drafted(context: Context, { by }: Batch, { data }: BatchRowsGiven): Promise<DraftedRows> {
  const person = await context.directory.person(context, by)
  const { from, rows, personal } = data
  if (!person?.isActive || personal === undefined) return { results: refusedAll(from, rows), appends: [] }
  return draftRows({ ...context, caller: callerOf(person) }, personal.orders, 'async', from)
}

function refusedAll(from: number, rows: number): readonly RowResult[] {
  return Array.from({ length: rows }, (_, place) => ({
    ...{ index: from + place, result: false as const },
    ...{ code: 'account_required', params: {} },
  }))
}
