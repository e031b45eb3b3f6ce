import fc from 'fast-check'
import t, { type Test } from 'tap'
import { passwordOf, world } from '../adapters/auth/world.test.fixture.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { type Role, roles } from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'

const list = {
  ...{ currency: 'CAD', zones: [{ code: 'all', countries: ['CA'] }], default_service: 'standard' },
  services: [
    { code: 'standard', name: 'Standard', prices: [{ zone: 'all', steps: [{ up_to_grams: 1_000, price: '100.00' }] }] },
  ],
  taxes: [
    { name: 'HST', percent: '13', countries: ['CA'], regions: ['ON'] },
    { name: 'GST', percent: '5', countries: ['CA'], regions: ['AB'] },
  ],
}

const address = (postal_code: string) => ({ street: '1 Main Street', postal_code, country: 'CA' })
const [toronto, calgary] = [address('M5V 1A1'), address('T2P 1J9')]

/** A business with a price list and its customer, and another business; who asks is a role of the one, or `two <role>`. */
async function shop() {
  const { send, ids, clock, other } = await world({ secret: secretOf('ab'.repeat(32)) })
  const tokens = new Map<string, string>()
  const call = async (method: string, path: string, who: string = 'client_admin', body?: object) =>
    (await send(method, `/api/v1/${path}`, { token: tokens.get(who), ...(body && { body }) })).body
  /** Moves the clock; tokens do not live that long. */
  const at = async (instant: string) => {
    clock.now = Date.parse(instant)
    for (const role of roles)
      for (const [name, prefix] of [
        ['one', ''],
        ['two', 'two '],
      ]) {
        const body = { email: `${role}@${name}.example`, password: passwordOf(role) }
        tokens.set(`${prefix}${role}`, (await send('POST', '/api/v1/user/login', { body })).body.access_token)
      }
  }
  await at('2026-06-10T10:00:00Z')
  await call('PUT', 'price-list', 'client_admin', list)
  const order = async (place: object) =>
    (await call('POST', 'orders', 'customer', { type: 'D', delivery: { name: 'Ann', address: place } })).order_id
  const without = {
    type: 'D',
    delivery: { name: 'Zoe', address: calgary },
    price: { shipping_price: '7.00', currency: 'CAD' },
  }
  const orderWithout = () => call('POST', 'orders', 'client_admin', without)
  const topUp = (amount: string) => call('POST', `accounts/${ids.customer}/top-ups`, 'client_admin', { amount })
  const issue = (body: object, who?: Role) => call('POST', 'statements', who, body)
  const ofCustomer = (month: string) => issue({ subject: 'customer', customer_id: ids.customer, month })
  const read = (id: number, who?: Role) => call('GET', `statements/${id}`, who)
  return { ids, other, call, at, order, orderWithout, topUp, issue, ofCustomer, read }
}

t.test(
  'given a month that is over, when its statement is issued, then it tells orders, taxes by rate and region, and the wallet',
  async (t) => {
    const { call, at, order, topUp, ofCustomer, read, ids } = await shop()
    await topUp('300.00')
    const [first, second] = [await order(toronto), await order(calgary)]
    const cancelled = await order(toronto)
    for (const id of [first, second, cancelled]) await call('POST', `orders/${id}/pay`, 'customer', {})
    t.match(await call('POST', `orders/${cancelled}/cancel`, 'customer', {}), { result: true })
    t.match(await ofCustomer('2026-06'), { errors: [{ path: 'month', code: 'month_not_over' }] })

    await at('2026-07-01T04:00:00Z')
    const young = await order(toronto)
    await at('2026-07-01T05:00:00Z')
    t.match(await ofCustomer('2026-06'), { result: true, statement_id: 1, status: 'issued' })
    const statement = await read(1, 'customer')
    t.match(statement, {
      ...{ number: 1, month: '2026-06', subject: 'customer', customer_id: ids.customer, currency: 'CAD' },
      ...{ issued_at: '2026-07-01T01:00:00-04:00', net: '200.00', tax: '18.00', total: '218.00' },
      by_family: [{ family: 'local_delivery', orders: 2, net: '200.00', tax: '18.00', total: '218.00' }],
      taxes: [
        { name: 'HST', percent: '13', country: 'CA', region: 'ON', net: '100.00', tax: '13.00' },
        { name: 'GST', percent: '5', country: 'CA', region: 'AB', net: '100.00', tax: '5.00' },
      ],
      lines: [
        { order_id: first, total: '113.00' },
        { order_id: second, total: '105.00' },
      ],
      movements: [
        { kind: 'top_up', amount: '300.00', balance: '300.00' },
        { kind: 'payment', amount: '-113.00', order_id: first },
        { kind: 'payment', amount: '-105.00' },
      ],
      ...{ opening_balance: '0.00', closing_balance: '82.00' },
    })
    t.equal(statement.lines.length, 2, 'neither what was cancelled nor what came after the month')
    t.same(await read(1), statement)
    await at('2026-08-01T04:00:00Z')
    await ofCustomer('2026-07')
    t.match(await read(2), { lines: [{ order_id: young, total: '113.00' }] }, 'it was there when June was issued')
  },
)

