import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Business, codes, type Family, type Model, moves, type Order, type Parcel } from './model.test.fixture.ts'
import { type Carrier, carriers, type Office, type Person, type Scan } from './office.test.fixture.ts'

export const names = ['Ann Lee', 'Bob Roe'] as const
export const references = ['R-1', 'R-2', 'R-3'] as const
/** The clock begins on the second of these days. */
export const days = ['2026-06-09', '2026-06-10', '2026-06-11'] as const
const minute = 60_000

/** The work of one history, and what it has to remember beside the orders. */
export interface Work {
  readonly office: Office
  readonly model: Model
  /** Everything that a carrier told, so that it can be told again. */
  readonly told: (() => Promise<void>)[]
  events: number
}

/** Chances of a command: whatever it chooses, it chooses by these. */
export interface Chances {
  readonly which: number
  readonly how: number
  readonly who: number
}

function among<Item>(list: readonly Item[], chance: number): Item {
  return list[chance % list.length] as Item
}

/** What somebody is shown of the orders: staff those of their business, a customer what it has ordered. */
export function isShown({ business, isDeleted, isOfCustomer }: Order, who: Person): boolean {
  if (isDeleted || who === 'driver') return false
  return who === 'customer' ? isOfCustomer : business === who
}

/** Mostly the staff of an order; sometimes the other business, or the customer. */
function callerOn({ business }: Order, chance: number): Business | 'customer' {
  if (chance % 9 === 0) return business === 'one' ? 'two' : 'one'
  return chance % 9 === 1 ? 'customer' : business
}

type Command = (work: Work, chances: Chances) => Promise<void>

/** A command on some order, mostly of a family; nothing happens while there is none. */
function onOrder(act: (work: Work, order: Order, chances: Chances) => Promise<void>, wanted?: Family): Command {
  return async (work, chances) => {
    const all = [...work.model.orders].reverse()
    const some = all.filter(({ family }) => wanted === undefined || family === wanted)
    const orders = some.length > 0 && chances.which % 6 !== 5 ? some : all
    if (orders.length > 0) await act(work, among(orders, chances.which), chances)
  }
}

/** Asks for something that is answered as the model says, and changes nothing where that is a refusal. */
async function asked({ office }: Work, expected: string, ...question: Parameters<Office['ask']>) {
  const before = await office.store.latest()
  const { body, code } = await office.ask(...question)
  assert.equal(code, expected, `${question.slice(0, 3).join(' ')}: ${JSON.stringify(body)}`)
  // An attempt to cancel is recorded.
  if (expected !== 'ok' && expected !== 'cancel_refused') assert.equal(await office.store.latest(), before)
  return body
}

const create: Command = async (work, { which, how, who }) => {
  const caller = among(['one', 'one', 'customer', 'two'] as const, who)
  const [name, day] = [among(names, how), among([undefined, undefined, ...days], which)]
  const reference = among(references, how)
  const isOfCustomer = caller === 'customer' || (caller === 'one' && how % 3 === 0)
  const body = {
    ...{ type: 'D', delivery: { name, address: { street: '2 Side Street', country: 'CA' } }, reference },
    ...(day !== undefined && { schedule_date: day }),
    ...(isOfCustomer && caller === 'one' && { customer_id: work.office.people.customer }),
  }
  const made = await asked(work, 'ok', caller, 'POST', 'orders', body)
  const business = caller === 'two' ? 'two' : 'one'
  const begun = { business, family: 'local_delivery', name, reference, day, isOfCustomer } as const
  work.model.begin(begun, made.order_id, [made.tracking_number])
}

