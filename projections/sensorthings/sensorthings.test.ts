import t from 'tap'
import * as v from 'valibot'
import type { Timeline, TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { isUri } from '../shared/subject.ts'
import { graphOf } from './graph.ts'
import { sensorthings } from './index.ts'
import { pathOf } from './query/index.ts'
import type { Thing } from './schema.ts'

const target = { baseUrl: 'https://api.example', options: {} }
const root = 'https://api.example/sensorthings/v1.1'

function event(over: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    event_id: 'e-1',
    otep_version: '0.1',
    occurred_at: '2026-06-10T09:30:00-04:00',
    recorded_at: '2026-06-10T13:45:00.000Z',
    status_code: 'picked_up',
    phase: 'pickup',
    ...over,
  }
}

function timeline(events: readonly TimelineEvent[], over: Partial<Timeline> = {}): Timeline {
  const current = events.at(-1)?.status_code
  return {
    otep_version: '0.1',
    profile: 'parcel',
    subject: { tracking_number: 'SR1', order_id: 12345 },
    ...(current === undefined ? {} : { current_status: current }),
    delivered: current === 'delivered',
    events,
    ...over,
  }
}

function documentOf(...events: readonly TimelineEvent[]): Thing {
  return sensorthings.project(timeline(events), target) as Thing
}

/** Every link in a part of a document. */
function linksIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    /^@iot\.selfLink$|@iot\.navigationLink$|^url$/.test(key) ? [member] : linksIn(member),
  )
}

t.test(
  'given one event at a place, when it is projected, then the document is a Thing with all expanded',
  async (t) => {
    const location = { name: 'Depot', latitude: 43.64, longitude: -79.38 }
    const source = { type: 'carrier_tracking', provider: 'acme', code: 'PU' }
    // SHA-256 of what is known of the place.
    const place = '43fa28dbc7f63ff7'
    const geoJson = { type: 'Point', coordinates: [-79.38, 43.64] }
    const currentLocation = {
      '@iot.id': `SR1/${place}`,
      '@iot.selfLink': `${root}/Locations('SR1%2F${place}')`,
      name: 'Depot',
      description: 'A place on the way.',
      encodingType: 'application/geo+json',
      location: geoJson,
      properties: location,
      'Things@iot.navigationLink': `${root}/Locations('SR1%2F${place}')/Things`,
      'HistoricalLocations@iot.navigationLink': `${root}/Locations('SR1%2F${place}')/HistoricalLocations`,
    }
    const expected = {
      '@iot.id': 'SR1',
      '@iot.selfLink': `${root}/Things('SR1')`,
      name: 'SR1',
      description: 'What is tracked under the tracking_number SR1.',
      properties: {
        otep_version: '0.1',
        profile: 'parcel',
        subject: { tracking_number: 'SR1', order_id: 12345 },
        current_status: 'picked_up',
        delivered: false,
      },
      Locations: [currentLocation],
      HistoricalLocations: [
        {
          '@iot.id': 'SR1/e-1',
          '@iot.selfLink': `${root}/HistoricalLocations('SR1%2Fe-1')`,
          time: '2026-06-10T09:30:00-04:00',
          'Thing@iot.navigationLink': `${root}/HistoricalLocations('SR1%2Fe-1')/Thing`,
          Locations: [currentLocation],
        },
      ],
      Datastreams: [
        {
          '@iot.id': 'SR1/carrier_tracking:acme',
          '@iot.selfLink': `${root}/Datastreams('SR1%2Fcarrier_tracking%3Aacme')`,
          name: 'Status by acme',
          description: 'What one source has told of the status.',
          observationType: 'http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_CategoryObservation',
          unitOfMeasurement: { name: null, symbol: null, definition: null },
          phenomenonTime: '2026-06-10T09:30:00-04:00/2026-06-10T09:30:00-04:00',
          resultTime: '2026-06-10T13:45:00.000Z/2026-06-10T13:45:00.000Z',
          'Thing@iot.navigationLink': `${root}/Datastreams('SR1%2Fcarrier_tracking%3Aacme')/Thing`,
          Sensor: {
            '@iot.id': 'SR1/carrier_tracking:acme',
            '@iot.selfLink': `${root}/Sensors('SR1%2Fcarrier_tracking%3Aacme')`,
            name: 'acme',
            description: 'A source of events.',
            encodingType: 'text/plain',
            metadata: 'A source of the kind carrier_tracking.',
            properties: { type: 'carrier_tracking', provider: 'acme' },
            'Datastreams@iot.navigationLink': `${root}/Sensors('SR1%2Fcarrier_tracking%3Aacme')/Datastreams`,
          },
          ObservedProperty: {
            '@iot.id': 'status:parcel',
            '@iot.selfLink': `${root}/ObservedProperties('status%3Aparcel')`,
            name: 'Status',
            description: 'The status of what is tracked, a code of the profile parcel.',
            definition: 'urn:otep:profile:parcel',
            'Datastreams@iot.navigationLink': `${root}/ObservedProperties('status%3Aparcel')/Datastreams`,
          },
          Observations: [
            {
              '@iot.id': 'SR1/e-1',
              '@iot.selfLink': `${root}/Observations('SR1%2Fe-1')`,
              phenomenonTime: '2026-06-10T09:30:00-04:00',
              resultTime: '2026-06-10T13:45:00.000Z',
              result: 'otep:parcel:picked_up',
              parameters: { event_id: 'e-1', otep_version: '0.1', status_code: 'picked_up', phase: 'pickup', source },
              'Datastream@iot.navigationLink': `${root}/Observations('SR1%2Fe-1')/Datastream`,
              FeatureOfInterest: {
                '@iot.id': `SR1/${place}`,
                '@iot.selfLink': `${root}/FeaturesOfInterest('SR1%2F${place}')`,
                name: 'Depot',
                description: 'A place on the way.',
                encodingType: 'application/geo+json',
                feature: geoJson,
                properties: location,
                'Observations@iot.navigationLink': `${root}/FeaturesOfInterest('SR1%2F${place}')/Observations`,
              },
            },
          ],
        },
      ],
    }
    t.equal(JSON.stringify(documentOf(event({ location, source }))), JSON.stringify(expected))
  },
)