t.test(
  'given a statement, when an order is corrected later, then the statement stays, and the next one tells the difference',
  async (t) => {
    const { call, at, order, topUp, ofCustomer, read } = await shop()
    await topUp('300.00')
    const id = await order(toronto)
    await call('POST', `orders/${id}/pay`, 'customer', {})
    await at('2026-07-02T10:00:00Z')
    const june = (await ofCustomer('2026-06')).statement_id
    const before = await read(june)
    const price = { shipping_price: '80.00', currency: 'CAD', tax: '10.40' }
    t.match(await call('POST', `orders/${id}/price`, 'client_admin', { price, note: 'Agreed' }), { result: true })
    const young = await order(calgary)
    await at('2026-08-02T10:00:00Z')
    const july = (await ofCustomer('2026-07')).statement_id
    t.same(await read(june), before)
    t.match(await read(july), {
      ...{ number: 2, net: '80.00', tax: '2.40', total: '82.40' },
      lines: [
        { order_id: id, net: '-20.00', tax: '-2.60', total: '-22.60' },
        { order_id: young, net: '100.00', tax: '5.00', total: '105.00' },
      ],
      movements: [{ number: 3, kind: 'refund', amount: '22.60', order_id: id }],
      ...{ opening_balance: '187.00', closing_balance: '209.60' },
    })
    t.match(await ofCustomer('2026-06'), { code: 'statement_exists' })
    await at('2026-09-02T10:00:00Z')
    t.match(await ofCustomer('2026-08'), { code: 'nothing_to_state' })
    t.match(await call('POST', `orders/${young}/cancel`, 'client_admin', {}), { result: true })
    await at('2026-10-02T10:00:00Z')
    const last = (await ofCustomer('2026-09')).statement_id
    t.match(await read(last), {
      lines: [{ order_id: young, total: '-105.00' }],
      taxes: [{ name: 'GST', tax: '-5.00' }],
    })
    t.match(await ofCustomer('2026-08'), { code: 'later_statement' })
  },
)

t.test(
  'given a paid and delivered order in a statement, when it is deleted, then it is still charged, as its payment stays',
  async (t) => {
    const { call, at, order, topUp, ofCustomer, ids } = await shop()
    await topUp('300.00')
    const [id, unpaid] = [await order(toronto), await order(calgary)]
    await call('POST', `orders/${id}/pay`, 'customer', {})
    for (const one of [id, unpaid]) {
      await call('POST', `orders/${one}/assign-driver`, 'client_admin', { driver_id: ids.driver })
      for (const step of ['accept', 'pick-up', 'depart', 'complete'])
        t.match(await call('POST', `orders/${one}/${step}`, 'driver', {}), { result: true }, step)
    }
    await at('2026-07-02T10:00:00Z')
    await ofCustomer('2026-06')
    for (const one of [id, unpaid])
      t.match(await call('POST', `orders/${one}/delete`, 'client_admin', {}), { result: true })
    t.match(await call('GET', 'customer/credits', 'customer'), { balance: '187.00' })
    await at('2026-08-02T10:00:00Z')
    const july = (await ofCustomer('2026-07')).statement_id
    const { lines } = await call('GET', `statements/${july}`)
    t.match(lines, [{ order_id: unpaid, total: '-105.00' }], 'what nobody paid is taken back')
    t.equal(lines.length, 1)
  },
)

