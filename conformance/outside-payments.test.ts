import t from 'tap'
import { watchDeadlines } from '../adapters/deadlines/index.ts'
import { signedByTestProvider } from '../adapters/payments/index.ts'
import { definePaymentProvider, v } from '../adapters/plugins/index.ts'
import { families, price, shop } from './payments.test.fixture.ts'

const secret = 'the secret of the test'
const accounts = '/api/v1/payment-accounts'

/** Does what is due, as the background does. */
async function passTime(parts: Parameters<typeof watchDeadlines>[0]) {
  const end = new AbortController()
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  await watchDeadlines(parts, { signal: end.signal, log, wait: async () => end.abort() })
}

/** What a provider does with the next question. */
type Mood = 'well' | 'broken' | 'wrong' | 'refuses'

/** A provider that keeps books, as a real one does: it begins once for each key. */
function createBank() {
  const mood: { now: Mood } = { now: 'well' }
  const asked = { times: 0 }
  const begun = new Map<string, { readonly amount: string; readonly notify_url: string }>()
  const bank = definePaymentProvider({
    ...{ name: 'bank', title: 'Bank', credentials: v.strictObject({ word: v.string() }) },
    begin: async ({ key, amount, notify_url }) => {
      asked.times++
      if (mood.now === 'broken') throw new Error('no connection')
      if (mood.now === 'wrong') return { url: 'javascript:alert(1)' }
      if (mood.now === 'refuses') return { refused: 'The shop is closed.' }
      begun.set(key, { amount, notify_url })
      return { url: `https://bank.example/${key}` }
    },
    receive: async () => undefined,
  })
  return { bank, begun, mood, asked }
}

