import t from 'tap'
import type { Timeline } from '../../../engine/index.ts'
import { changed } from '../../suites/projection/texts.ts'
import { announced, cancelled, delivered, foundBy, pickedUp, returned, shown, timeline } from '../shop.test.fixture.ts'
import { judges } from './index.ts'

const found = (document: unknown, of: Timeline) => foundBy(judges, document, of)

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
    const shape = await judges[0]?.judge(shown(changed(good, path, value), whole))
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

t.test('given other media types and forms, when the judges are run, then they only accept plain JSON', async (t) => {
  for (const judge of judges) {
    const judged = shown({})
    t.equal(judge.format, 'magento')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
    t.notOk(judge.takes({ ...judged, form: 'https://example.org/form' }))
  }
})