t.test(
  'given no event in force, when it is projected, then the Thing is nowhere and nothing observed it',
  async (t) => {
    const withdrawn = event({ withdrawn: { declared_at: '2026-06-11T00:00:00Z' } })
    const document = sensorthings.project(timeline([], { withdrawn_events: [withdrawn] }), target)
    t.match(document, { '@iot.id': 'SR1', Locations: [], HistoricalLocations: [], Datastreams: [] })
    t.ok(v.is(sensorthings.schema, document))
  },
)

t.test(
  'given an event with all that can be known of it, when it is projected, then it is in the parameters',
  async (t) => {
    const more = {
      incident_reason: 'address',
      description: 'Ring twice',
      pod: { recipient: 'A. Smith', photo_urls: ['https://cdn.example/1.jpg'] },
      estimated_delivery_at: '2026-06-12T12:00:00Z',
      synthesized: true,
    }
    const [stream] = documentOf(event(more)).Datastreams
    const known = { event_id: 'e-1', otep_version: '0.1', status_code: 'picked_up', phase: 'pickup' }
    t.same(stream?.Observations[0]?.parameters, { ...known, ...more })
  },
)

t.test(
  'given places without coordinates, when they are projected, then they are features that are nowhere',
  async (t) => {
    const nowhere = { type: 'Feature', geometry: null, properties: {} }
    const named = documentOf(event({ location: { unlocode: 'CATOR' } }))
    t.match(named.Locations, [{ name: 'CATOR', location: nowhere, properties: { unlocode: 'CATOR' } }])
    t.match(named.Datastreams[0]?.Observations[0]?.FeatureOfInterest, { name: 'CATOR', feature: nowhere })
    for (const location of [{}, { latitude: 43 }, { name: '' }]) {
      const unknown = documentOf(event({ location }))
      t.same(unknown.Locations, [])
      t.match(unknown.Datastreams[0]?.Observations[0]?.FeatureOfInterest, {
        '@iot.id': 'SR1/unknown',
        feature: nowhere,
      })
    }
  },
)

