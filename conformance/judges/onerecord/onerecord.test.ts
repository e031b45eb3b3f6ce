import t from 'tap'
import { event as scan, server } from '../../../adapters/rest/server.test.fixture.ts'
import type { Timeline } from '../../../engine/index.ts'
import type { Judge, Judged } from '../judge.ts'
import { isFaultless, testWith } from '../official.test.fixture.ts'
import { judges } from './index.ts'

const [shapes, rules] = judges as readonly [Judge, Judge]

const baseUrl = 'https://1r.example'
const piece = `${baseUrl}/parcels/7/logistics-objects/piece`
const cargo = 'https://onerecord.iata.org/ns/cargo#'
const xsd = 'http://www.w3.org/2001/XMLSchema#'
const time = (value: string) => ({ '@type': `${xsd}dateTime`, '@value': value })

type Members = Readonly<Record<string, unknown>>

const event = {
  '@id': `${piece}/logistics-events/one`,
  '@type': 'cargo:LogisticsEvent',
  'cargo:eventDate': time('2026-06-10T13:30:00Z'),
  'cargo:eventCode': {
    '@id': 'https://onerecord.iata.org/ns/code-lists/StatusCode#DEP',
    '@type': 'cargo:CodeListElement',
  },
  'cargo:eventTimeType': { '@id': 'cargo:ACTUAL', '@type': 'cargo:EventTimeType' },
  'cargo:eventFor': { '@id': piece, '@type': 'cargo:Piece', 'cargo:upid': 'P-7' },
}

const collection = {
  '@context': { cargo, api: 'https://onerecord.iata.org/ns/api#' },
  '@id': `${piece}/logistics-events`,
  '@type': 'api:Collection',
  'api:hasTotalItems': { '@type': `${xsd}nonNegativeInteger`, '@value': '1' },
  'api:hasItem': event,
}

const timeline = {
  profile: 'parcel',
  events: [{ occurred_at: '2026-06-10T15:30:00+02:00' }],
} as unknown as Timeline

/** A document for a judge; a text is passed unchanged. */
function judged(document: unknown, form?: string): Judged {
  return {
    text: typeof document === 'string' ? document : JSON.stringify(document),
    mediaType: 'application/ld+json',
    ...(form === undefined ? {} : { form: `http://www.w3.org/ns/json-ld#${form}` }),
    timeline,
    target: { baseUrl, options: {} },
  }
}

/** The good document with other members in its event. */
function withEvent(members: Members): object {
  return { ...collection, 'api:hasItem': { ...event, ...members } }
}

function withoutMember(name: keyof typeof event): object {
  const { [name]: _, ...rest } = event
  return { ...collection, 'api:hasItem': rest }
}

const absolute = (name: string) => name.replace(/^cargo:/, cargo).replace(/^api:/, 'https://onerecord.iata.org/ns/api#')

const expandedEvent = {
  '@id': event['@id'],
  '@type': [absolute('cargo:LogisticsEvent')],
  [absolute('cargo:eventDate')]: [event['cargo:eventDate']],
  [absolute('cargo:eventCode')]: [
    { '@id': event['cargo:eventCode']['@id'], '@type': [absolute('cargo:CodeListElement')] },
  ],
  [absolute('cargo:eventTimeType')]: [{ '@id': absolute('cargo:ACTUAL'), '@type': [absolute('cargo:EventTimeType')] }],
  [absolute('cargo:eventFor')]: [{ '@id': piece, '@type': [absolute('cargo:Piece')] }],
}
const expanded = [
  {
    '@id': collection['@id'],
    '@type': [absolute('api:Collection')],
    [absolute('api:hasTotalItems')]: [collection['api:hasTotalItems']],
    [absolute('api:hasItem')]: [expandedEvent],
  },
]
const flattened = {
  '@context': collection['@context'],
  '@graph': [
    { ...collection, '@context': undefined, 'api:hasItem': { '@id': event['@id'] } },
    {
      ...event,
      'cargo:eventCode': { '@id': event['cargo:eventCode']['@id'] },
      'cargo:eventTimeType': { '@id': 'cargo:ACTUAL' },
      'cargo:eventFor': { '@id': piece },
    },
    event['cargo:eventFor'],
    event['cargo:eventCode'],
    event['cargo:eventTimeType'],
  ],
}

t.test('given a good document in each form, when it is judged, then nobody finds fault', async (t) => {
  for (const document of [
    judged(collection),
    judged(collection, 'compacted'),
    judged(expanded, 'expanded'),
    judged(flattened, 'flattened'),
  ]) {
    for (const judge of judges) {
      t.equal(judge.takes(document), true)
      await isFaultless(t, judge, document)
    }
  }
})

