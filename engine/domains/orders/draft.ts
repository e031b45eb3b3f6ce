import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Finding } from '../../kernel/finding.ts'
import { sha256 } from '../../kernel/id.ts'
import { present } from '../../kernel/present.ts'
import { day, id, refusingMember, text, word } from '../../kernel/schemas.ts'
import { dress } from '../../store/dress.ts'
import { untilUncontended } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { addressTermsOf } from './addresses/terms.ts'
import { orders } from './decider.ts'
import type { OrderCreated, OrderType } from './events.ts'
import { givenBy } from './load.ts'
import { keptPrice } from './money.ts'
import { numberKey } from './order-model.ts'
import { isStaff } from './record.ts'
import { orderType, party, price, timeWindow } from './schema.ts'
import type { Order } from './state.ts'
import { numberStream, type OrderNumberTaken, orderStream } from './streams.ts'
import { termsOf } from './terms.ts'

/** The parties that an order of each type cannot do without. */
export const partiesOf: Readonly<Record<OrderType, readonly ('pickup' | 'delivery')[]>> = {
  D: ['delivery'],
  P: ['pickup'],
  P2P: ['pickup', 'delivery'],
}

/** An order as it is asked for. */
export const newOrder = v.pipe(
  v.strictObject({
    type: orderType,
    pickup: v.exactOptional(party),
    delivery: v.exactOptional(party),
    tracking_number: v.exactOptional(
      v.pipe(word(60), v.description('No other order has it. Made where absent; only staff may give one.')),
    ),
    external_tracking_number: v.exactOptional(word(100)),
    reference: v.exactOptional(v.pipe(word(100), v.description('What the sender calls the order.'))),
    customer_id: v.exactOptional(
      v.pipe(id, v.description('Account of the customer. Only staff may say it; a customer orders for itself.')),
    ),
    schedule_date: v.exactOptional(v.pipe(day, v.description('YYYY-MM-DD, in the time zone of the business.'))),
    time_window: v.exactOptional(timeWindow),
    items: v.exactOptional(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(999), v.description('Parcels; 1 where absent.')),
    ),
    delivery_instruction: v.exactOptional(text(500)),
    note: v.exactOptional(v.pipe(text(500), v.description('Internal; only staff write and read it.'))),
    price: v.exactOptional(v.pipe(price, v.description('Only staff may say it.'))),
  }),
  refusingMember((order) => {
    const missing = partiesOf[order.type].find((name) => order[name] === undefined)
    return missing === undefined ? undefined : [missing, 'required']
  }),
)

/** An order as it is asked for, once it has passed the schema. */
export type NewOrder = v.InferOutput<typeof newOrder>

/** What is decided about a member that an order may be asked for with. */
interface Decision<Value> {
  /** Who may say it when the order is made. */
  readonly set: 'anybody' | 'staff'
  /** What an order that is made in the place of another takes over from it. */
  readonly carried: ((order: Order) => Value | undefined) | 'nothing'
}

/** Every member that an order may be asked for with: one without a decision does not compile. */
const decisions: { readonly [Name in keyof NewOrder]-?: Decision<NewOrder[Name]> } = {
  type: { set: 'anybody', carried: ({ type }) => type },
  pickup: { set: 'anybody', carried: ({ pickup }) => pickup },
  delivery: { set: 'anybody', carried: ({ delivery }) => delivery },
  tracking_number: { set: 'staff', carried: 'nothing' },
  external_tracking_number: {
    set: 'anybody',
    carried: ({ external_tracking_number: externalTrackingNumber }) => externalTrackingNumber,
  },
  reference: { set: 'anybody', carried: ({ reference }) => reference },
  // The customer stays the same, whoever reroutes the order: the draft has it from elsewhere.
  customer_id: { set: 'staff', carried: 'nothing' },
  schedule_date: { set: 'anybody', carried: ({ schedule_date: scheduleDate }) => scheduleDate },
  time_window: { set: 'anybody', carried: ({ time_window: timeWindow }) => timeWindow },
  items: { set: 'anybody', carried: ({ items }) => items },
  delivery_instruction: { set: 'anybody', carried: ({ delivery_instruction: instruction }) => instruction },
  note: { set: 'staff', carried: ({ note }) => note },
  price: {
    set: 'staff',
    carried: ({ price }) => price && { ...price, surcharges: [...(price.surcharges ?? [])] },
  },
}

const members = Object.entries(decisions) as readonly [keyof NewOrder, Decision<unknown>][]

/** The request that would make an order again, in the place of the one that there is. */
export function askedAgain(order: Order): NewOrder {
  const carried = members.map(([name, { carried }]) => [name, carried === 'nothing' ? undefined : carried(order)])
  return present(Object.fromEntries(carried)) as NewOrder
}

/** An order that is not recorded yet, and what records it. */
export interface DraftedOrder {
  readonly order: Order
  readonly appends: readonly Append[]
}

/** What a draft is made of, beside what was asked for. */
interface Making {
  readonly id: number
  readonly source: OrderCreated['data']['source']
  readonly replaces?: number
  readonly customerId?: number | undefined
}

