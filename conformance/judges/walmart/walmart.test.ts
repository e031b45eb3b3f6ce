import t from 'tap'
import type { Timeline } from '../../../engine/index.ts'
import { changed } from '../../suites/projection/texts.ts'
import { announced, cancelled, delivered, foundBy, pickedUp, returned, shown, timeline } from '../shop.test.fixture.ts'
import { judges } from './index.ts'

const found = (document: unknown, of: Timeline) => foundBy(judges, document, of)

const whole = timeline(announced, pickedUp, delivered)
const unit = { unitOfMeasurement: 'EACH', amount: '1' }

function lines(status: string, statusDate: string, trackingInfo?: object) {
  const orderLineStatus = [{ status, statusQuantity: unit, trackingInfo }]
  const line = { lineNumber: '1', item: { productName: '', sku: '' }, charges: { charge: [] }, orderLineQuantity: unit }
  const orderLine = [{ ...line, statusDate: Date.parse(statusDate), orderLineStatuses: { orderLineStatus } }]
  return { orderLines: { orderLine } }
}

const trackingInfo = {
  shipDateTime: Date.parse(pickedUp.occurred_at),
  carrierName: { carrier: 'UPS' },
  methodCode: 'Standard',
  trackingNumber: 'TN',
  trackingURL: 'https://track.example/track/TN',
}
const good = lines('Delivered', delivered.occurred_at, trackingInfo)

const right: readonly [object, Timeline][] = [
  [good, whole],
  [lines('Acknowledged', announced.occurred_at), timeline(announced)],
  [lines('Shipped', pickedUp.occurred_at, trackingInfo), timeline(announced, pickedUp)],
  [lines('Shipped', pickedUp.occurred_at, trackingInfo), timeline(announced, pickedUp, cancelled)],
  [lines('Shipped', returned.occurred_at, trackingInfo), timeline(pickedUp, delivered, returned)],
  [lines('Cancelled', cancelled.occurred_at), timeline(announced, cancelled)],
  [{ orderLines: { orderLine: [] } }, timeline()],
]

t.test('given documents that are right, when they are judged, then nothing is found', async (t) => {
  for (const [document, of] of right) t.same(await found(document, of), [[], []])
})

t.test('given a document of a wrong shape, when it is judged, then the schema refuses it', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown][] = [
    [['orderLines'], undefined],
    [['extra'], 1],
    [['orderLines', 'orderLine', 0, 'lineNumber'], 1],
    [['orderLines', 'orderLine', 0, 'item'], undefined],
    [['orderLines', 'orderLine', 0, 'item', 'sku'], undefined],
    [['orderLines', 'orderLine', 0, 'charges'], undefined],
    [['orderLines', 'orderLine', 0, 'statusDate'], undefined],
    [['orderLines', 'orderLine', 0, 'statusDate'], '2026-06-10T13:30:00Z'],
    [['orderLines', 'orderLine', 0, 'orderLineQuantity', 'amount'], 1],
    [['orderLines', 'orderLine', 0, 'orderLineQuantity', 'unitOfMeasurement'], 'PIECE'],
    [['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus'], []],
    [['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'status'], 'DELIVERED'],
    [['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'status'], 'OnHold'],
    [['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'statusQuantity'], undefined],
    [
      ['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'trackingInfo', 'shipDateTime'],
      undefined,
    ],
    [['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'trackingInfo', 'methodCode'], 'TwoDay'],
    [['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'trackingInfo', 'trackingNumber'], ''],
    [
      ['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'trackingInfo', 'trackingURL'],
      'track/TN',
    ],
    [['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'trackingInfo', 'carrierName'], {}],
    [
      [
        'orderLines',
        'orderLine',
        0,
        'orderLineStatuses',
        'orderLineStatus',
        0,
        'trackingInfo',
        'carrierName',
        'carrier',
      ],
      'La Poste',
    ],
    [
      [
        'orderLines',
        'orderLine',
        0,
        'orderLineStatuses',
        'orderLineStatus',
        0,
        'trackingInfo',
        'carrierName',
        'otherCarrier',
      ],
      'both',
    ],
    [['orderLines', 'orderLine', 0, 'sellerOrderId'], '0123456789012345678901234567890'],
  ]
  for (const [path, value] of wrong) {
    const shape = await judges[0]?.judge(shown(changed(good, path, value), whole))
    t.ok((shape?.length ?? 0) > 0, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document that breaks a rule, when it is judged, then the rules say which', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown, sentence: RegExp][] = [
    [['orderLines', 'orderLine', 0, 'statusDate'], Date.parse(delivered.occurred_at) / 1000, /statusDate is not when/],
    [
      ['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'status'],
      'Shipped',
      /Does not say delivered/,
    ],
    [
      ['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'status'],
      'Refund',
      /refund is not for a parcel/,
    ],
    [
      ['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'status'],
      'Acknowledged',
      /Does not say shipped/,
    ],
    [
      ['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'status'],
      'Cancelled',
      /Only what was shipped has a tracking/,
    ],
    [
      ['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'trackingInfo', 'shipDateTime'],
      1,
      /not shipped when it says/,
    ],
    [
      ['orderLines', 'orderLine', 0, 'orderLineStatuses', 'orderLineStatus', 0, 'trackingInfo'],
      { ...trackingInfo, carrierName: { otherCarrier: 'x' }, trackingURL: undefined },
      /needs a tracking URL/,
    ],
    [['orderLines', 'orderLine'], [], /No line tells/],
  ]
  for (const [path, value, sentence] of wrong) {
    const [, broken] = await found(changed(good, path, value), whole)
    t.match(broken?.join(' '), sentence, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document of another timeline, when it is judged, then what it claims is refused', async (t) => {
  const lies: readonly [document: unknown, of: Timeline, sentence: RegExp][] = [
    [good, timeline(announced, pickedUp), /Says delivered of what is not/],
    [lines('Shipped', announced.occurred_at), timeline(announced), /Says shipped though/],
    [
      lines('Cancelled', cancelled.occurred_at),
      timeline(pickedUp, cancelled),
      /Says cancelled of what the carrier has had/,
    ],
    [lines('Cancelled', announced.occurred_at), timeline(announced), /Says cancelled of what is not/],
    [lines('Acknowledged', announced.occurred_at), timeline(announced, cancelled), /Does not say cancelled/],
  ]
  for (const [document, of, sentence] of lies) {
    const [, broken] = await found(document, of)
    t.match(broken?.join(' '), sentence)
  }
})

t.test('given other media types and forms, when the judges are run, then they only accept plain JSON', async (t) => {
  for (const judge of judges) {
    const judged = shown({})
    t.equal(judge.format, 'walmart')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
    t.notOk(judge.takes({ ...judged, form: 'https://example.org/form' }))
  }
})
