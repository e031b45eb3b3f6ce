import t from 'tap'
import { seenIn } from '../adapters/labels/labels.test.fixture.ts'
import { ann, shipment, shop, uniorder } from './uniorder.test.fixture.ts'

const inPostalCode = (postal_code: string) => ({ to: { ...ann, postal_code } })

t.test('given a rate of the own fleet, when it is booked, then there is an order at its price', async (t) => {
  const { ask, one, book } = await shop()
  const booked = await book('self_delivery')
  t.match(booked, {
    ...{ result: true, uniorder_id: 'order-1', kind: 'self_delivery', order_id: 1, status: 'NEW_ORDER' },
    ...{ carrier: 'own-fleet', service: 'standard', reference: 'R-1', currency: 'CAD', total_price: '15.54' },
    created_at: '2026-06-10T06:00:00-04:00',
  })
  t.same(await one('GET', '/order-1'), booked)
  t.same(await one('GET', '/1'), booked, 'its number is enough')
  const { order } = await ask('GET', '/api/v1/orders/1')
  t.match(order, { type: 'P2P', items: 2, pickup: { name: 'Acme' }, delivery: { name: 'Ann Lee' } })
  const pages = await seenIn((await ask('GET', `${uniorder}/order-1/label`)).label)
  t.equal(pages.length, 2)
  t.ok(pages[1]?.lines.includes('2 / 2'))
  t.match(await ask('GET', `${uniorder}/order-1/tracking`), {
    ...{ uniorder_id: 'order-1', status: 'NEW_ORDER' },
    parcels: [{ tracking_number: booked.tracking_numbers[0], events: [{ occurred_at: /^2026/ }] }],
  })
  t.match(await one('POST', '/order-1/cancel'), { status: 'CANCELLED' })
  t.match(await one('POST', '/order-1/cancel'), { status: 'CANCELLED' }, 'a repeated call changes nothing')
  t.match(await one('POST', '/order-1/purchase-label', {}), { code: 'not_a_label' })
})

t.test(
  'given a rate of a carrier, when it is booked, then its label is bought, printed, tracked and voided',
  async (t) => {
    const { ask, one, book, clock } = await shop()
    const booked = await book('label')
    t.match(booked, {
      ...{ result: true, uniorder_id: 'label-1', kind: 'label', order_id: 1, status: 'LABEL_PURCHASED' },
      ...{ carrier: 'sandbox', service: 'standard', reference: 'R-1', currency: 'CAD', total_price: '15.00' },
    })
    t.same(await one('GET', '/label-1'), booked)
    const { label, media_type } = await ask('GET', `${uniorder}/label-1/label`)
    t.equal(media_type, 'application/pdf')
    t.same(
      (await seenIn(label)).map(({ codes }) => codes),
      booked.tracking_numbers.map((number: string) => [`]C0 ${number}`]),
    )
    const tracking = await ask('GET', `${uniorder}/label-1/tracking`)
    t.equal(tracking.parcels.length, 2)
    t.match(tracking.parcels[0].events, [{ status_code: 'information_submitted' }])
    t.match(await one('POST', '/1/cancel'), { uniorder_id: 'label-1', status: 'LABEL_VOIDED' }, 'a number is enough')
    await book('label')
    clock.now += 5 * 3_600_000
    t.match(await one('POST', '/label-2/cancel'), { code: 'carrier_refused' }, 'it was picked up')
    t.match(await one('GET', '/label-2'), { status: 'LABEL_PURCHASED' })
  },
)

t.test(
  'given a label that could not be voided, when its booking is sent again, then it is answered as it is',
  async (t) => {
    const { ask, one, rate, clock } = await shop()
    const body = { ...shipment, rate_id: await rate('label') }
    const send = () => ask('POST', uniorder, body, undefined, { 'Idempotency-Key': 'k1' })
    const booked = await send()
    clock.now += 5 * 3_600_000
    t.match(await one('POST', '/label-1/cancel'), { code: 'carrier_refused' })
    const again = await send()
    t.match(again, { result: true, uniorder: { uniorder_id: 'label-1', status: 'LABEL_PURCHASED' } })
    t.same(again.uniorder.tracking_numbers, booked.uniorder.tracking_numbers)
  },
)

