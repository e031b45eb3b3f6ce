import t from 'tap'
import { world } from '../../adapters/auth/world.test.fixture.ts'
import { workAtRandom } from './random.test.fixture.ts'

/** A business and its customer, and what both do with the wallet. */
async function shop() {
  const made = await world()
  const { send, tokens, ids } = made
  const [staff, mine] = [tokens.client_admin, tokens.customer]
  const call = async (method: string, path: string, token: string, body?: object, key?: string) => {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key }
    return (await send(method, `/api/v1/${path}`, { token, body, headers })).body
  }
  const wallet = `wallets/${ids.customer}`
  const topUp = (amount: string) => call('POST', `accounts/${ids.customer}/top-ups`, staff, { amount })
  const adjust = (kind: string, amount: string, key?: string) =>
    call('POST', `${wallet}/adjustments`, staff, { kind, amount, reason: 'Parcel was late' }, key)
  const credit = (credit_limit: string) => call('PUT', `${wallet}/credit-limit`, staff, { credit_limit })
  const movements = async () => (await call('GET', `${wallet}/movements`, staff)).movements
  const order = { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } } }
  const price = (shipping_price: string) => ({ shipping_price, currency: 'CAD' })
  /** A delivered order that costs 12.50. */
  const delivered = async () => {
    const body = { ...order, customer_id: ids.customer, price: price('12.50') }
    const { order_id } = await call('POST', 'orders', staff, body)
    await call('POST', `orders/${order_id}/assign-driver`, staff, { driver_id: ids.driver })
    for (const step of ['pick-up', 'complete']) await call('POST', `orders/${order_id}/${step}`, staff, {})
    return { order_id, path: `orders/${order_id}` }
  }
  const refund = (path: string, body: object = {}, key?: string) =>
    call('POST', `${path}/refund`, staff, { reason: 'Parcel was late', ...body }, key)
  return { ...made, staff, mine, call, wallet, topUp, adjust, credit, movements, price, delivered, refund }
}

t.test(
  'given movements of a wallet, when they are read, then each has the balance after it, and only staff read who did it',
  async (t) => {
    const { call, topUp, adjust, credit, wallet, staff, mine, ids, tokens, other } = await shop()
    await topUp('10.00')
    t.match(await adjust('fee', '4.5'), { result: true, balance: '5.50', credit_limit: '0.00', currency: 'CAD' })
    t.match(await adjust('credit_note', '1.00'), { balance: '6.50' })
    t.match(await credit('5'), { balance: '6.50', credit_limit: '5.00' })
    t.match(await adjust('adjustment', '-11.50'), { balance: '-5.00' })
    const told = [
      { number: 4, kind: 'adjustment', amount: '-11.50', balance: '-5.00', reason: 'Parcel was late' },
      { number: 3, kind: 'credit_note', amount: '1.00', balance: '6.50', reason: 'Parcel was late' },
      { number: 2, kind: 'fee', amount: '-4.50', balance: '5.50', reason: 'Parcel was late' },
      { number: 1, kind: 'top_up', amount: '10.00', balance: '10.00' },
    ]
    const whole = { balance: '-5.00', credit_limit: '5.00', currency: 'CAD', total: 4, page: 1, per_page: 50 }
    const at = '2026-06-10T06:00:00-04:00'
    const own = { result: true, ...whole, movements: told.map((one) => ({ ...one, at })) }
    t.same(await call('GET', 'customer/credits/movements', mine), own)
    const by = ids.client_admin
    const ofStaff = { ...own, movements: told.map((one) => ({ ...one, at, by })) }
    t.same(await call('GET', `${wallet}/movements`, staff), ofStaff)
    t.same(await call('GET', `${wallet}/movements`, tokens.client_employee), ofStaff)
    const second = await call('GET', `${wallet}/movements?page=2&per_page=3`, staff)
    t.match(second, { total: 4, page: 2, movements: [{ number: 1 }] })
    t.equal(second.movements.length, 1)
    t.match(await call('GET', 'wallets', staff), {
      ...{ total: 1, page: 1 },
      wallets: [{ account_id: ids.customer, name: 'customer of one', balance: '-5.00', credit_limit: '5.00' }],
    })
    t.match(await call('GET', 'wallets', other.tokens.client_admin), {
      wallets: [{ account_id: other.ids.customer, balance: '0.00', currency: 'EUR' }],
    })
    t.match(await call('GET', `wallets?account_id=${ids.customer}`, other.tokens.client_admin), {
      wallets: [],
      total: 0,
    })
    for (const token of [mine, tokens.driver, tokens.contractor])
      for (const path of ['wallets', `${wallet}/movements`])
        t.match(await call('GET', path, token), { result: false }, path)
    t.match(await call('GET', `${wallet}/movements`, other.tokens.client_admin), { code: 'account_not_found' })
    t.match(await call('GET', `wallets/${ids.driver}/movements`, staff), { code: 'not_a_customer' })
  },
)