t.test(
  'given moves, when they are projected, then each is a HistoricalLocation, and the last is where it is',
  async (t) => {
    const at = (event_id: string, name?: string) =>
      event({ event_id, ...(name === undefined ? {} : { location: { name } }) })
    const document = documentOf(
      at('a', 'Toronto'),
      at('b', 'Toronto'),
      at('c'),
      at('d', 'Ottawa'),
      at('e', 'Toronto'),
      at('f'),
    )
    t.same(
      document.HistoricalLocations.map((move) => [move['@iot.id'], move.Locations[0]?.name]),
      [
        ['SR1/a', 'Toronto'],
        ['SR1/d', 'Ottawa'],
        ['SR1/e', 'Toronto'],
      ],
    )
    t.same(document.Locations, document.HistoricalLocations[0]?.Locations)
    const apart = documentOf(event({ location: { name: 'X', gln: '1' } }), event({ location: { gln: '1', name: 'X' } }))
    t.equal(apart.HistoricalLocations.length, 1, 'the order of members does not make another place')
  },
)

t.test('given several sources, when they are projected, then each has its Datastream and its Sensor', async (t) => {
  const by = (event_id: string, hour: string, recorded: string, source?: TimelineEvent['source']) =>
    event({
      event_id,
      occurred_at: `2026-06-10T${hour}:00:00Z`,
      recorded_at: `2026-06-10T${recorded}:00:00Z`,
      ...(source === undefined ? {} : { source }),
    })
  const acme = { type: 'carrier_tracking', provider: 'acme' }
  const document = documentOf(
    by('a', '01', '09', acme),
    by('b', '02', '03', { type: 'node_scan' }),
    by('c', '03', '04', { ...acme, code: 'X' }),
    by('d', '04', '05'),
  )
  t.same(
    document.Datastreams.map((stream) => [stream.Sensor['@iot.id'], stream.phenomenonTime, stream.resultTime]),
    [
      [
        'SR1/carrier_tracking:acme',
        '2026-06-10T01:00:00Z/2026-06-10T03:00:00Z',
        '2026-06-10T04:00:00Z/2026-06-10T09:00:00Z',
      ],
      ['SR1/node_scan', '2026-06-10T02:00:00Z/2026-06-10T02:00:00Z', '2026-06-10T03:00:00Z/2026-06-10T03:00:00Z'],
      ['SR1/unknown', '2026-06-10T04:00:00Z/2026-06-10T04:00:00Z', '2026-06-10T05:00:00Z/2026-06-10T05:00:00Z'],
    ],
  )
})

t.test('given every code, when it is projected, then the result is the URI that is published', async (t) => {
  for (const profile of profiles) {
    const { name, codes } = profile
    for (const code of [...Object.keys(codes), 'x-lost', 'x-*']) {
      const document = sensorthings.project(timeline([event({ status_code: code })], { profile: name }), target)
      const result = document.Datastreams[0]?.Observations[0]?.result ?? ''
      t.ok(isUri(result))
      t.equal(result.replace('%2A', '*'), sensorthings.codes(profile)[code]?.value)
    }
  }
})

