import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { isReservable, providers, registerStream } from './decider.ts'
import type { ProviderEvent } from './events.ts'

/** The append that reserves those of the names that are of no provider; none if there are none. */
export async function reservedNames(context: Context, names: readonly string[]): Promise<readonly Append[]> {
  const asked = names.filter(isReservable)
  if (asked.length === 0) return []
  const history = (await context.store.read(registerStream)) as readonly RecordedEvent<ProviderEvent>[]
  const register = fold(providers, history)
  const at = isoOf(context.clock())
  const events = asked.flatMap((name) => providers.decide({ type: 'ReserveName', name, at }, register))
  if (events.length === 0) return []
  const expected = history.at(-1)?.revision ?? 'no-stream'
  return [{ stream: registerStream, events: events.map(toNewEvent(context)), expected }]
}
