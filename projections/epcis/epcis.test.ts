/// <reference path="../../bench/peers/epcis2.d.ts" />
import epcis2 from 'epcis2.js'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import {
  atOnce,
  canonicalKey,
  canonicalLink,
  epcUrn,
  sha256,
  type Timeline,
  type TimelineEvent,
  withFormerNamespace,
  withVersions,
} from '../../engine/index.ts'
import { runs } from '../../engine/testing/runs.test.fixture.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { decimalOf } from '../shared/number.ts'
import { bizSteps } from './codes.ts'
import { eventsOf, type ObjectEvent } from './document.ts'
import { ownForm, unextended } from './extension.ts'
import { preHash } from './hash.ts'
import { epcis } from './index.ts'
import { documentInput, eventInputs } from './inputs.ts'
import { isClass } from './parse/uris.ts'

const baseUrl = 'https://api.example'
const target = { baseUrl, options: {} }
const uuid = 'urn:uuid:5f0a6a0e-5c53-4c3e-9d0f-2f6f4f6f0a01'

function event(over: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    event_id: uuid,
    otep_version: '0.1',
    occurred_at: '2026-06-10T09:30:00-04:00',
    recorded_at: '2026-06-10T13:45:00Z',
    status_code: 'arrival_scan',
    phase: 'inbound',
    ...over,
  }
}

function timeline(events: readonly TimelineEvent[], over: Partial<Timeline> = {}): Timeline {
  return {
    otep_version: '0.1',
    profile: 'parcel',
    subject: { tracking_number: 'SR1' },
    delivered: false,
    events,
    ...over,
  }
}

const projected = (of: Timeline) => eventsOf(epcis.project(of, target))

function only(over: Partial<TimelineEvent>, of: Partial<Timeline> = {}): ObjectEvent {
  const [first] = projected(timeline([event(over)], of))
  if (first === undefined) throw new Error('no event')
  return first
}

/** The text from which the hash of one event is computed. */
function hashedOf(over: Partial<TimelineEvent>, of: Partial<Timeline> = {}, made = event(over)): string {
  const [input] = eventInputs(atOnce(documentInput(timeline([made], of), { baseUrl, options: {} })))
  if (input === undefined) throw new Error('no event')
  return preHash(input)
}

function wordsOf(status_code: string, profile = 'parcel'): string {
  const { action, bizStep, disposition } = only({ status_code }, { profile })
  return [action, bizStep, disposition].filter((word) => word !== undefined).join(' ')
}

const xml = async (of: Timeline, as?: string) => {
  const [write] = epcis.representations.filter(({ mediaType }) => mediaType === 'application/xml')
  return write?.write?.(epcis.project(of, { baseUrl, options: as === undefined ? {} : { as } })) ?? ''
}

/** The prefixes that every document declares. */
const namespaces = { otep: 'https://w3id.org/otep#', otep0: 'urn:otep:epcis:' }

t.test('given one event, when it is projected, then it is the answer to a query with an ObjectEvent', async (t) => {
  const description = 'On the belt'
  t.same(epcis.project(timeline([event({ description, location: { gln: '9521230000116' } })]), target), {
    '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', namespaces],
    type: 'EPCISQueryDocument',
    schemaVersion: '2.0',
    creationDate: '2026-06-10T13:45:00Z',
    epcisBody: {
      queryResults: {
        queryName: 'SimpleEventQuery',
        resultsBody: {
          eventList: [
            {
              type: 'ObjectEvent',
              eventID: 'ni:///sha-256;b4a1314fdd0a44997ece4be851e96eb6f25348fdd12521118ae64ee03589db8e?ver=CBV2.0',
              eventTime: '2026-06-10T09:30:00-04:00',
              recordTime: '2026-06-10T13:45:00Z',
              eventTimeZoneOffset: '-04:00',
              epcList: ['https://api.example/id/tracking_number/SR1'],
              action: 'OBSERVE',
              bizStep: 'arriving',
              disposition: 'in_transit',
              readPoint: { id: 'https://id.gs1.org/414/9521230000116' },
              bizLocation: { id: 'https://id.gs1.org/414/9521230000116' },
              'otep:event_id': `v1:${uuid}`,
              'otep:otep_version': 'v1:0.1',
              'otep:profile': 'v1:parcel',
              'otep:subject': { 'otep:tracking_number': 'v1:SR1' },
              'otep:status_code': 'v1:arrival_scan',
              'otep:location': { 'otep:gln': 'v1:9521230000116' },
              'otep:description': 'v1:On the belt',
            },
          ],
        },
      },
    },
  })
})

t.test('given as=capture, when a timeline is projected, then it is a document to be captured', async (t) => {
  const document = epcis.project(timeline([]), { baseUrl, options: { as: 'capture' } })
  t.match(document, { type: 'EPCISDocument', creationDate: '1970-01-01T00:00:00Z', epcisBody: { eventList: [] } })
  t.same(epcis.project(timeline([]), { baseUrl, options: { as: 'query' } }), epcis.project(timeline([]), target))
})

t.test('given a subject, when it is named, then parcels are EPCs and orders are transactions', async (t) => {
  const names = (subject: Timeline['subject']) => {
    const { epcList, bizTransactionList } = only({}, { subject })
    return { epcList, orders: bizTransactionList }
  }
  t.same(names({ tracking_number: 'A B', gs1_sscc: '395212300004172605', piece_id: 'urn:x:1', package_id: 7 }), {
    epcList: [
      'https://api.example/id/tracking_number/A%20B',
      'https://id.gs1.org/00/395212300004172605',
      'urn:x:1',
      'https://api.example/id/package_id/7',
    ],
    orders: undefined,
  })
  const order = 'https://api.example/id/order_id/12'
  const orders = [{ type: 'po', bizTransaction: order }]
  t.same(names({ order_id: 12 }), { epcList: [order], orders }, 'an event has to be about something')
  t.same(names({ order_id: 12, package_id: 7 }), { epcList: ['https://api.example/id/package_id/7'], orders })
})

