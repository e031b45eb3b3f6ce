import fc from 'fast-check'
import t from 'tap'
import { signedBySandbox } from '../adapters/carriers/index.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { isoOf } from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'
import { ann, shop as bareShop, shipment } from './uniorder.test.fixture.ts'

const orders = '/api/v1/orders'
const labels = '/api/v1/labelservice'
const secret = 'a secret of the sandbox'

interface Listed {
  readonly order_id: number
  readonly family: string
}

/** A business with its own drivers and an account at a carrier, which reports what the test says. */
async function shop() {
  const made = await bareShop()
  const { ask, parts, clock, send } = made
  await ask('POST', '/api/v1/carrier-accounts', {
    carrier: 'sandbox',
    credentials: { account: 'b', webhook_secret: secret },
  })
  /** The ids of the orders of a list. */
  const idsOf = async (query: string, token?: string): Promise<readonly number[]> =>
    ((await ask('GET', `${orders}?${query}`, undefined, token)).orders as readonly Listed[]).map((one) => one.order_id)
  const find = async (query: string, token?: string) =>
    (await ask('GET', `${orders}/find?query=${encodeURIComponent(query)}`, undefined, token)).orders
  /** What the carrier of labels says of a parcel. */
  const report = async (tracking_number: string, status_code: string) => {
    clock.now += 60_000
    const events = [{ status_code, occurred_at: isoOf(clock.now), event_id: `e${clock.now}` }]
    const body = JSON.stringify({ tracking_number, events })
    const headers = { 'Content-Type': 'application/json', 'x-sandbox-signature': signedBySandbox(body, secret) }
    await send('POST', `${labels}/carriers/2/events`, { body, headers })
    await runPoliciesOnce(parts)
  }
  /** Buys a label of the account that reports. */
  const label = async (reference = 'L-1') => {
    const { rates } = await ask('POST', `${labels}/compareAllCarriers`, shipment)
    const { rate_id } = rates.find((one: { readonly carrier_account_id: number }) => one.carrier_account_id === 2)
    const bought = await ask('POST', `${labels}/createShippingLabel`, { ...shipment, rate_id, reference })
    await runPoliciesOnce(parts)
    return bought as { readonly order_id: number; readonly tracking_numbers: readonly [string, string] }
  }
  const order = async (more: object = {}) => {
    const delivery = { name: 'Zoe', address: { street: '2 Side Street', country: 'CA' } }
    return Number((await ask('POST', orders, { type: 'D', delivery, reference: 'O-1', ...more })).order_id)
  }
  return { ...made, idsOf, find, report, label, order }
}

t.test('given orders and labels, when orders are listed, then all are there, and each family by itself', async (t) => {
  const { ask, app, idsOf, label, order, tokens, other } = await shop()
  const made = [await order(), (await label()).order_id, await order(), (await label()).order_id, await order()]
  t.same(made, [1, 2, 3, 4, 5])
  t.same(await idsOf(''), [5, 4, 3, 2, 1])
  t.same(await idsOf('family=label_service'), [4, 2])
  t.same(await idsOf('family=local_delivery'), [5, 3, 1])
  t.same(await idsOf('family=storage_services'), [])
  t.same(await idsOf('sort=created_at&per_page=2&page=2'), [3, 4])
  const { orders: first, next_cursor, total } = await ask('GET', `${orders}?per_page=2`)
  t.equal(total, 5)
  t.match(first, [
    { family: 'local_delivery', type: 'D' },
    { family: 'label_service', status: 'NEW_ORDER', order_status_id: 1, state: 'LABEL_PURCHASED', carrier: 'sandbox' },
  ])
  t.same(await idsOf(`per_page=2&cursor=${next_cursor}`), [3, 2])
  t.same(await idsOf('reference=l-1'), [4, 2])
  t.same(await idsOf('', tokens.customer), [], 'a customer sees no label')
  t.same(await idsOf('', tokens.driver), [])
  t.same(await idsOf('', other.tokens.client_admin), [])
  const exported = async (query: string) => {
    const headers = { authorization: `Bearer ${tokens.client_admin}` }
    const text = await (await app.request(`${orders}/export${query}`, { headers })).text()
    const rows = text.trimEnd().split('\r\n').slice(1)
    return rows.map((row) => row.split(',')).map((cells) => `${cells[0]} ${cells.at(-3)} ${cells.at(-1)}`)
  }
  t.same(
    await exported(''),
    [1, 3, 5].map((id) => `${id} local_delivery `),
    'it can be imported',
  )
  t.same(await exported('?family=label_service'), ['2 label_service sandbox', '4 label_service sandbox'])
})

