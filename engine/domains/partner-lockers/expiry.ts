import * as v from 'valibot'
import { streamOf, visibleCells } from '../../entity/access.ts'
import { readModelOf } from '../../entity/list.ts'
import { staff } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { dueIn } from '../../kernel/due.ts'
import { isRefusal } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { lockerDelivery } from './locker-delivery.ts'
import { lockerDeliveries } from './rules.ts'

/** The list of locker deliveries. */
export const lockerDeliveryModel = readModelOf(lockerDelivery)

/** The locker deliveries that expire before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueLockerDeliveries = dueIn(lockerDeliveryModel, 'due_at')

type Clocked = Pick<Context, 'store' | 'clock' | 'caller' | 'requestId' | 'randomId'>

/**
 * Records that a delivery has expired, and returns whether it has. Does nothing before its time, or if the delivery has
 * moved on.
 */
export async function expireLockerDelivery(context: Clocked, id: number): Promise<boolean> {
  const command = { move: 'expire', at: isoOf(context.clock()), by: context.caller.account?.id ?? null } as const
  try {
    await execute(context.store, lockerDeliveries, streamOf(lockerDelivery, id), command, toNewEvent(context))
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

const limit = 200

/** Expires all deliveries that are due. */
export const expireLockerDeliveries = operation({
  name: 'expire_locker_deliveries',
  summary: `Record what has expired by now: access codes that were not used, and deposits that were not collected; up to ${limit} at once.`,
  scopes: ['partner_lockers:write'],
  roles: staff,
  risk: 'medium',
  tag: 'Partner Lockers',
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    expired: v.pipe(v.number(), v.description('How many have expired with this call.')),
    left: v.pipe(v.number(), v.description('How many are left for further calls.')),
  }),
  errors: ['account_required'],
  rest: { method: 'POST', path: '/api/v1/partner-lockers/expire-deliveries' },
  handle: async (context) => {
    const between = { due_at: [undefined, isoOf(context.clock())] } as const
    const { rows, total } = await context.models.page(lockerDeliveryModel, {
      where: visibleCells(context),
      between,
      limit,
    })
    let expired = 0
    for (const { delivery_id } of rows) if (await expireLockerDelivery(context, Number(delivery_id))) expired++
    return { result: true, expired, left: total - rows.length }
  },
})