t.test('given a piece id, when it is written, then unchanged only if it is the URI of a single thing', async (t) => {
  const epcs = (piece_id: string) => only({}, { subject: { piece_id } }).epcList
  for (const uri of [
    'https://p.example/1?a=b#c',
    'urn:x:1',
    'urn:epc:id:sgtin:9521230.011111.98',
    'tag:p.example,2026:1',
  ]) {
    t.same(epcs(uri), [uri])
  }
  const others = {
    'cbv:BizStep-other': 'cbv%3ABizStep-other',
    'x:1': 'x%3A1',
    'P 1': 'P%201',
    'http://a/[x]': 'http%3A%2F%2Fa%2F%5Bx%5D',
    'http://a:b:c/': 'http%3A%2F%2Fa%3Ab%3Ac%2F',
    'urn:uuid:1': 'urn%3Auuid%3A1',
    'urn:x:a#b#c': 'urn%3Ax%3Aa%23b%23c',
    'urn:epc:id:sgtin:1': 'urn%3Aepc%3Aid%3Asgtin%3A1',
    'urn:epc:class:lgtin:9521230.011111.L': 'urn%3Aepc%3Aclass%3Algtin%3A9521230.011111.L',
    'https://id.gs1.org/00/123': 'https%3A%2F%2Fid.gs1.org%2F00%2F123',
  }
  for (const [given, end] of Object.entries(others)) t.same(epcs(given), [`https://api.example/id/piece_id/${end}`])
})

t.test('given a location, when it is written, then its URI is made of a GLN, coordinates or a name', async (t) => {
  const readPoint = (location: TimelineEvent['location']) => only(location ? { location } : {}).readPoint?.id
  t.equal(readPoint({ gln: '9521230000116', latitude: 1, longitude: 2 }), 'https://id.gs1.org/414/9521230000116')
  t.equal(readPoint({ name: 'Hub', gln: '9521230000116' }), 'https://id.gs1.org/414/9521230000116')
  t.equal(readPoint({ name: 'Hub', latitude: -43.5, longitude: 0.0000001 }), 'geo:-43.5,0.0000001')
  t.equal(readPoint({ name: 'Hub 4/7' }), 'https://api.example/id/place/Hub%204%2F7')
  t.equal(readPoint({ latitude: 52.5, unlocode: 'DEBER' }), 'https://api.example/id/place/DEBER')
  t.equal(readPoint({}), undefined)
  t.equal(readPoint(undefined), undefined)
})

t.test(
  'given a place whose name is a URI, when it is written, then that URI is the place, and no GLN replaces it',
  async (t) => {
    const places = (location: TimelineEvent['location']) => {
      const { readPoint, bizLocation } = only(location ? { location } : {})
      return [readPoint?.id, bizLocation?.id]
    }
    const gln = '0614141073467'
    const dock = 'urn:epc:id:sgln:0614141.07346.1234'
    t.same(places({ gln, name: dock }), [dock, undefined])
    t.same(places({ name: 'https://maps.example/dock-7', latitude: 1, longitude: 2 }), [
      'https://maps.example/dock-7',
      undefined,
    ])
    const link = `https://id.gs1.org/414/${gln}`
    t.same(places({ gln, name: 'https://hub.example/' }), [link, link], 'what names no part of the GLN is only a name')
    for (const [name, end] of [
      ['x:1', 'x%3A1'],
      ['gs1:dock', 'gs1%3Adock'],
      ['https://a/[x]', 'https%3A%2F%2Fa%2F%5Bx%5D'],
      ['urn:epc:id:sgln:1', 'urn%3Aepc%3Aid%3Asgln%3A1'],
      ['https://api.example/id/place/Hub', 'https%3A%2F%2Fapi.example%2Fid%2Fplace%2FHub'],
    ]) {
      t.same(places({ name: name ?? '' }), [`https://api.example/id/place/${end}`, undefined])
    }
  },
)

t.test('given a delivery, when it is written, then its place is the destination', async (t) => {
  const destinations = (over: Partial<TimelineEvent>) => only(over).destinationList
  const location = { name: 'Door' }
  t.same(destinations({ status_code: 'delivered', location }), [
    { type: 'location', destination: 'https://api.example/id/place/Door' },
  ])
  t.equal(destinations({ status_code: 'delivered' }), undefined)
  t.equal(destinations({ status_code: 'picked_up', location }), undefined)
})

t.test(
  'given documents without the members of OTEP, when they are read, then delivered is still delivered',
  async (t) => {
    const location = { name: 'Door' }
    const of = timeline([event({ status_code: 'picked_up', location }), event({ status_code: 'delivered', location })])
    const stripped = JSON.stringify(epcis.project(of, target), (name, value) =>
      name.startsWith('otep:') ? undefined : value,
    )
    const readings = epcis.parse?.(JSON.parse(stripped), target) ?? []
    t.same(
      readings.map((reading) => (reading.event as { status_code?: string }).status_code),
      ['picked_up', 'delivered'],
    )
  },
)

t.test(
  'given a GLN that the parcel leaves, when it is written, then the document does not say where the parcel is',
  async (t) => {
    const location = { gln: '9521230000116' }
    t.equal(only({ status_code: 'package_outbound', location }).bizLocation, undefined)
    t.equal(only({ status_code: 'in_transit', location }).bizLocation, undefined)
    t.equal(only({ status_code: 'delivered', location }).bizLocation?.id, 'https://id.gs1.org/414/9521230000116')
    const stay = { profile: 'storage' }
    t.equal(only({ status_code: 'stored', location }, stay).bizLocation?.id, 'https://id.gs1.org/414/9521230000116')
    t.equal(only({ status_code: 'collected', location }, stay).bizLocation, undefined)
    t.equal(only({ status_code: 'removed', location }, stay).bizLocation, undefined)
  },
)

