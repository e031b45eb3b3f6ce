import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { staff } from '../../kernel/party.ts'
import type { Condition } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { deviceOrderStream, isStaff, visibleDeviceOrder } from './access.ts'
import { deviceOrders } from './decider.ts'
import { deviceOrderModel } from './device-order-model.ts'
import type { DeviceOrderCreated } from './events.ts'
import { deviceOrderId, id, instant, line, utcOf } from './input.ts'
import { deviceExceptionOf, deviceExceptionRecord, deviceOrderIn, deviceOrderOf, deviceOrderRecord } from './record.ts'
import {
  type DeviceOrderKind,
  deviceOrderKinds,
  deviceStatusNames,
  deviceTypes,
  type NextActor,
  nextActors,
} from './status.ts'

/** The family of the operations here, and the module that they are. */
export const family = { tag: 'Device Orders', module: 'device_orders' } as const

const announcement = v.strictObject({
  kind: v.picklist(deviceOrderKinds),
  device_type: v.picklist(deviceTypes),
  device_id: id('Id of the machine.'),
  device_name: line(200, 'Name of the machine; timelines tell it as the place.'),
  grid_code: v.exactOptional(line(50, 'Label of the compartment.')),
  customer_id: v.exactOptional(id('The customer whose it is, and who may see it.')),
  reference_number: v.exactOptional(line(100, 'What the business calls it.')),
  order_id: v.exactOptional(id('The order that it belongs to, which the caller has to see.')),
  external_order_id: v.exactOptional(line(100, 'What another system calls its order.')),
  due_at: v.exactOptional(instant('Until when it is to be collected.')),
  next_actor: v.exactOptional(
    v.pipe(v.picklist(nextActors), v.description('Who is to put it in; by its kind where absent.')),
  ),
  recipient: v.exactOptional(
    v.strictObject({
      name: v.exactOptional(line(200, 'For whom it is.')),
      phone: v.exactOptional(line(40, 'Where the recipient is reached.')),
    }),
  ),
})

/** Announces a deposit. */
export const createDeviceOrder = operation({
  name: 'create_device_order',
  summary: 'Announce that something will be put into a locker, a kiosk or a smart drop.',
  scopes: ['devices:write'],
  roles: staff,
  risk: 'medium',
  ...family,
  input: announcement,
  output: v.strictObject({ result: v.literal(true), device_order_id: v.number(), status: v.literal('pending') }),
  errors: ['module_disabled', 'module_not_migrated', 'not_a_customer', 'order_not_found'],
  rest: { method: 'POST', path: '/api/v1/device-orders' },
  handle: async (context, input) => {
    const account = accountOf(context)
    if (input.customer_id !== undefined) await demandCustomer(context, account.business.id, input.customer_id)
    if (input.order_id !== undefined) await demandOrder(context, input.order_id)
    const { recipient, due_at, next_actor = depositor[input.kind], ...rest } = input
    const told = {
      at: isoOf(context.clock()),
      by: account.id,
      business_id: account.business.id,
      ...rest,
      ...(due_at === undefined ? {} : { due_at: utcOf(due_at) }),
      next_actor,
      piece_id: `urn:uuid:${context.randomId()}`,
      ...(recipient === undefined ? {} : { personal: { recipient } }),
    }
    return { result: true, device_order_id: await create(context, told), status: 'pending' }
  },
})

/** Who puts it in, where nobody says otherwise. */
const depositor: Readonly<Record<DeviceOrderKind, NextActor>> = {
  delivery: 'courier',
  send: 'recipient',
  return: 'recipient',
  storage: 'recipient',
  relay: 'courier',
}

/** Records the announcement together with the number that it takes. */
async function create(context: Context, told: Omit<DeviceOrderCreated['data'], 'device_order_id'>): Promise<number> {
  return retryOnConflict(async () => {
    const { first, append } = await nextNumbers(context, 'device_order')
    const data = { device_order_id: first, ...told }
    const events = deviceOrders
      .decide({ type: 'CreateDeviceOrder', data }, deviceOrders.initial())
      .map(toNewEvent(context))
    await context.store.appendMany([append, { stream: deviceOrderStream(first), events, expected: 'no-stream' }])
    return first
  })
}

