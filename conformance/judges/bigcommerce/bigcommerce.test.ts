import t from 'tap'
import type { Timeline } from '../../../engine/index.ts'
import { changed } from '../../suites/projection/texts.ts'
import { announced, cancelled, delivered, foundBy, pickedUp, returned, shown, timeline } from '../shop.test.fixture.ts'
import { judges } from './index.ts'

const found = (document: unknown, of: Timeline) => foundBy(judges, document, of)

const whole = timeline(announced, pickedUp, delivered)
const shippedOn = 'Wed, 10 Jun 2026 06:30:00 +0000'

const shipment = {
  date_created: shippedOn,
  tracking_number: 'TN',
  tracking_carrier: '',
  tracking_link: 'https://track.example/track/TN',
  shipping_provider: 'ups',
  shipping_provider_display_name: 'UPS',
}
const good = {
  order: { id: 7, status_id: 10, status: 'Completed', date_shipped: shippedOn },
  shipments: [shipment],
}
const shipped = { order: { status_id: 2, status: 'Shipped', date_shipped: shippedOn }, shipments: [shipment] }
const unshipped = (status_id: number, status: string) => ({ order: { status_id, status }, shipments: [] })

const right: readonly [object, Timeline][] = [
  [good, whole],
  [unshipped(11, 'Awaiting Fulfillment'), timeline(announced)],
  [unshipped(9, 'Awaiting Shipment'), timeline(announced)],
  [shipped, timeline(pickedUp, delivered, returned)],
  [shipped, timeline(pickedUp, cancelled)],
  [unshipped(5, 'Cancelled'), timeline(announced, cancelled)],
]

t.test('given documents that are right, when they are judged, then nothing is found', async (t) => {
  for (const [document, of] of right) t.same(await found(document, of), [[], []])
})

t.test('given a document of a wrong shape, when it is judged, then the schema refuses it', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown][] = [
    [['order'], undefined],
    [['shipments'], undefined],
    [['extra'], 1],
    [['order', 'id'], '7'],
    [['order', 'status_id'], 15],
    [['order', 'status_id'], '2'],
    [['order', 'status'], 'completed'],
    [['order', 'date_shipped'], '2026-06-10T06:30:00Z'],
    [['order', 'date_shipped'], 'Wed, 10 Jun 2026 06:30:00 GMT'],
    [['order', 'delivered'], true],
    [['shipments', 0, 'tracking_number'], 'x'.repeat(51)],
    [['shipments', 0, 'tracking_link'], `https://track.example/${'x'.repeat(500)}`],
    [['shipments', 0, 'tracking_link'], 'track/TN'],
    [['shipments', 0, 'tracking_carrier'], 'La Poste'],
    [['shipments', 0, 'shipping_provider'], 'UPS'],
    [['shipments', 0, 'shipping_provider'], 'dhl'],
    [['shipments', 0, 'date_created'], 1_781_073_000],
  ]
  for (const [path, value] of wrong) {
    const shape = await judges[0]?.judge(shown(changed(good, path, value), whole))
    t.ok((shape?.length ?? 0) > 0, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document that breaks a rule, when it is judged, then the rules say which', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown, sentence: RegExp][] = [
    [['order', 'status'], 'Shipped', /not the name of status_id/],
    [['order', 'status_id'], 4, /No parcel tells of this status/],
    [['order', 'status_id'], 8, /No parcel tells of this status/],
    [['order', 'status_id'], 2, /Does not say delivered/],
    [['order', 'status_id'], 9, /Does not say shipped/],
    [['order', 'date_shipped'], undefined, /date of shipping exactly/],
    [['order', 'date_shipped'], 'Wed, 10 Jun 2026 08:30:00 +0000', /not when anything happened/],
    [['shipments', 0, 'date_created'], 'Wed, 10 Jun 2026 07:30:00 +0000', /not when anything happened/],
    [['shipments'], [], /shipments exactly where/],
  ]
  for (const [path, value, sentence] of wrong) {
    const [, broken] = await found(changed(good, path, value), whole)
    t.match(broken?.join(' '), sentence, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document of another timeline, when it is judged, then what it claims is refused', async (t) => {
  const lies: readonly [document: unknown, of: Timeline, sentence: RegExp][] = [
    [good, timeline(announced, pickedUp), /Says delivered of what is not/],
    [good, timeline(pickedUp, delivered, returned), /Says delivered of what is not/],
    [shipped, timeline(announced), /Says shipped though/],
    [unshipped(5, 'Cancelled'), timeline(pickedUp, cancelled), /Says cancelled of what the carrier has had/],
    [unshipped(5, 'Cancelled'), timeline(announced), /Says cancelled of what is not/],
    [unshipped(11, 'Awaiting Fulfillment'), timeline(announced, cancelled), /Does not say cancelled/],
  ]
  for (const [document, of, sentence] of lies) {
    const [, broken] = await found(document, of)
    t.match(broken?.join(' '), sentence)
  }
})

t.test('given other media types and forms, when the judges are run, then they only accept plain JSON', async (t) => {
  for (const judge of judges) {
    const judged = shown({})
    t.equal(judge.format, 'bigcommerce')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
    t.notOk(judge.takes({ ...judged, form: 'https://example.org/form' }))
  }
})