t.test('given a code, when it is written, then in terms that match it, or in none that mislead', async (t) => {
  t.equal(wordsOf('information_submitted'), 'ADD commissioning active')
  t.equal(wordsOf('picked_up'), 'OBSERVE accepting in_progress')
  t.equal(wordsOf('package_outbound'), 'OBSERVE departing in_transit')
  t.equal(wordsOf('delivered'), 'OBSERVE accepting')
  t.equal(wordsOf('return_to_sender'), 'OBSERVE transporting returned')
  t.equal(wordsOf('out_for_pickup'), 'OBSERVE other')
  t.equal(wordsOf('x-damaged'), 'OBSERVE other damaged')
  t.equal(wordsOf('x-something'), 'OBSERVE other')
  t.equal(wordsOf('stored', 'storage'), 'OBSERVE storing')
  t.equal(wordsOf('collected', 'storage'), 'OBSERVE accepting')
  t.equal(wordsOf('removed', 'storage'), 'OBSERVE other')
  t.equal(wordsOf('delivered', 'gardening'), 'OBSERVE other', 'a profile that is not known')
  t.equal(wordsOf('constructor'), 'OBSERVE other')
})

t.test('given x- and a step of CBV, when it is written, then it is that step', async (t) => {
  for (const step of bizSteps) t.match(wordsOf(`x-${step}`), new RegExp(`^(ADD|OBSERVE|DELETE) ${step}$`))
  t.equal(wordsOf('x-destroying'), 'DELETE destroying')
  t.equal(wordsOf('x-commissioning'), 'ADD commissioning')
})

t.test('given every code, when it is written, then no step summarises others that are written too', async (t) => {
  const told = new Set(
    profiles.flatMap(({ name, codes }) =>
      [...Object.keys(codes), ...Object.keys(unregisteredCodes)].map(
        (status_code) => only({ status_code }, { profile: name }).bizStep,
      ),
    ),
  )
  for (const sum of ['shipping', 'receiving', 'consigning', 'collecting', 'picking']) t.notOk(told.has(sum), sum)
})

t.test('given the table, when it is published, then what has no value says so', async (t) => {
  const parcel = epcis.codes(profiles[0])
  t.same(parcel.arrival_scan, { fidelity: '=', value: 'arriving / in_transit' })
  t.same(parcel.delivered, { fidelity: '~', value: 'accepting' })
  t.same(parcel.cancelled, { fidelity: 'none', value: '' })
  t.same(parcel['x-*'], { fidelity: 'none', value: '' })
})

t.test(
  'given any id, when an event is written, then its eventID is derived from its content, and the id is kept as well',
  async (t) => {
    const hash = `ni:///sha-256;${'0a'.repeat(32)}?ver=CBV2.0`
    const ids = ['e-1', uuid, hash, hash.toUpperCase(), 'urn:uuid:1', `${uuid}0`, '']
    const told = ids.map((event_id) => only({ event_id }))
    for (const [index, { eventID, ...members }] of told.entries()) {
      t.match(eventID, /^ni:\/\/\/sha-256;[\da-f]{64}\?ver=CBV2\.0$/)
      t.not(eventID, ids[index])
      t.equal(members['otep:event_id'], `v1:${ids[index]}`)
    }
    t.equal(new Set(told.map(({ eventID }) => eventID)).size, ids.length)
  },
)

t.test('given an enriched event, when it is written, then it has another id', async (t) => {
  const { eventID } = only({})
  t.equal(only({ recorded_at: '2026-06-11T00:00:00Z' }).eventID, eventID, 'when it was recorded is no part of it')
  t.not(only({ description: 'On the belt' }).eventID, eventID)
  t.not(only({ source: { type: 'node_scan', provider: 'other' } }).eventID, eventID, 'another provider with the id')
  t.not(only({}, { subject: { tracking_number: 'SR1', package_id: 7 } }).eventID, eventID)
  const [elsewhere] = eventsOf(epcis.project(timeline([event()]), { baseUrl: 'https://b.example', options: {} }))
  t.not(elsewhere?.eventID, eventID)
})

t.test(
  'given a withdrawn event, when it is written, then it is the same event with an error declaration, in its place',
  async (t) => {
    const other = event({ event_id: 'b', occurred_at: '2026-06-10T15:00:00Z' })
    const declared_at = '2026-06-12T00:00:00Z'
    const withdrawn = event({ event_id: 'a', withdrawn: { declared_at, reason: 'did_not_occur' } })
    const of = timeline([other], { withdrawn_events: [withdrawn] })
    const [first, second] = projected(of)
    t.same(first?.errorDeclaration, { declarationTime: declared_at, reason: 'did_not_occur' })
    t.equal(second?.errorDeclaration, undefined)
    t.equal(first?.eventID, only({ event_id: 'a' }).eventID, 'the id is that of the event before its withdrawal')
    t.equal(epcis.project(of, target).creationDate, declared_at)
    t.same(only({ withdrawn: { declared_at, reason: 'Wrong parcel' } }).errorDeclaration, {
      declarationTime: declared_at,
      'otep:reason': 'v1:Wrong parcel',
    })
    t.same(only({ withdrawn: { declared_at } }).errorDeclaration, { declarationTime: declared_at })
  },
)

t.test('given an event, when its hash is computed, then from its members in the canonical order', async (t) => {
  const said = [
    {
      event_id: 'e 1',
      occurred_at: '2026-06-10T09:30:00.1235-04:00',
      location: { latitude: 43.5, longitude: -79 },
      pod: { photo_urls: ['https://b.example/', 'https://a.example/'], note: ' door ' },
      description: '',
    },
    { subject: { order_id: 5, tracking_number: 'SR1', gs1_sscc: '395212300004172605' } },
  ] as const
  const text = [
    'eventType=ObjectEvent',
    'eventTime=2026-06-10T13:30:00.124Z',
    'eventTimeZoneOffset=-04:00',
    'epcListepc=https://api.example/id/tracking_number/SR1epc=https://id.gs1.org/00/395212300004172605',
    'action=OBSERVE',
    'bizStep=https://ref.gs1.org/cbv/BizStep-arriving',
    'disposition=https://ref.gs1.org/cbv/Disp-in_transit',
    'readPointid=geo:43.5,-79',
    'bizTransactionListtype=https://ref.gs1.org/cbv/BTT-pobizTransaction=https://api.example/id/order_id/5',
  ].join('')
  const ownText = (key: string, mark: string) =>
    [
      ...[`${key}description${mark && `=${mark}`}`, `${key}event_id=${mark}e 1`],
      `${key}location${key}latitude=43.5${key}longitude=-79`,
      `${key}otep_version=${mark}0.1`,
      `${key}pod${key}note=${mark}${mark === '' ? 'door' : ' door'}`,
      `${key}photo_urls=${mark}https://a.example/${key}photo_urls=${mark}https://b.example/`,
      ...[`${key}profile=${mark}parcel`, `${key}status_code=${mark}arrival_scan`],
      `${key}subject${key}gs1_sscc=${mark}395212300004172605${key}order_id=5`,
      `${key}tracking_number=${mark}SR1`,
    ].join('')
  const now = text + ownText('{https://w3id.org/otep#}', 'v1:')
  t.equal(hashedOf(...said), now)
  t.equal(only(...said).eventID, `ni:///sha-256;${sha256(now)}?ver=CBV2.0`)

  const before = withFormerNamespace(event(said[0]))
  const then = text + ownText('{urn:otep:epcis:}', '')
  t.equal(hashedOf({}, said[1], before), then, 'the former namespace')
  const [told] = projected(timeline([before], said[1]))
  t.equal(told?.eventID, `ni:///sha-256;${sha256(then)}?ver=CBV2.0`)
  t.match(told, { 'otep0:otep_version': '0.1', 'otep0:pod': { 'otep0:note': ' door ' } })
  t.notOk(Object.keys(told ?? {}).some((name) => name.startsWith('otep:')))
})

