import t from 'tap'
import type { Timeline, TimelineEvent } from '../../../engine/index.ts'
import { sensorthings } from '../../../projections/sensorthings/index.ts'
import type { Thing } from '../../../projections/sensorthings/schema.ts'
import type { Judged, ReadyJudge } from '../judge.ts'
import { answerFaults } from './answers.ts'
import { judges } from './index.ts'

const target = { baseUrl: 'https://api.example', options: {} }

function event(event_id: string, over: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    event_id,
    otep_version: '0.1',
    occurred_at: '2026-06-10T09:30:00-04:00',
    recorded_at: '2026-06-12T13:45:00.000Z',
    status_code: 'received',
    phase: 'inbound',
    ...over,
  }
}

const journey: Timeline = {
  otep_version: '0.1',
  profile: 'parcel',
  subject: { tracking_number: "it's SR1" },
  current_status: 'delivered',
  delivered: true,
  events: [
    event('a', { location: { name: 'Toronto', latitude: 43.64, longitude: -79.38 } }),
    event("b's/%20", {
      occurred_at: '2026-06-11T08:00:00Z',
      recorded_at: '2026-06-11T08:00:01Z',
      status_code: 'x-on the way (*)',
      location: { unlocode: 'CAOTT' },
      source: { type: 'node_scan', provider: "O'Hara & Co" },
    }),
    event('c', {
      occurred_at: '2026-06-12T08:00:00Z',
      status_code: 'delivered',
      location: { name: 'Toronto', latitude: 43.64, longitude: -79.38 },
    }),
  ],
}

function judged(timeline: Timeline, change: (document: Thing) => unknown = () => undefined): Judged {
  // A copy, because repeated parts are one object.
  const document: Thing = JSON.parse(JSON.stringify(sensorthings.project(timeline, target)))
  const changed = change(document)
  const text = typeof changed === 'string' ? changed : JSON.stringify(document)
  return { text, mediaType: 'application/json', timeline, target }
}

const [schema, rules, inserts] = judges as readonly [ReadyJudge, ReadyJudge, ReadyJudge]

t.test('given good documents, when they are judged, then nobody finds fault', async (t) => {
  const timelines: readonly Timeline[] = [
    journey,
    { ...journey, events: [] },
    { ...journey, events: [event('a'), event('a')] },
    { ...journey, events: [event('\ud800'), event('\u0000"'), event("')/Thing")] },
    { ...journey, profile: 'unheard of', events: [event('a', { status_code: '\u202e' })] },
    { ...journey, events: [event('a', { location: { latitude: 0, longitude: -180 }, source: { type: 'node_scan' } })] },
  ]
  for (const timeline of timelines) {
    for (const judge of [schema, rules]) t.same(await judge.judge(judged(timeline)), [], judge.name)
  }
})

t.test('given other kinds of documents, when a judge is run, then it does not accept them', async (t) => {
  for (const judge of [schema, rules]) {
    t.equal(judge.format, 'sensorthings')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged(journey)))
    t.notOk(judge.takes({ ...judged(journey), mediaType: 'application/xml' }))
  }
})

t.test('given a Thing for another server, when it is judged, then ids, links and gaps are faults', async (t) => {
  const asInsert = { ...target, options: { as: 'insert' } }
  const document = JSON.parse(JSON.stringify(sensorthings.project(journey, asInsert)))
  const faults = (changed: object) =>
    inserts.judge({ text: JSON.stringify(changed), mediaType: 'application/json', timeline: journey, target: asInsert })
  t.ok(inserts.takes({ ...judged(journey), target: asInsert }))
  t.notOk(inserts.takes(judged(journey)))
  t.same(await faults(document), [])
  const { name: _, ...nameless } = document
  for (const wrong of [{ ...document, '@iot.id': 1 }, { ...document, Datastreams: undefined }, nameless])
    t.not((await faults(wrong)).length, 0)
})

const root = 'https://api.example/sensorthings/v1.1'
const pair = (document: Thing) => [document.Locations[0], document.HistoricalLocations[2]?.Locations[0]] as const

t.test('given answers of a service, when they are judged, then good ones pass and bad ones do not', async (t) => {
  const [stream] =
    judged(journey, () => undefined)
      .text.match(/"Sensor":(\{.*?\}),"ObservedProperty"/)
      ?.slice(1) ?? []
  const sensor = JSON.parse(stream ?? '{}')
  const base = 'https://api.example/sensorthings/v1.1'
  t.same(answerFaults(`${base}/Sensors('a')`, sensor), [])
  t.same(answerFaults(`${base}/Sensors?$count=true`, { '@iot.count': 1, value: [sensor] }), [])
  t.same(answerFaults(`${base}/Datastreams('a%2Fb')/Sensor`, sensor), [])
  for (const bad of [{}, { value: [{}] }, { value: [], more: 1 }, { value: [], '@iot.nextLink': null }])
    t.not(answerFaults(`${base}/Sensors`, bad).length, 0, JSON.stringify(bad))
  t.not(answerFaults(`${base}/Sensors?$count=true`, { value: [] }).length, 0)
  t.not(answerFaults(`${base}/Datastreams('a%2Fb')/Sensor`, { ...sensor, name: undefined }).length, 0)
})