const buy: Command = async (work, { how, who }) => {
  const business = among(['one', 'one', 'two'] as const, who)
  const [name, reference] = [among(names, how), among(references, how)]
  const isBroke = how % 6 === 5
  const party = { street: '1 Main Street', postal_code: isBroke ? '00005' : 'M5V 1A1', region: 'ON', country: 'CA' }
  const shipment = {
    ...{ from: { ...party, name: 'Acme' }, to: { ...party, name } },
    parcels: [{ weight_grams: 800 }, { weight_grams: 900 }].slice(how % 2),
  }
  const { rates } = await asked(work, 'ok', business, 'POST', 'labelservice/compareAllCarriers', shipment)
  const body = { ...shipment, reference, rate_id: rates[0].rate_id }
  const made = await asked(work, 'ok', business, 'POST', 'labelservice/createShippingLabel', body)
  const state = isBroke ? 'LABEL_PURCHASE_FAILED' : 'LABEL_PURCHASED'
  assert.equal(made.status, state)
  const begun = { business, family: 'label_service', name, reference, state, provider: 'sandbox' } as const
  work.model.begin(begun, made.order_id, made.tracking_numbers)
}

/** What the path of a move takes, and the order after it. */
function bodyOf(verb: string, { office }: Work, { how }: Chances) {
  if (verb === 'assign-driver') return { driver_id: office.people.driver }
  if (verb === 'hand-to-carrier') return { provider: among(carriers, how) }
  if (verb === 'fail') return { reason: how % 2 === 0 ? 'refused' : 'deliver_later' }
  return {}
}

/** Why an order is out of reach for an operation on local deliveries; undefined if it is not. */
function outOfReach(order: Order, who: Person): string | undefined {
  if (!isShown(order, who)) return 'order_not_found'
  return order.family === 'local_delivery' ? undefined : 'not_a_self_delivery_order'
}

const move = (...verbs: readonly string[]): Command =>
  onOrder(async (work, order, chances) => {
    const { how, who } = chances
    const verb = among(verbs, how)
    const someone = callerOn(order, who)
    const caller = someone === 'customer' && verb !== 'cancel' ? order.business : someone
    // There is one driver, of the first business.
    if (verb === 'assign-driver' && caller === 'two') return
    const body = bodyOf(verb, work, chances)
    const refusal = outOfReach(order, caller) ?? work.model.refusalOf(order, verb)
    await asked(work, refusal ?? 'ok', caller, 'POST', `orders/${order.id}/${verb}`, body)
    if (refusal === 'cancel_refused') work.model.touch(order)
    const { provider } = body as { readonly provider?: string }
    const more = { ...(provider !== undefined && { provider }), isRefused: how % 2 === 0 }
    if (refusal === undefined) work.model.move(order, verb, more)
  }, 'local_delivery')

const drive: Command = onOrder(async (work, order, { how }) => {
  const verb = among(['accept', 'reject', 'start-pickup', 'pick-up'], how)
  const isTheirs = order.hasDriver && !order.isDeleted
  const refusal = isTheirs ? work.model.refusalOf(order, verb) : 'order_not_found'
  await asked(work, refusal ?? 'ok', 'driver', 'POST', `orders/${order.id}/${verb}`, {})
  if (refusal === undefined) work.model.move(order, verb)
}, 'local_delivery')

/** Takes an order from its first move to its last but one, so that there is something to come to its end. */
const carry: Command = onOrder(async (work, order, chances) => {
  const verbs = ['assign-driver', 'pick-up', 'depart', chances.how % 2 === 0 ? 'fail' : 'complete']
  const isPossible = order.status === 'NEW_ORDER' && order.business === 'one' && outOfReach(order, 'one') === undefined
  if (!isPossible) return
  for (const verb of verbs.slice(0, 2 + (chances.who % 3))) {
    work.office.clock.now += minute
    await asked(work, 'ok', 'one', 'POST', `orders/${order.id}/${verb}`, bodyOf(verb, work, chances))
    work.model.move(order, verb, { isRefused: chances.how % 2 === 0 })
  }
}, 'local_delivery')

