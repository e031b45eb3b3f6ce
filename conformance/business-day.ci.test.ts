import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { amountOfBooks, type Moment } from './business-day/carrier.ts'
import * as model from './business-day/model.ts'
import { type Ask, type Json, type Office, openOffice } from './business-day/office.ts'

/** Shipments of the day, and how many are under way at a time. */
const [shipments, atOnce] = [Number(process.env.OTEP_SHIPMENTS ?? 80), 6]

/** When in a purchase the server is killed, in turn; without a moment, at any time. */
const moments: readonly (Moment | undefined)[] = ['before', undefined, 'between', 'after']

/** After how many shipments the server is killed, and when. */
const kills: ReadonlyMap<number, Moment | undefined> = new Map(
  Array.from({ length: Math.floor((shipments - 10) / 17) }, (_, count) => [
    10 + count * 17,
    moments[count % moments.length],
  ]),
)

const carriers = ['own-fleet', 'sandbox', 'books'] as const
type Carrier = (typeof carriers)[number]

const depot = { name: 'Acme', street: '2 Depot Road', postal_code: 'M4B 1B3', country: 'CA' }

/** What was booked, as the model has it. */
interface Booked {
  readonly id: string
  readonly order: number
  readonly carrier: Carrier
  readonly customer: number
  readonly price: number
  readonly numbers: readonly string[]
  state: 'open' | 'gone'
}

/** The same numbers in each run. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

function priceOf(carrier: Carrier, shipment: model.Shipment): number {
  if (carrier === 'own-fleet') return model.ownPrice(shipment)
  if (carrier === 'sandbox') return model.sandboxPrice(depot.postal_code, shipment)
  return amountOfBooks(shipment.grams.map((weight_grams) => ({ weight_grams })))
}

/** What a booking needs of its day. */
interface Desk {
  readonly ask: Office['ask']
  readonly once: Office['ask']
  readonly expect: (what: string, found: unknown, wanted: unknown) => void
  readonly booked: Booked[]
}

/** Asks for the rates of a shipment, and books it at that of its carrier; both prices have to be those of the model. */
async function bookAt(desk: Desk, token: string, index: number, plan: Plan): Promise<Booked | undefined> {
  const { ask, once, expect, booked } = desk
  const { carrier, customer, shipment } = plan
  const to = {
    name: `Person ${index}`,
    street: `${index} Main Street`,
    postal_code: shipment.postal_code,
    country: 'CA',
  }
  const contents = { from: depot, to, parcels: shipment.grams.map((weight_grams) => ({ weight_grams })) }
  const body = { ...contents, quote_labels: true }
  const { rates = [] } = await ask(token, { method: 'POST', path: 'uniorder/rate', body })
  const kind = carrier === 'own-fleet' ? 'self_delivery' : 'label'
  const isMeant = (rate: Json) =>
    rate.kind === kind && (kind === 'self_delivery' || (rate.carrier === carrier && rate.service !== 'express'))
  const rate = rates.find(isMeant)
  const price = priceOf(carrier, shipment)
  expect(`rate ${index} of ${carrier}`, rate?.total_price, model.moneyOf(price))
  if (rate === undefined) return undefined
  const made = { ...contents, reference: `R-${index}`, rate_id: rate.rate_id }
  const { uniorder } = await once(token, { method: 'POST', path: 'uniorder', body: made, key: `book-${index}` })
  expect(`price ${index}`, uniorder?.total_price, model.moneyOf(price))
  if (uniorder === undefined) return undefined
  const { uniorder_id: id, order_id: order, tracking_numbers: numbers } = uniorder
  const one: Booked = { id, order, carrier, customer, price, numbers, state: 'open' }
  booked.push(one)
  return one
}