async function demandCustomer(context: Context, businessId: number, customer: number): Promise<void> {
  const person = await context.directory.person(context, customer)
  if (person?.role !== 'customer' || person.business.id !== businessId)
    throw new EngineError('not_a_customer', { customer })
}

async function demandOrder(context: Context, order: number): Promise<void> {
  if (!(await context.ports.deviceOrders.orderExists(context, order)))
    throw new EngineError('order_not_found', { order })
}

const filters = v.strictObject({
  status: v.exactOptional(v.picklist(deviceStatusNames)),
  device_id: v.exactOptional(id('Only those of this machine.')),
  next_actor: v.exactOptional(v.picklist(nextActors)),
  customer_id: v.exactOptional(id('Only those of this customer; a customer sees its own whatever it says.')),
  overdue: v.exactOptional(v.pipe(v.boolean(), v.description('Only those that are overdue now, or only others.'))),
  ...pageEntries,
})

/** Lists device orders, newest first. */
export const listDeviceOrders = operation({
  name: 'list_device_orders',
  summary: 'Device orders of the business, or those of the customer who asks, newest first.',
  scopes: ['devices:read'],
  risk: 'low',
  ...family,
  input: filters,
  output: v.strictObject({
    result: v.literal(true),
    ...pageAnswerEntries,
    device_orders: v.array(deviceOrderRecord),
  }),
  errors: ['module_disabled', 'module_not_migrated'],
  rest: { method: 'GET', path: '/api/v1/device-orders' },
  handle: async (context, { page, per_page, ...wanted }) => {
    const account = accountOf(context)
    const own = isStaff(account) ? {} : { customer_id: account.id }
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const condition = conditionOf({ ...wanted, ...own }, account.business.id)
    const { rows, total } = await context.models.page(deviceOrderModel, { ...condition, ...range, newestFirst: true })
    return { result: true, total, ...paging, device_orders: rows.map(deviceOrderIn) }
  },
})

type Wanted = Omit<v.InferOutput<typeof filters>, 'page' | 'per_page'>

function conditionOf({ status, overdue, ...cells }: Wanted, business_id: number): Condition {
  const statuses = deviceStatusNames.filter(
    (name) => (status === undefined || name === status) && (overdue === undefined || (name === 'overdue') === overdue),
  )
  const isNarrowed = statuses.length < deviceStatusNames.length
  return { where: { business_id, ...cells }, ...(isNarrowed ? { among: { status: statuses } } : {}) }
}

/** One device order. */
export const getDeviceOrder = operation({
  name: 'get_device_order',
  summary: 'One device order with its exceptions and its recipient. The pickup code is never told here.',
  scopes: ['devices:read'],
  risk: 'low',
  ...family,
  input: v.strictObject(deviceOrderId),
  output: v.strictObject({
    result: v.literal(true),
    device_order: deviceOrderRecord,
    exceptions: v.array(deviceExceptionRecord),
    recipient: v.pipe(
      v.nullable(v.strictObject({ name: v.exactOptional(v.string()), phone: v.exactOptional(v.string()) })),
      v.description('Null where nobody said it, and once it was erased.'),
    ),
  }),
  errors: ['module_disabled', 'module_not_migrated', 'device_order_not_found'],
  rest: { method: 'GET', path: '/api/v1/device-orders/{device_order_id}' },
  handle: async (context, { device_order_id }) => {
    const order = await visibleDeviceOrder(context, device_order_id)
    return {
      result: true,
      device_order: deviceOrderOf(order),
      exceptions: order.exceptions.map(deviceExceptionOf),
      recipient: order.recipient ?? null,
    }
  },
})
