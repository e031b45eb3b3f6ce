import * as v from 'valibot'
import type { Values } from '../../../entity/field.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import { deriveId } from '../../../kernel/id.ts'
import { isObject } from '../../../kernel/members.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import type { Reader, WebhookEventType } from '../../../kernel/webhook-event.ts'
import type { OrderEvent } from '../events.ts'
import { moves } from '../moves.ts'
import type { Order } from '../state.ts'
import { lifecycleId } from '../webhook-event-ids.ts'
import { exampleMembers, membersOf, orderEntries } from './members.ts'
import { type Payload, type PayloadsOf, payload } from './payload.ts'

type MoveWithWebhook = {
  [Name in keyof typeof moves]: (typeof moves)[Name] extends { readonly webhook: object } ? Name : never
}[keyof typeof moves]

/** Examples of what webhook events carry beside the order. */
const examples: Readonly<Partial<Record<MoveWithWebhook, Values>>> = {
  assign: { source: 'manual' },
  unassign: { previous_driver_id: 12, reason: 'removal' },
  reject: { reason: 'My car has broken down.' },
  fail: { stage: 'delivery', reason: 'deliver_later' },
}

/** The type of the webhook event of a move. */
function webhookEventTypeOf(move: MoveWithWebhook) {
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
  } as const satisfies WebhookEventType
}

const movesWithWebhook = (Object.keys(moves) as (keyof typeof moves)[]).filter(
  (move): move is MoveWithWebhook => 'webhook' in moves[move],
)

/** The types of the webhook events of moves, by the types of the recorded events. */
const eventTypes = new Map(
  movesWithWebhook.map((move) => [moves[move].event as string, webhookEventTypeOf(move)] as const),
)

/** The types of the webhook events of moves. Several moves may have the same one. */
export const lifecycleEventTypes: readonly WebhookEventType[] = [
  ...new Map([...eventTypes.values()].reverse().map((eventType) => [eventType.name, eventType])).values(),
].reverse()

/** The types of recorded events that have a webhook event of this channel. */
export const lifecycleTypes: readonly string[] = [...eventTypes.keys()]

/** The payloads of an event in the life cycle of an order. */
export const lifecyclePayloads: PayloadsOf = (event, order) => {
  if (event.type === 'OrderRejected') return rejectionPayloads(event, order)
  const eventType = eventTypes.get(event.type)
  if (eventType === undefined) return []
  const extra = extraOf(event, eventType)
  return [
    payload(eventType, lifecycleId(event), (reader) => ({ ...membersOf(eventType.name, order)(reader), ...extra })),
  ]
}

/** The members of an event that its webhook event carries beside the order. */
function extraOf({ data }: OrderEvent, { name }: WebhookEventType): Values {
  const row = moves[movesWithWebhook.find((move) => moves[move].webhook.event === name) ?? 'assign']
  const names = 'tells' in row ? Object.keys(row.tells) : []
  return isObject(data) ? omitUndefined(Object.fromEntries(names.map((member) => [member, data[member]]))) : {}
}

type Rejection = Extract<RecordedEvent<OrderEvent>, { readonly type: 'OrderRejected' }>

/**
 * A rejection has two webhook events. Each has its own id, because receivers drop an id that they know. Only the
 * business reads the driver's words, as over REST.
 */
function rejectionPayloads(event: Rejection, order: Order): readonly Payload[] {
  const { driver_id, personal } = event.data
  const forBusiness = { driver_id, ...omitUndefined({ reason: personal?.note }) }
  const [rejected, unassigned] = [webhookEventTypeOf('reject'), webhookEventTypeOf('unassign')]
  const lossId = lifecycleId({ id: deriveId(unassigned.name, event.id) })
  const members = (name: string, reader: Reader) => membersOf(name, order)(reader)
  return [
    payload(rejected, lifecycleId(event), (reader) => ({
      ...members(rejected.name, reader),
      ...(reader === 'customer' ? {} : forBusiness),
    })),
    payload(unassigned, lossId, (reader) => ({
      ...members(unassigned.name, reader),
      previous_driver_id: driver_id,
      reason: 'rejection',
    })),
  ]
}
