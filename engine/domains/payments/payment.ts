import { streamOf } from '../../entity/access.ts'
import type { MoveOf, StateOf, Values } from '../../entity/field.ts'
import { readModelOf } from '../../entity/list.ts'
import { deciderOf } from '../../entity/machine.ts'
import type { Context } from '../../kernel/context.ts'
import { dueIn } from '../../kernel/due.ts'
import type { Append } from '../../kernel/event-store.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { payment } from './payment-table.ts'

/** A payment by a provider outside. */
export type Payment = StateOf<typeof payment>

/** Payments, and how their moves are decided. */
export const paymentKind = { entity: payment, decider: deciderOf(payment) }

/** The list of payments. */
export const paymentModel = readModelOf(payment)

/** Payments that nobody has paid when their time ends. */
export const duePayments = dueIn(paymentModel, 'expires_at', { status: 'pending' })

/** Records a move of a payment; does nothing if that comes too late. */
export async function movePayment(
  context: Context,
  id: number,
  move: MoveOf<typeof payment>,
  values: Values = {},
): Promise<void> {
  const command = { ...commandOf(context, move), values }
  await execute(context.store, paymentKind.decider, streamOf(payment, id), command, toNewEvent(context))
}

/** What records a move of a payment that was read at a revision. */
export function moveOf(
  context: Context,
  { state, revision }: { readonly state: Payment; readonly revision: number },
  move: MoveOf<typeof payment>,
  values: Values,
): Append {
  const events = paymentKind.decider.decide({ ...commandOf(context, move), values }, state).map(toNewEvent(context))
  return { stream: streamOf(payment, state.payment_id), events, expected: revision }
}

function commandOf({ clock, caller }: Pick<Context, 'clock' | 'caller'>, move: MoveOf<typeof payment>) {
  return { move, at: isoOf(clock()), by: caller.account?.id ?? null }
}

/** Records that nobody has paid in time. */
export function expirePayment(context: Context, id: number): Promise<void> {
  return movePayment(context, id, 'expire')
}
