import type { Context } from '../../../kernel/context.ts'
import type { Append } from '../../../kernel/event-store.ts'
import { isoOf } from '../../../kernel/time.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { load } from '../read.ts'
import { factorStream, factorsOf } from './factors.ts'

/** The append that erases the second factors and recovery codes of an account. */
export async function eraseFactors(context: Context, account_id: number): Promise<Append> {
  const stream = factorStream(account_id)
  const { state, expected } = await load(context.store, factorsOf, stream)
  const command = { type: 'EraseFactors', at: isoOf(context.clock()), account_id } as const
  return { stream, events: factorsOf.decide(command, state).map(toNewEvent(context)), expected }
}
