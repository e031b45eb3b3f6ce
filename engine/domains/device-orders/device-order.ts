import * as v from 'valibot'
import { idFrom, isOwnCustomer } from '../../entity/access.ts'
import { type AccessRule, type Entity, everybody, type Fields, nobody } from '../../entity/field.ts'
import { type Payments, payingFields } from '../../entity/paying.ts'
import { roles, staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { amountText } from '../../kernel/money.ts'
import { named } from '../../kernel/named.ts'
import type { Bill } from '../../kernel/payable.ts'
import { instant as anyInstant, id, recordedInstant as instant, number, word } from '../../kernel/schemas.ts'
import { type Attempts, afterWrongCode, noAttempts } from '../../kernel/short-code.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import { exception } from './exceptions.ts'
import { moves, statuses } from './moves.ts'

/** The decisions that hold for most fields: neither personal nor a price, and shown to everybody who may see the device order. */
const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'no',
  webhooks: 'all',
  setBy: everybody,
  shownTo: everybody,
} as const

/** The decisions for what only the engine reads. */
const hidden = { ...shown, shownTo: nobody, webhooks: 'none' } as const

/** The input of an instant: with any offset from UTC. */
const instantInput = { type: anyInstant, stored: (input: string) => isoOf(instantOf(input)) }

const kind = v.picklist(['delivery', 'send', 'return', 'storage', 'relay'])

/** The purpose of a device order. */
export type Kind = v.InferOutput<typeof kind>

const nextActor = v.picklist(['recipient', 'courier', 'operator'])

/** Who is to act next. */
export type NextActor = v.InferOutput<typeof nextActor>

const recipient = named(
  'DeviceOrderRecipient',
  v.strictObject({
    name: v.exactOptional(v.pipe(word(200), v.description('Name of the recipient.'))),
    phone: v.exactOptional(v.pipe(word(40), v.description('Phone number of the recipient.'))),
  }),
)

type Recipient = v.InferOutput<typeof recipient>

const attempts = v.strictObject({ failures: v.number(), locked_until: v.number() })
const wrongCode = {
  of: ({ at }: { at: string }, before: { attempts: Attempts }) => afterWrongCode(before.attempts, at),
}

const customerOfBusiness = idFrom('customer', 'not_a_customer', isOwnCustomer)

const order = idFrom('order', 'order_not_found', (context, id) => context.ports.deviceOrders.orderExists(context, id))

/** A stay that is noticed to be overdue; events of earlier versions do not say since when. */
export interface Noticed {
  readonly due_at?: string
  readonly overdue_at: string
}

/** As much of the state of a device order as its bill follows from. */
interface Billed extends Payments {
  readonly status: string
  readonly customer_id?: number | undefined
  readonly total_price?: string | undefined
  readonly currency?: string | undefined
}

/** What is to be paid for a device order, and what was paid. */
export function billOf({
  status,
  customer_id: customerId,
  total_price: total = '0',
  currency,
  paid = '0',
}: Billed): Bill {
  return { customerId, currency, total, paid, isOpen: status !== 'cancelled' }
}

