import type { Domain } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { type Machine, type MoveResult, operationsOf } from '../../entity/operations.ts'
import { refundsOf } from '../../entity/payable.ts'
import { type Sending, webhookEventSourceOf, webhookEventTypesOf } from '../../entity/webhook-events.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf, requireScopes } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { printedAmount, refuseImprecise } from '../../kernel/money.ts'
import { newShortCode, typedCode } from '../../kernel/short-code.ts'
import { compartmentEventShapes, takeCompartment } from './compartment.ts'
import { deviceOrder } from './device-order.ts'
import { otepClientLockerStorage } from './locker-storage.ts'
import { deviceOrderMessages } from './messages.ts'
import { becomeOverdue, deviceOrderModel, waitingDeviceOrders } from './overdue.ts'
import { payableDeviceOrder, payDeviceOrder } from './pay.ts'
import { deviceOrders } from './rules.ts'

export { deviceOrder } from './device-order.ts'
export type { DeviceOrderCode } from './messages.ts'
export { becomeOverdue, waitingDeviceOrders } from './overdue.ts'
export type { DeviceOrderPorts } from './ports.ts'
export { type DeviceOrder, type DeviceOrderCommand, deviceOrders } from './rules.ts'
export { type TrackedStay, trackedStay } from './tracked.ts'

/** The stored form of a code: a keyed hash that depends on the device order. */
function hashOf({ credentials }: Pick<Context, 'credentials'>, piece: unknown, code: unknown): string {
  return credentials.blind(`pickup code\0${piece}\0${typedCode(code)}`)
}

async function newCode(context: Context, _: unknown, { piece_id }: { readonly piece_id?: unknown }) {
  const pickup_code = newShortCode(context)
  return { pickup_code, code_hash: hashOf(context, piece_id, pickup_code) }
}

const withCode = ({ values }: MoveResult<typeof deviceOrder>) => ({ pickup_code: values.pickup_code })
const withException = ({ values }: MoveResult<typeof deviceOrder>) => ({ exception_id: values.exception_id })

/** Device orders, with the special rules of their moves. */
const machine: Machine<typeof deviceOrder> = {
  entity: deviceOrder,
  decider: deviceOrders,
  prepare: {
    create: async (context, { total_price }) => {
      const { id: business_id, currency } = accountOf(context).business
      const made = { business_id, piece_id: `urn:uuid:${context.randomId()}` }
      if (total_price === undefined) return made
      refuseImprecise(String(total_price), currency, 'total_price')
      return { ...made, total_price: printedAmount(String(total_price), currency), currency }
    },
    store: newCode,
    issue_code: newCode,
    collect: async (context, { pickup_code }, { piece_id }) => {
      const is_staff = staff.includes(accountOf(context).role)
      if (pickup_code !== undefined) return { is_staff, code_hash: hashOf(context, piece_id, pickup_code) }
      if (is_staff) requireScopes(context, [deviceOrder.api.write.scope])
      return { is_staff }
    },
  },
  beside: {
    store: takeCompartment,
    cancel: (context, { device_order_id: id, customer_id: customerId }, events) =>
      refundsOf(context, context.ports.deviceOrders, deviceOrder, events, { id, customerId, family: 'device_orders' }),
  },
  answer: {
    store: withCode,
    issue_code: withCode,
    collect: ({ events, state }) => {
      if (events.some(({ type }) => type === deviceOrder.moves.refuse_code.event))
        throw new EngineError('wrong_pickup_code', { order: state.device_order_id })
      return {}
    },
    open_exception: ({ events }) => ({ exception_id: events[0]?.data.exception_id }),
    resolve_exception: withException,
    dismiss_exception: withException,
  },
}

const sending: Sending = {
  channel: 'device_order',
  field: 'device_order_webhook_url',
  prefix: 'DOE',
  idMember: 'event_id',
  member: 'device_order',
  audience: ({ business_id, customer_id }) => ({
    kind: 'tenant',
    businessId: Number(business_id),
    customerId: customer_id === undefined ? undefined : Number(customer_id),
  }),
}

/** Stays in lockers, kiosks and smart drops: who is to act next, and what became of them. */
export const deviceOrdersDomain: Domain = {
  name: 'device-orders',
  messages: [deviceOrderMessages],
  events: { device_order: eventShapesOf(deviceOrder), compartment: compartmentEventShapes },
  tables: [deviceOrder],
  payable: payableDeviceOrder,
  deadlines: [{ name: 'device order', due: waitingDeviceOrders, pass: becomeOverdue, within: 500 }],
  operations: [...operationsOf(machine, deviceOrderModel), ...payDeviceOrder, otepClientLockerStorage],
  readModels: [deviceOrderModel],
  erasures: ['DeviceOrderPersonalDataErased'],
  webhookEventTypes: webhookEventTypesOf(deviceOrder, sending),
  webhookEventSources: [webhookEventSourceOf(machine, sending)],
}