t.test(
  'given an event of every member, when its hash is taken, then another implementation takes the same',
  async (t) => {
    const gln = { gln: '9521230000116' }
    const pod = { recipient: 'J. Doe', photo_urls: ['https://b.example/', 'https://a.example/'], note: ' door ' }
    const address = { street: '1 Main St', locality: 'Toronto', country: 'CA' }
    const events: Readonly<Record<string, [over: Partial<TimelineEvent>, of?: Partial<Timeline>]>> = {
      'no place': [{}],
      'another type of action': [{ status_code: 'information_submitted' }],
      'no disposition': [{ status_code: 'out_for_pickup' }],
      'a fraction of a second': [{ occurred_at: '2026-06-10T09:30:00.120-04:00' }],
      'another offset': [{ occurred_at: '2026-06-10T13:30:00+05:45' }],
      'a place where it stays': [{ location: gln }],
      'a place that it leaves': [{ status_code: 'package_outbound', location: gln }],
      'a point': [{ location: { latitude: 43.5, longitude: -79 } }],
      'a named place': [{ location: { name: 'Hub', address } }],
      'a destination': [{ status_code: 'delivered', location: { name: 'Door' }, pod }],
      'a destination where it stays': [{ status_code: 'delivered', location: gln }],
      'several things, the last of which is the first': [
        {},
        { subject: { tracking_number: 'SR1', gs1_sscc: '395212300004172605', piece_id: 'https://a.example/box' } },
      ],
      'a thing as URN': [{}, { subject: { piece_id: 'urn:epc:id:sgtin:9521230.011111.98' } }],
      'a source': [{ source: { type: 'node_scan', provider: 'acme', code: 'x' }, synthesized: true }],
      words: [{ description: ' On the belt: ü 🚚 a=b ', incident_reason: 'weather' }],
      'a withdrawal': [{ withdrawn: { declared_at: '2026-06-12T00:00:00Z', reason: 'did_not_occur' } }],
    }
    const held = new Set<string>()
    for (const [name, [over, of]] of Object.entries(events)) {
      const told = only({ event_id: 'e 1', ...over }, of)
      t.equal(epcis2.eventToHashedId(structuredClone(told), namespaces), told.eventID, name)
      for (const member of Object.keys(told)) held.add(member)
      // It takes the zero off `0.1`, so the version here has none.
      const [before] = projected(
        timeline([withFormerNamespace(event({ event_id: 'e 1', otep_version: '1.1', ...over }))], of),
      )
      t.equal(epcis2.eventToHashedId(structuredClone(before ?? {}), namespaces), before?.eventID, `${name}, before`)
    }
    const members = [
      ...[
        'action',
        'bizLocation',
        'bizStep',
        'destinationList',
        'disposition',
        'epcList',
        'errorDeclaration',
        'eventID',
      ],
      ...['eventTime', 'eventTimeZoneOffset', 'readPoint', 'recordTime', 'type'],
    ]
    t.same([...held].filter((member) => !member.startsWith('otep:')).sort(), members)
  },
)

t.test(
  'given any texts, when the hash of their event is taken, then another implementation takes the same, and they are read back',
  async (t) => {
    const misread = fc.constantFrom(
      ...['0.1', '007', '1e3', 'inf', '395212300004172605', '2026-06-10T09:30:00Z', '2026-06-10 09:30:00 (', 'po'],
      ...['Arrived at gate number 12', '5 Jan 2020 12:00 pm here', 'https://photos.example/2026/06', 'in_transit', ''],
      ...['https://id.gs1.org/00/395212300004172605', 'urn:epc:id:sgtin:9521230.011111.98', 'v1:0.1', 'arriving'],
    )
    const some = fc.oneof(misread, fc.string({ maxLength: 30, unit: 'grapheme' }), fc.string({ maxLength: 30 }))
    const texts = fc.tuple(some, some, some, some).map((all) => all.map((one) => one.toWellFormed().trim()))
    fc.assert(
      fc.property(texts, ([own = '', words = '', code = '', note = '']) => {
        // It reads the number at the end of some URIs as a time, so no place is named by these texts.
        const over = { event_id: own, description: words, pod: { note }, source: { type: 'node_scan', code } }
        const document = epcis.project(timeline([event(over)]), target)
        const [told] = eventsOf(document)
        const id = epcis2.eventToHashedId(structuredClone(told ?? {}), namespaces)
        if (id !== told?.eventID) throw new Error(`${id} in place of ${told?.eventID}`)
        const [read] = epcis.parse?.(document, target) ?? []
        const { event_id, description, pod, source } = (read?.event ?? {}) as TimelineEvent
        t.same({ event_id, description, pod, source }, over)
      }),
      { numRuns: runs(t, 50) },
    )
  },
)