const fields = {
  device_order_id: {
    ...shown,
    about: 'Id of the device order.',
    type: id,
    example: 8,
    set: { create: 'engine' },
    listed: 'column',
    shownAs: 'id',
  },
  business_id: {
    ...hidden,
    about: 'Id of the business whose machine it is.',
    type: id,
    example: 1,
    set: { create: 'engine' },
    listed: 'key',
  },
  kind: {
    ...shown,
    about:
      'What it is for: a delivery, something that the recipient sends or returns, a rental, or a hand-over between couriers.',
    type: kind,
    example: 'storage',
    set: { create: 'required' },
    listed: 'column',
  },
  status: {
    ...shown,
    about: 'Status of the device order.',
    type: v.picklist(Object.keys(statuses)),
    example: 'stored',
    set: {},
    listed: 'filter',
  },
  next_actor: {
    ...shown,
    about:
      'Who is to act next: to put it in, and then to take it out; by its kind where absent. Nobody once it has ended.',
    type: nextActor,
    example: 'recipient',
    set: {
      create: 'defaulted',
      store: 'defaulted',
      become_overdue: 'engine',
      collect: 'cleared',
      remove: 'cleared',
      cancel: 'cleared',
    },
    listed: 'filter',
  },
  device_type: {
    ...shown,
    about: 'Kind of the machine.',
    type: v.picklist(['locker', 'kiosk', 'smart_drop']),
    example: 'locker',
    set: { create: 'required' },
    listed: 'column',
  },
  device_id: {
    ...shown,
    about: 'Id of the machine.',
    type: number,
    example: 4,
    set: { create: 'required' },
    listed: 'filter',
  },
  device_name: {
    ...shown,
    about: 'Name of the machine, which timelines show as the place.',
    type: word(200),
    example: 'Locker Main Street',
    set: { create: 'required' },
    listed: 'column',
  },
  grid_code: {
    ...shown,
    about: 'Label of the compartment.',
    type: word(50),
    example: 'A-07',
    set: { create: 'optional', store: 'kept' },
    listed: 'column',
  },
  customer_id: {
    ...hidden,
    about: 'Id of the customer to whom it belongs, and who may see it. A customer sees only its own in any case.',
    type: id,
    example: 3,
    set: { create: 'optional' },
    names: customerOfBusiness,
    listed: 'hidden filter',
  },
  reference_number: {
    ...shown,
    about: 'Reference of the business.',
    type: word(100),
    example: 'PO-1001',
    set: { create: 'optional' },
    listed: 'column',
  },
  order_id: {
    ...shown,
    about: 'Id of the order that it belongs to.',
    type: id,
    example: 42,
    set: { create: 'optional' },
    names: order,
    listed: 'column',
  },
  external_order_id: {
    ...shown,
    about: 'Id of its order in another system.',
    type: word(100),
    example: 'X-42',
    set: { create: 'optional' },
    listed: 'column',
  },
  total_price: {
    ...shown,
    about: 'What it costs, in the currency of the business: decimal text. Nothing is to be paid where none is given.',
    type: amountText,
    example: '4.50',
    set: { create: 'optional' },
    price: 'device_orders',
    setBy: staff,
    shownTo: [...staff, 'customer'],
    missing: 'left out',
    webhooks: 'none',
  },
  currency: {
    ...shown,
    about: 'Currency of the price: ISO 4217.',
    type: v.string(),
    example: 'CAD',
    set: { create: 'sometimes' },
    price: 'device_orders',
    setBy: nobody,
    shownTo: [...staff, 'customer'],
    missing: 'left out',
    webhooks: 'none',
  },
  ...payingFields('device_orders', 'DeviceOrder', billOf),
  due_at: {
    ...shown,
    about:
      'Until when it is to be collected: ISO 8601, in the future. Where none is given, 72 hours after it was stored.',
    type: instant,
    input: instantInput,
    example: '2026-06-12T16:00:00.000Z',
    set: { create: 'optional', store: 'defaulted', become_overdue: 'repeated' },
    listed: 'column',
  },
  overdue_at: {
    ...shown,
    about: 'When it became overdue, which is its deadline: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-12T16:00:00.000Z',
    // The event says when that was noticed, a moment later.
    set: { become_overdue: { of: ({ due_at, overdue_at }: Noticed) => due_at ?? overdue_at } },
    listed: 'column',
  },
  created_at: {
    ...hidden,
    about: 'When it was created: ISO 8601.',
    type: instant,
    example: '2026-06-09T09:00:00.000Z',
    set: { create: 'now' },
    listed: 'key',
  },
  stored_at: {
    ...shown,
    about: 'When it was put into the machine: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-10T16:00:00.000Z',
    set: { store: 'now' },
    listed: 'column',
  },
  ended_at: {
    ...shown,
    about: 'When it was collected, removed or cancelled: ISO 8601; webhook events have it in UTC.',
    type: instant,
    example: '2026-06-11T08:30:00.000Z',
    set: { collect: 'now', remove: 'now', cancel: 'now' },
    listed: 'column',
  },
  removal_reason: {
    ...shown,
    about: 'Why staff took it out.',
    type: v.picklist([
      ...(['overdue_return', 'handover', 'relay', 'anomaly', 'recovery'] as const),
      ...(['pending_area', 'deleted', 'destroyed'] as const),
    ]),
    example: 'anomaly',
    set: { remove: 'required' },
    listed: 'column',
  },
  overdue: {
    ...hidden,
    about: 'Whether it is overdue now.',
    type: v.boolean(),
    example: true,
    set: { create: { is: false }, become_overdue: { is: true }, collect: { is: false }, remove: { is: false } },
    listed: 'hidden filter',
  },
  recipient: {
    ...shown,
    about: 'For whom it is. Null if that is unknown, and once it was erased.',
    type: v.nullable(recipient),
    input: { type: recipient, stored: (input: Recipient) => input },
    example: { name: 'Ann Lee' },
    set: { create: 'optional' },
    personal: true,
    webhooks: 'none',
    beside: true,
    of: (state: { recipient?: Recipient }) => state.recipient ?? null,
    always: true,
  },
  piece_id: {
    ...hidden,
    about: 'Identifier of its timeline. Everybody who knows it may read that, so it cannot be guessed.',
    type: v.string(),
    example: 'urn:uuid:1',
    set: { create: 'engine' },
  },
  code_hash: {
    ...hidden,
    about: 'Keyed hash of the pickup code, for this device order alone.',
    type: v.string(),
    example: 'hash',
    set: { issue_code: 'engine' },
  },
  attempts: {
    ...hidden,
    about: 'Wrong codes that were given in a row.',
    type: attempts,
    example: noAttempts,
    set: { create: { is: noAttempts }, issue_code: { is: noAttempts }, refuse_code: wrongCode },
  },
} as const satisfies Fields<keyof typeof moves>

