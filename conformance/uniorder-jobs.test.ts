import t from 'tap'
import { watchDeadlines } from '../adapters/deadlines/index.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { uniordersDomain } from '../engine/domains/uniorders/index.ts'
import { ann, shipment, shop, uniorder } from './uniorder.test.fixture.ts'

/** A business, and jobs of its admin. */
async function working() {
  const made = await shop()
  const { ask, parts } = made
  const accept = async (path: string, body: object, token?: string): Promise<number> =>
    (await ask('POST', `${uniorder}${path}/batch-async`, body, token)).job_id
  const job = (id: number, page = '', token?: string) => ask('GET', `${uniorder}/jobs/${id}${page}`, undefined, token)
  const work = () => runPoliciesOnce(parts)
  /** Passes deadlines once. */
  const later = async () => {
    const ending = new AbortController()
    const silent = () => {}
    const log = { debug: silent, info: silent, warn: silent, error: silent }
    await watchDeadlines(parts, { signal: ending.signal, log, wait: async () => ending.abort() })
  }
  return { ...made, accept, job, work, later }
}

t.test(
  'given many shipments, when they are accepted, then they are booked later, each with its own result',
  async (t) => {
    const { ask, accept, job, work, rate, parts, store } = await working()
    const own = await rate('self_delivery')
    const rates = await Promise.all(Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? own : rate('label'))))
    const orders: object[] = rates.map((rate_id, index) => ({ ...shipment, rate_id, reference: `R${index}` }))
    orders[7] = { ...shipment, rate_id: 'rate_x.y', reference: 'R7' }
    orders[8] = { rate_id: own }
    t.equal(await accept('', { orders }), 1)
    t.match(await job(1), { kind: 'create', status: 'accepted', total: 60, done: 0, created: 0, orders: [] })
    await work()
    const done = await job(1)
    t.match(done, { status: 'finished', total: 60, done: 60, created: 58, failed: 2, page: 1, per_page: 50 })
    t.match(done.orders.slice(6, 10), [
      { index: 6, result: true, reference: 'R6', uniorder_id: 'order-7' },
      { index: 7, result: false, reference: 'R7', code: 'rate_invalid' },
      { index: 8, result: false, code: 'invalid_input', errors: [{ path: 'from', code: 'required' }, {}, {}] },
      { index: 9, result: true, reference: 'R9', uniorder_id: 'label-8' },
    ])
    t.equal((await job(1, '?page=2')).orders.length, 10)
    const last = await store.latest()
    await work()
    t.equal(await store.latest(), last, 'nothing is booked twice')
    t.match(await ask('GET', `${uniorder}/order-7`), { uniorder: { status: 'NEW_ORDER', reference: 'R6' } })
    t.match(await ask('GET', `${uniorder}/label-8`), { uniorder: { status: 'LABEL_PENDING', reference: 'R9' } })
    const history = JSON.stringify(await parts.store.read('uniorder_job-1'))
    t.notMatch(history, /Ann Lee|Main Street/, 'the shipments are erased from the job')
  },
)

t.test('given jobs with a callback, when they have finished, then a webhook tells so', async (t) => {
  const { accept, ask, work, rate, parts, store, business } = await working()
  const body = { orders: [{ ...shipment, rate_id: await rate('self_delivery') }, { rate_id: 'rate_x.y' }] }
  const callback = { url: 'https://93.184.215.14/told', format: 'ce_binary' }
  await ask('PUT', '/api/v1/webhook-settings', { webhook_sign_secret: 'a secret of this shop' })
  const refused = await ask('POST', `${uniorder}/batch-async`, { ...body, callback: { url: 'https://10.0.0.1/' } })
  t.match(refused, { errors: [{ path: 'callback.url' }] })
  const booking = await accept('', { ...body, callback })
  const quoting = await accept('/rate', { shipments: [shipment], callback })
  const silent = await accept('', body)
  await work()
  const told: object[] = []
  const source = uniordersDomain({}).webhookEventSources?.[0]
  for await (const event of store.readAll(undefined, { category: 'uniorder_job' }))
    for (const one of (await source?.webhookEventsOf({ ...parts, store: parts.store }, event)) ?? [])
      told.push({ ...one, data: one.data('business') })
  t.match(told, [
    { data: { job_id: booking, kind: 'create', total: 2, created: 1, failed: 1 }, subject: `job/${booking}` },
    { data: { job_id: quoting, kind: 'rate', total: 1 }, audience: { kind: 'callback', businessId: business } },
  ])
  t.equal(told.length, 2, `nobody is told of job ${silent}`)
  t.notMatch(
    JSON.stringify(await store.read(`uniorder_job-${booking}`)),
    '93.184.215.14',
    'the URL is in its own stream',
  )
})

