import t from 'tap'
import type { Timeline, TimelineEvent } from '../../../engine/index.ts'
import { changed } from '../../projection/texts.ts'
import { judges } from './index.ts'

const target = { baseUrl: 'https://track.example', options: {} }
const mediaType = 'application/json'

function at(hour: string, status_code: string, phase: string): TimelineEvent {
  const time = `2026-06-10T${hour}:30:00`
  return {
    ...{ event_id: hour, otep_version: '0.1', occurred_at: `${time}+02:00`, recorded_at: `${time}.5+02:00` },
    ...{ status_code, phase },
  }
}

function timeline(...events: readonly TimelineEvent[]): Timeline {
  const current = events.at(-1)?.status_code
  return {
    ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'TN' } },
    ...(current === undefined ? {} : { current_status: current }),
    ...{ delivered: current === 'delivered', events },
  }
}

const announced = at('07', 'information_submitted', 'pre_shipment')
const pickedUp = at('08', 'picked_up', 'pickup')
const delivered = at('15', 'delivered', 'delivered')
const cancelled = at('16', 'cancelled', 'exception')
const returned = at('17', 'return_to_sender', 'return')

/** What each judge finds: first the shape, then the rules. */
async function found(document: unknown, of: Timeline) {
  const judged = { text: JSON.stringify(document), mediaType, timeline: of, target }
  return Promise.all(judges.map((judge) => judge.judge(judged)))
}

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
    const text = JSON.stringify(changed(good, path, value))
    const shape = await judges[0]?.judge({ text, mediaType, timeline: whole, target })
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

t.test('given other media types and forms, when the judges are asked, then they take plain JSON alone', async (t) => {
  for (const judge of judges) {
    const judged = { text: '{}', mediaType, timeline: timeline(), target }
    t.equal(judge.format, 'etsy')
    t.equal(judge.missing(), undefined)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
    t.notOk(judge.takes({ ...judged, form: 'https://example.org/form' }))
  }
})
