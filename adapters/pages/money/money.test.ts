import t from 'tap'
import { site } from '../signed-in/site.test.fixture.ts'

const home = '/money'
const local = { origin: 'http://localhost' }

const list = {
  ...{ currency: 'CAD', zones: [{ code: 'all', countries: ['CA'] }], default_service: 'standard' },
  services: [
    { code: 'standard', name: 'Standard', prices: [{ zone: 'all', steps: [{ up_to_grams: 1_000, price: '10.25' }] }] },
  ],
}

/** A business whose customer has topped up, ordered and paid in May; now it is June. */
async function shop() {
  const made = await site(home)
  const { send, tokens, ids } = made
  const ask = async (method: string, path: string, body?: object, token = tokens.client_admin) =>
    (await send(method, `/api/v1/${path}`, { token, ...(body && { body }) })).body
  await ask('PUT', 'price-list', list)
  await ask('POST', `accounts/${ids.customer}/top-ups`, { amount: '50.00' })
  const delivery = { name: 'Ann', address: { street: '1 Main Street', postal_code: 'M5V 1A1', country: 'CA' } }
  const { order_id } = await ask('POST', 'orders', { type: 'D', delivery }, tokens.customer)
  await ask('POST', `orders/${order_id}/pay`, {}, tokens.customer)
  return { ...made, ask, order_id }
}

