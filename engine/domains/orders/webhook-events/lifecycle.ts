import * as v from 'valibot'
import type { Values } from '../../../entity/field.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import { deriveId } from '../../../kernel/id.ts'
import { isObject } from '../../../kernel/members.ts'
import type { Notice, Reader } from '../../../kernel/webhook-event.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import type { OrderEvent } from '../events.ts'
import { moves } from '../moves.ts'
import { lifecycleId } from '../webhook-event-ids.ts'
import type { Order } from '../state.ts'
import { exampleMembers, membersOf, orderEntries } from './members.ts'
import { type Teller, type Telling, telling } from './payload.ts'

type Told = {
  [Name in keyof typeof moves]: (typeof moves)[Name] extends { readonly webhook: object } ? Name : never
}[keyof typeof moves]

/** Examples of what webhook events carry beside the order. */
const examples: Readonly<Partial<Record<Told, Values>>> = {
  assign: { source: 'manual' },
  unassign: { previous_driver_id: 12, reason: 'removal' },
  reject: { reason: 'My car has broken down.' },
  fail: { stage: 'delivery', reason: 'deliver_later' },
}

/** The webhook event of a move. */
function noticeOf(move: Told) {
  const row = moves[move]
  const { event, summary } = row.webhook
  return {
    name: event,
    channel: 'order_lifecycle',
    field: 'order_lifecycle_webhook_url',
    summary,
    data: v.strictObject({ ...orderEntries(event), ...('tells' in row ? row.tells : {}) }),
    example: { ...exampleMembers(event, move), ...examples[move] },
    idMember: 'event_id',
  } as const satisfies Notice
}

const told = (Object.keys(moves) as (keyof typeof moves)[]).filter((move): move is Told => 'webhook' in moves[move])

/** The webhook events of moves, by the types of the events of orders. */
const notices = new Map(told.map((move) => [moves[move].event as string, noticeOf(move)] as const))

/** The webhook events of the moves of an order. Several moves may have the same one. */
export const lifecycleNotices: readonly Notice[] = [
  ...new Map([...notices.values()].reverse().map((notice) => [notice.name, notice])).values(),
].reverse()

/** The types of the events of orders that have a webhook event of their own. */
export const lifecycleTypes: readonly string[] = [...notices.keys()]

/** What an event tells of the life of an order. */
export const tellLifecycle: Teller = (event, order) => {
  if (event.type === 'OrderRejected') return tellRejection(event, order)
  const notice = notices.get(event.type)
  if (notice === undefined) return []
  const extra = extraOf(event, notice)
  return [telling(notice, lifecycleId(event), (reader) => ({ ...membersOf(notice.name, order)(reader), ...extra }))]
}

/** The members of an event that its webhook event carries beside the order. */
function extraOf({ data }: OrderEvent, { name }: Notice): Values {
  const row = moves[told.find((move) => moves[move].webhook.event === name) ?? 'assign']
  const names = 'tells' in row ? Object.keys(row.tells) : []
  return isObject(data) ? omitUndefined(Object.fromEntries(names.map((member) => [member, data[member]]))) : {}
}

type Rejection = Extract<RecordedEvent<OrderEvent>, { readonly type: 'OrderRejected' }>

/**
 * A rejection is reported by two webhook events, each under an id of its own, as receivers drop an id that they know. The
 * words of the driver are for the business alone, as over REST.
 */
function tellRejection(event: Rejection, order: Order): readonly Telling[] {
  const { driver_id, personal } = event.data
  const forBusiness = { driver_id, ...omitUndefined({ reason: personal?.note }) }
  const [rejected, unassigned] = [noticeOf('reject'), noticeOf('unassign')]
  const lossId = lifecycleId({ id: deriveId(unassigned.name, event.id) })
  const members = (name: string, reader: Reader) => membersOf(name, order)(reader)
  return [
    telling(rejected, lifecycleId(event), (reader) => ({
      ...members(rejected.name, reader),
      ...(reader === 'customer' ? {} : forBusiness),
    })),
    telling(unassigned, lossId, (reader) => ({
      ...members(unassigned.name, reader),
      previous_driver_id: driver_id,
      reason: 'rejection',
    })),
  ]
}