const remove: Command = onOrder(async (work, order, { who }) => {
  const caller = callerOn(order, who) === order.business ? order.business : 'two'
  const isOpen = !['NEW_ORDER', 'HOLD', 'DELIVERED', 'DELIVERED_BY_CARRIER', 'RETURNED', 'CANCELLED'].includes(
    order.status,
  )
  const refusal = outOfReach(order, caller) ?? (isOpen ? 'order_status_forbids' : undefined)
  await asked(work, refusal ?? 'ok', caller, 'POST', `orders/${order.id}/delete`, {})
  if (refusal === undefined) order.isDeleted = true
}, 'local_delivery')

const update: Command = onOrder(async (work, order, { how, who }) => {
  const someone = callerOn(order, who)
  const caller = someone === 'customer' ? order.business : someone
  const [refusal, reference] = [outOfReach(order, caller), among(references, how)]
  await asked(work, refusal ?? 'ok', caller, 'PATCH', `orders/${order.id}`, { reference })
  if (refusal !== undefined || order.reference === reference) return
  order.reference = reference
  work.model.touch(order)
}, 'local_delivery')

/** A name for what a carrier tells, and an instant that nothing else has: mostly now, and sometimes long ago. */
function scanOf(work: Work, { how, who }: Chances): Scan {
  const late = who % 4 === 0 ? (1 + (how % 7)) * minute : 0
  return { id: `e${++work.events}`, at: work.office.clock.now - late - 1_000, code: among(codes, how) }
}

const report: Command = onOrder(async (work, order, chances) => {
  const { model, office, told } = work
  const [parcel] = order.parcels
  if (parcel === undefined || order.family !== 'local_delivery') return
  // Whoever has it reports, or is to: others do now and then.
  const has = carriers.find((name) => name === (order.provider ?? order.given?.provider))
  const carrier: Carrier = has === undefined || chances.which % 5 === 0 ? among(carriers, chances.who) : has
  const scan = scanOf(work, chances)
  const expected = order.business === 'one' ? 'ok' : 'other_business'
  assert.equal(await office.report(carrier, parcel.number, scan), expected, `a report on ${order.id}`)
  if (expected !== 'ok') return
  model.report(order, parcel, carrier, scan.code, scan.at)
  told.push(async () => assert.equal(await office.report(carrier, parcel.number, scan), 'ok'))
}, 'local_delivery')

const scan: Command = onOrder(async (work, order, chances) => {
  const { model, office, told } = work
  const parcel: Parcel | undefined = among(order.parcels, chances.who)
  if (parcel === undefined || order.family !== 'label_service') return
  const [one, isStranger] = [scanOf(work, chances), chances.which % 7 === 0]
  const whose = isStranger === (order.business === 'one') ? 'two' : 'one'
  assert.equal(await office.scan(whose, parcel.number, one), isStranger ? 0 : 1)
  if (isStranger) return
  model.scan(order, parcel, one.code, one.at)
  told.push(async () => assert.equal(await office.scan(whose, parcel.number, one), 1))
}, 'label_service')

const again: Command = async ({ told }, { which }) => {
  if (told.length > 0) await among(told, which)()
}

const giveUp: Command = onOrder(async (work, order, { who }) => {
  const someone = callerOn(order, who)
  const caller = someone === 'customer' ? order.business : someone
  const isLabel = order.family === 'label_service' && isShown(order, caller)
  const refusal = isLabel ? work.model.giveUp(order) : 'label_not_found'
  await asked(work, refusal ?? 'ok', caller, 'POST', 'labelservice/cancelShippingLabel', { order_id: order.id })
}, 'label_service')

const give: Command = onOrder(async (work, order, { how, who }) => {
  const someone = callerOn(order, who)
  // Only the first business has carriers.
  if (someone !== 'one') return
  const [provider, path] = [among(carriers, how), 'third-party-deliveries']
  if (order.given !== undefined && !order.isDeleted && how % 2 === 0) {
    await asked(work, 'ok', someone, 'POST', `${path}/${order.given.assignment}/cancel`, { reason: 'cancelled' })
    order.given = undefined
    return
  }
  const isThere = outOfReach(order, someone) === undefined
  const refusal = !isThere ? 'order_not_found' : order.given === undefined ? 'ok' : 'third_party_order_taken'
  const body = { order_id: order.id, provider, packages: ['P-1'] }
  const { assignment_id } = await asked(work, refusal, someone, 'POST', path, body)
  if (refusal === 'ok') order.given = { provider, assignment: assignment_id }
}, 'local_delivery')