testWith(
  t,
  { faultsIn: shapes.open },
  'given what the ontology forbids, when it is judged, then the shapes refuse it',
  async (t, { faultsIn }) => {
    const bad: Readonly<Record<string, object>> = {
      'a code as text': withEvent({ 'cargo:eventCode': 'DEP' }),
      'a time type as text': withEvent({ 'cargo:eventTimeType': 'ACTUAL' }),
      'a time type as prefixed text': withEvent({ 'cargo:eventTimeType': 'cargo:ACTUAL' }),
      'SCHEDULED, which is a movement time': withEvent({
        'cargo:eventTimeType': { '@id': 'cargo:SCHEDULED', '@type': 'cargo:EventTimeType' },
      }),
      'a time without type': withEvent({ 'cargo:eventDate': '2026-06-10T13:30:00Z' }),
      'a date for a time': withEvent({ 'cargo:eventDate': { '@type': `${xsd}date`, '@value': '2026-06-10' } }),
      'a time that is none': withEvent({ 'cargo:eventDate': time('yesterday') }),
      'two times': withEvent({ 'cargo:eventDate': [time('2026-06-10T13:30:00Z'), time('2026-06-10T13:31:00Z')] }),
      'two names': withEvent({ 'cargo:eventName': ['departed', 'left'] }),
      'a name with a language': withEvent({ 'cargo:eventName': { '@value': 'departed', '@language': 'en' } }),
      'two objects': withEvent({
        'cargo:eventFor': [
          { '@id': piece, '@type': 'cargo:Piece' },
          { '@id': `${piece}-2`, '@type': 'cargo:Piece' },
        ],
      }),
      'an object without type': withEvent({ 'cargo:eventFor': { '@id': piece } }),
      'an object that is text': withEvent({ 'cargo:eventFor': piece }),
      'an object that is an event': withEvent({ 'cargo:eventFor': { '@id': piece, '@type': 'cargo:LogisticsEvent' } }),
      'a code of no list': withEvent({ 'cargo:eventCode': { '@id': `${baseUrl}/codes#x` } }),
      'a place that is a party': withEvent({
        'cargo:eventLocation': { '@id': `${baseUrl}/logistics-objects/p`, '@type': 'cargo:Party' },
      }),
      'a latitude that is whole': withEvent({
        'cargo:eventLocation': {
          '@id': `${baseUrl}/logistics-objects/p`,
          '@type': 'cargo:Location',
          'cargo:geolocation': {
            '@id': 'internal:9f2006c2-fa99-56c8-ace6-d82b705c4bde',
            '@type': 'cargo:Geolocation',
            'cargo:latitude': 43,
          },
        },
      }),
      'a member of another class': withEvent({ 'cargo:upid': 'P-7' }),
      'a member of old': withEvent({ 'cargo:linkedObject': { '@id': piece, '@type': 'cargo:Piece' } }),
      'a member that never was': withEvent({ 'cargo:recordedAtLocation': { '@id': piece, '@type': 'cargo:Location' } }),
      'a total that is text': { ...collection, 'api:hasTotalItems': '1' },
      'no total': { ...collection, 'api:hasTotalItems': [] },
    }
    for (const [name, document] of Object.entries(bad)) {
      t.not((await faultsIn(judged(document))).length, 0, name)
    }
  },
)