t.test(
  'given bad amounts, when a wallet is corrected, then they are refused with a path, and nothing moves',
  async (t) => {
    const { call, topUp, adjust, credit, movements, tokens, mine, wallet } = await shop()
    await topUp('10.00')
    const before = await movements()
    const refused = (path: string, code: string) => ({ result: false, errors: [{ path, code }] })
    for (const amount of ['-1.00', '-0.01']) {
      t.match(await adjust('fee', amount), refused('amount', 'not_a_positive_amount'))
      t.match(await adjust('credit_note', amount), refused('amount', 'not_a_positive_amount'))
    }
    for (const amount of ['0', '0.00', '-0.00', '1e3', '', '1,00', '--1', '1.00000', '1000000000'])
      for (const kind of ['fee', 'adjustment', 'credit_note'])
        t.match(await adjust(kind, amount), refused('amount', 'not_an_amount'), `${kind} of ${amount}`)
    for (const amount of ['1.005', '-1.005'])
      t.match(await adjust('adjustment', amount), refused('amount', 'too_precise'))
    t.match(await topUp('-1.00'), refused('amount', 'not_an_amount'))
    t.match(await topUp('0.00'), refused('amount', 'not_a_positive_amount'))
    t.match(await credit('-1.00'), refused('credit_limit', 'not_an_amount'))
    t.match(await credit('1.001'), refused('credit_limit', 'too_precise'))
    t.match(await adjust('adjustment', '-10.01', 'k'), { code: 'insufficient_credits' })
    t.match(await adjust('adjustment', '-10.01', 'k'), { code: 'insufficient_credits' })
    const unreasoned = { kind: 'fee', amount: '1.00' }
    const admin = tokens.client_admin
    t.match(await call('POST', `${wallet}/adjustments`, admin, unreasoned), refused('reason', 'required'))
    for (const token of [mine, tokens.client_employee])
      t.match(await call('POST', `${wallet}/adjustments`, token, { ...unreasoned, reason: 'Mine' }), { result: false })
    t.same(await movements(), before)
  },
)

t.test('given a correction under a key, when it is repeated or made twice at once, then it is made once', async (t) => {
  const { topUp, adjust, movements } = await shop()
  await topUp('10.00')
  const same = await Promise.all([1, 2, 3].map(() => adjust('fee', '6.00', 'k')))
  t.same(same, Array(3).fill(same[0]))
  t.match(await adjust('fee', '6.00', 'k'), { balance: '4.00' })
  const both = await Promise.all([adjust('fee', '3.00'), adjust('fee', '3.00')])
  t.same(both.map(({ code }) => code ?? 'done').sort(), ['done', 'insufficient_credits'])
  t.match(await movements(), [{ balance: '1.00' }, { balance: '4.00' }, { balance: '10.00' }])
})

