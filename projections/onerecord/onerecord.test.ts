import jsonld, { type JsonLdDocument } from 'jsonld'
import t from 'tap'
import { safeParse } from 'valibot'
import type { Target, Timeline, TimelineEvent } from '../../engine/index.ts'
import { expanded } from '../shared/jsonld.ts'
import { onerecordWith, onerecord as withoutExpand } from './index.ts'

const onerecord = onerecordWith(expanded)

const target: Target = { baseUrl: 'https://otep.example', options: {} }
const piece = 'https://otep.example/onerecord/logistics-objects/SR1'

function event(index: number, over: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    event_id: `e${index}`,
    otep_version: '0.1',
    occurred_at: `2026-06-10T09:3${index}:00-04:00`,
    recorded_at: `2026-06-10T13:4${index}:00.5Z`,
    status_code: 'delivered',
    phase: 'delivered',
    ...over,
  }
}

function timeline(events: readonly TimelineEvent[], over: Partial<Timeline> = {}): Timeline {
  const subject = { tracking_number: 'SR1' }
  return { otep_version: '0.1', profile: 'parcel', subject, delivered: false, events, ...over }
}

const project = (events: readonly TimelineEvent[], over: Partial<Timeline> = {}) =>
  onerecord.project(timeline(events, over), target)

type Doc = ReturnType<typeof onerecord.project>

/** The events of a document. */
const itemsOf = ({ 'api:hasItem': items = [] }: Doc) => (Array.isArray(items) ? items : [items])

/** All other objects, without the piece. */
const besideOf = ({ '@included': included }: Doc) => (Array.isArray(included) ? included : [included]).slice(1)

const link = (type: string, id: string) => ({ '@id': id, '@type': `cargo:${type}` })

const iata = (code: string) => `https://onerecord.iata.org/ns/code-lists/StatusCode#${code}`
const own = (code: string) => `https://otep.example/api/otep-guide/codebook.json#otep:parcel:${code}`

/** The document in a form of JSON-LD, read again. */
const written = (doc: Doc, form: string) => {
  const uri = `http://www.w3.org/ns/json-ld#${form}`
  const found = onerecord.representations.find((one) => one.form === uri)
  const { write = JSON.stringify } = found ?? { write: () => 'null' }
  return Promise.resolve(write(doc)).then((text) => JSON.parse(text) as object)
}

const whole = project(
  [
    event(0, {
      status_code: 'out_for_delivery',
      location: { name: 'Depot', unlocode: 'CATOR', latitude: 43, longitude: -79.5 },
      source: { type: 'carrier_tracking', provider: 'acme' },
    }),
    event(1, { location: { name: 'Depot', unlocode: 'CATOR', latitude: 43, longitude: -79.5 } }),
    event(2, { pod: { recipient: 'A.K.', signature_url: 'https://p.example/s', photo_urls: ['https://p.example/1'] } }),
  ],
  { subject: { tracking_number: 'SR1', piece_id: 'P1', order_id: 7 } },
)

