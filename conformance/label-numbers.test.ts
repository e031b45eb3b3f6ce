import t from 'tap'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { type Context, type NewEvent, nextNumbers } from '../engine/index.ts'
import { shop } from './uniorder.test.fixture.ts'

/** A label and an order of the same number, as earlier versions made them, and two labels that are not kept any more. */
async function earlier() {
  const [made, other] = [await shop(), await shop()]
  const label = await made.book('label')
  await runPoliciesOnce(made.parts)
  await other.book('self_delivery')
  const context = made.parts as unknown as Context
  for (const stream of ['order-1'] as const) {
    const events = (await other.parts.store.read(stream)).map(
      ({ type, data, metadata }): NewEvent => ({ id: made.parts.randomId(), type, data, metadata }),
    )
    await made.store.appendMany([{ stream, events, expected: 'no-stream' }])
  }
  const { append } = await nextNumbers(context, 'label', 3)
  await made.store.appendMany([append])
  return { ...made, label }
}

t.test(
  'given a label and an order of one number, when a server of today starts, then the label has another, and nothing is lost',
  async (t) => {
    const { ask, one, label, parts, store } = await earlier()
    const labels = '/api/v1/labelservice'
    const [tracking_number] = label.tracking_numbers
    await runPoliciesOnce(parts)
    t.match(await one('GET', '/1'), { uniorder_id: 'order-1', kind: 'self_delivery' }, 'a number is that of one order')
    t.match(await one('GET', '/4'), { uniorder_id: 'label-4', kind: 'label', order_id: 4, reference: 'R-1' })
    t.match(
      await one('GET', '/label-1'),
      { uniorder_id: 'label-4', kind: 'label' },
      'what was answered before is found',
    )
    const renumbered = {
      order_id: 4,
      former_id: 1,
      status: 'LABEL_PURCHASED',
      tracking_numbers: label.tracking_numbers,
    }
    t.match(await ask('GET', `${labels}/labels`), { total: 1, labels: [renumbered] })
    t.match(await ask('GET', `${labels}/labels/1`), renumbered, 'operations of labels find it by its former id')
    t.match(await ask('POST', `${labels}/getShippingDetail`, { tracking_number }), renumbered)
    t.match(await ask('POST', `${labels}/getShippingDetail`, { order_id: 1 }), renumbered)
    t.match((await ask('GET', '/api/v1/uniorder/4/tracking')).parcels[0].events, [
      { status_code: 'information_submitted' },
    ])
    t.notMatch(JSON.stringify(await parts.store.read('label-1')), /Main Street/, 'people are kept once')
    t.match(JSON.stringify(await parts.store.read('label-4')), /Main Street/)
    t.match(await ask('GET', '/api/v1/orders'), {
      total: 2,
      orders: [{ order_id: 4, state: 'LABEL_PURCHASED' }, { order_id: 1 }],
    })
    const last = await store.latest()
    await runPoliciesOnce(parts)
    t.equal(await store.latest(), last, 'once is enough')
    t.match(await ask('POST', `${labels}/cancelShippingLabel`, { order_id: 1 }), {
      order_id: 4,
      status: 'LABEL_VOIDED',
    })
    t.match(await one('GET', '/1'), { status: 'NEW_ORDER' }, 'the order of the number goes on')
  },
)

t.test('given orders and labels, when they are made, then no two have one number', async (t) => {
  const { book } = await shop()
  const made = []
  for (const kind of ['self_delivery', 'label', 'label', 'self_delivery']) made.push((await book(kind)).order_id)
  t.same(made, [1, 2, 3, 4])
})