t.test(
  'given a label, when it is looked for, then it is found as any order is, and by each of its parcels',
  async (t) => {
    const { ask, find, report, label, order, tokens } = await shop()
    await order()
    const { order_id: id, tracking_numbers } = await label()
    const [number, second] = tracking_numbers
    const known = { order_id: id, family: 'label_service', tracking_number: number, tracking_numbers, reference: 'L-1' }
    const matched = { 2: 'order_id', 'l-1': 'reference', [number]: 'tracking_number', [second]: 'tracking_number' }
    for (const [query, by] of Object.entries(matched)) t.match(await find(query), [{ ...known, matched: by }], query)
    t.same(await find(number, tokens.customer), [])
    for (const query of ['ann LEE', 'Lee', '416 555 0100']) t.match(await find(query), [known], query)
    t.same(await find('ann lee', tokens.customer), [])
    await report(second, 'out_for_delivery')
    t.match(await ask('GET', `${orders}/${id}`), { order: { ...known, status: 'WITH_CARRIER' } })
    for (const [name, current_status] of [
      ...[
        [String(id), 'information_submitted'],
        [number, 'information_submitted'],
      ],
      [second, 'out_for_delivery'],
    ] as const)
      t.match(await ask('GET', `${orders}/snapshot?order=${name}`), { order: known, tracking: { current_status } })
    const { events } = await ask('GET', `${orders}/${id}/operation-events?per_page=200`)
    t.match(events[0], { type: 'LabelAsked', actor: { role: 'client_admin' } })
    t.match(events.at(-1), { type: 'LabelReported', reported_by: 'carrier:sandbox', actor: { account_id: null } })
    t.match(await ask('GET', `/api/v1/otep/client/trackings/${second}`), {
      timeline: { current_status: 'out_for_delivery', subject: { tracking_number: second } },
      details: {
        ...{ order_id: id, status: 'WITH_CARRIER', items: 2, reference: 'L-1' },
        ...{ pickup: { name: 'Acme' }, delivery: { name: ann.name, address: { postal_code: 'M5V 1A1' } } },
      },
    })
    for (const path of [`${orders}/${id}`, `${orders}/${id}/operation-events`, `${orders}/snapshot?order=${number}`])
      t.match(await ask('GET', path, undefined, tokens.customer), { code: 'order_not_found' })
  },
)

t.test(
  'given a day of both families, when it is summed up, then counts, carriers and exceptions have both',
  async (t) => {
    const { ask, idsOf, report, label, order } = await shop()
    await order()
    const [lost, kept] = [await label(), await label()]
    for (const number of lost.tracking_numbers) await report(number, 'picked_up')
    await report(lost.tracking_numbers[0], 'delivery_failed')
    for (const number of kept.tracking_numbers) await report(number, 'delivered')
    t.same(await idsOf('status=FAILED'), [lost.order_id])
    t.same(await idsOf('status=43'), [kept.order_id])
    t.same(await idsOf('sort=-updated_at'), [kept.order_id, lost.order_id, 1])
    const counted = [
      { status: 'NEW_ORDER', orders: 1 },
      { status: 'FAILED', orders: 1 },
      { status: 'DELIVERED_BY_CARRIER', orders: 1 },
    ]
    t.match(await ask('GET', '/api/v1/analytics/daily-digest'), { total: 3, by_status: counted, exceptions: 1 })
    t.match(await ask('GET', '/api/v1/analytics/orders-summary'), {
      ...{ total: 3, exceptions: 1 },
      top_carriers: [{ carrier: 'sandbox', orders: 2 }],
    })
    t.match(await ask('GET', '/api/v1/analytics/today'), { exceptions: { failed: 1 } })
    t.match(await ask('GET', `${orders}/exceptions`), {
      orders: [{ order_id: lost.order_id, status: 'FAILED', type: '', failed_stage: 'delivery', failed_at: /T/ }],
    })
  },
)