/** What may be wrong with a document, and who has to find it. */
const faults: readonly (readonly [string, readonly ReadyJudge[], (document: Thing) => unknown])[] = [
  ['an unknown member', [schema], (thing) => Object.assign(thing, { colour: 'red' })],
  ['no id', [schema, rules], (thing) => Object.assign(observation(thing), { '@iot.id': undefined })],
  ['no self link', [schema, rules], (thing) => Object.assign(observation(thing), { '@iot.selfLink': undefined })],
  ['a Thing without a self link', [schema, rules], (thing) => Object.assign(thing, { '@iot.selfLink': undefined })],
  [
    'a relative self link',
    [schema, rules],
    (thing) => Object.assign(observation(thing), { '@iot.selfLink': "Observations('a')" }),
  ],
  [
    'a self link without quotes',
    [rules],
    (thing) => Object.assign(observation(thing), { '@iot.selfLink': `${root}/Observations(a)` }),
  ],
  [
    'a self link to another',
    [rules],
    (thing) => Object.assign(observation(thing), { '@iot.selfLink': `${root}/Observations('c')` }),
  ],
  [
    'a self link in another set',
    [rules],
    (thing) => Object.assign(observation(thing), { '@iot.selfLink': `${root}/Things('a')` }),
  ],
  [
    'a self link in another service',
    [rules],
    (thing) => Object.assign(observation(thing), { '@iot.selfLink': "https://other.example/v1.1/Observations('a')" }),
  ],
  [
    'a self link with a quote that is single',
    [rules],
    (thing) =>
      Object.assign(stream(thing, 1), { '@iot.selfLink': stream(thing, 1)['@iot.selfLink'].replace('%27%27', '%27') }),
  ],
  [
    'a self link that is cut',
    [rules],
    (thing) => Object.assign(observation(thing), { '@iot.selfLink': `${root}/Observations('%a` }),
  ],
  [
    'a self link with a bare space',
    [schema, rules],
    (thing) =>
      Object.assign(stream(thing, 1), { '@iot.selfLink': decodeURIComponent(stream(thing, 1)['@iot.selfLink']) }),
  ],
  [
    'a service of another server',
    [rules],
    (thing) => JSON.stringify(thing).replaceAll('https://api.example', 'https://other.example'),
  ],
  ['a service of another version', [rules], (thing) => JSON.stringify(thing).replaceAll('/v1.1/', '/v1.0/')],
  [
    'a navigation link that leads elsewhere',
    [rules],
    (thing) => Object.assign(observation(thing), { 'Datastream@iot.navigationLink': `${root}/Datastreams` }),
  ],
  [
    'no link where nothing is expanded',
    [schema],
    (thing) => Object.assign(observation(thing), { 'Datastream@iot.navigationLink': undefined }),
  ],
  [
    'a link where something is expanded',
    [schema],
    (thing) => Object.assign(thing, { 'Locations@iot.navigationLink': `${thing['@iot.selfLink']}/Locations` }),
  ],
  [
    'a relation that there is not',
    [schema, rules],
    (thing) => Object.assign(thing, { 'Sensors@iot.navigationLink': 'https://api.example/' }),
  ],
  ['a Thing without a name', [schema], (thing) => Object.assign(thing, { name: undefined })],
  ['a Datastream without a description', [schema], (thing) => Object.assign(stream(thing), { description: '' })],
  [
    'the encoding of 1.0',
    [schema],
    (thing) => JSON.stringify(thing).replaceAll('application/geo+json', 'application/vnd.geo+json'),
  ],
  ['a Sensor without metadata', [schema], (thing) => Object.assign(stream(thing).Sensor, { metadata: undefined })],
  [
    'a definition that is no URI',
    [schema],
    (thing) => JSON.stringify(thing).replaceAll('urn:otep:profile:parcel', 'the parcel'),
  ],
  [
    'an observation type that is none',
    [schema],
    (thing) => Object.assign(stream(thing), { observationType: 'OM_CategoryObservation' }),
  ],
  [
    'a count that is a text',
    [rules],
    (thing) => Object.assign(stream(thing), { observationType: typed('CountObservation') }),
  ],
  [
    'a measurement that is a text, without a unit',
    [rules],
    (thing) => Object.assign(stream(thing), { observationType: typed('Measurement') }),
  ],
  [
    'a truth that is a text',
    [rules],
    (thing) => Object.assign(stream(thing), { observationType: typed('TruthObservation') }),
  ],
  [
    'no unit of measurement',
    [schema, rules],
    (thing) => Object.assign(stream(thing), { unitOfMeasurement: undefined }),
  ],
  [
    'a category with a unit',
    [rules],
    (thing) => Object.assign(stream(thing), { unitOfMeasurement: { name: 'a', symbol: 'b', definition: 'c' } }),
  ],
  [
    'a unit without a symbol',
    [schema],
    (thing) => Object.assign(stream(thing), { unitOfMeasurement: { name: null, definition: null } }),
  ],
  ['a result that is no URI', [rules], (thing) => Object.assign(observation(thing), { result: 'received' })],
  [
    'a result that is no URI, having a space',
    [rules],
    (thing) => Object.assign(observation(thing), { result: 'otep:parcel:x y' }),
  ],
  ['another result', [rules], (thing) => Object.assign(observation(thing), { result: 'otep:parcel:delivered' })],
  ['no result', [schema, rules], (thing) => Object.assign(observation(thing), { result: undefined })],
  [
    'a time without a zone',
    [schema, rules],
    (thing) => Object.assign(observation(thing), { phenomenonTime: '2026-06-10T09:30:00' }),
  ],
  ['no result time', [schema, rules], (thing) => Object.assign(observation(thing), { resultTime: undefined })],
  [
    'a resultTime of a Datastream that is an instant',
    [schema],
    (thing) => Object.assign(stream(thing), { resultTime: '2026-06-12T13:45:00Z' }),
  ],
  [
    'a phenomenonTime that ends early',
    [rules],
    (thing) => Object.assign(stream(thing), { phenomenonTime: '2026-06-10T09:30:00-04:00/2026-06-11T00:00:00Z' }),
  ],
  [
    'a resultTime that begins late',
    [rules],
    (thing) => Object.assign(stream(thing, 1), { resultTime: '2026-06-12T00:00:00Z/2026-06-12T00:00:00Z' }),
  ],
  ['parameters in a list', [schema], (thing) => Object.assign(observation(thing), { parameters: [{ name: 'phase' }] })],
  [
    'an Observation of no place',
    [schema],
    (thing) => Object.assign(observation(thing), { FeatureOfInterest: undefined }),
  ],
  ['an Observation that is left out', [rules], (thing) => stream(thing).Observations.pop()],
  ['an Observation that occurs twice', [rules], (thing) => stream(thing).Observations.push(observation(thing))],
  ['a place with two different forms', [rules], (thing) => Object.assign(pair(thing)[0] ?? {}, { name: 'Rome' })],
  ['latitude first', [rules], (thing) => inPlaces(thing, { type: 'Point', coordinates: [43.64, -79.38] })],
  ['a latitude that is none', [rules], (thing) => inPlaces(thing, { type: 'Point', coordinates: [43.64, 179.38] })],
  ['a point of one number', [schema, rules], (thing) => inPlaces(thing, { type: 'Point', coordinates: [43.64] })],
  ['a feature without properties', [schema], (thing) => inPlaces(thing, { type: 'Feature', geometry: null })],
  ['a place in words', [schema], (thing) => inPlaces(thing, 'Toronto')],
  [
    'a HistoricalLocation without a time',
    [schema],
    (thing) => Object.assign(thing.HistoricalLocations[0] ?? {}, { time: undefined }),
  ],
  ['HistoricalLocations in another order', [rules], (thing) => thing.HistoricalLocations.reverse()],
  ['a HistoricalLocation that is no move', [rules], (thing) => thing.HistoricalLocations.splice(1, 1)],
  ['a HistoricalLocation of no place', [rules], (thing) => thing.HistoricalLocations[1]?.Locations.pop()],
  ['a Thing that is not where it was last', [rules], (thing) => thing.HistoricalLocations.pop()],
  ['a Thing that is nowhere', [rules], (thing) => thing.Locations.pop()],
  ['an envelope', [schema, rules], (thing) => JSON.stringify({ value: [thing] })],
]

for (const [fault, finders, change] of faults) {
  t.test(`given ${fault}, when it is judged, then those who must do find it`, async (t) => {
    for (const judge of finders) t.not((await judge.judge(judged(journey, change))).length, 0, judge.name)
  })
}

function typed(name: string): string {
  return `http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_${name}`
}

function stream(thing: Thing, index = 0) {
  const found = thing.Datastreams[index]
  if (found === undefined) throw new RangeError('no such Datastream')
  return found
}

function observation(thing: Thing) {
  const [found] = stream(thing).Observations
  if (found === undefined) throw new RangeError('no such Observation')
  return found
}

function inPlaces(thing: Thing, place: unknown): string {
  return JSON.stringify(thing, (key, value) => (key === 'location' || key === 'feature' ? place : value))
}