t.test('given one event, when it is projected, then it is the whole collection of its piece', async (t) => {
  t.same(project([event(0)]), {
    '@context': { api: 'https://onerecord.iata.org/ns/api#', cargo: 'https://onerecord.iata.org/ns/cargo#' },
    '@id': `${piece}/logistics-events`,
    '@type': 'api:Collection',
    'api:hasTotalItems': { '@type': 'http://www.w3.org/2001/XMLSchema#nonNegativeInteger', '@value': '1' },
    'api:hasItem': {
      '@id': `${piece}/logistics-events/e0`,
      '@type': 'cargo:LogisticsEvent',
      'cargo:eventDate': { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': '2026-06-10T13:30:00Z' },
      'cargo:creationDate': {
        '@type': 'http://www.w3.org/2001/XMLSchema#dateTime',
        '@value': '2026-06-10T13:40:00.5Z',
      },
      'cargo:eventCode': link('CodeListElement', iata('DLV')),
      'cargo:eventName': 'The recipient has the parcel.',
      'cargo:eventTimeType': { '@id': 'cargo:ACTUAL', '@type': 'cargo:EventTimeType' },
      'cargo:eventFor': link('Piece', piece),
    },
    '@included': {
      '@id': piece,
      '@type': 'cargo:Piece',
      'cargo:otherIdentifiers': {
        '@id': 'internal:9cd6a91b-33d2-5942-93ae-8aed0f96fb1e',
        '@type': 'cargo:OtherIdentifier',
        'cargo:otherIdentifierType': 'tracking_number',
        'cargo:textualValue': 'SR1',
      },
    },
  })
})

t.test('given no event, when it is projected, then there are no items, and their number is 0', async (t) => {
  const doc = project([], { withdrawn_events: [event(0)] })
  t.equal('api:hasItem' in doc, false)
  t.equal(doc['api:hasTotalItems']['@value'], '0')
})

t.test('given codes, when they are projected, then IATA’s stand where they say no more than ours', async (t) => {
  const codes = {
    delivered: iata('DLV'),
    picked_up: iata('DPU'),
    received: iata('FIW'),
    'x-customs_cleared': iata('CCD'),
    out_for_delivery: own('out_for_delivery'),
    delivery_failed: own('delivery_failed'),
    in_transit: own('in_transit'),
    'x-new thing': own('x-new%20thing'),
  }
  const doc = project(Object.keys(codes).map((status_code, index) => event(index, { status_code })))
  t.same(
    itemsOf(doc).map((item) => item['cargo:eventCode']['@id']),
    Object.values(codes),
  )
  const stranger = itemsOf(project([event(0)], { profile: 'unheard-of' }))[0]
  t.equal(
    stranger?.['cargo:eventCode']['@id'],
    'https://otep.example/api/otep-guide/codebook.json#otep:unheard-of:delivered',
  )
  t.equal(stranger?.['cargo:eventName'], 'delivered')
})

t.test('given a description and a reason, when they are projected, then they are the name of the event', async (t) => {
  const doc = project([
    event(0, { description: 'Left at the door.' }),
    event(1, { description: 'Nobody there.', incident_reason: 'absent' }),
    event(2, { incident_reason: 'absent', description: '', status_code: 'x-lost' }),
  ])
  t.same(
    itemsOf(doc).map((item) => item['cargo:eventName']),
    ['Left at the door.', 'Nobody there. (absent)', 'The parcel cannot be found. (absent)'],
  )
})

t.test('given identifiers, when they are projected, then the piece has them all', async (t) => {
  const subject = { tracking_number: 'SR1', gs1_sscc: '395212300004172605', piece_id: 'P1', order_id: 7 }
  const { '@included': described } = project([], { subject })
  t.match([described].flat()[0], {
    'cargo:upid': 'P1',
    'cargo:otherIdentifiers': [
      { 'cargo:otherIdentifierType': 'tracking_number', 'cargo:textualValue': 'SR1' },
      { 'cargo:otherIdentifierType': 'gs1_sscc', 'cargo:textualValue': '395212300004172605' },
      { 'cargo:otherIdentifierType': 'order_id', 'cargo:textualValue': '7' },
    ],
  })
})

t.test('given a place seen twice, when it is projected, then it is described once and linked twice', async (t) => {
  const location = {
    name: 'Depot',
    unlocode: 'CATOR',
    gln: '9521230000116',
    latitude: 43,
    longitude: -1e-7,
    address: { street: '1 Main', locality: 'Toronto', region: 'ON', postal_code: 'M5V', country: 'CA' },
  }
  const turned = { address: { ...location.address }, gln: location.gln, longitude: -1e-7, latitude: 43 }
  const doc = project([event(0, { location }), event(1, { location: { ...turned, unlocode: 'CATOR', name: 'Depot' } })])
  const [place, ...others] = besideOf(doc)
  t.same(others, [])
  t.match(place, {
    '@type': 'cargo:Location',
    'cargo:locationName': 'Depot',
    'cargo:locationCodes': [
      link('CodeListElement', 'https://vocabulary.uncefact.org/unlocode#CATOR'),
      link('CodeListElement', 'https://id.gs1.org/414/9521230000116'),
    ],
    'cargo:address': {
      'cargo:streetAddressLines': '1 Main',
      'cargo:cityName': 'Toronto',
      'cargo:textualPostCode': 'M5V',
      'cargo:country': link('CodeListElement', 'https://vocabulary.uncefact.org/CountryId#CA'),
    },
    'cargo:geolocation': {
      'cargo:latitude': { '@type': 'http://www.w3.org/2001/XMLSchema#double', '@value': '43' },
      'cargo:longitude': { '@type': 'http://www.w3.org/2001/XMLSchema#double', '@value': '-1e-7' },
    },
  })
  for (const item of itemsOf(doc)) t.same(item['cargo:eventLocation'], link('Location', place?.['@id'] ?? ''))
})

t.test('given places with little data, when they are projected, then nothing empty is written', async (t) => {
  const doc = project([
    event(0, { location: {} }),
    event(1, { location: { name: '', address: { street: '' } } }),
    event(2, { location: { address: { region: 'ON' } } }),
  ])
  t.match(besideOf(doc), [{ 'cargo:locationName': 'ON' }])
  t.same(
    itemsOf(doc).map((item) => 'cargo:eventLocation' in item),
    [false, false, true],
  )
})

t.test('given a provider, when it is projected, then it has recorded the event, and is part of its URI', async (t) => {
  const of = (provider: string) => ({ source: { type: 'node_scan', provider } })
  const doc = project([event(0, of('acme')), event(0, of('a:b/c')), event(0)])
  const [acme] = besideOf(doc)
  t.match(acme, { '@type': 'cargo:Organization', 'cargo:name': 'acme' })
  t.same(
    itemsOf(doc).map((item) => item['@id'].slice(piece.length)),
    ['/logistics-events/acme:e0', '/logistics-events/a%3Ab%2Fc:e0', '/logistics-events/e0'],
  )
  t.same(itemsOf(doc)[0]?.['cargo:recordingOrganization'], link('Organization', acme?.['@id'] ?? ''))
})

t.test('given a proof of delivery, when it is projected, then its pictures are documents elsewhere', async (t) => {
  const photo_urls = ['https://p.example/1', 'https://p.example/1', 'https://p.example/2']
  const pod = { recipient: 'A.K.', signature_url: 'https://p.example/s', photo_urls, note: 'n' }
  const doc = project([event(0, { pod }), event(1, { pod: {} }), event(2, { pod: { photo_urls: [] } })])
  t.match(besideOf(doc), [
    { 'cargo:documentType': 'signature', 'cargo:documentLink': 'https://p.example/s' },
    { 'cargo:documentType': 'photo', 'cargo:documentLink': 'https://p.example/1' },
    { 'cargo:documentType': 'photo', 'cargo:documentLink': 'https://p.example/2' },
  ])
  const [proven, ...others] = itemsOf(doc)
  t.same(
    proven?.['cargo:externalReferences'],
    besideOf(doc).map((document) => link('ExternalReference', document['@id'])),
  )
  t.match(proven?.['cargo:involvedParties'], {
    '@type': 'cargo:Party',
    'cargo:otherIdentifiers': { 'cargo:otherIdentifierType': 'pod_recipient', 'cargo:textualValue': 'A.K.' },
  })
  for (const other of others) t.notMatch(Object.keys(other), /externalReferences|involvedParties/)
})

t.test('given texts that are no characters, when they are projected, then the document has none of them', async (t) => {
  const doc = project([event(0, { description: 'half \ud800', event_id: '\udc00', status_code: 'x-\ud800' })])
  t.equal(JSON.stringify(doc).includes('\\ud'), false)
  t.match(itemsOf(doc)[0]?.['@id'], /%EF%BF%BD$/)
})

t.test('given any document, when the library compacts it, then it is as it was', async (t) => {
  for (const doc of [whole, project([event(0)]), project([])]) {
    const library = await jsonld.compact(await jsonld.expand(doc as JsonLdDocument), doc['@context'])
    t.strictSame(JSON.parse(JSON.stringify(library)), JSON.parse(JSON.stringify(doc)))
    t.same(await written(doc, 'compacted'), doc)
    t.same(await written(doc, 'expanded'), await jsonld.expand(doc as JsonLdDocument))
  }
})

t.test('given any document, when it is flattened, then it is as the library flattens it', async (t) => {
  const sorted = (flat: object) => {
    const { '@graph': graph } = flat as { readonly '@graph': readonly object[] }
    return [...graph].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  }
  for (const doc of [whole, project([event(0)]), project([])]) {
    const library = await jsonld.flatten(doc as JsonLdDocument, doc['@context'])
    t.same(sorted(await written(doc, 'flattened')), sorted(library))
  }
})

t.test('given an id with odd characters, when it is projected, then its URI has them escaped', async (t) => {
  const doc = project([event(0, { event_id: 'a/b %41?', source: { type: 'node_scan', provider: 'ä' } })])
  t.equal(itemsOf(doc)[0]?.['@id'], `${piece}/logistics-events/%C3%A4:a%2Fb%20%2541%3F`)
})

t.test('given a parcel of an order, when it is projected, then it is of the shipment of the order', async (t) => {
  const order = 'https://otep.example/onerecord/logistics-objects/order_id%3A7'
  const subject = { tracking_number: 'SR1', external_tracking_number: '020-12345675', order_id: 7 }
  const [shipment, waybill] = besideOf(project([event(0)], { subject }))
  t.match(project([], { subject })['@included'], [{ 'cargo:ofShipment': link('Shipment', `${order}:shipment`) }])
  t.strictSame(shipment, {
    '@id': `${order}:shipment`,
    '@type': 'cargo:Shipment',
    'cargo:pieces': link('Piece', piece),
    'cargo:waybill': link('Waybill', `${order}:waybill`),
  })
  t.match(waybill, {
    '@id': `${order}:waybill`,
    'cargo:waybillPrefix': '020',
    'cargo:waybillNumber': '12345675',
    'cargo:shippingRefNo': '7',
    'cargo:shipment': link('Shipment', `${order}:shipment`),
  })
})

t.test(
  'given an air waybill without an order, then the piece is a shipment of its own; other numbers make none',
  async (t) => {
    const of = (external_tracking_number: string) =>
      besideOf(project([], { subject: { tracking_number: 'SR1', external_tracking_number } }))
    t.match(of('02012345675'), [
      { '@id': `${piece}:shipment` },
      { '@id': `${piece}:waybill`, 'cargo:waybillPrefix': '020' },
    ])
    for (const other of ['020-12345674', '1Z999', '20-12345675']) t.same(of(other), [], other)
  },
)

t.test('given a document with more or less than it may have, when it is checked, then it is refused', async (t) => {
  const [first] = itemsOf(whole)
  t.equal(safeParse(onerecord.schema, whole).success, true)
  for (const bad of [
    { ...whole, more: 1 },
    { ...whole, '@id': 'no iri' },
    { ...whole, 'api:hasItem': [] },
    { ...whole, 'api:hasItem': [first] },
    { ...whole, 'api:hasItem': { ...first, 'cargo:eventDate': '2026-06-10T13:30:00Z' } },
    { ...whole, 'api:hasItem': { ...first, 'cargo:linkedObject': piece } },
    { ...whole, '@context': 'https://onerecord.iata.org/ns/cargo' },
  ]) {
    t.equal(safeParse(onerecord.schema, bad).success, false)
  }
})

t.test('given ONE Record without a library for linked data, then only the expanded form is missing', async (t) => {
  const formsOf = ({ representations }: Pick<typeof onerecord, 'representations'>) =>
    representations.map(({ form }) => form?.split('#')[1])
  t.strictSame(formsOf(onerecord), [undefined, 'compacted', 'expanded', 'flattened'])
  t.strictSame(formsOf(withoutExpand), [undefined, 'compacted', 'flattened'])
})

t.test(
  'given documents that would take long or fetch something, when they are read, then they are refused',
  async (t) => {
    const read = (document: unknown) => onerecord.parse?.(document, target) ?? []
    const codesOf = (document: unknown) =>
      read(document).flatMap(({ findings = [] }) => findings.map(({ code }) => code))
    const deep = Array.from({ length: 40 }).reduce<object>((inner) => ({ 'ex:a': inner }), { 'ex:a': 1 })
    const terms = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`t${index}`, 'https://t.example/']))
    t.same(codesOf({ '@context': 'https://c.example/' }), ['unknown_context'])
    t.same(codesOf(deep), ['too_deep'])
    t.same(codesOf({ '@context': terms }), ['too_long'])
    t.equal(codesOf({ '@graph': Array.from({ length: 1_001 }, () => ({ '@context': {} })) })[0], 'too_long')
    t.equal(codesOf({ '@graph': Array.from({ length: 100_001 }, () => ({})) })[0], 'too_long')
    t.same(codesOf({ '@reverse': {} }), ['unknown_field'])
    t.same(codesOf('text'), ['wrong_type'])
  },
)