t.test(
  'given an event that was enriched twice, when it is told, then each event names the next one, and keeps its id',
  async (t) => {
    const first = event()
    const second = event({ location: { name: 'Hub' } })
    const subject = { tracking_number: 'SR1' }
    const [alone] = projected(timeline([first]))
    const known = [
      { event: first, subject },
      { event: first, subject, since: '2026-06-11T09:00:00Z' },
      { event: second, subject, since: '2026-06-11T10:00:00Z' },
      { event: second, subject: { ...subject, gs1_sscc: '395212300004172605' }, since: '2026-06-11T11:00:00Z' },
    ]
    const of = timeline([withVersions(second, known)], { subject: { ...subject, gs1_sscc: '395212300004172605' } })
    const told = projected(of)
    const ids = told.map(({ eventID }) => eventID)
    t.equal(told.length, 3, 'the same content is told once')
    t.same({ ...told[0], errorDeclaration: undefined }, { ...alone, errorDeclaration: undefined })
    t.same(
      told.map(({ errorDeclaration }) => errorDeclaration),
      [
        { declarationTime: '2026-06-11T10:00:00Z', correctiveEventIDs: [ids[1]] },
        { declarationTime: '2026-06-11T11:00:00Z', correctiveEventIDs: [ids[2]] },
        undefined,
      ],
    )
    t.same(
      told.map(({ epcList }) => epcList.length),
      [1, 1, 2],
    )
    t.match(await xml(of), `<correctiveEventIDs><correctiveEventID>${ids[1]}</correctiveEventID></correctiveEventIDs>`)
    const readings = epcis.parse?.(epcis.project(of, target), target) ?? []
    t.same(
      readings.map(({ event, findings }) => [
        (event as TimelineEvent).event_id,
        'withdrawn' in (event ?? {}),
        findings,
      ]),
      told.map(() => [uuid, false, undefined]),
      'they are read back as reports of one event that was not withdrawn',
    )
    t.match(readings.at(-1)?.event, { location: { name: 'Hub' } })
  },
)

t.test(
  'given an event of a source, when more is learnt of it, then it keeps the id of its source, and nothing is declared of it',
  async (t) => {
    const source = { type: 'node_scan', event: { id: 'urn:uuid:2', action: 'OBSERVE' } }
    const subject = { tracking_number: 'SR1' }
    const known = [
      { event: event({ source }), subject },
      { event: event({ source, description: 'x' }), subject, since: '2026-06-11T09:00:00Z' },
    ]
    const told = projected(timeline([withVersions(event({ source, description: 'x' }), known)]))
    t.equal(told[0]?.eventID, 'urn:uuid:2')
    t.match(told[1]?.eventID, /^ni:/)
    t.same(
      told.map(({ errorDeclaration }) => errorDeclaration),
      [undefined, undefined],
    )
  },
)

