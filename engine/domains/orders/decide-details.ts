import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { type CommandOf, contractorLoses, eventBase, oneOf, refunded, refusal, statusForbids } from './decided.ts'
import type { OrderEvent } from './events.ts'
import type { TimeWindow } from './schema.ts'
import type { Order } from './state.ts'
import { finalStatuses } from './status.ts'

const types = [
  ...(['Reschedule', 'ChangeInstruction', 'ChangeNote'] as const),
  ...(['DeleteOrder', 'EraseOrder'] as const),
]

type Detailing = CommandOf<(typeof types)[number]>

/** Whether a command changes the details of an order. */
export const isOfDetails = oneOf(...types)

/** The events of a change of details. */
export function decideDetails(command: Detailing, order: Order): readonly OrderEvent[] {
  switch (command.type) {
    case 'Reschedule':
      return reschedule(command, order)
    case 'ChangeInstruction':
      if (finalStatuses.includes(order.status)) throw statusForbids(command, order)
      return rewrite(command, order, order.delivery_instruction, 'DeliveryInstructionChanged')
    case 'ChangeNote':
      return rewrite(command, order, order.note, 'OrderNoteChanged')
    case 'DeleteOrder':
      if (order.route_id !== undefined && !finalStatuses.includes(order.status))
        throw refusal('order_on_route', command, order)
      if (!isDeletable(order)) throw statusForbids(command, order)
      return [
        ...contractorLoses(command, order, 'delete'),
        ...(finalStatuses.includes(order.status) ? [] : refunded(command, order)),
        { type: 'OrderDeleted', data: eventBase(command) },
      ]
    case 'EraseOrder':
      return order.isErased ? [] : [{ type: 'OrderPersonalDataErased', data: eventBase(command) }]
  }
}

function reschedule(command: CommandOf<'Reschedule'>, order: Order): readonly OrderEvent[] {
  if (finalStatuses.includes(order.status)) throw statusForbids(command, order)
  const { schedule_date = order.schedule_date, time_window = order.time_window } = command
  if (schedule_date === order.schedule_date && isSame(time_window, order.time_window)) return []
  const from = omitUndefined({ schedule_date: order.schedule_date, time_window: order.time_window })
  return [
    {
      type: 'OrderScheduleChanged',
      data: { ...eventBase(command), from, to: omitUndefined({ schedule_date, time_window }) },
    },
  ]
}

function isSame(one: TimeWindow | undefined, other: TimeWindow | undefined): boolean {
  return one?.start === other?.start && one?.end === other?.end
}

function rewrite(
  command: CommandOf<'ChangeInstruction' | 'ChangeNote'>,
  order: Order,
  from: string | undefined,
  type: 'DeliveryInstructionChanged' | 'OrderNoteChanged',
): readonly OrderEvent[] {
  if (order.isErased) throw refusal('order_forgotten', command, order)
  if (from === command.text) return []
  return [{ type, data: { ...eventBase(command), personal: { ...omitUndefined({ from }), to: command.text } } }]
}

/** New, held, or ended. */
function isDeletable({ status }: Order): boolean {
  return status === 'NEW_ORDER' || status === 'HOLD' || finalStatuses.includes(status)
}