t.test(
  'given the names of a document in any spelling that JSON-LD has, when it is read, then they mean the same',
  async (t) => {
    const date = '2026-06-10T08:00:00Z'
    const cargo = 'https://onerecord.iata.org/ns/cargo#'
    const readings = [
      {
        '@context': { '@vocab': cargo },
        '@type': 'LogisticsEvent',
        eventDate: date,
        eventName: 'x',
        eventFor: { '@id': 'urn:p' },
      },
      {
        '@context': [{ c: cargo }, { type: '@type', at: 'c:eventDate', of: { '@id': 'c:eventFor', '@type': '@id' } }],
        ...{ type: 'c:LogisticsEvent', at: date, 'c:eventName': 'x', of: 'urn:p' },
      },
      {
        ...{ '@type': [`${cargo}LogisticsEvent`], [`${cargo}eventDate`]: [{ '@value': date }] },
        ...{ [`${cargo}eventName`]: [{ '@value': 'x' }], [`${cargo}eventFor`]: [{ '@id': 'urn:p' }] },
      },
    ].map((document) => onerecord.parse?.(document, target)[0])
    for (const reading of readings)
      t.match(reading, {
        subject: { piece_id: 'urn:p' },
        event: { occurred_at: date, status_code: 'x-observed', description: 'x' },
      })
  },
)