t.test('given amounts below zero, when a statement is read as CSV, then they are numbers', async (t) => {
  const { call, at, order, topUp, ofCustomer } = await shop()
  await topUp('300.00')
  await call('POST', `orders/${await order(toronto)}/pay`, 'customer', {})
  await at('2026-07-02T10:00:00Z')
  const { statement_id } = await ofCustomer('2026-06')
  const { document } = await call('GET', `statements/${statement_id}/document?format=csv`)
  t.match(Buffer.from(document, 'base64').toString(), /,payment,,,,,,,-113\.00,187\.00\r\n/)
})

t.test(
  'given customers with orders, when all statements of a month are issued, then the business has one that sums them up',
  async (t) => {
    const { call, at, order, orderWithout, issue, read, ids } = await shop()
    await order(toronto)
    await orderWithout()
    await at('2026-07-02T10:00:00Z')
    t.match(await issue({ subject: 'business', month: '2026-06' }), { code: 'statements_missing' })
    t.match(await call('POST', 'statements/issue-all', 'client_admin', { month: '2026-06' }), {
      issued: [1, 2, 3],
      left: 0,
    })
    t.match(await read(3), {
      ...{ number: 3, subject: 'business', total: '120.00', tax: '13.00', lines: [] },
      statements: [
        { number: 1, total: '7.00' },
        { number: 2, total: '113.00' },
      ],
    })
    t.match((await call('GET', 'statements?month=2026-06&subject=customer')).statements, [
      { number: 2, total: '113.00' },
    ])
    t.match(await call('POST', 'statements/issue-all', 'client_admin', { month: '2026-06' }), {
      code: 'statement_exists',
    })
    t.match(await issue({ subject: 'customer', customer_id: ids.customer, month: '2026-05' }), {
      code: 'later_statement',
    })
    t.match(await issue({ subject: 'without_customer', month: '2026-06' }), { code: 'statement_exists' })
  },
)

t.test('given two requests at once, when both issue, then numbers have no gap and nothing is told twice', async (t) => {
  const { at, order, orderWithout, ofCustomer, issue, call } = await shop()
  await order(toronto)
  await orderWithout()
  await at('2026-07-02T10:00:00Z')
  const without = () => issue({ subject: 'without_customer', month: '2026-06' })
  const answers = await Promise.all([ofCustomer('2026-06'), without(), ofCustomer('2026-06'), without()])
  t.equal(answers.filter(({ result }) => result).length, 2)
  t.equal(answers.filter(({ code }) => code === 'statement_exists').length, 2)
  const { statements } = await call('GET', 'statements')
  t.same(
    statements.map(({ number }: { readonly number: number }) => number),
    [2, 1],
  )
})

t.test('given a statement, when others ask for it, then only its customer and the staff read it', async (t) => {
  const { call, at, order, issue, ofCustomer, other, ids } = await shop()
  await order(toronto)
  await at('2026-07-02T10:00:00Z')
  await ofCustomer('2026-06')
  t.match(await call('GET', 'statements/1', 'client_employee'), { number: 1 })
  for (const who of ['driver', 'contractor', ...roles.map((role) => `two ${role}`)])
    t.match(await call('GET', 'statements/1', who), { result: false }, who)
  t.same((await call('GET', 'statements', 'customer')).statements.length, 1)
  t.match(await issue({ subject: 'without_customer', month: '2026-06' }, 'customer'), { result: false })
  const customer = { subject: 'customer', month: '2026-06' }
  t.match(await issue(customer), { errors: [{ path: 'customer_id', code: 'required' }] })
  t.match(await issue({ ...customer, customer_id: other.ids.customer }), { code: 'customer_not_found' })
  t.match(await issue({ ...customer, customer_id: ids.driver }), { code: 'customer_not_found' })
  for (const month of ['2026-6', '2026-13', 'June', '2026-06-01', '0000-12', '0001-01', '9999-12'])
    t.match(await issue({ subject: 'business', month }), { errors: [{ path: 'month' }] }, month)

  const pdf = await call('GET', 'statements/1/document', 'customer')
  t.match(pdf, { media_type: 'application/pdf', number: 1 })
  t.match(Buffer.from(pdf.document, 'base64').toString('latin1'), /^%PDF-/)
  const csv = await call('GET', 'statements/1/document?format=csv', 'customer')
  const text = Buffer.from(csv.document, 'base64').toString()
  t.match(text, /^statement,month,currency,section,order_id,/)
  t.match(text, /\r\n1,2026-06,CAD,tax,,,,,,HST,13,CA-ON,100\.00,13\.00,/)

  await call('PUT', `accounts/${ids.customer}/hidden-prices`, 'client_admin', { families: ['local_delivery'] })
  for (const path of ['statements/1', 'statements/1/document'])
    t.match(await call('GET', path, 'customer'), { code: 'statement_not_found' }, 'prices are hidden from the customer')
})