t.test(
  'given times and texts, when a hash is taken, then times are rounded and texts sorted by code point',
  async (t) => {
    const time = (occurred_at: string) => /eventTime=(.*?)eventTimeZone/.exec(hashedOf({ occurred_at }))?.[1]
    t.equal(time('2026-12-31T23:59:59.9995Z'), '2027-01-01T00:00:00.000Z')
    t.equal(time('2026-12-31T23:59:59.999499Z'), '2026-12-31T23:59:59.999Z')
    t.equal(time('2026-03-01T00:00:00+01:00'), '2026-02-28T23:00:00.000Z')
    t.equal(time('2026-05-06T09:00:00.1-05:00'), '2026-05-06T14:00:00.100Z')
    t.equal(time('2026-05-06T09:00:00.12+09:59'), '2026-05-05T23:01:00.120Z')
    const photo_urls = ['https://x/\u{1F600}', 'https://x/\uFFFD', 'https://x/\uFFFD2', 'https://x/a']
    const sorted = hashedOf({ pod: { photo_urls } }).match(/photo_urls=[^{]*/g)
    t.same(
      sorted,
      ['a', '\uFFFD', '\uFFFD2', '\u{1F600}'].map((end) => `photo_urls=v1:https://x/${end}`),
    )
  },
)

t.test(
  'given a delivery of an order, when its hash is taken, then of every standard member in its place',
  async (t) => {
    const location = { gln: '9521230000116' }
    const text = hashedOf({ status_code: 'delivered', location }, { subject: { order_id: 5 } })
    const place = 'https://id.gs1.org/414/9521230000116'
    const order = 'https://api.example/id/order_id/5'
    t.equal(
      text.slice(0, text.indexOf('{https:')),
      [
        'eventType=ObjectEvent',
        'eventTime=2026-06-10T13:30:00.000Z',
        'eventTimeZoneOffset=-04:00',
        `epcListepc=${order}`,
        'action=OBSERVE',
        'bizStep=https://ref.gs1.org/cbv/BizStep-accepting',
        `readPointid=${place}`,
        `bizLocationid=${place}`,
        `bizTransactionListtype=https://ref.gs1.org/cbv/BTT-pobizTransaction=${order}`,
        `destinationListtype=https://ref.gs1.org/cbv/SDT-locationdestination=${place}`,
      ].join(''),
    )
  },
)

t.test('given EPC URNs and links of any domain, when they are hashed, then as canonical Digital Links', async (t) => {
  const links = {
    'urn:epc:id:sscc:952123.30000417260': 'https://id.gs1.org/00/395212300004172605',
    'urn:epc:id:sgtin:9521230.011111.9(8': 'https://id.gs1.org/01/09521230111119/21/9%288',
    'urn:epc:id:sgtin:9521230.011111.A.B': 'https://id.gs1.org/01/09521230111119/21/A.B',
    'urn:epc:id:sgln:9521230.00011.0': 'https://id.gs1.org/414/9521230000116',
    'urn:epc:id:sgln:9521230.00011.12': 'https://id.gs1.org/414/9521230000116/254/12',
    'urn:epc:id:giai:9521230.ABC': 'https://id.gs1.org/8004/9521230ABC',
    'urn:epc:id:grai:9521230.00001.7': 'https://id.gs1.org/8003/095212300000177',
    'urn:epc:id:gdti:9521230.00001.P-1': 'https://id.gs1.org/253/9521230000017P-1',
    'urn:epc:id:itip:9521230.011111.01.02.5': 'https://id.gs1.org/8006/095212301111190102/21/5',
    'urn:epc:id:cpi:9521230.AB.12': 'https://id.gs1.org/8010/9521230AB/8011/12',
    'https://shop.example/x/01/9521230111119/10/L1/21/S?17=1': 'https://id.gs1.org/01/09521230111119/21/S',
    'http://shop.example/414/9521230000116/254/9#x': 'https://id.gs1.org/414/9521230000116/254/9',
    'https://id.gs1.org/00/395212300004172605?a=b': 'https://id.gs1.org/00/395212300004172605',
    'HTTPS://Shop.example/00/395212300004172605': 'https://id.gs1.org/00/395212300004172605',
    'urn:epc:idpat:sgtin:9521230.011111.*': 'https://id.gs1.org/01/09521230111119',
    'urn:epc:idpat:upui:9521230.011111.*': 'https://id.gs1.org/01/09521230111119',
    'urn:epc:idpat:itip:9521230.011111.01.02.*': 'https://id.gs1.org/8006/095212301111190102',
    'urn:epc:idpat:grai:9521230.00001.*': 'https://id.gs1.org/8003/09521230000017',
    'urn:epc:idpat:gdti:9521230.00001.*': 'https://id.gs1.org/253/9521230000017',
    'urn:epc:idpat:sgcn:9521230.00001.*': 'https://id.gs1.org/255/9521230000017',
    'urn:epc:idpat:cpi:9521230.AB.*': 'https://id.gs1.org/8010/9521230AB',
  }
  for (const [given, canonical] of Object.entries(links)) t.equal(canonicalLink(given), canonical)
  const others = [
    'https://shop.example/01/abc',
    'urn:epc:id:none:1234567.1',
    'urn:epc:id:sscc:1',
    'httpx',
    'https://00/',
    'urn:epc:idpat:cpi:9521230.*.*',
    'urn:epc:idpat:grai:9521230.*.*',
  ]
  const noUrns = ['9521230.00011.a/b', '9521230.00011.a?b', '9521230.00011.a#b', '9521230.0/11.0', '9521230.dock.0']
  for (const parts of noUrns) t.equal(canonicalLink(`urn:epc:id:sgln:${parts}`), `urn:epc:id:sgln:${parts}`)
  for (const other of others) t.equal(canonicalLink(other), other)
  t.equal(decimalOf(-1.5e-7), '-0.00000015')
})

t.test('given Digital Links, when they are written as EPC URNs, then by the table of GS1, and back', async (t) => {
  const link = 'https://id.gs1.org'
  const urns = {
    [`${link}/00/395212300004172605`]: 'sscc:9521230.3000417260',
    [`${link}/01/09521230111119/21/9%288.1`]: 'sgtin:9521230.011111.9(8.1',
    [`${link}/01/09521230111119/235/T1`]: 'upui:9521230.011111.T1',
    [`${link}/01/09521230111119/10/L1`]: 'class:lgtin:9521230.011111.L1',
    [`${link}/01/09521230111119`]: 'idpat:sgtin:9521230.011111.*',
    [`${link}/8006/095212301111190102/21/5`]: 'itip:9521230.011111.01.02.5',
    [`${link}/8006/095212301111190102`]: 'idpat:itip:9521230.011111.01.02.*',
    [`${link}/414/9521230000116`]: 'sgln:9521230.00011.0',
    [`${link}/414/9521230000116/254/12%3A3`]: 'sgln:9521230.00011.12:3',
    [`${link}/417/9521230000116`]: 'pgln:9521230.00011',
    [`${link}/8003/095212300000177`]: 'grai:9521230.00001.7',
    [`${link}/8003/09521230000017`]: 'idpat:grai:9521230.00001.*',
    [`${link}/8004/9521230ABC`]: 'giai:9521230.ABC',
    [`${link}/8010/9521230AB/8011/12`]: 'cpi:9521230.AB.12',
    [`${link}/8010/9521230AB`]: 'idpat:cpi:9521230.AB.*',
    [canonicalLink('urn:epc:id:gsrnp:9521230.0000000012')]: 'gsrnp:9521230.0000000012',
    [canonicalLink('urn:epc:id:gsrn:9521230.0000000012')]: 'gsrn:9521230.0000000012',
    [`${link}/253/9521230000017P-1`]: 'gdti:9521230.00001.P-1',
    [`${link}/253/9521230000017`]: 'idpat:gdti:9521230.00001.*',
    [`${link}/255/95212300000171`]: 'sgcn:9521230.00001.1',
    [`${link}/255/9521230000017`]: 'idpat:sgcn:9521230.00001.*',
    [`${link}/401/9521230xyz`]: 'ginc:9521230.xyz',
    [canonicalLink('urn:epc:id:gsin:9521230.000000001')]: 'gsin:9521230.000000001',
  }
  for (const [canonical, name] of Object.entries(urns)) {
    const urn = `urn:epc:${/^(?:class|idpat):/.test(name) ? '' : 'id:'}${name}`
    t.equal(
      epcUrn(canonical, () => 7),
      urn,
    )
    t.equal(
      epcUrn(canonical.replace('id.gs1.org', 'shop.example/a'), () => 7),
      urn,
    )
    t.equal(canonicalLink(urn), canonical)
  }
  t.equal(
    epcUrn(`${link}/01/09521230111119/10/L/21/7?17=270101`, () => 7),
    'urn:epc:id:sgtin:9521230.011111.7',
  )
  const unchanged = [
    ...[`${link}/01/09521230111119/22/V`, `${link}/8006/095212301111190102/10/L`, `${link}/00/395212300004172606`],
    ...[`${link}/8018/952123000000000128/8019/3`, 'https://a.example/x', 'urn:epc:id:sgtin:9521230.011111.7'],
  ]
  for (const other of unchanged)
    t.equal(
      epcUrn(other, () => 7),
      other,
    )
  t.equal(
    epcUrn(`${link}/00/395212300004172605`, () => undefined),
    `${link}/00/395212300004172605`,
  )
})

t.test('given the spellings of one key, when things are told apart, then by one of them', async (t) => {
  const same = {
    'https://id.gs1.org/01/09521230111119/21/9%288': [
      'urn:epc:id:sgtin:9521230.011111.9(8',
      'https://shop.example/01/9521230111119/10/L1/21/9(8?17=1',
      'https://id.gs1.org/01/09521230111119/22/V/21/9%288',
    ],
    'https://id.gs1.org/8004/9521230ABC': ['urn:epc:id:giai:9521230.ABC', 'https://assets.example/8004/9521230ABC#x'],
    'https://id.gs1.org/414/9521230000116': ['urn:epc:id:sgln:9521230.00011.0', 'http://a.example/414/9521230000116'],
  }
  for (const [key, spellings] of Object.entries(same)) {
    for (const spelling of [key, ...spellings]) t.equal(canonicalKey(spelling), key, spelling)
  }
  const others = [
    'https://a.example/01/09521230111118/21/7',
    'urn:epc:id:sgtin:9521230.0111.98',
    'https://a.example/401/abc',
    'urn:x:1',
    'https://a.example/00/1',
  ]
  for (const other of others) t.equal(canonicalKey(other), other, 'what is no key stays')
})

t.test(
  'given keys without a serial number, when they are looked at, then they name classes in every spelling',
  async (t) => {
    const link = 'https://id.gs1.org'
    const classes = [
      ...[
        `${link}/01/09521230111119`,
        'https://a.example/01/9521230111119',
        'https://a.example/01/9521230111119/10/L?x',
      ],
      ...[`${link}/8003/09521230000010`, `${link}/253/9521230000017`, `${link}/8010/9521230AB`, 'urn:epc:pat:sscc:1.*'],
      ...['urn:epc:class:lgtin:9521230.011111.L', `${link}/8006/095212301111190102/10/L`],
    ]
    const things = [
      ...[`${link}/01/09521230111119/21/1`, `${link}/8003/095212300000107`, `${link}/253/9521230000017P`],
      ...[`${link}/8010/9521230AB/8011/1`, `${link}/8004/9521230AB`, `${link}/8006/095212301111190102/21/1`],
    ]
    for (const uri of classes) t.ok(isClass(uri), uri)
    for (const uri of things) t.notOk(isClass(uri), uri)
  },
)

t.test('given the members of an event, when they are extended and back, then nothing is lost', async (t) => {
  const told = only({ pod: { photo_urls: ['https://a.example/'] }, source: { type: 'node_scan' }, synthesized: true })
  t.same(told['otep:pod'], { 'otep:photo_urls': ['v1:https://a.example/'] })
  const { event_id, pod, source, synthesized, subject } = unextended(told, { start: ownForm.prefix, form: ownForm })
  t.same(
    { pod, source, synthesized, subject },
    {
      pod: { photo_urls: ['https://a.example/'] },
      source: { type: 'node_scan' },
      synthesized: true,
      subject: { tracking_number: 'SR1' },
    },
  )
  t.equal(event_id, uuid)
})

const rich = timeline(
  [
    event({
      event_id: 'e-1',
      occurred_at: '2026-06-10T09:30:00.000000001+05:45',
      location: {
        name: ' <Hub> & "co" ',
        latitude: -0.5,
        longitude: 1e-7,
        address: { country: 'CA', postal_code: '01067' },
      },
      source: { type: 'node_scan', provider: '', code: '007' },
      incident_reason: 'x',
      description: 'two\r\nlines\t\u202Eודי \u{1F4E6}',
      pod: { recipient: 'true', photo_urls: [], note: '' },
      estimated_delivery_at: '2026-06-11T00:00:00Z',
      synthesized: false,
    }),
  ],
  {
    subject: { tracking_number: '0012', order_id: 12, piece_id: 'https://pieces.example/1?a=b' },
    withdrawn_events: [event({ withdrawn: { declared_at: '2026-06-12T00:00:00.5Z', reason: 'other' } })],
  },
)

t.test('given a document of its own, when it is read, then the events are those of the timeline', async (t) => {
  const given = [...rich.events, ...(rich.withdrawn_events ?? [])].map(({ phase, ...members }) => members)
  for (const document of [epcis.project(rich, target), await xml(rich), await xml(rich, 'capture')]) {
    const readings = epcis.parse?.(document, target) ?? []
    t.same(
      readings.map((reading) => ({ subject: reading.subject, profile: reading.profile, event: reading.event })),
      given.map((members) => ({ subject: rich.subject, profile: 'parcel', event: members })),
    )
  }
})

t.test('given a timeline, when it is written as XML, then in the order and the URNs of the binding', async (t) => {
  const of = timeline(
    [event({ status_code: 'delivered', location: { gln: '9521230000116' }, pod: { photo_urls: ['a', 'b'] } })],
    {
      subject: { order_id: 1 },
      withdrawn_events: [],
    },
  )
  const order = 'https://api.example/id/order_id/1'
  const [told] = projected(of)
  const place = '<id>https://id.gs1.org/414/9521230000116</id>'
  t.equal(
    await xml(of),
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      '<epcisq:EPCISQueryDocument xmlns:epcisq="urn:epcglobal:epcis-query:xsd:2" xmlns:otep="https://w3id.org/otep#"',
      ' xmlns:otep0="urn:otep:epcis:" schemaVersion="2.0" creationDate="2026-06-10T13:45:00Z"><EPCISBody><epcisq:QueryResults>',
      '<queryName>SimpleEventQuery</queryName><resultsBody><EventList><ObjectEvent>',
      '<eventTime>2026-06-10T09:30:00-04:00</eventTime><recordTime>2026-06-10T13:45:00Z</recordTime>',
      `<eventTimeZoneOffset>-04:00</eventTimeZoneOffset><eventID>${told?.eventID}</eventID>`,
      `<epcList><epc>${order}</epc></epcList><action>OBSERVE</action>`,
      '<bizStep>urn:epcglobal:cbv:bizstep:accepting</bizStep>',
      `<readPoint>${place}</readPoint><bizLocation>${place}</bizLocation><bizTransactionList>`,
      `<bizTransaction type="urn:epcglobal:cbv:btt:po">${order}</bizTransaction></bizTransactionList>`,
      '<destinationList><destination type="urn:epcglobal:cbv:sdt:location">https://id.gs1.org/414/9521230000116',
      `</destination></destinationList><otep:event_id>v1:${uuid}</otep:event_id>`,
      '<otep:otep_version>v1:0.1</otep:otep_version><otep:profile>v1:parcel</otep:profile>',
      '<otep:subject><otep:order_id>1</otep:order_id></otep:subject>',
      '<otep:status_code>v1:delivered</otep:status_code>',
      '<otep:location><otep:gln>v1:9521230000116</otep:gln></otep:location>',
      '<otep:pod><otep:photo_urls>v1:a</otep:photo_urls><otep:photo_urls>v1:b</otep:photo_urls></otep:pod>',
      '</ObjectEvent></EventList></resultsBody></epcisq:QueryResults></EPCISBody></epcisq:EPCISQueryDocument>',
    ].join(''),
  )
  const captured = await xml(rich, 'capture')
  t.match(captured, '<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:2"')
  t.match(
    captured,
    '</eventID><errorDeclaration><declarationTime>2026-06-12T00:00:00.5Z</declarationTime><otep:reason>',
  )
  t.match(captured, '<otep:photo_urls/>')
})