/** Codes that an order which is asked for may be refused with. */
export const newOrderErrors = ['customer_not_found', 'tracking_number_taken', 'contention'] as const

/**
 * The order that is asked for under this id, and what records it, with the stream that keeps its tracking number for it.
 * Refuses what only staff may say, a customer of another business (`customer_not_found`), `tracking_number_taken`.
 */
export async function draftOrder(context: Context, asked: NewOrder, making: Making): Promise<DraftedOrder> {
  refuseForOthers(context, asked)
  return draftAs(context, asked, { ...making, customerId: await customerOf(context, asked) })
}

/** As `draftOrder`, of what may be said whoever asks, as it was said before; for the customer of `making`. */
export async function draftAs(context: Context, asked: NewOrder, making: Making): Promise<DraftedOrder> {
  const trackingNumber = asked.tracking_number ?? madeNumber(context, making.id)
  const data = createdData(context, asked, making, trackingNumber)
  const events = orders.decide({ type: 'CreateOrder', data }, undefined).map(dress(context))
  const order = fold(orders, events)
  if (order === undefined) throw new EngineError('order_not_found', { order: making.id })
  if (asked.tracking_number !== undefined) await refuseTracked(context, trackingNumber)
  const claim = await claimed(context, trackingNumber, making.id)
  return { order, appends: [{ stream: orderStream(making.id), events, expected: 'no-stream' }, claim] }
}

/** Records the order that is asked for; refuses as `draftOrder`. */
export async function createOrderOf(
  context: Context,
  asked: NewOrder,
  source: OrderCreated['data']['source'],
): Promise<Order> {
  return untilUncontended(async () => {
    const { first, append } = await nextNumbers(context, 'order')
    const { order, appends } = await draftOrder(context, asked, { id: first, source })
    await context.store.appendMany([append, ...appends])
    return order
  })
}

function createdData(context: Context, asked: NewOrder, making: Making, number: string): OrderCreated['data'] {
  const { at, by } = givenBy(context)
  const { business } = accountOf(context)
  const parties = [asked.delivery, asked.pickup]
  const terms = termsOf(context.credentials, business.id, parties)
  const address_terms = addressTermsOf(context.credentials, business.id, parties)
  return {
    ...{ at, by, order_id: making.id, business_id: business.id },
    ...present({ customer_id: making.customerId }),
    ...{ type: asked.type, to: 'NEW_ORDER', tracking_number: number },
    ...present({
      external_tracking_number: asked.external_tracking_number,
      reference: asked.reference,
      schedule_date: asked.schedule_date,
      time_window: asked.time_window,
    }),
    items: asked.items ?? 1,
    ...present({ price: asked.price && keptPrice(asked.price) }),
    source: making.source,
    ...present({ replaces: making.replaces }),
    personal: present({
      pickup: asked.pickup,
      delivery: asked.delivery,
      delivery_instruction: asked.delivery_instruction,
      note: asked.note,
      terms,
      address_terms,
    }),
  }
}

function refuseForOthers(context: Context, asked: NewOrder): void {
  if (isStaff(context)) return
  const said = members.filter(([name, { set }]) => set === 'staff' && asked[name] !== undefined)
  const findings = said.map(([path]): Finding => ({ path, code: 'only_staff' }))
  if (said.length > 0) throw new EngineError('invalid_input', { count: said.length }, findings)
}

async function customerOf(context: Context, { customer_id }: NewOrder): Promise<number | undefined> {
  const account = accountOf(context)
  if (account.role === 'customer') return account.id
  if (customer_id === undefined) return undefined
  const customer = await context.directory.person(context, customer_id)
  if (customer?.role !== 'customer' || customer.business.id !== account.business.id)
    throw new EngineError('customer_not_found', { customer: customer_id })
  return customer_id
}

/** What somebody else's timeline is found by cannot be the number of an order: it would write into that timeline. */
async function refuseTracked(context: Context, number: string): Promise<void> {
  if (await context.ports.orders.isTracked(context, number)) throw new EngineError('tracking_number_taken', { number })
}

async function claimed(context: Context, trackingNumber: string, order_id: number): Promise<Append> {
  const stream = numberStream(numberKey(trackingNumber))
  if ((await context.store.last(stream)) !== undefined)
    throw new EngineError('tracking_number_taken', { number: trackingNumber })
  const fact: OrderNumberTaken = { type: 'OrderNumberTaken', data: { order_id } }
  return { stream, events: [dress(context)(fact)], expected: 'no-stream' }
}

/**
 * A tracking number: the id, ten digits that nobody can guess, since whoever has the number may track the parcel, and a
 * check digit (weights 3 and 1 from the right, as GS1 keys have it).
 */
function madeNumber({ randomId }: Pick<Context, 'randomId'>, id: number): string {
  const chance = Number.parseInt(sha256(randomId()).slice(0, 12), 16) % 10_000_000_000
  const digits = `${String(id).padStart(6, '0')}${String(chance).padStart(10, '0')}`
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0)
  return `LD${digits}${(10 - (sum % 10)) % 10}`
}