t.test(
  'given a customer who buys a label at a sell rate, then its statement has the label, and the next one takes back a voided one',
  async (t) => {
    const { call, at, topUp, ofCustomer, read } = await shop()
    const account = { carrier: 'sandbox', credentials: { account: 'acme' } }
    await call('POST', 'carrier-accounts', 'client_admin', account)
    await call('PUT', 'mark-ups', 'client_admin', { rules: [{ percent: '10' }] })
    await at('2026-07-01T03:00:00Z')
    await topUp('50.00')
    const place = { name: 'Ann', street: '1 Main Street', postal_code: 'M5V 1A1', country: 'CA' }
    const shipment = { from: place, to: place, parcels: [{ weight_grams: 800 }] }
    const { rates } = await call('POST', 'labelservice/compareAllCarriers', 'customer', shipment)
    const [{ rate_id, total_price: total }] = rates
    const asked = { ...shipment, rate_id, reference: 'L-1' }
    const { order_id } = await call('POST', 'labelservice/createShippingLabel', 'customer', asked)
    t.match(await call('POST', `labelservice/labels/${order_id}/pay`, 'customer', {}), { remaining_amount: '0.00' })
    await at('2026-07-01T04:00:00Z')
    const june = (await ofCustomer('2026-06')).statement_id
    t.match(await read(june, 'customer'), {
      lines: [{ order_id, family: 'label_service', reference: 'L-1', net: total, tax: '0.00', total }],
      movements: [{ kind: 'top_up' }, { kind: 'payment', amount: `-${total}`, order_id }],
    })
    await call('POST', 'labelservice/cancelShippingLabel', 'client_admin', { order_id })
    await at('2026-08-02T10:00:00Z')
    const july = (await ofCustomer('2026-07')).statement_id
    t.match(await read(july), {
      ...{ total: `-${total}`, closing_balance: '50.00' },
      lines: [{ order_id, total: `-${total}` }],
      movements: [{ kind: 'refund', amount: total, order_id }],
    })
  },
)

t.test(
  'given a device order with a price, then it is in the statement of its customer, and a cancelled one is taken back',
  async (t) => {
    const { call, at, topUp, order, ofCustomer, read, ids } = await shop()
    await topUp('50.00')
    await call('PUT', 'business/modules', 'client_admin', { modules: { device_orders: 'on' } })
    const machine = { device_type: 'locker', device_id: 4, device_name: 'Locker Main St' }
    const free = { kind: 'storage', ...machine, customer_id: ids.customer }
    const asked = { ...free, total_price: '4' }
    const { device_order_id } = await call('POST', 'device-orders', 'client_admin', asked)
    t.match(await call('POST', 'device-orders', 'client_admin', free), { result: true })
    const order_id = await order(toronto)
    t.equal(order_id, device_order_id, 'the numbers of device orders are their own')
    await call('POST', `device-orders/${device_order_id}/pay`, 'customer', {})
    await at('2026-07-01T04:00:00Z')
    await call('POST', 'device-orders', 'client_admin', asked)
    const june = await read((await ofCustomer('2026-06')).statement_id)
    t.match(june, {
      lines: [
        { order_id, family: 'local_delivery', total: '113.00' },
        { order_id: device_order_id, family: 'device_orders', net: '4.00', tax: '0.00', total: '4.00' },
      ],
      by_family: [
        { family: 'local_delivery', orders: 1, total: '113.00' },
        { family: 'device_orders', orders: 1, total: '4.00' },
      ],
      movements: [{ kind: 'top_up' }, { kind: 'payment', amount: '-4.00', family: 'device_orders' }],
      total: '117.00',
    })
    t.equal(june.lines.length, 2)
    await call('POST', `device-orders/${device_order_id}/cancel`, 'client_admin', {})
    await at('2026-08-02T10:00:00Z')
    t.match(await read((await ofCustomer('2026-07')).statement_id), {
      ...{ total: '0.00', closing_balance: '50.00' },
      lines: [
        { order_id: device_order_id, family: 'device_orders', total: '-4.00' },
        { order_id: device_order_id + 2, family: 'device_orders', total: '4.00' },
      ],
    })
  },
)