t.test(
  'given a delivered order, when a part of it is given back, then order and wallet say so, and it is not to be paid again',
  async (t) => {
    const { call, topUp, delivered, refund, movements, staff, mine, ids, tokens } = await shop()
    await topUp('20.00')
    const { order_id, path } = await delivered()
    t.match(await refund(path), { code: 'nothing_to_refund' })
    t.match(await call('POST', `${path}/pay`, mine, {}), { paid_amount: '12.50', remaining_amount: '0.00' })
    t.match(await refund(path, { amount: '5' }), { paid_amount: '7.50', remaining_amount: '0.00', currency: 'CAD' })
    t.match(await call('POST', `${path}/pay`, mine, {}), { code: 'nothing_to_pay' })
    t.match(await movements(), [
      { number: 3, kind: 'refund', amount: '5.00', balance: '12.50', order_id, by: ids.client_admin },
      { number: 2, kind: 'payment', amount: '-12.50', balance: '7.50', order_id, by: ids.customer },
      { number: 1, kind: 'top_up', amount: '20.00', balance: '20.00' },
    ])
    const at = '2026-06-10T06:00:00-04:00'
    const total = { at, total_price: '12.50', remaining_amount: '0.00' }
    const own = [
      { number: 1, kind: 'price', amount: '12.50', ...total, paid_amount: '0.00', remaining_amount: '12.50' },
      { number: 2, kind: 'payment', amount: '12.50', ...total, paid_amount: '12.50' },
      { number: 3, kind: 'refund', amount: '5.00', ...total, paid_amount: '7.50', reason: 'Parcel was late' },
    ]
    const answer = { result: true, currency: 'CAD', total: 3, page: 1, per_page: 50 }
    t.same(await call('GET', `${path}/movements`, mine), { ...answer, movements: own })
    const by = ids.client_admin
    const ofStaff = own.map((one) => ({ ...one, by: one.kind === 'payment' ? ids.customer : by }))
    t.same(await call('GET', `${path}/movements`, staff), { ...answer, movements: ofStaff })
    t.match(await call('GET', path, mine), { order: { paid_amount: '7.50', refunded_amount: '5.00' } })
    for (const token of [mine, tokens.driver, tokens.contractor])
      t.match(await call('POST', `${path}/refund`, token, { reason: 'Mine' }), { result: false })
    for (const token of [tokens.driver, tokens.contractor])
      t.match(await call('GET', `${path}/movements`, token), { result: false })
  },
)

t.test('given bad refunds, two at once, or one under a key, then never more comes back than was paid', async (t) => {
  const { call, topUp, delivered, refund, movements, mine } = await shop()
  await topUp('20.00')
  const { path } = await delivered()
  await call('POST', `${path}/pay`, mine, {})
  const before = await movements()
  const refused = (code: string) => ({ result: false, errors: [{ path: 'amount', code }] })
  for (const amount of ['-1.00', '1e1', '']) t.match(await refund(path, { amount }), refused('not_an_amount'))
  t.match(await refund(path, { amount: '1.005' }), refused('too_precise'))
  t.match(await refund(path, { amount: '12.51' }, 'k'), { code: 'refund_exceeds', ...refused('refund_exceeds') })
  t.match(await refund(path, { amount: '12.51' }, 'k'), refused('refund_exceeds'))
  t.match(await call('POST', `${path}/pay`, mine, { amount: '12.51' }), { code: 'nothing_to_pay' })
  t.same(await movements(), before)
  const same = await Promise.all([1, 2].map(() => refund(path, { amount: '2.50' }, 'r')))
  t.same(same[0], same[1])
  t.match(same[0], { paid_amount: '10.00' })
  const both = await Promise.all([refund(path, { amount: '6.00' }), refund(path, { amount: '6.00' })])
  t.same(both.map(({ code }) => code ?? 'done').sort(), ['done', 'refund_exceeds'])
  t.match(await movements(), [{ balance: '16.00' }, { balance: '10.00' }, { balance: '7.50' }, { balance: '20.00' }])
})

t.test(
  'given an ended order, when its price is corrected, then the first price stays visible, and the rest comes back',
  async (t) => {
    const { call, topUp, delivered, price, staff, mine, movements } = await shop()
    await topUp('20.00')
    const { path } = await delivered()
    await call('POST', `${path}/pay`, mine, {})
    const correct = (amount: string, note?: string) =>
      call('POST', `${path}/price`, staff, { price: price(amount), ...(note !== undefined && { note }) })
    t.match(await correct('10.00'), { result: false, errors: [{ path: 'note', code: 'required' }] })
    t.match(await correct('10.00', 'Wrong zone'), { result: true, status: 'DELIVERED' })
    t.match(await movements(), [{ kind: 'refund', amount: '2.50', balance: '10.00' }, {}, {}])
    const [first, , adjusted, refunded] = (await call('GET', `${path}/movements`, staff)).movements
    t.match(first, { kind: 'price', amount: '12.50', total_price: '12.50' })
    t.match(adjusted, { kind: 'adjustment', amount: '-2.50', total_price: '10.00', note: 'Wrong zone' })
    t.match(refunded, { kind: 'refund', amount: '2.50', paid_amount: '10.00', remaining_amount: '0.00' })
    t.notOk('note' in (await call('GET', `${path}/movements`, mine)).movements[2], 'only staff read the note')
    await correct('11.00', 'Heavier')
    t.match(await call('POST', `${path}/pay`, mine, {}), { paid_amount: '11.00', remaining_amount: '0.00' })
  },
)