t.test(
  'given a document for another server, when it is projected, then it has no ids, no links and no made places',
  async (t) => {
    const located = event({
      location: { name: 'Depot', latitude: 43.64, longitude: -79.38 },
      source: { type: 'node_scan' },
    })
    const of = timeline([located, event({ event_id: 'e-2', location: { name: 'Gate' } })])
    const insert = { ...target, options: { as: 'insert' } }
    const document = sensorthings.project(of, insert)
    t.ok(v.is(sensorthings.schema, document))
    t.equal(sensorthings.write(of, insert), JSON.stringify(document))
    t.equal([...sensorthings.pieces(of, insert)].join(''), JSON.stringify(document))
    t.notMatch(JSON.stringify(document), /@iot|HistoricalLocations|geometry/)
    t.match(document, {
      name: 'SR1',
      properties: { subject: { order_id: 12345 } },
      Locations: [{ name: 'Gate', encodingType: 'text/plain', location: 'Gate' }],
      Datastreams: [
        {
          Sensor: { encodingType: 'text/plain', metadata: 'A source of the kind node_scan.' },
          ObservedProperty: { definition: 'urn:otep:profile:parcel' },
          Observations: [
            {
              phenomenonTime: '2026-06-10T09:30:00-04:00',
              result: 'otep:parcel:picked_up',
              parameters: { event_id: 'e-1' },
              FeatureOfInterest: { encodingType: 'application/geo+json', feature: { type: 'Point' } },
            },
          ],
        },
        { Observations: [{ FeatureOfInterest: { encodingType: 'text/plain', feature: 'Gate' } }] },
      ],
    })
  },
)

t.test(
  'given hostile texts, when they are projected, then the document is of its schema, and links lead to it',
  async (t) => {
    const hostile = [
      '"\\\n',
      '\0',
      '\u202Eabc',
      '👩‍👩‍👧',
      '\uD800',
      "it's",
      "')/Thing",
      'a/b',
      'a%20b',
      'a%2Fb',
      '..',
      '',
      '%',
    ]
    for (const text of [...hostile, 'é'.repeat(65_536)]) {
      const source = { type: 'node_scan', provider: text, code: text }
      const location = { name: text, address: { street: text } }
      const events = [event({ event_id: text, status_code: `x-${text}`, description: text, source, location })]
      const of = timeline(events, { profile: text, subject: { piece_id: `p${text}` } })
      const document = sensorthings.project(of, target) as Thing
      t.ok(v.is(sensorthings.schema, document))
      t.ok(JSON.stringify(document) === JSON.stringify(sensorthings.project(structuredClone(of), target)))
      t.ok(isUri(document.Datastreams[0]?.Observations[0]?.result ?? ''))
      for (const link of linksIn(document)) {
        t.equal(new URL(link).href, link)
        if (link.length > 8_000) continue
        const way = pathOf(link.slice(`${root}/`.length))?.ways[0]
        t.ok(way?.id !== undefined && graphOf(document)[way.set].has(way.id), link.slice(0, 300))
      }
    }
  },
)

t.test('given members in another order, when they are projected, then the document is the same', async (t) => {
  const source = { type: 'node_scan', provider: 'acme', code: 'X' }
  const location = { name: 'Depot', latitude: 1, longitude: 2, address: { locality: 'Toronto', country: 'CA' } }
  const pod = { recipient: 'A', note: 'b' }
  const of = timeline([event({ source, location, pod })])
  const turned = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(turned)
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, turned(member)]),
    )
  }
  const other = turned(of) as Timeline
  t.not(JSON.stringify(other), JSON.stringify(of))
  t.equal(JSON.stringify(sensorthings.project(other, target)), JSON.stringify(sensorthings.project(of, target)))
})

t.test('given event ids that repeat, when they are projected, then the ids of Observations do not', async (t) => {
  const ids = ['a', 'a~2', 'a', 'a', '\uD800', '\uFFFD']
  const document = documentOf(...ids.map((event_id) => event({ event_id })))
  t.same(
    document.Datastreams[0]?.Observations.map((observation) => observation['@iot.id']),
    ['a', 'a~2', 'a~3', 'a~4', '\uFFFD', '\uFFFD~2'].map((id) => `SR1/${id}`),
  )
  const many = documentOf(...Array.from({ length: 10_000 }, () => event()))
  t.equal(new Set(many.Datastreams[0]?.Observations.map((observation) => observation['@iot.id'])).size, 10_000)
})