t.test(
  'given a tax of a region, when a shipment of a job has none, then it says so, and the others are quoted',
  async (t) => {
    const { ask, accept, job, work } = await working()
    const { price_list } = await ask('GET', '/api/v1/price-list')
    await ask('PUT', '/api/v1/price-list', { ...price_list, taxes: [{ name: 'HST', percent: '13', regions: ['ON'] }] })
    const { region: _, postal_code: __, ...nowhere } = ann
    t.equal(await accept('/rate', { shipments: [{ ...shipment, to: nowhere }, shipment] }), 1)
    await work()
    const [one, other] = (await job(1)).shipments
    t.match(one, {
      index: 0,
      rates: [],
      code: 'invalid_input',
      errors: [{ path: 'to.region', code: 'region_required' }],
    })
    t.match(other, { index: 1, rates: [{ kind: 'self_delivery', total_price: '17.56' }] })
  },
)

t.test('given many shipments, when they are quoted later, then their rates can be booked, for a day', async (t) => {
  const { ask, accept, job, work, clock, later, parts } = await working()
  const shipments = [
    { ...shipment, reference: 'A' },
    { ...shipment, to: { ...ann, postal_code: '00000' } },
    ...Array.from({ length: 30 }, () => shipment),
  ]
  t.equal(await accept('/rate', { shipments, quote_labels: true }), 1)
  await work()
  const done = await job(1)
  t.match(done, { kind: 'rate', status: 'finished', total: 32, done: 32, finished_at: /-04:00$/ })
  t.notOk('created' in done)
  const [one, other] = done.shipments
  t.match(one, { index: 0, reference: 'A', rates: [{ kind: 'self_delivery' }, { kind: 'label' }, { kind: 'label' }] })
  t.match(other, { index: 1, rates: [{ kind: 'self_delivery' }], unanswered: [{ refusal: 'not_served' }] })
  const booked = await ask('POST', uniorder, { ...shipment, rate_id: one.rates[1].rate_id })
  t.match(booked, { uniorder: { status: 'LABEL_PURCHASED' } })
  const last = await parts.store.latest()
  clock.now += 23 * 3_600_000
  await later()
  t.equal(await parts.store.latest(), last, 'not yet')
  clock.now += 3_600_000
  await later()
  const history = JSON.stringify(await parts.store.read('uniorder_job-1'))
  t.notMatch(history, /Ann Lee|Main Street|label_|rate_ey/, 'shipments and rates are erased')
})

t.test('given a job, when others ask for it, then there is none, and a customer has its own', async (t) => {
  const { accept, job, work, tokens, other, ask, ids } = await working()
  await ask('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { families: ['local_delivery', 'label_service'] })
  await ask('PUT', '/api/v1/mark-ups', { rules: [{}] })
  t.equal(await accept('/rate', { shipments: [shipment], quote_labels: true }, tokens.customer), 1)
  t.equal(await accept('/rate', { shipments: [shipment] }), 2)
  await work()
  const own = await job(1, '', tokens.customer)
  t.match(own, { status: 'finished', price_hidden: true, shipments: [{ rates: [{ rate_id: /^rate_/ }, {}, {}] }] })
  t.notMatch(JSON.stringify(own), /total_price|"CAD"/)
  t.match(await job(1), { shipments: [{ rates: [{ total_price: '15.54' }, {}, {}] }] }, 'staff see it, and its prices')
  t.match(await job(2, '', tokens.customer), { code: 'uniorder_job_not_found' })
  t.match(await job(1, '', other.tokens.client_admin), { code: 'uniorder_job_not_found' })
  t.match(await job(3), { code: 'uniorder_job_not_found' })
})

t.test('given an account that is disabled meanwhile, when its job is worked on, then nothing is booked', async (t) => {
  const { accept, job, work, rate, tokens, ask, ids } = await working()
  const orders = [{ ...shipment, rate_id: await rate('self_delivery', shipment, tokens.customer) }]
  t.equal(await accept('', { orders }, tokens.customer), 1)
  t.match(await ask('PUT', `/api/v1/accounts/${ids.customer}/status`, { is_active: false }), { result: true })
  await work()
  t.match(await job(1), { status: 'finished', created: 0, failed: 1, orders: [{ code: 'account_required' }] })
})

t.test('given too much, when a job is to be accepted, then it is refused with what is wrong', async (t) => {
  const { ask } = await working()
  const path = `${uniorder}/batch-async`
  const row = { ...shipment, rate_id: 'rate_x.y' }
  t.match(await ask('POST', path, { orders: Array(501).fill(row) }), { code: 'invalid_input' })
  t.match(await ask('POST', path, { orders: [] }), { code: 'invalid_input' })
  const long = { ...row, note: 'x'.repeat(17_000) }
  t.match(await ask('POST', path, { orders: [row, long] }), { errors: [{ path: 'orders[1]', code: 'too_long' }] })
  const wrong = { ...shipment, parcels: [] }
  t.match(await ask('POST', `${uniorder}/rate/batch-async`, { shipments: [wrong] }), {
    errors: [{ path: 'shipments[0].parcels' }],
  })
})