t.test('given a rate, when another shipment is booked at it, then each difference is named', async (t) => {
  const { ask, rate, clock, other } = await shop()
  for (const kind of ['self_delivery', 'label']) {
    const rate_id = await rate(kind)
    const book = (more: object, token?: string) => ask('POST', uniorder, { ...shipment, rate_id, ...more }, token)
    t.match(
      await book({ ...inPostalCode('V6B'), parcels: [{ weight_grams: 800 }, { weight_grams: 901 }] }),
      {
        code: 'invalid_input',
        errors: [
          { path: kind === 'label' ? 'to.postal_code' : 'parcels[1].weight_grams', code: 'rate_differs' },
          ...(kind === 'label' ? [{ path: 'parcels[1].weight_grams', code: 'rate_differs' }] : []),
        ],
      },
      kind,
    )
    t.match(await book(inPostalCode('V6B')), { errors: [{ path: 'to.postal_code', code: 'rate_differs' }] }, kind)
    t.match(await book({}, other.tokens.client_admin), { code: 'rate_invalid' }, kind)
    t.match(await book({ to: { country: 'CA' } }), { errors: [{ path: 'to.name' }, { path: 'to.street' }] }, kind)
  }
  for (const rate_id of ['rate_x.y', 'label_x', 'x'])
    t.match(await ask('POST', uniorder, { ...shipment, rate_id }), { code: 'rate_invalid' }, rate_id)
  const late = await rate('label')
  clock.now += 3_600_000
  t.match(await ask('POST', uniorder, { ...shipment, rate_id: late }), { code: 'rate_expired' })
})

t.test('given a failed purchase, when the label is bought again, then at the same rate or at a new one', async (t) => {
  const { ask, one, book, rate } = await shop()
  const failed = await book('label', inPostalCode('00005'))
  t.match(failed, { status: 'LABEL_PURCHASE_FAILED', refusal: { code: 'no_funds' }, tracking_numbers: [] })
  t.match(await ask('GET', `${uniorder}/label-1/label`), { code: 'label_status_forbids' })
  const again = (body: object) => one('POST', '/label-1/purchase-label', body)
  t.match(await again({}), { status: 'LABEL_PURCHASE_FAILED' }, 'the account has no funds yet')
  t.match(await again({ rate_id: await rate('label') }), { errors: [{ path: 'to.postal_code', code: 'rate_differs' }] })
  await ask('POST', '/api/v1/carrier-accounts', { carrier: 'own-fleet' })
  const { rates } = await ask('POST', '/api/v1/labelservice/compareAllCarriers', {
    ...{ ...shipment, ...inPostalCode('00005') },
  })
  const other = rates.find((one: { readonly carrier: string }) => one.carrier === 'own-fleet')
  const bought = await again({ rate_id: other.rate_id })
  t.match(bought, { uniorder_id: 'label-1', status: 'LABEL_PURCHASED', carrier: 'own-fleet', total_price: '15.54' })
  t.equal(bought.created_at, failed.created_at)
  t.notOk('refusal' in bought)
  t.match(await again({}), { code: 'label_status_forbids' }, 'a label is bought once')
  const { orders } = await ask('GET', '/api/v1/orders')
  t.match(orders, [{ family: 'local_delivery', tracking_number: bought.tracking_numbers[0] }])
  t.equal(orders.length, 1, 'it is one parcel')
})

t.test(
  'given shipments of both ways, when they are listed, then all are there, and to nobody who may not see them',
  async (t) => {
    const { ask, book, tokens, other } = await shop()
    await book('self_delivery')
    await book('label')
    await book('self_delivery', {}, tokens.customer)
    await book('label', inPostalCode('00005'))
    const list = async (query: string, token?: string) => {
      const { total, uniorders } = await ask('GET', `${uniorder}?${query}`, undefined, token)
      t.equal(total, uniorders.length)
      return uniorders.map((one: { readonly uniorder_id: string }) => one.uniorder_id)
    }
    t.same(await list(''), ['label-4', 'order-3', 'label-2', 'order-1'])
    t.same(await list('kind=label'), ['label-4', 'label-2'])
    t.same(await list('kind=self_delivery'), ['order-3', 'order-1'])
    t.same(await list('state=LABEL_PURCHASE_FAILED'), ['label-4'])
    t.same(await list('carrier=sandbox&status=NEW_ORDER'), ['label-4', 'label-2'])
    t.same(await list('reference=r-1&kind=self_delivery'), ['order-3', 'order-1'])
    t.same(await list('', tokens.customer), ['order-3'])
    t.same(await list('', other.tokens.client_admin), [])
  },
)