for (const { name, path, create, cancel, read } of families) {
  /** A shop with an account at the test provider, and its customer's order of the family. */
  async function begun() {
    const books = createBank()
    const made = await shop({ paymentProviders: [books.bank] })
    const { post, send, tokens, ids } = made
    const added = (provider: string, credentials: object) => post(accounts, { provider, name: 'Card', credentials })
    const { payment_account_id } = await added('test', { webhook_secret: secret })
    const other = await added('bank', { word: 'sesame' })
    const id = await create(post, ids.customer)
    const pay = async (body: object = {}, headers = {}) => {
      const given = { payment_account_id, ...body }
      const answer = await send('POST', `${path}/${id}/pay`, { token: tokens.customer, body: given, headers })
      return { ...answer.body, http: answer.status }
    }
    const tell = async (report: object, key = secret, account = payment_account_id) => {
      const body = JSON.stringify(report)
      const headers = { 'X-Test-Payment-Signature': signedByTestProvider(body, key) }
      const answer = await send('POST', `${accounts}/${account}/events`, { body, headers })
      return { ...answer.body, http: answer.status }
    }
    const keyOf = ({ payment }: { payment: { url: string } }) => /pay\/([^?]+)/.exec(payment.url)?.[1] ?? ''
    const succeeded = (key: string, amount = price) => ({ outcome: 'succeeded', key, amount, currency: 'CAD' })
    const payment = async (one = 1) =>
      (await send('GET', `/api/v1/payments/${one}`, { token: tokens.client_admin })).body.payment
    const more = { bankAccount: other.payment_account_id, record: () => read(made, id), end: () => cancel(post, id) }
    return { ...made, ...books, ...more, id, payment_account_id, pay, tell, keyOf, succeeded, payment }
  }

  t.test(`given ${name}, when a provider outside says that it was paid, then it is, once`, async (t) => {
    const { pay, tell, keyOf, succeeded, record, balance, payment, topUp, end } = await begun()
    const first = await pay()
    t.match(first, {
      ...{ result: true, paid_amount: '0.00', remaining_amount: price, currency: 'CAD', http: 200 },
      payment: { payment_id: 1, status: 'pending', url: /^https:\/\/payments\.example\/pay\/1\..*amount=12\.00/ },
    })
    t.match(await record(), { paid_amount: '0.00', remaining_amount: price })
    const report = succeeded(keyOf(first))
    const told = await Promise.all([tell(report), tell(report), tell(report)])
    t.same(told, Array(3).fill({ result: true, http: 200 }))
    t.match(await tell({ outcome: 'failed', key: report.key }), { result: true }, 'a success stays')
    t.match(await record(), { paid_amount: price, remaining_amount: '0.00' })
    t.match(await payment(), { status: 'succeeded', amount: price, paid_amount: price, family: name })
    t.equal(await balance(), '0.00', 'it came, and went to the order')
    t.match(await pay(), { code: 'nothing_to_pay', http: 409 })
    await topUp('1.00')
    t.equal((await end()).result, true)
    t.equal(await balance(), '13.00', 'it comes back as credit')
  })

  t.test(
    `given a begun payment for ${name}, when what comes is not right, then it is refused in one way`,
    async (t) => {
      const { pay, tell, keyOf, succeeded, record, payment, send, post, payment_account_id, bankAccount } =
        await begun()
      const key = keyOf(await pay())
      const refused = { code: 'payment_events_refused', http: 401 }
      const unsigned = await send('POST', `${accounts}/${payment_account_id}/events`, { body: succeeded(key) })
      t.match(unsigned, { status: 401, body: { code: 'payment_events_refused' } })
      const answers = [
        await tell(succeeded(key), 'the secret of another'),
        await tell(succeeded(key), secret, 99),
        await tell(succeeded(key), secret, bankAccount),
        await tell(succeeded(key, '11.99')),
        await tell(succeeded(key, '12.01')),
        await tell({ ...succeeded(key), currency: 'EUR' }),
        await tell(succeeded('1.unknown')),
        await tell(succeeded('7.unknown')),
        await tell(succeeded('unknown')),
        await tell({ ...succeeded(key), outcome: 'perhaps' }),
      ]
      for (const answer of answers) t.match(answer, refused)
      t.equal(new Set(answers.map(({ message }) => message)).size, 1)
      // Another account of the business at the same provider has its own secret.
      const credentials = { webhook_secret: 'the secret of the second' }
      const second = await post(accounts, { provider: 'test', name: 'Second', credentials })
      t.match(await tell(succeeded(key), credentials.webhook_secret, second.payment_account_id), refused)
      t.match(await payment(), { status: 'pending' })
      t.match(await record(), { paid_amount: '0.00' })
    },
  )

  t.test(`given a begun payment for ${name}, when it comes after the end or too much, then it is credit`, async (t) => {
    const late = await begun()
    const key = late.keyOf(await late.pay())
    t.equal((await late.end()).result, true)
    t.match(await late.tell(late.succeeded(key)), { result: true })
    t.equal(await late.balance(), price)
    t.match(await late.record(), { paid_amount: '0.00' })
    t.match(await late.payment(), { status: 'succeeded', paid_amount: '0.00' })

    const twice = await begun()
    const keys = [twice.keyOf(await twice.pay()), twice.keyOf(await twice.pay({ amount: '5.00' }))] as const
    t.match(await twice.tell(twice.succeeded(keys[1], '5.00')), { result: true })
    t.match(await twice.tell(twice.succeeded(keys[0])), { result: true })
    t.match(await twice.record(), { paid_amount: price, remaining_amount: '0.00' })
    t.match(await twice.payment(1), { amount: price, paid_amount: '7.00' })
    t.equal(await twice.balance(), '5.00', 'nothing is lost, and nothing counts twice')

    const atOnce = await begun()
    const both = [atOnce.keyOf(await atOnce.pay()), atOnce.keyOf(await atOnce.pay())] as const
    await Promise.all(both.map((key) => atOnce.tell(atOnce.succeeded(key))))
    t.match(await atOnce.record(), { paid_amount: price, remaining_amount: '0.00' })
    t.equal(await atOnce.balance(), price)

    const racing = await begun()
    const raced = racing.keyOf(await racing.pay())
    const [told, ended] = await Promise.all([racing.tell(racing.succeeded(raced)), racing.end()])
    t.match([told, ended], [{ result: true }, { result: true }])
    t.equal(await racing.balance(), price)
    t.match(await racing.record(), { paid_amount: '0.00' })
  })

  t.test(`given a wallet that owes more than its limit, when ${name} is paid outside, then that counts`, async (t) => {
    const { pay, tell, keyOf, succeeded, record, balance, payment, post, send, tokens, ids } = await begun()
    const wallet = `/api/v1/wallets/${ids.customer}`
    const limit = (credit_limit: string) =>
      send('PUT', `${wallet}/credit-limit`, { token: tokens.client_admin, body: { credit_limit } })
    await limit('20.00')
    await post(`${wallet}/adjustments`, { kind: 'fee', amount: '15.00', reason: 'Storage' })
    await limit('0')
    t.match(await tell(succeeded(keyOf(await pay()))), { result: true })
    t.match(await record(), { paid_amount: price, remaining_amount: '0.00' })
    t.match(await payment(), { status: 'succeeded', paid_amount: price })
    t.equal(await balance(), '-15.00')
    t.match(await pay({ payment_account_id: undefined }), { code: 'nothing_to_pay' })
  })

  t.test(
    `given a payment for ${name} that nobody makes, then it expires, and counts if it comes after all`,
    async (t) => {
      const { pay, tell, keyOf, succeeded, record, payment, wait, parts, post, payment_account_id } = await begun()
      const key = keyOf(await pay())
      const remove = () => post(`${accounts}/${payment_account_id}/remove`)
      t.match(await remove(), { code: 'payment_account_in_use' })
      await wait(23)
      await passTime(parts)
      t.match(await payment(), { status: 'pending' })
      await wait(2)
      await passTime(parts)
      t.match(await payment(), { status: 'expired' })
      t.match(await tell({ outcome: 'failed', key }), { result: true })
      t.match(await payment(), { status: 'expired' })
      t.match(await tell(succeeded(key)), { result: true })
      t.match(await payment(), { status: 'succeeded' })
      t.match(await record(), { remaining_amount: '0.00' })
      t.match(await remove(), { result: true, status: 'removed' })
      t.match(await tell(succeeded(key)), { code: 'payment_events_refused' })
    },
  )

  t.test(`given ${name}, when a payment cannot begin, then it says why, and the same key pays once`, async (t) => {
    const { pay, mood, begun: known, asked, bankAccount, record, hide, payment } = await begun()
    const bank = { payment_account_id: bankAccount }
    mood.now = 'refuses'
    t.match(await pay(bank), { code: 'payment_refused', message: /The shop is closed\./, http: 409 })
    t.match(await payment(1), { status: 'failed' })
    const key = { 'Idempotency-Key': 'once' }
    for (const bad of ['broken', 'wrong'] as const) {
      mood.now = bad
      t.match(await pay(bank, key), { code: 'payment_provider_silent', http: 503 })
    }
    mood.now = 'well'
    const before = asked.times
    const answers = [await pay(bank, key), await pay(bank, key)]
    t.equal(asked.times, before + 1, 'once it has said where to go, it is not asked again')
    t.same(answers[0], answers[1])
    t.match(answers[0], { payment: { payment_id: 2, status: 'pending', url: /^https:\/\/bank\.example\/2\./ } })
    t.same(
      [...known.values()].map(({ amount }) => amount),
      [price],
    )
    t.match([...known.values()][0]?.notify_url, new RegExp(`/api/v1/payment-accounts/${bankAccount}/events$`))
    t.match(await pay({ payment_account_id: 99 }), { code: 'payment_account_not_found', http: 404 })
    t.match(await pay({ amount: '12.01' }), { code: 'amount_exceeds' })
    await hide([name])
    t.match(await pay(), { code: 'PRICE_HIDDEN_SETTLE_OFFLINE', http: 403 })
    t.match(await record(), { paid_amount: '0.00' })
  })
}