/** Operations of one family, with the id of an order of another one, or of none. */
const mistake: Command = onOrder(async (work, order, { how, who }) => {
  const caller = callerOn(order, who)
  if (caller === 'customer') return
  const { id } = order
  const isLabel = order.family === 'label_service'
  const refusal = isShown(order, caller) ? 'not_a_self_delivery_order' : 'order_not_found'
  const mistakes: readonly (readonly [string, string, string, object?])[] = isLabel
    ? [
        ...Object.keys(moves)
          .filter((verb) => !['accept', 'reject'].includes(verb))
          .map(
            (verb) => [refusal, 'POST', `orders/${id}/${verb}`, bodyOf(verb, work, { how, who, which: 0 })] as const,
          ),
        [refusal, 'POST', `orders/${id}/ready`, {}],
        [refusal, 'POST', `orders/${id}/note`, { note: 'x' }],
        [refusal, 'POST', `orders/${id}/delivery-instruction`, { delivery_instruction: 'x' }],
        [refusal, 'POST', `orders/${id}/price`, { price: { shipping_price: '1.00', currency: 'CAD' } }],
        [refusal, 'PATCH', `orders/${id}`, { reference: 'x' }],
        [refusal, 'GET', `orders/${id}/proof-files`],
        ['uniorder_not_found', 'POST', `uniorder/order-${id}/cancel`, {}],
      ]
    : [
        ['label_not_found', 'GET', `labelservice/labels/${id}`],
        ['label_not_found', 'POST', 'labelservice/getShippingDetail', { order_id: id }],
        ['label_not_found', 'POST', 'labelservice/cancelShippingLabel', { order_id: id }],
        ['uniorder_not_found', 'POST', `uniorder/label-${id}/cancel`, {}],
        ['device_order_not_found', 'POST', `device-orders/${id}/cancel`, {}],
      ]
  const [code, ...question] = among(mistakes, how)
  await asked(work, code, caller, ...question)
})

/** What may happen, and how often. */
const commands = {
  create: [4, create],
  buy: [3, buy],
  carry: [2, carry],
  handOver: [5, move('hand-to-carrier', 'take-back', 'carrier-delivered', 'return', 'cancel')],
  dispatch: [5, move('assign-driver', 'pick-up', 'depart', 'complete', 'fail')],
  move: [3, move(...Object.keys(moves).filter((verb) => verb !== 'accept' && verb !== 'reject'))],
  drive: [2, drive],
  remove: [1, remove],
  update: [1, update],
  report: [6, report],
  scan: [6, scan],
  again: [1, again],
  giveUp: [2, giveUp],
  give: [2, give],
  mistake: [2, mistake],
} as const satisfies Readonly<Record<string, readonly [number, Command]>>

type Name = keyof typeof commands

export interface Step extends Chances {
  readonly command: Name
  /** Whether policies see the same again, as after a crash. */
  readonly isSeenTwice: boolean
}

const anyName = fc.oneof(
  ...(Object.keys(commands) as Name[]).map((name) => ({ weight: commands[name][0], arbitrary: fc.constant(name) })),
)

/** Any work, by its steps. */
export const anyWork = fc.array(
  fc.record({
    command: anyName,
    ...{ which: fc.nat(60), how: fc.nat(60), who: fc.nat(60) },
    isSeenTwice: fc.nat(5).map((one) => one === 5),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
)

/** Takes a step, and has the policies follow. */
export async function take(work: Work, { command, isSeenTwice, ...chances }: Step): Promise<void> {
  const { office } = work
  office.clock.now += minute
  await commands[command][1](work, chances)
  await office.follow()
  if (isSeenTwice) await office.follow(true)
  assert.deepEqual(office.said, [])
}
