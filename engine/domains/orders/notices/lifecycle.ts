import * as v from 'valibot'
import type { RecordedEvent } from '../../../kernel/event.ts'
import { deriveId } from '../../../kernel/id.ts'
import type { Members } from '../../../kernel/members.ts'
import type { Notice, Reader } from '../../../kernel/notice.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { id, text } from '../../../kernel/schemas.ts'
import type { OrderEvent } from '../events.ts'
import { lifecycleId } from '../notice-ids.ts'
import type { Order } from '../state.ts'
import { type Status, statuses } from '../status.ts'
import { exampleOrder, membersOf, orderMembers } from './members.ts'
import { type Teller, type Telling, telling } from './telling.ts'

/** A notice of the life of an order; `status` is that of its example. */
function lifecycle<Entries extends v.ObjectEntries>(
  name: `order.${string}`,
  summary: string,
  entries: Entries,
  status: Status,
  more: Members = {},
) {
  return {
    name,
    channel: 'order_lifecycle',
    field: 'order_lifecycle_webhook_url',
    summary,
    data: v.strictObject({ ...orderMembers, ...entries }),
    example: { ...exampleOrder, status: statuses[status].id, status_name: status, ...more },
    idMember: 'event_id',
  } as const satisfies Notice
}

const assigned = lifecycle(
  'order.assigned',
  'A driver was assigned: manually, by route planning or automatically.',
  {
    source: v.pipe(
      v.picklist(['manual', 'route', 'auto_assign']),
      v.description('auto_assign where the orchestrator did it.'),
    ),
  },
  'ASSIGNED',
  { source: 'manual', driver_id: 12 },
)

const reasonsOfLoss = ['handover', 'removal', 'rejection', 'time_out', 'hold', 'cancel'] as const

const unassigned = lifecycle(
  'order.unassigned',
  'The order lost its driver.',
  {
    previous_driver_id: v.pipe(id, v.description('The driver who had it; a customer is told too.')),
    reason: v.pipe(v.picklist(reasonsOfLoss), v.description('handover: to another driver, who is told next.')),
  },
  'NEW_ORDER',
  { previous_driver_id: 12, reason: 'removal' },
)

const accepted = lifecycle('order.accepted', 'The driver accepted the order in the app.', {}, 'ACCEPTED')

const rejected = lifecycle(
  'order.rejected',
  'The driver rejected the order; order.unassigned tells the loss.',
  {
    reason: v.exactOptional(
      v.pipe(text(500), v.description('As the driver wrote it, for the business alone; missing once it was erased.')),
    ),
  },
  'NEW_ORDER',
  { reason: 'My car has broken down.' },
)

const pickupStarted = lifecycle(
  'order.pickup_started',
  'The driver set out to pick the order up.',
  {},
  'PICKUP_STARTED',
)
const pickedUp = lifecycle('order.picked_up', 'The driver picked the order up.', {}, 'PICKED_UP')

const onTheWay = lifecycle(
  'order.on_the_way',
  'The order is on its way to the recipient, whoever carries it.',
  {},
  'ON_THE_WAY',
)

const completed = lifecycle('order.completed', 'The delivery succeeded, whoever carried it.', {}, 'DELIVERED')

const failed = lifecycle(
  'order.failed',
  'An attempt failed.',
  {
    stage: v.pipe(v.picklist(['pickup', 'delivery']), v.description('Of which attempt.')),
    reason: v.pipe(
      v.picklist(['deliver_later', 'reschedule', 'refused']),
      v.description('To be delivered later, to be rescheduled, or refused by the recipient.'),
    ),
  },
  'FAILED',
  { stage: 'delivery', reason: 'deliver_later' },
)

const cancelled = lifecycle(
  'order.cancelled',
  'The order was cancelled.',
  { replaced_by: v.exactOptional(v.pipe(id, v.description('The order that took its place, as it was rerouted.'))) },
  'CANCELLED',
)

const ready = lifecycle('order.ready', 'The order was marked ready for pickup.', {}, 'NEW_ORDER')

/** What happens in the life of an order. */
export const lifecycleNotices: readonly Notice[] = [
  ...[assigned, unassigned, accepted, rejected, pickupStarted, pickedUp],
  ...[onTheWay, completed, failed, cancelled, ready],
]

/** What an event tells of the life of an order. */
export const tellLifecycle: Teller = (event, order) => {
  const id = lifecycleId(event)
  const members = (reader: Reader) => membersOf(order, reader)
  switch (event.type) {
    case 'OrderAssigned':
      return [telling(assigned, id, (reader) => ({ ...members(reader), source: event.data.source }))]
    case 'OrderUnassigned': {
      const { previous_driver_id, reason } = event.data
      return [telling(unassigned, id, (reader) => ({ ...members(reader), previous_driver_id, reason }))]
    }
    case 'OrderAccepted':
      return [telling(accepted, id, members)]
    case 'OrderRejected':
      return tellRejection(event, order)
    case 'OrderPickupStarted':
      return [telling(pickupStarted, id, members)]
    case 'OrderPickedUp':
      return [telling(pickedUp, id, members)]
    case 'OrderOnTheWay':
    case 'OrderHandedToCarrier':
      return [telling(onTheWay, id, members)]
    case 'OrderCompleted':
    case 'OrderDeliveredByCarrier':
      return [telling(completed, id, members)]
    case 'OrderFailed': {
      const { stage, reason } = event.data
      return [telling(failed, id, (reader) => ({ ...members(reader), stage, reason }))]
    }
    case 'OrderCancelled':
      return [
        telling(cancelled, id, (reader) => ({
          ...members(reader),
          ...omitUndefined({ replaced_by: order.replaced_by }),
        })),
      ]
    case 'OrderReady':
      return [telling(ready, id, members)]
    default:
      return []
  }
}

type Rejection = Extract<RecordedEvent<OrderEvent>, { readonly type: 'OrderRejected' }>

/**
 * A rejection tells two things, each under an id of its own, as receivers drop an id that they know. What the driver wrote
 * is for the business alone, as over REST.
 */
function tellRejection(event: Rejection, order: Order): readonly Telling[] {
  const { driver_id, personal } = event.data
  const forBusiness = { driver_id, ...omitUndefined({ reason: personal?.note }) }
  const lossId = lifecycleId({ id: deriveId(unassigned.name, event.id) })
  return [
    telling(rejected, lifecycleId(event), (reader) => ({
      ...membersOf(order, reader),
      ...(reader === 'customer' ? {} : forBusiness),
    })),
    telling(unassigned, lossId, (reader) => ({
      ...membersOf(order, reader),
      previous_driver_id: driver_id,
      reason: 'rejection' as const,
    })),
  ]
}
