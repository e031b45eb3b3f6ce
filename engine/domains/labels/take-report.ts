import { load, streamOf } from '../../entity/access.ts'
import { reporterOf } from '../../kernel/carrier-report.ts'
import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { followedNumber } from './followed.ts'
import { labelKind, labels } from './label.ts'
import { label } from './table.ts'

/** Moves the label of a parcel by an event of its timeline, if its carrier has reported the status; no event moves it twice. */
export async function takeLabelReport(context: Context, recorded: RecordedEvent): Promise<void> {
  const { namedIn, reportIn } = context.ports.labels
  const { provider, tracking_number: number } = namedIn(recorded) ?? {}
  const followed = number === undefined ? undefined : await followedNumber(context, number)
  if (number === undefined || followed === undefined || provider !== reporterOf(followed.followed.carrier)) return
  const found = await load(context, labelKind, followed.followed.order_id)
  const told = found && (await reportIn(context, recorded))
  if (found === undefined || told === undefined) return
  const { order_id } = found.state
  const report = { ...told, tracking_number: number }
  const command = { move: 'report', at: isoOf(context.clock()), by: null, values: { report } } as const
  await execute(context.store, labels, streamOf(label, order_id), command, toNewEvent(context))
}
