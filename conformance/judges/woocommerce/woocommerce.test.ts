import t from 'tap'
import type { Timeline } from '../../../engine/index.ts'
import { changed } from '../../suites/projection/texts.ts'
import { announced, cancelled, delivered, foundBy, pickedUp, returned, shown, timeline } from '../shop.test.fixture.ts'
import { judges } from './index.ts'

const found = (document: unknown, of: Timeline) => foundBy(judges, document, of)

const whole = timeline(announced, pickedUp, delivered)

const good = {
  order: { id: 7, status: 'completed', date_modified_gmt: null, date_completed_gmt: '2026-06-10T06:30:00' },
  shipment_trackings: [
    {
      tracking_id: '0123456789abcdef0123456789abcdef',
      tracking_provider: 'UPS',
      tracking_link: 'https://track.example/track/TN',
      tracking_number: 'TN',
      date_shipped: '2026-06-10',
    },
  ],
}
const unshipped = (status: string) => ({ order: { status, date_completed_gmt: null }, shipment_trackings: [] })

const right: readonly [object, Timeline][] = [
  [good, whole],
  [good, timeline(pickedUp)],
  [good, timeline(pickedUp, delivered, returned)],
  [good, timeline(pickedUp, cancelled)],
  [
    { ...good, shipment_trackings: [] },
    { ...whole, subject: { order_id: 7 } },
  ],
  [unshipped('processing'), timeline(announced)],
  [unshipped('cancelled'), timeline(announced, cancelled)],
]

t.test('given documents that are right, when they are judged, then nothing is found', async (t) => {
  for (const [document, of] of right) t.same(await found(document, of), [[], []])
})

t.test('given a document of a wrong shape, when it is judged, then the schema refuses it', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown][] = [
    [['order'], undefined],
    [['shipment_trackings'], undefined],
    [['extra'], 1],
    [['order', 'status'], 'wc-completed'],
    [['order', 'status'], 'delivered'],
    [['order', 'status'], 'canceled'],
    [['order', 'date_completed_gmt'], '2026-06-10T06:30:00Z'],
    [['order', 'id'], '7'],
    [['shipment_trackings', 0, 'tracking_id'], '7'],
    [['shipment_trackings', 0, 'tracking_number'], ''],
    [['shipment_trackings', 0, 'tracking_provider'], undefined],
    [['shipment_trackings', 0, 'tracking_link'], 'track/TN'],
    [['shipment_trackings', 0, 'date_shipped'], 1_781_073_000],
    [['shipment_trackings', 0, 'date_shipped'], '2026-02-30'],
    [['shipment_trackings', 0, 'date_shipped'], '2026-06-10T06:30:00'],
  ]
  for (const [path, value] of wrong) {
    const shape = await judges[0]?.judge(shown(changed(good, path, value), whole))
    t.ok((shape?.length ?? 0) > 0, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document that breaks a rule, when it is judged, then the rules say which', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown, sentence: RegExp][] = [
    [['order', 'status'], 'refunded', /No parcel tells of this status/],
    [['order', 'status'], 'ready-for-pickup', /No parcel tells of this status/],
    [['order', 'status'], 'processing', /Does not say shipped/],
    [['order', 'date_completed_gmt'], null, /completed at some time/],
    [['shipment_trackings'], [], /under a number can be tracked/],
    [['shipment_trackings', 0, 'date_shipped'], '2026-06-09', /Nothing was shipped on that day/],
    [['shipment_trackings', 0, 'tracking_link'], 'https://elsewhere.example/TN', /leads elsewhere/],
  ]
  for (const [path, value, sentence] of wrong) {
    const [, broken] = await found(changed(good, path, value), whole)
    t.match(broken?.join(' '), sentence, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document of another timeline, when it is judged, then what it claims is refused', async (t) => {
  const lies: readonly [document: unknown, of: Timeline, sentence: RegExp][] = [
    [good, timeline(announced), /Says shipped though/],
    [unshipped('cancelled'), timeline(pickedUp, cancelled), /Says cancelled of what the carrier has had/],
    [unshipped('cancelled'), timeline(announced), /Says cancelled of what is not/],
    [unshipped('processing'), timeline(announced, cancelled), /Does not say cancelled/],
  ]
  for (const [document, of, sentence] of lies) {
    const [, broken] = await found(document, of)
    t.match(broken?.join(' '), sentence)
  }
})

t.test('given other media types and forms, when the judges are run, then they only accept plain JSON', async (t) => {
  for (const judge of judges) {
    const judged = shown({})
    t.equal(judge.format, 'woocommerce')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
    t.notOk(judge.takes({ ...judged, form: 'https://example.org/form' }))
  }
})
