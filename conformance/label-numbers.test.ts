import t from 'tap'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { type Context, type NewEvent, nextNumbers } from '../engine/index.ts'
import { toldIn } from './told.test.fixture.ts'
import { shop } from './uniorder.test.fixture.ts'

/** What only labels of today say. */
const ofToday = new Set(['registered', 'terms'])

/** An event as an earlier version recorded it. */
function asBefore({ type, data, metadata }: NewEvent, id: string): NewEvent {
  const text = JSON.stringify(data, (name, value) => (ofToday.has(name) ? undefined : value))
  return { id, type, data: JSON.parse(text), metadata }
}

/** A business that took an order, and bought two labels: in an earlier version, each kind had its own numbers. */
async function earlier() {
  const [made, other] = [await shop(), await shop()]
  const labels = [await other.book('label'), await other.book('label')]
  await runPoliciesOnce(other.parts)
  await made.ask('POST', '/api/v1/orders', {
    ...{ type: 'D', reference: 'O-1' },
    delivery: { name: 'Zoe Brandt', address: { street: '2 Side Street', country: 'CA' } },
  })
  const streams = new Map<string, NewEvent[]>()
  for await (const event of other.parts.store.readAll())
    if (/^(label|label_number|tracking|identifier)-/.test(event.stream))
      streams.set(event.stream, [...(streams.get(event.stream) ?? []), asBefore(event, made.parts.randomId())])
  for (const [stream, events] of streams)
    await made.parts.store.appendMany([{ stream: stream as 'label-1', events, expected: 'no-stream' }])
  const { append } = await nextNumbers(made.parts as unknown as Context, 'label', 3)
  await made.store.appendMany([append])
  return { ...made, labels }
}

t.test(
  'given a label and an order of one number, when a server of today starts, then the label has another, and nothing is lost',
  async (t) => {
    const made = await earlier()
    const { ask, one, labels: bought, parts, store } = made
    const labels = '/api/v1/labelservice'
    const [first, second] = bought
    const [tracking_number] = first.tracking_numbers
    await runPoliciesOnce(parts)
    t.match(await one('GET', '/1'), { uniorder_id: 'order-1', kind: 'self_delivery' }, 'a number is that of one order')
    t.match(await one('GET', '/4'), { uniorder_id: 'label-4', kind: 'label', order_id: 4, reference: 'R-1' })
    t.match(await one('GET', '/2'), { uniorder_id: 'label-2', kind: 'label', order_id: 2, reference: 'R-1' })
    t.match(
      await one('GET', '/label-1'),
      { uniorder_id: 'label-4', kind: 'label' },
      'what was answered before is found',
    )
    const renumbered = {
      order_id: 4,
      former_id: 1,
      status: 'LABEL_PURCHASED',
      tracking_numbers: first.tracking_numbers,
    }
    t.match(await ask('GET', `${labels}/labels`), { total: 2, labels: [renumbered, { order_id: 2 }] })
    t.match(await ask('GET', `${labels}/labels/1`), renumbered, 'operations of labels find it by its former id')
    t.match(await ask('POST', `${labels}/getShippingDetail`, { tracking_number }), renumbered)
    t.match(await ask('POST', `${labels}/getShippingDetail`, { order_id: 1 }), renumbered)
    const { parcels } = await ask('GET', '/api/v1/uniorder/4/tracking')
    t.match(parcels[0].events, [{ status_code: 'information_submitted' }])
    t.notMatch(JSON.stringify(await parts.store.read('label-1')), /Main Street/, 'people are kept once')
    t.match(JSON.stringify(await parts.store.read('label-4')), /Main Street/)
    const state = 'LABEL_PURCHASED'
    t.match(await ask('GET', '/api/v1/orders'), {
      total: 3,
      orders: [
        { order_id: 4, state, reference: 'R-1' },
        { order_id: 2, state, reference: 'R-1' },
        { order_id: 1, type: 'D' },
      ],
    })
    for (const [query, id] of [
      ['Zoe', 1],
      ['o-1', 1],
      [tracking_number, 4],
      [second.tracking_numbers[0], 2],
    ])
      t.match((await ask('GET', `/api/v1/orders/find?query=${query}`)).orders, [{ order_id: id }], String(query))
    const last = await store.latest()
    await runPoliciesOnce(parts)
    t.equal(await store.latest(), last, 'once is enough')
    t.same(await toldIn(made, 'order.status_change'), [], 'what is long past is told to nobody')
    t.match(await ask('POST', `${labels}/cancelShippingLabel`, { order_id: 1 }), {
      order_id: 4,
      status: 'LABEL_VOIDED',
    })
    t.match(await one('GET', '/1'), { status: 'NEW_ORDER' }, 'the order of the number goes on')
    t.match(await ask('GET', '/api/v1/orders?status=CANCELLED'), { total: 1, orders: [{ order_id: 4 }] })
  },
)

t.test('given orders and labels, when they are made, then no two have one number', async (t) => {
  const { book } = await shop()
  const made = []
  for (const kind of ['self_delivery', 'label', 'label', 'self_delivery']) made.push((await book(kind)).order_id)
  t.same(made, [1, 2, 3, 4])
})