/** A day of a business: what is done with each shipment, and what the model says of it. */
function dayOf({ ask, staff, customers }: Office) {
  const random = chance(20_261_127)
  const wallets: readonly model.Wallet[] = [200_000, 250_000].map((balance) => ({ balance, orders: new Map() }))
  const booked: Booked[] = []
  const problems: string[] = []
  const expect = (what: string, found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      problems.push(`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`)
  }
  /** Asks twice with one key; both answers have to say the same, but for a label that has been bought meanwhile. */
  const once = async (token: string, asked: Ask): Promise<Json> => {
    const answer = await ask(token, asked)
    const again = await ask(token, asked)
    const of = ({ uniorder, ...others }: Json) => [others, uniorder?.uniorder_id, uniorder?.total_price]
    expect(`${asked.key} again`, of(again), of(answer))
    return again
  }
  /** Customers order from the own fleet; labels are bought by the staff, since the business pays them. */
  const buyerOf = ({ carrier, customer }: Pick<Plan, 'carrier' | 'customer'>) =>
    carrier === 'own-fleet' ? (customers[customer]?.token ?? '') : staff
  const book = (index: number, plan: Plan) => bookAt({ ask, once, expect, booked }, buyerOf(plan), index, plan)
  const settleOwn = async (one: Booked, index: number, { end, lower }: Plan) => {
    const token = buyerOf(one)
    const wallet = wallets[one.customer] as model.Wallet
    model.booked(wallet, one.order, one.price)
    await once(token, { method: 'POST', path: `orders/${one.order}/pay`, body: {}, key: `pay-${index}` })
    model.paid(wallet, one.order)
    if (lower !== undefined) {
      const price = { shipping_price: model.moneyOf(lower), currency: 'CAD' }
      await once(staff, { method: 'POST', path: `orders/${one.order}/price`, body: { price }, key: `price-${index}` })
      model.repriced(wallet, one.order, lower)
    }
    if (end === 'take back') model.cancelled(wallet, one.order)
  }
  const run = async (index: number, plan: Plan) => {
    const one = await book(index, plan)
    if (one === undefined) return
    if (one.carrier === 'own-fleet') await settleOwn(one, index, plan)
    if (plan.end !== 'take back') return
    const path = `uniorder/${one.id}/cancel`
    await bought(one)
    await once(buyerOf(one), { method: 'POST', path, key: `cancel-${index}` })
    one.state = 'gone'
  }
  /** Waits until a label that a kill left open is bought: only then it can be taken back. */
  const bought = async (one: Booked) => {
    for (;;) {
      const { uniorder } = await ask(staff, { method: 'GET', path: `uniorder/${one.id}` })
      if (uniorder.status !== 'LABEL_PENDING') return
      await setTimeout(200)
    }
  }
  const plans = Array.from({ length: shipments }, () => planOf(random))
  return { wallets, booked, problems, run, bought, plans }
}

/** What is to become of a shipment. */
interface Plan {
  readonly carrier: Carrier
  readonly customer: number
  readonly shipment: model.Shipment
  readonly end: 'keep' | 'take back'
  /** The lower price that staff agree to, in hundredths. */
  readonly lower: number | undefined
}

function planOf(random: (below: number) => number): Plan {
  const postal_code = ['M5V 1A1', 'M1B 2K3', 'K1A 0B1', 'V6B 2W9', 'H2Y 1C6'][random(5)] ?? ''
  const grams = Array.from({ length: 1 + random(3) }, () => 100 + random(9_000))
  return {
    ...{ carrier: carriers[random(3)] ?? 'books', customer: random(2), shipment: { postal_code, grams } },
    end: random(4) === 0 ? 'take back' : 'keep',
    lower: random(5) === 0 ? 100 + random(400) : undefined,
  }
}