const cents = (amount: string) => Math.round(Number(amount) * 100)

interface Summed {
  readonly net: string
  readonly tax: string
  readonly total: string
  readonly taxes: readonly { readonly tax: string }[]
}

/** The parts of a statement add up. */
function addsUp(t: Test, { net, tax, total, taxes }: Summed): void {
  t.equal(cents(net) + cents(tax), cents(total))
  const ofRates = taxes.map((one: { readonly tax: string }) => cents(one.tax))
  t.equal(
    ofRates.reduce((sum: number, one: number) => sum + one, 0),
    cents(tax),
  )
}

t.test(
  'given months of any work, when each has its statement, then their sums are what orders cost now, and the wallets follow on',
  async (t) => {
    const deed = fc.record({
      kind: fc.constantFrom('order', 'order', 'price', 'cancel', 'top up', 'pay', 'refund'),
      which: fc.nat({ max: 20 }),
      amount: fc.integer({ min: 1, max: 20_000 }),
    })
    const month = fc.record({ deeds: fc.array(deed, { maxLength: 6 }), isIssued: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(month, { minLength: 1, maxLength: 4 }), async (months) => {
        const { call, at, order, topUp, ofCustomer, read, ids } = await shop()
        const made: number[] = []
        const priced = (amount: number) => ({ shipping_price: (amount / 100).toFixed(2), currency: 'CAD', tax: '0.07' })
        for (const [index, { deeds, isIssued }] of [
          ...months,
          { deeds: [], isIssued: true },
          { deeds: [], isIssued: true },
        ].entries()) {
          for (const { kind, which, amount } of deeds) {
            const id = made[which % Math.max(1, made.length)]
            if (kind === 'order') made.push(await order(which % 2 === 0 ? toronto : calgary))
            if (kind === 'top up') await topUp((amount / 100).toFixed(2))
            if (id === undefined) continue
            const price = { price: priced(amount), note: 'Agreed' }
            if (kind === 'price') await call('POST', `orders/${id}/price`, 'client_admin', price)
            if (kind === 'cancel') await call('POST', `orders/${id}/cancel`, 'client_admin', {})
            if (kind === 'pay') await call('POST', `orders/${id}/pay`, 'customer', {})
            if (kind === 'refund') await call('POST', `orders/${id}/refund`, 'client_admin', { reason: 'Late' })
          }
          // The month before is issued when this one has begun.
          const before = `2026-${String(5 + index).padStart(2, '0')}`
          if (isIssued) await ofCustomer(before)
          await at(`2026-${String(7 + index).padStart(2, '0')}-02T10:00:00Z`)
        }
        const { statements } = await call('GET', 'statements')
        const all = await Promise.all(
          (statements as readonly { readonly statement_id: number }[])
            .toReversed()
            .map(({ statement_id }) => read(statement_id)),
        )
        t.same(
          all.map(({ number }) => number),
          all.map((_, index) => index + 1),
        )
        const lines = all.flatMap((one) => one.lines)
        for (const id of made) {
          const { order: now } = await call('GET', `orders/${id}`)
          const costs = now.status === 'CANCELLED' ? 0 : cents(now.price_details.total_price)
          const said = lines.filter(({ order_id }) => order_id === id).map(({ total }) => cents(total))
          t.equal(
            said.reduce((sum, one) => sum + one, 0),
            costs,
            `order ${id}`,
          )
        }
        for (const one of all) addsUp(t, one)
        const { movements } = await call('GET', `wallets/${ids.customer}/movements?per_page=200`)
        t.same(
          all.flatMap((one) => one.movements.map(({ number }: { readonly number: number }) => number)),
          movements.map((_: unknown, index: number) => index + 1),
        )
        for (const [index, { opening_balance }] of all.entries())
          t.equal(cents(opening_balance), index === 0 ? 0 : cents(all[index - 1].closing_balance))
      }),
      { numRuns: runs(t, 10) },
    )
  },
)
