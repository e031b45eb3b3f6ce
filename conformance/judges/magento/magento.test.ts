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
const created_at = '2026-06-10 06:30:00'

const good = {
  order: { entity_id: 7, state: 'complete', status: 'complete', updated_at: '2026-06-10 13:30:00' },
  shipments: [{ order_id: 7, created_at, tracks: [{ track_number: 'TN', title: 'UPS', carrier_code: 'ups' }] }],
}
const unshipped = (state: string) => ({ order: { state, status: state }, shipments: [] })

const right: readonly [object, Timeline][] = [
  [good, whole],
  [good, timeline(pickedUp)],
  [good, timeline(pickedUp, delivered, returned)],
  [good, timeline(pickedUp, cancelled)],
  [
    { ...good, shipments: [{ created_at, tracks: [] }] },
    { ...whole, subject: { order_id: 7 } },
  ],
  [unshipped('processing'), timeline(announced)],
  [unshipped('canceled'), timeline(announced, cancelled)],
]

t.test('given documents that are right, when they are judged, then nothing is found', async (t) => {
  for (const [document, of] of right) t.same(await found(document, of), [[], []])
})

t.test('given a document of a wrong shape, when it is judged, then the schema refuses it', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown][] = [
    [['order'], undefined],
    [['shipments'], undefined],
    [['extra'], 1],
    [['order', 'state'], 'cancelled'],
    [['order', 'state'], 'delivered'],
    [['order', 'status'], 'Complete'],
    [['order', 'updated_at'], '2026-06-10T13:30:00Z'],
    [['order', 'entity_id'], '7'],
    [['shipments', 0, 'tracks'], undefined],
    [['shipments', 0, 'created_at'], 1_781_073_000],
    [['shipments', 0, 'tracks', 0, 'track_number'], undefined],
    [['shipments', 0, 'tracks', 0, 'track_number'], ''],
    [['shipments', 0, 'tracks', 0, 'title'], undefined],
    [['shipments', 0, 'tracks', 0, 'carrier_code'], 'La Poste'],
    [['shipments', 0, 'tracks', 0, 'url'], 'https://track.example'],
  ]
  for (const [path, value] of wrong) {
    const text = JSON.stringify(changed(good, path, value))
    const shape = await judges[0]?.judge({ text, mediaType, timeline: whole, target })
    t.ok((shape?.length ?? 0) > 0, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document that breaks a rule, when it is judged, then the rules say which', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown, sentence: RegExp][] = [
    [['order', 'state'], 'closed', /No parcel tells of this state/],
    [['order', 'state'], 'holded', /No parcel tells of this state/],
    [['order', 'status'], 'processing', /not the one that comes with the state/],
    [['order', 'state'], 'processing', /Does not say shipped/],
    [['shipments'], [], /shipments exactly where/],
    [['shipments', 0, 'tracks'], [], /A number makes a track/],
    [['shipments', 0, 'created_at'], '2026-06-10 08:30:00', /Nothing was shipped then/],
  ]
  for (const [path, value, sentence] of wrong) {
    const [, broken] = await found(changed(good, path, value), whole)
    t.match(broken?.join(' '), sentence, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document of another timeline, when it is judged, then what it claims is refused', async (t) => {
  const lies: readonly [document: unknown, of: Timeline, sentence: RegExp][] = [
    [good, timeline(announced), /Says shipped though/],
    [unshipped('canceled'), timeline(pickedUp, cancelled), /Says cancelled of what the carrier has had/],
    [unshipped('canceled'), timeline(announced), /Says cancelled of what is not/],
    [unshipped('processing'), timeline(announced, cancelled), /Does not say cancelled/],
  ]
  for (const [document, of, sentence] of lies) {
    const [, broken] = await found(document, of)
    t.match(broken?.join(' '), sentence)
  }
})

t.test('given other media types and forms, when the judges are asked, then they take plain JSON alone', async (t) => {
  for (const judge of judges) {
    const judged = { text: '{}', mediaType, timeline: timeline(), target }
    t.equal(judge.format, 'magento')
    t.equal(judge.missing(), undefined)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
    t.notOk(judge.takes({ ...judged, form: 'https://example.org/form' }))
  }
})