t.test(
  "given a withdrawal, when it is written as XML, then with its reason in CBV's words or in its own",
  async (t) => {
    const declared_at = '2026-06-12T00:00:00Z'
    const declarationOf = async (withdrawn: { declared_at: string; reason?: string }) => {
      const text = await xml(timeline([], { withdrawn_events: [event({ withdrawn })] }))
      return /<errorDeclaration>.*<\/errorDeclaration>/.exec(text)?.[0]
    }
    const written = (reason: string) =>
      `<errorDeclaration><declarationTime>${declared_at}</declarationTime>${reason}</errorDeclaration>`
    for (const reason of ['did_not_occur', 'incorrect_data'])
      t.equal(await declarationOf({ declared_at, reason }), written(`<reason>urn:epcglobal:cbv:er:${reason}</reason>`))
    t.equal(await declarationOf({ declared_at, reason: 'A & B' }), written('<otep:reason>v1:A &amp; B</otep:reason>'))
    t.equal(await declarationOf({ declared_at }), written(''))
  },
)

t.test('given any code and members, when a document is held against the schema, then it fits', async (t) => {
  const codes = [...profiles.flatMap((profile) => Object.keys(profile.codes)), ...Object.keys(unregisteredCodes), 'x-y']
  const all = timeline(
    codes.map((status_code) => event({ status_code })),
    { profile: 'none' },
  )
  const delivery = timeline([event({ status_code: 'delivered', location: { name: 'Door' } })])
  const former = timeline(rich.events.map(withFormerNamespace))
  for (const of of [rich, all, delivery, timeline([]), timeline([event()], { subject: {} }), former]) {
    for (const as of ['query', 'capture']) t.ok(v.is(epcis.schema, epcis.project(of, { baseUrl, options: { as } })))
  }
  const bad = { ...epcis.project(rich, target), extra: 1 }
  t.notOk(v.is(epcis.schema, bad))
})

