import t from 'tap'
import type { Timeline } from '../../../engine/index.ts'
import { changed } from '../../suites/projection/texts.ts'
import { announced, cancelled, delivered, foundBy, pickedUp, returned, shown, timeline } from '../shop.test.fixture.ts'
import { judges } from './index.ts'

const found = (document: unknown, of: Timeline) => foundBy(judges, document, of)

const whole = timeline(announced, pickedUp, delivered)
const shippedAt = Date.parse(pickedUp.occurred_at) / 1000

const good = {
  receipt_id: 7,
  status: 'completed',
  is_shipped: true,
  updated_timestamp: Date.parse(delivered.occurred_at) / 1000,
  shipments: [
    {
      receipt_shipping_id: null,
      shipment_notification_timestamp: shippedAt,
      carrier_name: 'ups',
      tracking_code: 'TN',
    },
  ],
}
const shipped = { status: 'completed', is_shipped: true, shipments: good.shipments }
const unshipped = (status: string) => ({ status, is_shipped: false, shipments: [] })

const right: readonly [object, Timeline][] = [
  [good, whole],
  [shipped, timeline(pickedUp)],
  [shipped, timeline(pickedUp, delivered, returned)],
  [shipped, timeline(pickedUp, cancelled)],
  [unshipped('paid'), timeline(announced)],
  [unshipped('canceled'), timeline(announced, cancelled)],
]

t.test('given documents that are right, when they are judged, then nothing is found', async (t) => {
  for (const [document, of] of right) t.same(await found(document, of), [[], []])
})

t.test('given a document of a wrong shape, when it is judged, then the schema refuses it', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown][] = [
    [['is_delivered'], true],
    [['receipt_id'], '7'],
    [['status'], 'Completed'],
    [['status'], 'delivered'],
    [['status'], 'cancelled'],
    [['is_shipped'], 'yes'],
    [['updated_timestamp'], '2026-06-10T13:30:00Z'],
    [['shipments'], {}],
    [['shipments', 0, 'receipt_shipping_id'], 'x'],
    [['shipments', 0, 'shipment_notification_timestamp'], '2026-06-10'],
    [['shipments', 0, 'carrier_name'], null],
    [['shipments', 0, 'tracking_code'], 7],
    [['shipments', 0, 'tracking_url'], 'https://track.example'],
  ]
  for (const [path, value] of wrong) {
    const shape = await judges[0]?.judge(shown(changed(good, path, value), whole))
    t.ok((shape?.length ?? 0) > 0, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document that breaks a rule, when it is judged, then the rules say which', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown, sentence: RegExp][] = [
    [['status'], 'fully refunded', /refund is not for a parcel/],
    [['is_paid'], true, /Whether it was paid/],
    [['status'], 'paid', /Completed and shipped are the same/],
    [['is_shipped'], false, /Does not say shipped/],
    [['shipments'], [], /shipments exactly where/],
    [['updated_timestamp'], 5, /before 2000/],
    [['updated_timestamp'], Date.parse(delivered.occurred_at), /not when anything happened/],
    [['shipments', 0, 'shipment_notification_timestamp'], shippedAt + 1, /not when anything happened/],
  ]
  for (const [path, value, sentence] of wrong) {
    const [, broken] = await found(changed(good, path, value), whole)
    t.match(broken?.join(' '), sentence, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document of another timeline, when it is judged, then what it claims is refused', async (t) => {
  const lies: readonly [document: unknown, of: Timeline, sentence: RegExp][] = [
    [shipped, timeline(announced), /Says shipped though/],
    [unshipped('canceled'), timeline(pickedUp, cancelled), /Says cancelled of what the carrier has had/],
    [unshipped('canceled'), timeline(announced), /Says cancelled of what is not/],
    [unshipped('paid'), timeline(announced, cancelled), /Does not say cancelled/],
  ]
  for (const [document, of, sentence] of lies) {
    const [, broken] = await found(document, of)
    t.match(broken?.join(' '), sentence)
  }
})

t.test('given other media types and forms, when the judges are run, then they only accept plain JSON', async (t) => {
  for (const judge of judges) {
    const judged = shown({})
    t.equal(judge.format, 'etsy')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
    t.notOk(judge.takes({ ...judged, form: 'https://example.org/form' }))
  }
})