t.test('given the id of a label, when an operation is for local deliveries, then it is refused by name', async (t) => {
  const { ask, label, order, ids } = await shop()
  const local = await order()
  const { order_id: id } = await label()
  const refused = { code: 'not_a_self_delivery_order' }
  for (const [verb, body] of [
    ...[
      ['hold', {}],
      ['assign-driver', { driver_id: ids.driver }],
      ['hand-to-carrier', { provider: 'x' }],
    ],
    ...[
      ['cancel', {}],
      ['delete', {}],
      ['note', { note: 'x' }],
    ],
  ] as const)
    t.match(await ask('POST', `${orders}/${id}/${verb}`, body as object), refused, String(verb))
  t.match(await ask('GET', `${labels}/labels/${local}`), { code: 'label_not_found' })
  t.match(await ask('GET', `${labels}/labels/${id}`), { status: 'LABEL_PURCHASED', order_status: 'NEW_ORDER' })
})

t.test('given a label that has ended, when its carrier scans a parcel again, then it cannot be voided', async (t) => {
  for (const end of ['delivered', 'return_to_sender']) {
    const { ask, report, label } = await shop()
    const { order_id, tracking_numbers } = await label()
    for (const number of tracking_numbers) {
      await report(number, end)
      await report(number, 'arrival_scan')
    }
    t.match(await ask('POST', `${labels}/cancelShippingLabel`, { order_id }), { code: 'label_status_forbids' })
    const status = end === 'delivered' ? 'DELIVERED_BY_CARRIER' : 'RETURNED'
    t.match(await ask('GET', `${orders}/${order_id}`), { order: { status, state: 'LABEL_PURCHASED' } })
  }
})

t.test('given any work on both families, when lists are read, then they are what each order says itself', async (t) => {
  const steps = fc.array(fc.constantFrom('order', 'label', 'cancel', 'void', 'scan', 'deliver'), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { ask, report, label, order } = await shop()
      const [own, sold]: [number[], Awaited<ReturnType<typeof label>>[]] = [[], []]
      for (const step of all) {
        const [one, last] = [own.at(-1), sold.at(-1)]
        if (step === 'order') own.push(await order())
        if (step === 'label') sold.push(await label())
        if (step === 'cancel' && one !== undefined) await ask('POST', `${orders}/${one}/cancel`, {})
        if (step === 'void' && last) await ask('POST', `${labels}/cancelShippingLabel`, { order_id: last.order_id })
        if (step === 'scan' && last) await report(last.tracking_numbers[0], 'in_transit')
        if (step === 'deliver' && last) for (const number of last.tracking_numbers) await report(number, 'delivered')
      }
      const { orders: listed, total } = await ask('GET', `${orders}?per_page=100`)
      t.equal(total, own.length + sold.length)
      t.same(
        (listed as readonly Listed[]).map((one) => one.order_id),
        [...own, ...sold.map((one) => one.order_id)].sort((one, other) => other - one),
      )
      const counts = new Map<string, number>()
      for (const { order_id } of listed as readonly Listed[]) {
        const { order: one } = await ask('GET', `${orders}/${order_id}`)
        t.same(
          one,
          (listed as readonly Listed[]).find((other) => other.order_id === order_id),
        )
        counts.set(one.status, (counts.get(one.status) ?? 0) + 1)
      }
      for (const sort of [
        'created_at',
        '-created_at',
        'updated_at',
        '-updated_at',
        'schedule_date',
        '-schedule_date',
      ]) {
        const walked: number[] = []
        for (let cursor = ''; ; ) {
          const query = cursor === '' ? `sort=${sort}` : `cursor=${cursor}`
          const page = await ask('GET', `${orders}?per_page=2&${query}`)
          walked.push(...page.orders.map((one: Listed) => one.order_id))
          if (page.next_cursor === undefined) break
          cursor = page.next_cursor
        }
        t.equal(new Set(walked).size, total, `${sort}: none is left out`)
        t.equal(walked.length, total, `${sort}: none comes twice`)
      }
      const { by_status } = await ask('GET', '/api/v1/analytics/daily-digest')
      t.same(
        new Map(by_status.map((one: { status: string; orders: number }) => [one.status, one.orders])),
        counts,
        'the digest counts what the list shows',
      )
      for (const { order_id } of sold) {
        const { order_status } = await ask('GET', `${labels}/labels/${order_id}`)
        t.match(
          listed,
          (listed as readonly Listed[]).map((one) => (one.order_id === order_id ? { status: order_status } : {})),
        )
      }
    }),
    { numRuns: runs(t, 6) },
  )
})
