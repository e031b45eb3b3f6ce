import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { isoOf } from '../../kernel/time.ts'
import { platformProvider } from '../../kernel/timeline.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { isSameName } from './decide-report.ts'
import { orders } from './decider.ts'
import { findLoaded } from './load.ts'
import { orderWithNumber } from './owners.ts'
import { orderStream } from './streams.ts'

/**
 * Moves the order of a parcel by an event of its timeline, if the carrier that has the order, or that is to deliver it, has reported
 * the status. An order that nobody has notes the report of another one. The tracking number alone names the order, and no event
 * moves it twice.
 */
export async function takeReport(context: Context, recorded: RecordedEvent): Promise<void> {
  const { namedIn, reportIn, providerOf } = context.ports.orders
  const named = namedIn(recorded)
  if (named === undefined || named.provider === platformProvider) return
  const found = async (number: string) => {
    const id = await orderWithNumber(context.store, number)
    const order = id === undefined ? undefined : (await findLoaded(context, id))?.state
    if (order === undefined || order.is_deleted) return undefined
    const carrier = order.provider ?? (await providerOf(context, order.order_id))
    return carrier === undefined || isSameName(carrier, named.provider) ? { order, carrier } : undefined
  }
  if (named.tracking_number !== undefined && (await found(named.tracking_number)) === undefined) return
  const told = await reportIn(context, recorded)
  if (told === undefined) return
  const { tracking_number, ...report } = told
  const { order, carrier } = (await found(tracking_number)) ?? {}
  if (order === undefined) return
  const type = carrier === undefined ? 'NoteReport' : 'TakeReport'
  const command = { type, at: isoOf(context.clock()), by: null, report } as const
  await execute(context.store, orders, orderStream(order.order_id), command, toNewEvent(context))
}

/**
 * Notes on the order of a parcel which carriers contradict each other, or that none do any more. It is decided by the timeline as it
 * is now, so it may be done twice.
 */
export async function takeContradiction(context: Context, recorded: RecordedEvent): Promise<void> {
  const { namedIn, contradictionIn } = context.ports.orders
  const named = namedIn(recorded)?.tracking_number
  // Most parcels have no order, and then the timeline is not read.
  if (named !== undefined && (await orderWithNumber(context.store, named)) === undefined) return
  const told = await contradictionIn(context, recorded)
  const id = told && (await orderWithNumber(context.store, told.tracking_number))
  const order = id === undefined ? undefined : (await findLoaded(context, id))?.state
  if (order === undefined || order.is_deleted || told === undefined) return
  const { contradicting } = told
  const command = { type: 'NoteContradiction', at: isoOf(context.clock()), by: null, contradicting } as const
  await execute(context.store, orders, orderStream(order.order_id), command, toNewEvent(context))
}
