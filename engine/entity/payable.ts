import type { Family } from '../kernel/account.ts'
import type { Context } from '../kernel/context.ts'
import type { NewEvent } from '../kernel/event.ts'
import type { Append } from '../kernel/event-store.ts'
import { amountOn, type Bill, type Payable, type PayingPorts } from '../kernel/payable.ts'
import { isoOf } from '../kernel/time.ts'
import { toNewEvent } from '../store/to-new-event.ts'
import { load, loadEntity, streamOf } from './access.ts'
import type { Entity, StateOf } from './field.ts'
import { allowsMove, type EntityEvent } from './machine.ts'
import type { Machine } from './operations.ts'
import type { Payment } from './paying.ts'

/** A family whose orders are things of a table with paying moves and fields. */
export function payableOf<E extends Entity>(
  family: Family,
  machine: Pick<Machine<E>, 'entity' | 'decider'> & { renumberedAs?(state: StateOf<E>): number | undefined },
  billOf: (state: StateOf<E>) => Bill,
): Payable {
  const { entity, decider } = machine
  return {
    family,
    bill: async (facts, id) => {
      const state = await loadEntity(facts, machine, id)
      return state && billOf(state)
    },
    settle: async (context, id, { amount: requested, offline }) => {
      const found = await load(context, machine, id)
      const before = found?.state
      const bill = before && billOf(before)
      const move = offline === undefined ? 'pay' : 'settle_offline'
      const isRefused = before === undefined || !allowsMove(entity, before.status, move)
      const amount = bill === undefined || isRefused ? '0' : amountOn(bill, id, requested)
      const values = { [entity.id]: id, payment: { amount, currency: bill?.currency ?? '', ...offline } }
      const by = context.caller.account?.id ?? null
      const command = { move, at: isoOf(context.clock()), by, values } as const
      const events = decider.decide(command as never, before).map(toNewEvent(context))
      const after = events.reduce<StateOf<E> | undefined>(decider.evolve as never, before) as StateOf<E>
      const stream = streamOf(entity, Number((after as Readonly<Record<string, unknown>>)[entity.id]))
      return { amount, bill: billOf(after), appends: [{ stream, events, expected: found?.revision ?? 'no-stream' }] }
    },
  }
}

/** What events give back to the wallet of the customer: to be appended in one transaction with them. */
export async function refundsOf(
  context: Context,
  { refund }: PayingPorts,
  { moves }: Pick<Entity, 'moves'>,
  events: readonly NewEvent<EntityEvent>[],
  order: { readonly id: number; readonly customerId?: number | undefined; readonly family: Family },
): Promise<readonly Append[]> {
  const { id: orderId, customerId, family } = order
  const back = events.find(({ type }) => type === moves.refund?.event)
  if (back === undefined || customerId === undefined) return []
  const { amount, currency } = back.data.payment as Payment
  return [await refund(context, { customerId, orderId, family, amount, currency })]
}
