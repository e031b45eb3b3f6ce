import type { Context } from '../../kernel/context.ts'
import { isRefusal } from '../../kernel/errors.ts'
import type { Condition } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { lockerDeliveryStream } from './access.ts'
import { lockerDeliveries } from './decider.ts'
import { lockerDeliveryModel } from './locker-delivery-model.ts'

/** A locker delivery that expires as it stands, and when, in epoch milliseconds. */
export interface DueDelivery {
  readonly id: number
  readonly dueAt: number
}

/** Those that expire before an instant (epoch milliseconds) as they stand, with ids after `after`, in order of id. */
export async function dueLockerDeliveries(
  { models }: Pick<Context, 'models'>,
  before: number,
  after: number,
  limit: number,
): Promise<readonly DueDelivery[]> {
  const between = { due_at: [undefined, isoOf(before)], id: [after + 1, undefined] } as const
  const { rows } = await models.page(lockerDeliveryModel, { between, limit })
  return rows.map(({ id, due_at }) => ({ id: Number(id), dueAt: Date.parse(String(due_at)) }))
}

type Clocked = Pick<Context, 'store' | 'clock' | 'caller' | 'requestId' | 'randomId'>

/** Records that an expiry has passed; answers whether it has: nothing is recorded before its time, or where somebody was faster. */
export async function expireLockerDelivery(context: Clocked, id: number): Promise<boolean> {
  const command = {
    type: 'ExpireDelivery',
    at: isoOf(context.clock()),
    by: context.caller.account?.id ?? null,
  } as const
  try {
    await execute(context.store, lockerDeliveries, lockerDeliveryStream(id), command, toNewEvent(context))
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Expires what is due of what matches, and answers how many those are and how many are left. */
export async function expireDueDeliveries(
  context: Clocked & Pick<Context, 'models'>,
  { limit, ...condition }: Condition & { readonly limit: number },
): Promise<{ readonly expired: number; readonly left: number }> {
  const between = { due_at: [undefined, isoOf(context.clock())] } as const
  const { rows, total } = await context.models.page(lockerDeliveryModel, { ...condition, between, limit })
  let expired = 0
  for (const { id } of rows) if (await expireLockerDelivery(context, Number(id))) expired++
  return { expired, left: total - rows.length }
}
