import t from 'tap'
import type { Timeline, TimelineEvent } from '../../../engine/index.ts'
import { changed } from '../../suites/projection/texts.ts'
import { judges } from './index.ts'

const target = { baseUrl: 'https://track.example', options: {} }
const mediaType = 'application/json'

function at(hour: string, status_code: string): TimelineEvent {
  const time = `2026-06-10T${hour}:30:00+02:00`
  return { event_id: hour, otep_version: '0.1', occurred_at: time, recorded_at: time, status_code, phase: 'transit' }
}

function timeline(...events: readonly TimelineEvent[]): Timeline {
  const current = events.at(-1)?.status_code
  return {
    ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'TN' } },
    ...(current === undefined ? {} : { current_status: current }),
    ...{ delivered: current === 'delivered', events },
  }
}

const whole = timeline(at('08', 'picked_up'), at('15', 'delivered'))
const delivered = { tag: 'Delivered', subtag: 'Delivered_002', subtag_message: 'Picked up by customer' }

const good = {
  meta: { code: 200 },
  data: {
    ...{ id: 'a1', created_at: '2026-06-10T06:30:00+00:00', updated_at: '2026-06-10T13:30:00+00:00' },
    ...{ tracking_number: 'TN', slug: 'fedex', active: false, custom_fields: { store: 'x' }, ...delivered },
    ...{ courier_estimated_delivery_date: { estimated_delivery_date: '2026-06-11' }, failed_delivery_attempts: 0 },
    proof_of_delivery: [{ type: 'image', url: 'https://p.example/1' }],
    return_to_sender: false,
    checkpoints: [
      {
        ...{ created_at: '2026-06-10T06:30:00+00:00', slug: 'fedex', checkpoint_time: '2026-06-10T06:30:00' },
        ...{ city: 'Paris', country_region: 'FRA', country_region_name: 'France', message: 'In' },
        ...{ tag: 'InTransit', subtag: 'InTransit_002', subtag_message: 'Acceptance scan', hash: 'h1' },
        ...{ coordinate: { latitude: 1, longitude: 2 }, events: [{ code: 'picked_up', reason: { code: 'r' } }] },
      },
      { checkpoint_time: '2026-06-10T15:30:00+02:00', source: 'carrier', ...delivered, hash: 'h2' },
    ],
  },
}
const checkpoint = (index: number) => ['data', 'checkpoints', index]

/** The findings of each judge: first the shape, then the rules. */
async function found(document: unknown, of = whole) {
  const judged = { text: JSON.stringify(document), mediaType, timeline: of, target }
  return Promise.all(judges.map((judge) => judge.judge(judged)))
}

t.test('given answers that are right, when they are judged, then nothing is found', async (t) => {
  t.same(await found(good), [[], []])
  const pending = { tag: 'Pending', subtag: 'Pending_001', subtag_message: 'No information yet' }
  const empty = { meta: { code: 200 }, data: { ...pending, checkpoints: [], return_to_sender: false } }
  t.same(await found(empty, timeline()), [[], []])
  const direction = changed(good, ['data', 'shipment_direction'], null)
  t.same((await found(direction))[0], [], 'the real null of the API, which the types write as a text')
})

t.test('given an answer of a wrong shape, when it is judged, then the types refuse it', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown][] = [
    [['meta'], {}],
    [['meta', 'code'], 404],
    [['data'], null],
    [['data', 'active'], 'no'],
    [['data', 'tag'], 'InTransit_001'],
    [['data', 'tag'], 'delivered'],
    [['data', 'delivered'], true],
    [['data', 'shipment_direction'], 'null'],
    [['data', 'tracking_number'], 7],
    [['data', 'failed_delivery_attempts'], '0'],
    [['data', 'latest_estimated_delivery'], { source: 'Carrier' }],
    [['data', 'checkpoints'], {}],
    [['data', 'proof_of_delivery', 0, 'kind'], 'image'],
    [[...checkpoint(0), 'zip'], '1'],
    [[...checkpoint(0), 'country_iso3'], 'FRA'],
    [
      [...checkpoint(0), 'coordinates'],
      [1, 2],
    ],
    [[...checkpoint(0), 'coordinate', 'latitude'], '1'],
    [[...checkpoint(0), 'events'], ['picked_up']],
    [[...checkpoint(0), 'source'], 'otep'],
    [[...checkpoint(0), 'checkpoint_time'], 1_781_000_000],
  ]
  for (const [path, value] of wrong) {
    const text = JSON.stringify(changed(good, path, value))
    const shape = await judges[0]?.judge({ text, mediaType, timeline: whole, target })
    t.ok((shape?.length ?? 0) > 0, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
})

t.test('given an answer that breaks a rule, when it is judged, then the rules say which', async (t) => {
  const wrong: readonly [path: readonly (string | number)[], value: unknown, sentence: RegExp][] = [
    [['meta', 'code'], 500, /that it is good/],
    [['data', 'title'], '', /no empty texts/],
    [[...checkpoint(0), 'city'], null, /no empty texts/],
    [['data', 'subtag'], 'Delivered', /three digits/],
    [['data', 'subtag'], 'Exception_002', /three digits/],
    [['data', 'subtag_message'], undefined, /has words/],
    [[...checkpoint(1), 'tag'], undefined, /its tag/],
    [['data', 'return_to_sender'], true, /Returned to the sender/],
    [[...checkpoint(0), 'country_region'], 'FR', /three letters/],
    [[...checkpoint(0), 'country_region_name'], undefined, /country has a name/],
    [[...checkpoint(0), 'checkpoint_time'], 'yesterday', /has no time/],
    [[...checkpoint(0), 'checkpoint_time'], '2026-06-10T14:30:00', /not when things happened/],
    [[...checkpoint(0), 'created_at'], '2026-06-10T08:30:00+02:00', /not in UTC/],
    [['data', 'created_at'], '2026-06-10T06:30:00.250Z', /not in UTC/],
    [[...checkpoint(1), 'hash'], 'h1', /one hash/],
    [['data', 'checkpoints'], [], /checkpoint for every event/],
    [['data', 'tag'], 'Pending', /Pending is what has no event/],
    [['data', 'tag'], 'InTransit', /It was delivered/],
  ]
  for (const [path, value, sentence] of wrong) {
    const [, broken] = await found(changed(good, path, value))
    t.match(broken?.join(' '), sentence, `${path.join('.')} = ${JSON.stringify(value)}`)
  }
  const [, lie] = await found(good, timeline(at('08', 'picked_up'), at('15', 'in_transit')))
  t.match(lie?.join(' '), /Nothing was delivered/)
})

t.test('given other media types and forms, when the judges are run, then they only accept plain JSON', async (t) => {
  for (const judge of judges) {
    const judged = { text: '{}', mediaType, timeline: timeline(), target }
    t.equal(judge.format, 'aftership')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged))
    t.notOk(judge.takes({ ...judged, mediaType: 'application/xml' }))
  }
})
