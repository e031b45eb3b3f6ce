import t from 'tap'
import { world } from '../../adapters/auth/world.test.fixture.ts'

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
  return { ...made, staff, mine, call, wallet, topUp, adjust, credit, movements }
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