t.test(
  'given an account at a payment provider, then its secret is never told, and only its business has it',
  async (t) => {
    const { post, send, tokens, other } = await shop()
    const wrong = [
      [
        { provider: 'nobody', name: 'Card', credentials: {} },
        { path: 'provider', code: 'unknown_payment_provider' },
      ],
      [
        { provider: 'test', name: 'Card', credentials: { webhook_secret: 'short' } },
        { path: 'credentials.webhook_secret' },
      ],
    ] as const
    for (const [body, finding] of wrong) t.match(await post(accounts, body), { errors: [finding] })
    const body = { provider: 'test', name: 'Card', credentials: { webhook_secret: secret } }
    t.equal((await send('POST', accounts, { token: tokens.client_employee, body })).status, 403)
    t.match(await post(accounts, body), { result: true, payment_account_id: 1, status: 'active' })
    for (const token of [tokens.client_admin, tokens.client_employee, tokens.customer]) {
      const listed = (await send('GET', accounts, { token })).body
      t.match(listed, { payment_accounts: [{ id: 1, provider: 'test', name: 'Card' }] })
      t.notMatch(JSON.stringify(listed), new RegExp(secret))
      t.notMatch(JSON.stringify((await send('GET', `${accounts}/1`, { token })).body), new RegExp(secret))
    }
    t.same((await send('GET', accounts, { token: other.tokens.customer })).body.payment_accounts, [])
    t.equal((await send('GET', `${accounts}/1`, { token: other.tokens.client_admin })).status, 404)
    t.equal((await send('GET', '/api/v1/payments', { token: tokens.customer })).status, 403)
  },
)