/** Staff see those of their business, and other accounts their own there. */
const ofBusinessAndCustomer: AccessRule = {
  belongs: (context, { business_id, customer_id }) => {
    const { id, role, business } = accountOf(context)
    return business_id === business.id && (staff.includes(role) || (role === 'customer' && customer_id === id))
  },
  cells: (context: Pick<Context, 'caller'>) => {
    const { id, role, business } = accountOf(context)
    return { business_id: business.id, ...(!staff.includes(role) && { customer_id: id }) }
  },
}

/** A stay in a locker, a kiosk or a smart drop. */
export const deviceOrder = {
  category: 'device_order',
  noun: 'device order',
  id: 'device_order_id',
  statuses,
  moves,
  fields,
  parts: { exceptions: exception },
  missing: 'null',
  access: ofBusinessAndCustomer,
  listVersion: 4,
  refusals: { missing: 'device_order_not_found', forbidden: 'device_order_status_forbids', param: 'order' },
  indexes: [
    ['business_id', 'status'],
    ['customer_id', 'status'],
    ['status', 'due_at'],
    ['business_id', 'changed'],
    ['customer_id', 'changed'],
  ],
  api: {
    tag: 'Device Orders',
    module: 'device_orders',
    path: '/api/v1/device-orders',
    one: 'device_order',
    many: 'device_orders',
    read: { scope: 'devices:read', by: roles },
    write: { scope: 'devices:write' },
    list: {
      operation: 'list_device_orders',
      summary:
        'Device orders of the business, or those of the customer that calls, newest first; or those that changed since a moment or an earlier answer.',
    },
    get: {
      operation: 'get_device_order',
      summary: 'One device order with its exceptions and its recipient. It does not contain the pickup code.',
    },
  },
} as const satisfies Entity