t.test('given a failed purchase, when it is cancelled, then nobody has to do anything any more', async (t) => {
  const { ask, one, book } = await shop()
  await book('label', inPostalCode('00005'))
  t.match(await ask('GET', '/api/v1/orders?status=NEW_ORDER'), {
    total: 1,
    orders: [{ state: 'LABEL_PURCHASE_FAILED' }],
  })
  const cancelled = { status: 'LABEL_CANCELLED', refusal: undefined }
  t.match(await one('POST', '/1/cancel'), cancelled)
  t.match(await one('POST', '/1/cancel'), cancelled, 'said again, nothing changes')
  t.match(await ask('GET', '/api/v1/orders?status=CANCELLED'), { total: 1, orders: [{ state: 'LABEL_CANCELLED' }] })
  t.match(await one('POST', '/1/purchase-label', {}), { code: 'label_status_forbids' })
})

t.test('given ids that are none, or of others, when they are asked for, then there is no such shipment', async (t) => {
  const { ask, book, tokens, other } = await shop()
  await book('self_delivery')
  await book('label')
  for (const id of ['order-2', 'label-1', '3', 'order-01', 'label-0', '0', 'batch-1', 'order-1e3'])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/label'],
      ['GET', '/tracking'],
      ['POST', '/cancel'],
    ] as const)
      t.match(await ask(method, `${uniorder}/${id}${path}`), { code: 'uniorder_not_found' }, `${id}${path}`)
  for (const id of ['order-1', 'label-2', '1', '2']) {
    t.match(await ask('GET', `${uniorder}/${id}`, undefined, other.tokens.client_admin), { code: 'uniorder_not_found' })
    t.match(await ask('GET', `${uniorder}/${id}`, undefined, tokens.customer), { code: 'uniorder_not_found' })
    t.match(await ask('GET', `${uniorder}/${id}`, undefined, tokens.driver), { result: false })
  }
})

t.test(
  'given no mark-ups, when a customer books, then by the own fleet alone, and it sees no hidden price',
  async (t) => {
    const { ask, one, book, tokens, ids } = await shop()
    t.match(await book('label', {}, tokens.customer), { code: 'rate_invalid' }, 'there is none')
    const families = ['local_delivery', 'label_service']
    await ask('PUT', `/api/v1/accounts/${ids.customer}/hidden-prices`, { families })
    const booked = await book('self_delivery', {}, tokens.customer)
    t.match(booked, { uniorder_id: 'order-1', status: 'NEW_ORDER', service: 'standard', price_hidden: true })
    t.notMatch(JSON.stringify(booked), /15\.54|"CAD"/)
    t.notMatch(JSON.stringify(await one('GET', '/order-1', undefined, tokens.customer)), /15\.54|"CAD"/)
    t.match(await one('GET', '/order-1'), { total_price: '15.54' }, 'staff see it')
  },
)

t.test(
  'given many shipments, when they are booked in one call, then each has its own result, and again the same',
  async (t) => {
    const { ask, one, rate } = await shop()
    const [own, label] = [await rate('self_delivery'), await rate('label')]
    const failing = { ...shipment, ...inPostalCode('00005') }
    const orders = [
      { ...shipment, rate_id: own, reference: 'A' },
      { ...shipment, rate_id: label, reference: 'B' },
      { ...shipment, rate_id: 'rate_x.y', reference: 'C' },
      { ...failing, rate_id: await rate('label', failing), reference: 'D' },
      { rate_id: label, reference: 'E' },
    ]
    const send = () => ask('POST', `${uniorder}/batch`, { orders }, undefined, { 'Idempotency-Key': 'k1' })
    const answer = await send()
    t.match(answer, { result: true, total: 5, created: 3, failed: 2 })
    t.match(answer.orders, [
      { index: 0, result: true, reference: 'A', uniorder: { uniorder_id: 'order-1', status: 'NEW_ORDER' } },
      { index: 1, result: true, reference: 'B', uniorder: { uniorder_id: 'label-2', status: 'LABEL_PURCHASED' } },
      { index: 2, result: false, reference: 'C', code: 'rate_invalid', message: /rate/ },
      {
        ...{ index: 3, result: true, reference: 'D' },
        uniorder: { uniorder_id: 'label-3', status: 'LABEL_PURCHASE_FAILED', refusal: { code: 'no_funds' } },
      },
      { index: 4, result: false, reference: 'E', code: 'invalid_input', errors: [{ path: 'from' }, {}, {}] },
    ])
    t.same(await send(), answer)
    t.match(await one('GET', '/label-4'), { code: 'uniorder_not_found' })
    const again = await ask('POST', `${uniorder}/batch`, { orders: orders.slice(0, 2) })
    t.match(again, { total: 2, created: 1, failed: 1, orders: [{ result: true }, { code: 'rate_used' }] })
    const many = Array(21).fill(orders[0])
    t.match(await ask('POST', `${uniorder}/batch`, { orders: many }), { code: 'invalid_input' })
  },
)
