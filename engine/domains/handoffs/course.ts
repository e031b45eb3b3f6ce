import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { amountOf, hundredthsOf } from '../../kernel/money.ts'
import { operation } from '../../kernel/operation.ts'
import { commandStamp } from '../../kernel/party.ts'
import { codeOf, isExperimental, isTerminal } from '../../kernel/profile.ts'
import { instant, word } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { carryOut, handoffStream } from './access.ts'
import { utcOf } from './content.ts'
import { handoffs } from './decider.ts'
import { byStaff, change, changed, refusals } from './decisions.ts'
import { handoffModel } from './handoff-model.ts'
import { amount, currency, handoffId, noteEntry } from './input.ts'
import { settlementKinds } from './status.ts'

/** Tells how an order is getting on. */
export const trackHandoff = operation({
  name: 'track_handoff',
  summary: 'Tell the partner how an accepted order is getting on. A code after which nothing follows completes it.',
  ...byStaff,
  input: v.strictObject({
    ...handoffId,
    status_code: v.pipe(word(64), v.description('Code of the parcel profile, or an unregistered one: x-...')),
    occurred_at: v.exactOptional(v.pipe(instant, v.description('RFC 3339 with an offset; now where absent.'))),
    tracking_number: v.exactOptional(word(60)),
    ...noteEntry,
  }),
  output: changed,
  errors: [...refusals, 'unknown_status_code', 'handoff_full'],
  rest: { method: 'POST', path: '/api/v1/handoffs/{handoff_id}/tracking' },
  handle: async (context, { handoff_id, occurred_at, ...update }) => {
    const told = commandStamp(context)
    const is_last = isLast(context, update.status_code)
    const occurred = occurred_at === undefined ? told.at : utcOf(occurred_at)
    return change(context, handoff_id, { type: 'TrackHandoff', ...told, ...update, occurred_at: occurred, is_last })
  },
})

/** Whether nothing follows after a code; refuses one that the profile does not know with `unknown_status_code`. */
function isLast({ profiles: [profile] }: Pick<Context, 'profiles'>, code: string): boolean {
  if (codeOf(profile, code) === undefined && !isExperimental(code))
    throw new EngineError('unknown_status_code', { received: code, profile: profile.name })
  return isTerminal(profile, code)
}

/** Puts down an amount. */
export const createSettlementLine = operation({
  name: 'create_settlement_line',
  summary: 'Put down an amount that the business and the partner owe each other for an order.',
  ...byStaff,
  input: v.strictObject({ ...handoffId, kind: v.picklist(settlementKinds), amount, currency, ...noteEntry }),
  output: v.strictObject({ result: v.literal(true), handoff_id: v.number(), line_id: v.number() }),
  errors: [...refusals, 'handoff_full'],
  rest: { method: 'POST', path: '/api/v1/handoffs/{handoff_id}/settlement-lines' },
  handle: async (context, { handoff_id, ...line }) => {
    const amount = amountOf(hundredthsOf(line.amount))
    const command = { type: 'CreateSettlementLine', ...commandStamp(context), ...line, amount } as const
    const { facts } = await carryOut(context, handoff_id, command)
    const [line_id] = facts.flatMap(({ data }) => ('line_id' in data ? [data.line_id] : []))
    return { result: true, handoff_id, line_id }
  },
})

/** So many offers expire in one call. */
const maxExpired = 200

/** Records that the time of offers is over. */
export const expireHandoffs = operation({
  name: 'expire_handoffs',
  summary: 'Record that nobody decided in time on offers of partners, and so tell the partners; at most 200 in a call.',
  ...byStaff,
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
    const facts = await Promise.all(rows.map(({ id }) => expireHandoff(context, Number(id))))
    return { result: true, expired: facts.filter((isExpired) => isExpired).length, left: total - rows.length }
  },
})

/** Offers that expire before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export async function dueHandoffs(
  { models }: Pick<Context, 'models'>,
  before: number,
  after: number,
  limit: number,
): Promise<readonly { readonly id: number; readonly dueAt: number }[]> {
  const between = { expires_at: [undefined, isoOf(before)], id: [after + 1, undefined] } as const
  const { rows } = await models.page(handoffModel, { where: { status: 'proposed' }, between, limit })
  return rows.map(({ id, expires_at }) => ({ id: Number(id), dueAt: Date.parse(String(expires_at)) }))
}

/** Records that the time of an offer is over; whether it was, and nobody was faster. */
export async function expireHandoff(
  context: Pick<Context, 'store' | 'clock' | 'caller' | 'requestId' | 'randomId'>,
  id: number,
): Promise<boolean> {
  const command = { type: 'ExpireHandoff', at: isoOf(context.clock()), by: context.caller.account?.id ?? null } as const
  const facts = await execute(context.store, handoffs, handoffStream(id), command, toNewEvent(context))
  return facts.length > 0
}

/** Erases what a handoff tells of people, for good. */
export const eraseHandoff = operation({
  name: 'erase_handoff',
  summary: 'Erase for good what a handoff tells of people: contacts, addresses, items and notes.',
  ...byStaff,
  risk: 'high',
  roles: ['client_admin'],
  input: v.strictObject(handoffId),
  output: changed,
  errors: ['handoff_not_found', 'erasure_unfinished'],
  rest: { method: 'POST', path: '/api/v1/handoffs/{handoff_id}/erase' },
  handle: async (context, { handoff_id }) =>
    change(context, handoff_id, { type: 'EraseHandoff', ...commandStamp(context) }),
})
