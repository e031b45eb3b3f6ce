import t from 'tap'
import { families, price, shop } from './payments.test.fixture.ts'

for (const family of families) {
  const { name, path, create, cancel, read } = family

  /** A shop, its customer's order of the family, and what it is asked to do with it. */
  async function begun(money = '20.00') {
    const made = await shop()
    const { post, send, tokens, ids, topUp } = made
    if (money !== '0') await topUp(money)
    const id = await create(post, ids.customer)
    const asked = async (verb: string, token: string, body: object, headers = {}) => {
      const answer = await send('POST', `${path}/${id}/${verb}`, { token, body, headers })
      return { ...answer.body, http: answer.status }
    }
    const pay = (body: object = {}, headers = {}) => asked('pay', tokens.customer, body, headers)
    const settle = (body: object, token = tokens.client_admin) => asked('settle-offline', token, body)
    return { ...made, id, pay, settle, record: () => read(made, id), end: () => cancel(post, id) }
  }

  t.test(`given ${name}, when it is paid from the wallet, then both say so, and its end gives it back`, async (t) => {
    const { id, pay, record, end, balance } = await begun()
    const first = await pay({ amount: '3.75' })
    t.match(first, {
      result: true,
      id,
      [family.id]: id,
      paid_amount: '3.75',
      remaining_amount: '8.25',
      currency: 'CAD',
    })
    t.match(await pay(), { result: true, paid_amount: price, remaining_amount: '0.00', http: 200 })
    t.match(await record(), { paid_amount: price, remaining_amount: '0.00' })
    t.equal(await balance(), '8.00')
    t.match(await pay(), { code: 'nothing_to_pay', http: 409 })
    t.equal((await end()).result, true)
    t.match(await record(), { paid_amount: '0.00', refunded_amount: price })
    t.equal(await balance(), '20.00')
    await end()
    t.equal(await balance(), '20.00', 'it comes back once')
    t.equal((await pay()).http, 409)
    t.equal(await balance(), '20.00')
  })

  t.test(`given ${name}, when a payment is wrong, then it is refused with a path, and nothing moves`, async (t) => {
    const { pay, settle, record, balance, topUp, post, send, id, other, tokens } = await begun('5.00')
    t.match(await pay(), { code: 'insufficient_credits', http: 409 })
    await topUp('20.00')
    t.match(await pay({ amount: '12.01' }), { code: 'amount_exceeds' })
    t.match(await pay({ amount: '0' }), { code: 'nothing_to_pay' })
    t.match(await pay({ amount: '1.005' }), { errors: [{ path: 'amount', code: 'too_precise' }] })
    for (const amount of ['-1.00', '1e1', '', 1])
      t.match(await pay({ amount }), { code: 'invalid_input', errors: [{ path: 'amount' }] })
    t.match(await settle({ amount: '12.01', method: 'cash' }), { code: 'amount_exceeds' })
    t.match(await settle({ method: 'gold' }), { errors: [{ path: 'method' }] })
    t.equal((await settle({ method: 'cash' }, tokens.customer)).http, 403)
    t.equal((await settle({ method: 'cash' }, tokens.driver)).http, 403)
    for (const one of [other.tokens.customer, other.tokens.client_admin])
      for (const verb of ['pay', 'settle-offline']) {
        const { status } = await send('POST', `${path}/${id}/${verb}`, {
          token: one,
          body: verb === 'pay' ? {} : { method: 'cash' },
        })
        t.ok([403, 404, 409].includes(status), `${verb} by another business`)
      }
    const neighbour = { role: 'customer', email: 'bo@one.example', name: 'Bo', password: 'zqkxvjwzq77' }
    const { account_id } = await post('/api/v1/accounts', neighbour)
    await post(`/api/v1/accounts/${account_id}/top-ups`, { amount: '20.00' })
    const bo = (
      await send('POST', '/api/v1/user/login', { body: { email: neighbour.email, password: neighbour.password } })
    ).body.access_token
    t.equal((await send('POST', `${path}/${id}/pay`, { token: bo, body: {} })).status, 404, 'another customer')
    t.match(await record(), { paid_amount: '0.00', remaining_amount: price })
    t.equal(await balance(), '25.00')
  })

  t.test(`given ${name}, when two pay at once, or one retries, then it is paid once`, async (t) => {
    const { pay, balance, record } = await begun('30.00')
    const key = { 'Idempotency-Key': 'once' }
    const same = await Promise.all([1, 2, 3].map(() => pay({ amount: '5.00' }, key)))
    t.same(same, Array(3).fill(same[0]))
    t.equal(await balance(), '25.00')
    t.match(await pay({ amount: '6.00' }, key), { code: 'idempotency_key_reused' })
    const both = await Promise.all([pay(), pay()])
    t.same(both.map(({ code, result }) => code ?? result).sort(), ['nothing_to_pay', true])
    t.match(await record(), { paid_amount: price })
    t.equal(await balance(), '18.00')
  })

  t.test(`given ${name}, when a payment races its end, then no money is lost`, async (t) => {
    for (const turn of [0, 1, 2]) {
      const { pay, end, balance, record } = await begun()
      const [paid, ended] =
        turn === 1 ? await Promise.all([pay(), end()]) : (await Promise.all([end(), pay()])).reverse()
      t.equal(ended.result, true)
      t.ok(paid.http === 200 || paid.http === 409)
      t.match(await record(), { paid_amount: '0.00' })
      t.equal(await balance(), '20.00')
    }
  })

  t.test(`given ${name}, when staff settle it outside, then no wallet gets what came from there`, async (t) => {
    const { pay, settle, record, end, balance, tokens, send, id, ids } = await begun()
    const cash = await settle({ amount: '5.00', method: 'cash', reference: 'Till 7' })
    t.match(cash, { result: true, id, paid_amount: '5.00', remaining_amount: '7.00', currency: 'CAD' })
    t.equal(await balance(), '20.00')
    t.match(await record(), {
      ...{ paid_amount: '5.00', paid_offline_amount: '5.00', remaining_amount: '7.00' },
      offline_settlements: [
        { amount: '5.00', method: 'cash', reference: 'Till 7', by: ids.client_admin, at: '2026-06-10T06:00:00-04:00' },
      ],
    })
    t.match(await pay({ amount: '4.00' }), { paid_amount: '9.00', remaining_amount: '3.00' })
    t.match(await settle({ method: 'transfer' }, tokens.client_employee), {
      paid_amount: price,
      remaining_amount: '0.00',
    })
    t.match(await settle({ method: 'card' }), { code: 'nothing_to_pay' })
    t.match(await pay(), { code: 'nothing_to_pay' })
    t.equal(await balance(), '16.00')
    const seen = await send('GET', `${path}/${id}`, { token: tokens.customer })
    t.notMatch(JSON.stringify(seen.body), /Till 7/)
    t.equal((await end()).result, true)
    t.equal(await balance(), '20.00', 'what came from the wallet goes back')
    t.match(await record(), { paid_amount: '8.00', paid_offline_amount: '8.00', refunded_amount: '4.00' })
  })

  t.test(`given ${name} of which all was paid outside, when it ends, then no wallet changes`, async (t) => {
    const { settle, record, end, balance } = await begun()
    t.match(await settle({ method: 'other' }), { remaining_amount: '0.00' })
    t.equal((await end()).result, true)
    t.equal(await balance(), '20.00')
    const { refunded_amount } = await record()
    t.equal(refunded_amount, undefined)
    t.match(await settle({ method: 'other' }), { http: 409 })
  })

  t.test(
    `given ${name} with hidden prices, when its customer pays, then that is told before anything else`,
    async (t) => {
      const { id, pay, hide, balance, settle, send, tokens } = await begun()
      await hide([name])
      t.match(await pay(), { code: 'PRICE_HIDDEN_SETTLE_OFFLINE', http: 403 })
      t.match(await pay({ amount: 'wrong' }), { code: 'PRICE_HIDDEN_SETTLE_OFFLINE', http: 403 })
      const missing = await send('POST', `${path}/99999/pay`, { token: tokens.customer, body: {} })
      t.match(missing, { status: 403, body: { code: 'PRICE_HIDDEN_SETTLE_OFFLINE' } })
      t.equal(await balance(), '20.00')
      const seen = (await send('GET', `${path}/${id}`, { token: tokens.customer })).body
      t.notMatch(JSON.stringify(seen), /amount|total_price|currency|12\.00/)
      if (seen.result) t.equal(seen.price_hidden, true)
      t.match(await settle({ method: 'cash' }), { result: true, remaining_amount: '0.00' })
      await hide(families.map((one) => one.name).filter((one) => one !== name))
      t.match(await pay(), { code: 'nothing_to_pay' })
    },
  )
}

t.test(
  'given an order without a customer, then nobody pays it from a wallet, and its staff can settle it',
  async (t) => {
    const { post } = await shop()
    for (const { name, path, create } of families) {
      const id = await create(post)
      const settled = await post(`${path}/${id}/settle-offline`, { method: 'cash' })
      // The business has bought the label for itself.
      if (name === 'label_service') t.match(settled, { code: 'nothing_to_pay' })
      else t.match(settled, { result: true, paid_amount: price })
    }
  },
)