t.test('given wallets, then the staff sees what customers owe and have, and what moved in each', async (t) => {
  const { get, signIn, ids, ask, order_id, other } = await shop()
  const employee = await signIn('client_employee')
  const page = await get(home, employee.cookie)
  t.match(page.html, /<dt>Customers owe<\/dt><dd><bdi dir="ltr">0\.00 CAD/)
  t.match(page.html, /<dt>Customers have<\/dt><dd><bdi dir="ltr">39\.75 CAD/)
  t.match(page.html, /Version 1, in CAD/)
  t.match(page.html, /There is no statement yet/)
  t.match(page.html, /href="\/mark-ups">No rule yet/)
  t.notMatch(page.html, /action="\/money\/issue/, 'an employee issues nothing')
  const wallet = await get(`${home}?wallet=${ids.customer}`, employee.cookie)
  t.match(wallet.html, new RegExp(`>-10\\.25<.*>39\\.75<.*Payment <a href="/orders/${order_id}">order ${order_id}</a>`))
  t.match(wallet.html, />50\.00<.*>50\.00<.*Top-up</)
  await ask('PUT', `wallets/${ids.customer}/credit-limit`, { credit_limit: '100.00' })
  const taken = { kind: 'fee', amount: '45.00', reason: 'A lost key' }
  t.match(await ask('POST', `wallets/${ids.customer}/adjustments`, taken), { result: true })
  t.match((await get(home, employee.cookie)).html, /<dt>Customers owe<\/dt><dd><bdi dir="ltr">5\.25 CAD/)
  t.match((await get(`${home}?wallet=${ids.customer}`, employee.cookie)).html, /Fee · <bdi>A lost key<\/bdi>/)
  for (const wrong of [ids.driver, other.ids.customer, '0', 'x'])
    t.equal((await get(`${home}?wallet=${wrong}`, employee.cookie)).status, 404, `wallet ${wrong}`)
})

t.test(
  'given a month that is over, when an admin issues it, then it sees what comes first, and its statements are there to read',
  async (t) => {
    const { get, post, signIn, clock, ask, ids } = await shop()
    clock.now = Date.parse('2026-07-02T10:00:00Z')
    const admin = await signIn('client_admin')
    const { html } = await get(home, admin.cookie)
    t.match(html, /type="month" value="2026-06"/, 'the last month that is over')
    const fields = { month: '2026-06', form: admin.form, key: 'a-key-of-a-form' }
    const previewed = await post(`${home}/issue`, { ...fields, step: 'preview' }, admin.cookie, local)
    t.equal(previewed.status, 200)
    t.match(previewed.html, /name="confirm" value="1"/)
    t.match((await get(home, admin.cookie)).html, /There is no statement yet/, 'a preview issues nothing')
    const blind = await post(`${home}/issue`, { ...fields, step: 'do' }, admin.cookie, local)
    t.match(blind.html, /name="confirm" value="1"/, 'nothing is issued unseen')
    const done = await post(`${home}/issue`, { ...fields, step: 'do', confirm: '1' }, admin.cookie, local)
    t.equal(done.status, 303)
    const after = await get(String(done.headers.get('location')), admin.cookie)
    t.match(after.html, /role="status"/)
    t.match(after.html, /The whole business/)
    t.match(after.html, new RegExp(`Customer ${ids.customer}</td>\\s*<td class="amount"><bdi dir="ltr">10\\.25 CAD`))
    const early = await post(`${home}/issue`, { ...fields, month: '2026-07', step: 'preview' }, admin.cookie, local)
    t.equal(early.status, 422)
    t.equal((await ask('GET', 'statements', undefined, (await signIn('client_admin')).token)).total, 2)

    t.test('then each is a PDF and a CSV, for those who may read it', async (t) => {
      const pdf = await get(`${home}/statements/1/pdf`, admin.cookie)
      t.match(pdf.headers.get('content-type'), /application\/pdf/)
      t.match(pdf.headers.get('content-disposition'), /statement-1\.pdf/)
      const customer = await signIn('customer')
      const csv = await get(`${home}/statements/1/csv`, customer.cookie)
      t.match(csv.headers.get('content-type'), /text\/csv/)
      t.match(csv.html, /10\.25/)
      t.equal((await get(`${home}/statements/2/csv`, customer.cookie)).status, 404, 'that of the business')
      t.equal((await get(`${home}/statements/9/csv`, admin.cookie)).status, 404)
      const theirs = await signIn('client_admin', 'two')
      t.equal((await get(`${home}/statements/1/pdf`, theirs.cookie)).status, 404)
      t.notMatch((await get(home, theirs.cookie)).html, /10\.25|39\.75/)
    })
  },
)

t.test('given a customer, then it sees its balance, movements and statements, and nothing of others', async (t) => {
  const { get, post, signIn, ids, ask, order_id, clock } = await shop()
  for (let amount = 1; amount <= 50; amount++)
    await ask('POST', `accounts/${ids.customer}/top-ups`, { amount: `0.${String(amount).padStart(2, '0')}` })
  clock.now = Date.parse('2026-07-02T10:00:00Z')
  const admin = await signIn('client_admin')
  await ask('POST', 'statements/issue-all', { month: '2026-06' }, admin.token)
  const customer = await signIn('customer')
  const first = await get(home, customer.cookie)
  t.match(first.html, /<dt>Balance<\/dt><dd><bdi dir="ltr">52\.50 CAD/)
  t.match(first.html, /href="\/records\/statement\/1">1<.*2026-06/)
  t.notMatch(first.html, /The whole business|Customers owe|Price list|Mark-ups|action="\/money\/issue/)
  t.match(first.html, /Page 1 of 2/)
  t.notMatch(first.html, />-10\.25</)
  t.match((await get(`${home}?page=2`, customer.cookie)).html, new RegExp(`>-10\\.25<.*order ${order_id}`))
  t.equal((await get(`${home}?wallet=${ids.customer}`, customer.cookie)).status, 404)
  const sent = { month: '2026-06', form: customer.form, step: 'preview' }
  t.equal((await post(`${home}/issue`, sent, customer.cookie, local)).status, 404)

  t.test('when prices are hidden from it, then no amount of an order is on its page', async (t) => {
    await ask('PUT', `accounts/${ids.customer}/hidden-prices`, { families: ['local_delivery'] }, admin.token)
    const { html } = await get(`${home}?page=2`, customer.cookie)
    t.match(html, new RegExp(`Payment .*order ${order_id}`))
    t.match(html, />50\.00<\/bdi><\/td><td class="amount"><\/td><td>Top-up</)
    t.notMatch(html, /10\.25|39\.75/)
    t.match(html, /There is no statement yet/)
    t.equal((await get(`${home}/statements/1/csv`, customer.cookie)).status, 404)
  })
})

t.test('given an account that is neither staff nor a customer, then it sees no money', async (t) => {
  const { get, signIn } = await shop()
  for (const role of ['driver', 'contractor'] as const) {
    const { status, html } = await get(home, (await signIn(role)).cookie)
    t.equal(status, 403, role)
    t.notMatch(html, /39\.75|href="\/money"/)
  }
})