t.test(
  'given a document of ours, when its own members are named in any way of their namespaces, then it is read as the same',
  async (t) => {
    const withdrawn = { declared_at: '2026-06-12T00:00:00Z', reason: 'the wrong parcel' }
    const pod = { recipient: 'J. Doe', photo_urls: ['https://a.example/'] }
    const location = { latitude: 43.5, longitude: -79, address: { country: 'CA' } }
    const given = timeline([event({ event_id: 'e 1', status_code: 'delivered', pod, location, withdrawn })])
    const written = JSON.stringify(epcis.project(given, target))
    const declaration = '{"otep":"https://w3id.org/otep#","otep0":"urn:otep:epcis:"}'
    t.match(written, declaration)
    const read = (document: unknown) =>
      epcis.parse?.(document, target).map(({ subject, event }) => ({ subject, event }))
    const expected = read(JSON.parse(written))
    t.match(expected, [
      { subject: given.subject, event: { event_id: 'e 1', status_code: 'delivered', pod, withdrawn } },
    ])
    const inJson: Readonly<Record<string, readonly [declaration: string, start: string]>> = {
      'one prefix': ['{"otep":"https://w3id.org/otep#"}', 'otep:'],
      'another prefix': ['{"o":"https://w3id.org/otep#"}', 'o:'],
      'the context by its IRI': ['"https://w3id.org/otep"', 'otep:'],
      'names in full': ['{}', 'https://w3id.org/otep#'],
    }
    for (const [name, [declared, start]] of Object.entries(inJson)) {
      const named = written.replace(declaration, declared).replaceAll('"otep:', `"${start}`)
      t.same(read(JSON.parse(named)), expected, name)
    }
    const unnamed = written.replace(declaration, '{"otep":"https://ns.example/"}')
    t.notMatch(read(JSON.parse(unnamed)), [{ event: { event_id: 'e 1' } }], 'the prefix alone says nothing')

    const unmarked = written.replaceAll('"v1:', '"')
    t.same(read(JSON.parse(unmarked)), expected, 'texts without the mark')

    const of = timeline([withFormerNamespace(given.events[0] as TimelineEvent)])
    const before = JSON.stringify(epcis.project(of, target))
    for (const prefix of ['otep', 'o', 'otep0']) {
      const named = before.replace(declaration, `{"${prefix}":"urn:otep:epcis:"}`).replaceAll('"otep0:', `"${prefix}:`)
      t.same(read(JSON.parse(named)), expected, `${prefix} of the former namespace`)
      const [reading] = epcis.parse?.(JSON.parse(named), target) ?? []
      t.equal(reading?.formerNamespace, true)
    }

    for (const [text, written, namespace] of [
      [await xml(given), 'otep', 'https://w3id.org/otep#'],
      [await xml(of), 'otep0', 'urn:otep:epcis:'],
    ] as const)
      for (const prefix of [written, 'o']) {
        const declared = text.replace(`xmlns:${written}="${namespace}"`, `xmlns:${prefix}="${namespace}"`)
        const named = declared.replaceAll(`<${written}:`, `<${prefix}:`).replaceAll(`</${written}:`, `</${prefix}:`)
        t.same(read(named), expected, `${prefix} ${namespace} in XML`)
      }
  },
)