/** Works through the day, some shipments at a time, with the kills. */
async function work(office: Office, { plans, run }: ReturnType<typeof dayOf>): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let index = next++; index < plans.length; index = next++) {
      const killing = kills.has(index) ? killAt(office, kills.get(index)) : undefined
      await run(index, plans[index] as Plan)
      await killing
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Kills the server at a moment of the next purchase at the carrier with books, or a moment from now. */
async function killAt({ books, kill }: Office, moment: Moment | undefined): Promise<void> {
  if (moment !== undefined) books.next.kill = { moment, run: kill }
  else await setTimeout(7).then(kill)
}

t.test(
  'given a day of shipments with kills in between, then money, labels and manifests are as an independent model has them',
  async (t) => {
    const office = await openOffice(t)
    const day = dayOf(office)
    await work(office, day)
    for (const one of day.booked) await day.bought(one)
    t.same(day.problems, [], 'every price is that of the model, and every call under a key is done once')
    t.equal(day.booked.length, shipments)
    t.equal(office.kills(), kills.size, 'the server was killed as often as planned')
    t.same(new Set(day.booked.map(({ carrier }) => carrier)), new Set(carriers))

    await t.test('the money is right to the cent', (t) => moneyIs(t, office, day))
    await t.test('every label was bought once, and is in one manifest or void', (t) => labelsAre(t, office, day))
  },
)

/** Compares the wallets, and what each order was paid and got back, with the model. */
async function moneyIs(t: Test, { ask, customers }: Office, { wallets }: ReturnType<typeof dayOf>) {
  for (const [index, { token }] of customers.entries()) {
    const { balance, orders } = wallets[index] as model.Wallet
    const credits = await ask(token, { method: 'GET', path: 'customer/credits' })
    t.equal(credits.balance, model.moneyOf(balance), `the wallet of customer ${index}`)
    t.ok(orders.size > shipments / 10, `${orders.size} orders were paid`)
    for (const [order, { paid, refunded }] of orders) {
      const found = (await ask(token, { method: 'GET', path: `orders/${order}` })).order
      t.same(
        [found.paid_amount, found.refunded_amount ?? '0.00'],
        [model.moneyOf(paid), model.moneyOf(refunded)],
        `order ${order}`,
      )
    }
  }
}

/** Closes the day, and compares the labels and manifests with the model and with the books of the carrier. */
async function labelsAre(t: Test, { ask, staff, books }: Office, { booked }: ReturnType<typeof dayOf>) {
  const labels = booked.filter(({ carrier }) => carrier !== 'own-fleet')
  const read = () =>
    Promise.all(labels.map(async ({ id }) => (await ask(staff, { method: 'GET', path: `uniorder/${id}` })).uniorder))
  const open = labels.filter(({ state }) => state === 'open')
  const first = await ask(staff, { method: 'POST', path: 'labelservice/endofday', body: {}, key: 'evening' })
  const again = await ask(staff, { method: 'POST', path: 'labelservice/endofday', body: {}, key: 'evening' })
  t.same(again, first, 'the day is closed once')
  t.equal(
    first.manifests.reduce((sum: number, one: Json) => sum + one.labels, 0),
    open.length,
  )
  const found = await read()
  t.same(
    found.map(({ status }) => status),
    labels.map(({ state }) => (state === 'gone' ? 'LABEL_VOIDED' : 'LABEL_SUBMITTED')),
  )
  const numbers = found.flatMap(({ tracking_numbers }) => tracking_numbers as readonly string[])
  t.equal(new Set(numbers).size, numbers.length, 'no two labels have one number')
  const ofBooks = found.filter(({ carrier }) => carrier === 'books')
  const kept = ofBooks.map(
    ({ tracking_numbers: [number], total_price, status }) => `${number} ${total_price} ${status}`,
  )
  const states = { sold: 'LABEL_PURCHASED', void: 'LABEL_VOIDED', manifested: 'LABEL_SUBMITTED' }
  const sold = [...books.labels.values()].map(
    (one) => `${one.number} ${model.moneyOf(one.amount)} ${states[one.state]}`,
  )
  t.same(kept.sort(), sold.sort(), 'the carrier’s own books have these labels and no other')
  const late = open.find(({ carrier }) => carrier === 'books')
  const refused = await ask(staff, { method: 'POST', path: `uniorder/${late?.id}/cancel`, key: 'too-late' })
  t.match(refused, { result: false, code: 'label_status_forbids' }, 'a label in a manifest cannot be taken back')
}