t.test(
  'given a payment that races a cancel, then either both happened and it came back, or nothing was paid',
  async (t) => {
    const { call, topUp, ids, staff, mine, price, movements } = await shop()
    await topUp('20.00')
    const address = { street: '1 Main Street', country: 'CA' }
    for (const first of ['pay', 'cancel']) {
      const order = { type: 'D', delivery: { name: 'Ann', address }, customer_id: ids.customer, price: price('5.00') }
      const { order_id } = await call('POST', 'orders', staff, order)
      const pay = () => call('POST', `orders/${order_id}/pay`, mine, {}, `p${order_id}`)
      const cancel = () => call('POST', `orders/${order_id}/cancel`, staff)
      const [one, other] = await Promise.all(first === 'pay' ? [pay(), cancel()] : [cancel(), pay()])
      const [paid, cancelled] = first === 'pay' ? [one, other] : [other, one]
      t.match(cancelled, { result: true, status: 'CANCELLED' })
      t.ok(paid.result === true || paid.code === 'order_status_forbids', first)
      t.same(await pay(), paid, 'the same key has the same answer')
      t.match(await movements(), [{ balance: '20.00' }])
      t.match(await call('GET', `orders/${order_id}`, mine), { order: { paid_amount: '0.00', status: 'CANCELLED' } })
    }
  },
)

t.test(
  'given an order that was paid in part outside, when it is refunded, then only the part from the wallet comes back',
  async (t) => {
    const { call, topUp, delivered, refund, movements, staff, mine } = await shop()
    await topUp('20.00')
    const { path } = await delivered()
    await call('POST', `${path}/settle-offline`, staff, { amount: '8.50', method: 'cash', reference: 'R-1' })
    await call('POST', `${path}/pay`, mine, {})
    t.match(await refund(path, { amount: '4.01' }), { errors: [{ path: 'amount', code: 'refund_exceeds' }] })
    t.match(await refund(path), { paid_amount: '8.50', remaining_amount: '0.00' })
    t.match(await refund(path), { code: 'nothing_to_refund' })
    t.match(await movements(), [{ kind: 'refund', balance: '20.00' }, { kind: 'payment', balance: '16.00' }, {}])
    t.match((await call('GET', `${path}/movements`, mine)).movements, [
      { kind: 'price' },
      { kind: 'settled_offline', amount: '8.50', paid_amount: '8.50', remaining_amount: '4.00' },
      { kind: 'payment', amount: '4.00', remaining_amount: '0.00' },
      { kind: 'refund', amount: '4.00', paid_amount: '8.50', reason: 'Parcel was late' },
    ])
  },
)

t.test('given random work with money, then wallets and orders are what books by double entry say', async (t) => {
  await workAtRandom(t, 10, 40)
})

t.test(
  'given prices of one family that are hidden, then a wallet shows what of others was paid, and no balance between',
  async (t) => {
    const { call, topUp, delivered, ids, mine, staff } = await shop()
    await topUp('20.00')
    const { path } = await delivered()
    await call('POST', `${path}/pay`, mine, {})
    const hide = (...families: readonly string[]) =>
      call('PUT', `accounts/${ids.customer}/hidden-prices`, staff, { families })
    const own = async () => (await call('GET', 'customer/credits/movements', mine)).movements
    await hide('label_service')
    t.match(await own(), [{ kind: 'payment', family: 'local_delivery', amount: '-12.50' }, { kind: 'top_up' }])
    t.notOk((await own()).some((one: object) => 'balance' in one))
    await hide('local_delivery')
    t.notOk('amount' in (await own())[0])
    t.match(await own(), [{ kind: 'payment' }, { kind: 'top_up', amount: '20.00' }])
  },
)
