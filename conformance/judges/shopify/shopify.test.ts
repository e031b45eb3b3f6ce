import t from 'tap'
import type { Timeline, TimelineEvent } from '../../../engine/index.ts'
import { at } from '../../../projections/shared/parcels.test.fixture.ts'
import { changed } from '../../suites/projection/texts.ts'
import { announced, delivered, foundBy, pickedUp, returned, shown, timeline } from '../shop.test.fixture.ts'
import { judges } from './index.ts'

const found = (document: unknown, of: Timeline) => foundBy(judges, document, of)

const whole = timeline(announced, pickedUp, delivered)

function node(id: number, status: string, { occurred_at, recorded_at }: TimelineEvent) {
  const place = {
    address1: null,
    city: 'Lyon',
    province: null,
    country: 'FR',
    zip: null,
    latitude: 45.7,
    longitude: 4.8,
  }
  const times = { happenedAt: occurred_at, createdAt: recorded_at, estimatedDeliveryAt: null }
  return { id: `gid://shopify/FulfillmentEvent/${id}`, status, ...times, message: 'Text.', ...place }
}

function answer(deliveredAt: string | null, ...nodes: readonly object[]) {
  const trackingInfo = [{ company: 'UPS', number: 'TN', url: 'https://track.example/track/TN' }]
  return { data: { fulfillment: { trackingInfo, estimatedDeliveryAt: null, deliveredAt, events: { nodes } } } }
}

const good = answer(
  delivered.occurred_at,
  node(1, 'CONFIRMED', announced),
  node(2, 'CARRIER_PICKED_UP', pickedUp),
  node(3, 'DELIVERED', delivered),
)
const waiting = at(12, 'x-available_for_pickup')
const late = at(18, 'delivered')

const right: readonly [object, Timeline][] = [
  [good, whole],
  [answer(null), timeline()],
  [answer(null, node(1, 'READY_FOR_PICKUP', waiting)), timeline(waiting)],
  [answer(null, node(1, 'DELIVERED', delivered), node(2, 'FAILURE', returned)), timeline(delivered, returned)],
  [
    answer(null, node(1, 'FAILURE', returned), node(2, 'FAILURE', late)),
    { ...timeline(returned, late), current_status: 'return_to_sender', delivered: false },
  ],
]

t.test('given documents that are right, when they are judged, then nothing is found', async (t) => {
  for (const [document, of] of right) t.same(await found(document, of), [[], []])
})

t.test('given a document of a wrong shape, when it is judged, then the schema refuses it', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown][] = [
    [['data'], undefined],
    [['extra'], 1],
    [['data', 'fulfillment', 'events'], undefined],
    [['data', 'fulfillment', 'deliveredAt'], '2026-06-10'],
    [['data', 'fulfillment', 'deliveredAt'], '2026-06-10T13:30:00'],
    [['data', 'fulfillment', 'trackingInfo', 0, 'url'], 'track/TN'],
    [['data', 'fulfillment', 'trackingInfo', 0, 'carrier'], 'UPS'],
    [['data', 'fulfillment', 'events', 'nodes'], {}],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'id'], 1],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'id'], 'gid://shopify/Fulfillment/1'],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'status'], 'confirmed'],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'status'], 'PICKED_UP'],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'status'], 'RETURNING_TO_SENDER'],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'status'], undefined],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'happenedAt'], null],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'happenedAt'], '2026-06-10T08:30:00'],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'createdAt'], undefined],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'happened_at'], '2026-06-10T08:30:00Z'],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'latitude'], '45.7'],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'latitude'], 91],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'city'], {}],
  ]
  for (const [path, value] of wrong) {
    const shape = await judges[0]?.judge(shown(changed(good, path, value), whole))
    t.ok((shape?.length ?? 0) > 0, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document that breaks a rule, when it is judged, then the rules say which', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown, sentence: RegExp][] = [
    [['data', 'fulfillment', 'events', 'nodes', 1, 'id'], 'gid://shopify/FulfillmentEvent/1', /Two events have one id/],
    [['data', 'fulfillment', 'deliveredAt'], null, /do not agree on whether it was delivered/],
    [['data', 'fulfillment', 'events', 'nodes', 2, 'status'], 'FAILURE', /No event says DELIVERED/],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'status'], 'LABEL_PURCHASED', /Tells of a label/],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'status'], 'READY_FOR_PICKUP', /is no x-available_for_pickup/],
    [['data', 'fulfillment', 'events', 'nodes', 1, 'status'], 'OUT_FOR_DELIVERY', /is no out_for_delivery/],
    [['data', 'fulfillment', 'events', 'nodes', 0, 'happenedAt'], '2026-06-10T05:30:00Z', /not events of the timeline/],
    [
      ['data', 'fulfillment', 'events', 'nodes'],
      good.data.fulfillment.events.nodes.toReversed(),
      /not events of the timeline in their order/,
    ],
  ]
  for (const [path, value, sentence] of wrong) {
    const [, broken] = await found(changed(good, path, value), whole)
    t.match(broken?.join(' '), sentence, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given a document of another timeline, when it is judged, then what it claims is refused', async (t) => {
  const lies: readonly [document: unknown, of: Timeline, sentence: RegExp][] = [
    [good, timeline(announced, pickedUp), /is no delivered/],
    [answer(null, node(1, 'CARRIER_PICKED_UP', announced)), timeline(announced), /is no picked_up/],
    [answer(late.occurred_at, node(1, 'DELIVERED', late)), timeline(returned, late), /after the return to the sender/],
  ]
  for (const [document, of, sentence] of lies) {
    const [, broken] = await found(document, of)
    t.match(broken?.join(' '), sentence)
  }
})

t.test('given other media types and forms, when the judges are run, then they only accept plain JSON', async (t) => {
  for (const judge of judges) {
    const judged = shown({})
    t.equal(judge.format, 'shopify')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
    t.notOk(judge.takes({ ...judged, form: 'https://example.org/form' }))
  }
})