testWith(
  t,
  { faultsIn: rules.open },
  'given what the text of the API forbids, when it is judged, then the rules refuse it',
  async (t, { faultsIn }) => {
    const elsewhere = 'https://1r.example/logistics-objects/other'
    const bad: Readonly<Record<string, unknown>> = {
      'no JSON': '{',
      'a context elsewhere': { ...collection, '@context': 'https://onerecord.iata.org/context.jsonld' },
      'no time': withoutMember('cargo:eventDate'),
      'no object': withoutMember('cargo:eventFor'),
      'no time type': withoutMember('cargo:eventTimeType'),
      'no code and no name': withoutMember('cargo:eventCode'),
      'no id': withoutMember('@id'),
      'no type': withoutMember('@type'),
      'a blank node': withEvent({ '@id': '_:b0' }),
      'a time with an offset': withEvent({ 'cargo:eventDate': time('2026-06-10T15:30:00+02:00') }),
      'a time without offset': withEvent({ 'cargo:eventDate': time('2026-06-10T13:30:00') }),
      'no such month': withEvent({ 'cargo:creationDate': time('2026-13-10T13:30:00Z') }),
      'no such day': withEvent({ 'cargo:creationDate': time('2026-02-30T13:30:00Z') }),
      'another instant': withEvent({ 'cargo:eventDate': time('2026-06-10T13:30:01Z') }),
      'an event elsewhere': withEvent({ '@id': `${elsewhere}/logistics-events/one` }),
      'an event below no object': withEvent({ '@id': `${baseUrl}/events/one` }),
      'an event of another server': withEvent({
        '@id': 'https://other.example/logistics-objects/a/logistics-events/b',
      }),
      'another object': withEvent({ 'cargo:eventFor': { '@id': elsewhere, '@type': 'cargo:Piece' } }),
      'an object without its URI': withEvent({ 'cargo:eventFor': { '@id': 'urn:x:1', '@type': 'cargo:Piece' } }),
      'a bare DIS': withEvent({
        'cargo:eventCode': {
          '@id': 'https://onerecord.iata.org/ns/code-lists/StatusCode#DIS',
          '@type': 'cargo:CodeListElement',
        },
      }),
      'a code as the old documents have it': withEvent({
        'cargo:eventCode': {
          '@id': 'https://onerecord.iata.org/ns/coreCodeLists#StatusCode_DEP',
          '@type': 'cargo:CodeListElement',
        },
      }),
      'a code without list': withEvent({
        'cargo:eventCode': { '@id': `${baseUrl}/out_for_delivery`, '@type': 'cargo:CodeListElement' },
      }),
      'a code that is embedded': withEvent({ 'cargo:eventCode': { ...event['cargo:eventCode'], 'cargo:code': 'DEP' } }),
      'a movement time': withEvent({
        'cargo:eventTimeType': { '@id': 'cargo:SCHEDULED', '@type': 'cargo:EventTimeType' },
      }),
      'a member that is unknown': withEvent({ 'cargo:dateTime': time('2026-06-10T13:30:00Z') }),
      'a member of another vocabulary': withEvent({ 'https://schema.org/name': 'departed' }),
      'a member that is null': withEvent({ 'cargo:eventName': null }),
      'half a character': withEvent({ 'cargo:eventName': '\ud800' }),
      'an embedded object without id of its kind': withEvent({
        'cargo:involvedParties': { '@id': `${baseUrl}/party`, '@type': 'cargo:Party' },
      }),
      'the namespace of another version': {
        ...collection,
        '@context': { ...collection['@context'], cargo: 'https://onerecord.iata.org/ns/cargo/3.2#' },
      },
      'the namespace without the s': {
        ...collection,
        '@context': { ...collection['@context'], cargo: 'http://onerecord.iata.org/ns/cargo#' },
      },
      'the namespace of years ago': {
        ...collection,
        '@context': { ...collection['@context'], cargo: 'https://onerecord.iata.org/cargo#' },
      },
      'the address of no endpoint': { ...collection, '@id': piece },
      'a collection elsewhere': { ...collection, '@id': `${elsewhere}/logistics-events` },
      'a total that is not': {
        ...collection,
        'api:hasTotalItems': { '@type': `${xsd}nonNegativeInteger`, '@value': '2' },
      },
      'no items': {
        ...collection,
        'api:hasItem': [],
        'api:hasTotalItems': { ...collection['api:hasTotalItems'], '@value': '0' },
      },
      'an event that is no item': { ...collection, 'api:hasItem': [], '@included': [event] },
      'no collection': { '@context': collection['@context'], ...event },
    }
    for (const [name, document] of Object.entries(bad)) {
      t.not((await faultsIn(judged(document))).length, 0, name)
    }
  },
)

testWith(
  t,
  { faultsIn: rules.open },
  'given one form under the name of another, when it is judged, then the rules refuse it',
  async (t, { faultsIn }) => {
    for (const [form, document] of [
      ['expanded', collection],
      ['expanded', flattened],
      ['expanded', [{ ...expanded[0], [absolute('api:hasItem')]: expandedEvent }]],
      ['compacted', expanded],
      ['compacted', flattened],
      ['flattened', collection],
      ['flattened', expanded],
      ['flattened', { ...flattened, '@graph': [collection] }],
    ] as const) {
      t.match(await faultsIn(judged(document, form)), [`it is not ${form}`], form)
    }
  },
)

testWith(
  t,
  { faultsIn: shapes.open },
  'given the answers of the server, in JSON-LD and after its own events, then the ontologies find no fault in them',
  async (t, { faultsIn }) => {
    const { ingest, send, key } = await server()
    await ingest(
      scan('received', '2026-06-10T10:00:00-04:00', {
        subject: { tracking_number: 'SR1', external_tracking_number: '020-12345675', order_id: 7 },
        location: { name: 'Depot', latitude: 43, longitude: -79.5 },
      }),
    )
    const object = '/onerecord/logistics-objects/tracking_number%3ASR1'
    const order = '/onerecord/logistics-objects/order_id%3A7'
    const events = `${object}/logistics-events`
    const types: string[] = []
    for (const path of [
      '/onerecord/',
      ...[object, `${object}?embedded=true`, `${object}/audit-trail`, `${events}?limit=1`, `${events}?event-code=X`],
      ...[`${order}:shipment?embedded=true`, `${order}:waybill`, `${object}/logistics-events?limit=0`],
    ]) {
      const response = await send(path, { headers: { authorization: `Bearer ${key}` } })
      types.push(String(response.headers.get('type')).replace(/^.*#/, ''))
      t.strictSame(await faultsIn(judged(await response.text())), [], path)
    }
    t.strictSame(types, [
      ...['ServerInformation', 'Piece', 'Piece', 'AuditTrail', 'Collection', 'Collection', 'Shipment', 'Waybill'],
      'Error',
    ])
  },
)
