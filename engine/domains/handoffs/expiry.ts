import * as v from 'valibot'
import { streamOf } from '../../entity/access.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { dueIn } from '../../kernel/due.ts'
import { operation } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { handoff } from './handoff.ts'
import { handoffModel } from './machine.ts'
import { handoffs } from './rules.ts'

/** So many offers expire in one call. */
const maxExpired = 200

/** Records that the time of offers is over. */
export const expireHandoffs = operation({
  name: 'expire_handoffs',
  summary: 'Record that nobody decided in time on offers of partners, and so tell the partners; at most 200 in a call.',
  scopes: [handoff.api.write.scope],
  roles: staff,
  risk: 'medium',
  tag: handoff.api.tag,
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    expired: v.number(),
    left: v.pipe(v.number(), v.description('How many are left for another call.')),
  }),
  errors: [],
  rest: { method: 'POST', path: '/api/v1/handoffs/expire' },
  handle: async (context) => {
    const where = { business_id: accountOf(context).business.id, status: 'proposed' }
    const between = { expires_at: [undefined, isoOf(context.clock())] } as const
    const { rows, total } = await context.models.page(handoffModel, { where, between, limit: maxExpired })
    const expired = await Promise.all(rows.map(({ handoff_id }) => expireHandoff(context, Number(handoff_id))))
    return { result: true, expired: expired.filter((isExpired) => isExpired).length, left: total - rows.length }
  },
})

/** Offers that expire before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueHandoffs = dueIn(handoffModel, 'expires_at', { status: 'proposed' })

/** Records that an offer has expired. Returns whether it did, and no other event came first. */
export async function expireHandoff(
  context: Pick<Context, 'store' | 'clock' | 'caller' | 'requestId' | 'randomId'>,
  id: number,
): Promise<boolean> {
  const command = { move: 'expire', at: isoOf(context.clock()), by: context.caller.account?.id ?? null } as const
  const events = await execute(context.store, handoffs, streamOf(handoff, id), command, toNewEvent(context))
  return events.length > 0
}
