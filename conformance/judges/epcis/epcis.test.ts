import t, { type Test } from 'tap'
import type { Timeline } from '../../../engine/index.ts'
import type { FaultsIn, Judge, Judged, ReadyJudge } from '../judge.ts'
import { isFaultless, testWith } from '../official.test.fixture.ts'
import { judges } from './index.ts'

const [schema, shapes, xsd, rules] = judges as readonly [Judge, Judge, Judge, ReadyJudge]

type Json = Record<string, unknown>

/** Written by hand from the standards, not made by the format. */
function good(): Json & { '@context': unknown[]; epcisBody: { eventList: Json[] } } {
  return {
    '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', { own: 'https://own.example/' }],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: '2026-06-10T14:00:00Z',
    epcisBody: {
      eventList: [
        {
          type: 'ObjectEvent',
          eventID: 'urn:uuid:5f0a6a0e-5c53-4c3e-9d0f-2f6f4f6f0a01',
          eventTime: '2026-06-10T09:30:00-04:00',
          recordTime: '2026-06-10T13:45:00Z',
          eventTimeZoneOffset: '-04:00',
          epcList: ['https://id.gs1.org/00/395212300004172605', 'https://own.example/parcel/1'],
          action: 'OBSERVE',
          bizStep: 'departing',
          disposition: 'in_transit',
          readPoint: { id: 'https://id.gs1.org/414/9521230000116' },
          bizTransactionList: [{ type: 'po', bizTransaction: 'https://own.example/order/1' }],
          'own:place': { 'own:name': 'Hub' },
        },
        {
          type: 'ObjectEvent',
          eventID: `ni:///sha-256;${'0a'.repeat(32)}?ver=CBV2.0`,
          eventTime: '2026-06-10T15:00:00Z',
          recordTime: '2026-06-10T15:00:00Z',
          eventTimeZoneOffset: '+00:00',
          errorDeclaration: { declarationTime: '2026-06-11T00:00:00Z', reason: 'did_not_occur' },
          epcList: ['https://own.example/parcel/1'],
          action: 'OBSERVE',
          bizStep: 'accepting',
          readPoint: { id: 'geo:52.5,13.4' },
          destinationList: [{ type: 'location', destination: 'geo:52.5,13.4' }],
        },
      ],
    },
  }
}

const timeline: Timeline = {
  otep_version: '0.1',
  profile: 'parcel',
  subject: { tracking_number: '1' },
  delivered: false,
  events: [eventAt('2026-06-10T09:30:00-04:00', '2026-06-10T13:45:00Z')],
  withdrawn_events: [eventAt('2026-06-10T15:00:00Z', '2026-06-10T15:00:00Z')],
}

function eventAt(occurred_at: string, recorded_at: string) {
  return { event_id: '1', otep_version: '0.1', occurred_at, recorded_at, status_code: 'in_transit', phase: 'transit' }
}

function judged(text: string, mediaType = 'application/json'): Judged {
  return { text, mediaType, timeline, target: { baseUrl: 'https://own.example', options: {} } }
}

/** The valid document, with a change of its first event or of the whole. */
type Change = (event: Json, document: ReturnType<typeof good>) => unknown

function changed(change: Change): Judged {
  const document = good()
  change(document.epcisBody.eventList[0] ?? {}, document)
  return judged(JSON.stringify(document))
}

async function refuses(t: Test, faultsIn: FaultsIn, changes: Readonly<Record<string, Change>>): Promise<void> {
  for (const [name, change] of Object.entries(changes)) t.not((await faultsIn(changed(change))).length, 0, name)
}

t.test('given a document by the standards, when it is judged, then nobody finds fault', async (t) => {
  for (const judge of [schema, shapes, rules]) await isFaultless(t, judge, judged(JSON.stringify(good())))
})

t.test(
  'given an event and the declaration that takes it back, when they are judged, then one id is right',
  async (t) => {
    const document = good()
    const [event = {}] = document.epcisBody.eventList
    const twin = Object.entries({ ...event, errorDeclaration: { declarationTime: '2026-06-11T00:00:00Z' } }).reverse()
    document.epcisBody.eventList = [event, Object.fromEntries(twin)]
    const both = { ...timeline, withdrawn_events: timeline.events }
    t.same(await rules.judge({ ...judged(JSON.stringify(document)), timeline: both }), [])
  },
)

t.test('given documents in several forms, when a judge is run, then it accepts its own', async (t) => {
  for (const judge of [schema, shapes, rules]) {
    t.ok(judge.takes(judged('', 'application/ld+json')))
    t.notOk(judge.takes(judged('', 'application/xml')))
  }
  t.ok(xsd.takes(judged('', 'application/xml')))
  t.notOk(xsd.takes(judged('')))
})

testWith(
  t,
  { faultsIn: schema.open },
  'given what the schema rules out, when it is judged, then it is refused',
  async (t, { faultsIn }) => {
    await refuses(t, faultsIn, {
      'the URN of a step': (event) => (event.bizStep = 'urn:epcglobal:cbv:bizstep:shipping'),
      'a web URI of a step': (event) => (event.bizStep = 'https://ns.gs1.org/cbv/BizStep-shipping'),
      'a step that is none': (event) => (event.bizStep = 'delivering'),
      'the disposition that the known reference gives': (event) => (event.disposition = 'received'),
      'a list that is none': (event) => (event.epcList = 'https://own.example/parcel/1'),
      'a bare EPC': (event) => (event.epcList = ['1Z999']),
      'a blank in a URI': (event) => (event.epcList = ['https://own.example/a b']),
      'the same EPC twice': (event) => (event.epcList = ['urn:x:1', 'urn:x:1']),
      'no EPC at all': (event) => delete event.epcList,
      'id for eventID': (event) => (event.id = 'urn:x:1'),
      'a place that is a text': (event) => (event.readPoint = 'https://own.example/'),
      'an action in lower case': (event) => (event.action = 'observe'),
      'no action': (event) => delete event.action,
      'no time': (event) => delete event.eventTime,
      'a time without a zone': (event) => (event.eventTime = '2026-06-10T09:30:00'),
      'a day that is none': (event) => (event.eventTime = '2026-02-30T09:30:00Z'),
      'Z for an offset': (event) => (event.eventTimeZoneOffset = 'Z'),
      'an offset without a colon': (event) => (event.eventTimeZoneOffset = '-0400'),
      'an offset beyond 14 hours': (event) => (event.eventTimeZoneOffset = '+14:30'),
      'a member without a namespace': (event) => (event.status = 'x'),
      'a reason in words': (event) => (event.errorDeclaration = { declarationTime: event.eventTime, reason: 'Oops' }),
      'a destination of no type': (event) => (event.destinationList = [{ destination: 'urn:x:1' }]),
      'a destination that is a text': (event) => (event.destinationList = ['urn:x:1']),
      'a declaration without a time': (event) => (event.errorDeclaration = {}),
      'a transaction of no type': (event) =>
        (event.bizTransactionList = [{ type: 'order', bizTransaction: 'urn:x:1' }]),
      'no context': (_, document) => delete (document as Json)['@context'],
      'a version that is a number': (_, document) => (document.schemaVersion = 2),
      'a date of creation without a zone': (_, document) => (document.creationDate = '2026-06-10T14:00:00'),
      'events beside the body': (_, document) => Object.assign(document, { eventList: [], epcisBody: {} }),
      'a type that is none': (_, document) => (document.type = 'Document'),
    })
  },
)

testWith(
  t,
  { faultsIn: shapes.open },
  'given what the shapes or JSON-LD rule out, when it is judged, then it is refused',
  async (t, { faultsIn }) => {
    await refuses(t, faultsIn, {
      'a web address for an id': (event) => (event.eventID = 'https://own.example/event/1'),
      'a blank for the T of a time': (event) => (event.eventTime = '2026-06-10 09:30:00-04:00'),
      'no time': (event) => delete event.eventTime,
      'an offset that is none': (event) => (event.eventTimeZoneOffset = '+25:00'),
      'an extension without a prefix inside': (event) => (event['own:place'] = { name: 'Hub' }),
      'a place with a member without a prefix': (event) => (event.readPoint = { id: 'geo:1,2', name: 'Hub' }),
      'a relative EPC': (event) => (event.epcList = ['parcel/1']),
      'a context that is not of GS1': (_, document) => (document['@context'] = ['https://own.example/context']),
      'no context of GS1': (_, document) => document['@context'].shift(),
      'no offset': (event) => delete event.eventTimeZoneOffset,
    })
  },
)

t.test('given what slips through both, when it is judged, then it is refused', async (t) => {
  const [, second = {}] = good().epcisBody.eventList
  await refuses(t, rules.judge, {
    'a wrong check digit of an SSCC': (event) => (event.epcList = ['https://id.gs1.org/00/395212300004172606']),
    'an SSCC that is too short': (event) => (event.epcList = ['https://id.gs1.org/00/39521230000417260']),
    'a wrong check digit of a GLN': (event) => (event.readPoint = { id: 'https://id.gs1.org/414/9521230000117' }),
    'an EPC URN of the wrong length': (event) => (event.epcList = ['urn:epc:id:sscc:952123.300004172605']),
    'an EPC URN that is none': (event) => (event.epcList = ['urn:epc:id:sgln:952123']),
    'a compact URI': (event) => (event.epcList = ['gs1:parcel']),
    'a prefix that is not declared': (event) => (event['other:code'] = 'x'),
    'a prefix inside that is not declared': (event) => (event['own:place'] = { 'other:name': 'Hub' }),
    'a step as a web URI': (event) => (event.bizStep = 'https://ref.gs1.org/cbv/BizStep-departing'),
    'a step as a compact URI': (event) => (event.bizStep = 'cbv:BizStep-departing'),
    'a type of transaction as a URI': (event) =>
      (event.bizTransactionList = [{ type: 'urn:x:po', bizTransaction: 'urn:x:1' }]),
    'a type of destination as a URI': (event) =>
      (event.destinationList = [{ type: 'https://ref.gs1.org/cbv/SDT-location', destination: 'urn:x:1' }]),
    'a wrong GLN of a destination': (event) =>
      (event.destinationList = [{ type: 'location', destination: 'https://id.gs1.org/414/9521230000117' }]),
    'an empty list of destinations': (event) => (event.destinationList = []),
    'a UUID that is none': (event) => (event.eventID = 'urn:uuid:1'),
    'a hash that is none': (event) => (event.eventID = `ni:///sha-256;${'0A'.repeat(32)}?ver=CBV2.0`),
    'a hash without a version': (event) => (event.eventID = `ni:///sha-256;${'0a'.repeat(32)}`),
    'two events with one id': (event, { epcisBody }) => epcisBody.eventList.push({ ...event }),
    'two events with one id and another content': (event, { epcisBody }) =>
      epcisBody.eventList.push({ ...event, 'own:note': 'more' }),
    'a declaration that says something else than its twin': (event, { epcisBody }) =>
      epcisBody.eventList.push({
        ...event,
        errorDeclaration: { declarationTime: event.recordTime },
        bizStep: 'arriving',
      }),
    'two declarations with one id': (_, { epcisBody }) => epcisBody.eventList.push({ ...second }),
    'an offset that contradicts the time': (event) => (event.eventTimeZoneOffset = '+02:00'),
    'a leap second': (event) => (event.recordTime = '2016-12-31T23:59:60Z'),
    'no record time': (event) => delete event.recordTime,
    'a version before 2.0': (_, document) => (document.schemaVersion = '1.2'),
    'a context that does not begin with GS1': (_, document) => document['@context'].reverse(),
    'an extension that is null': (event) => (event['own:x'] = null),
    'an event about nothing': (event) => (event.epcList = []),
    'an empty list of transactions': (event) => (event.bizTransactionList = []),
    'a correction by itself': (event) =>
      (event.errorDeclaration = { declarationTime: event.eventTime, correctiveEventIDs: [event.eventID] }),
    'commissioning something that is there already': (event) => (event.bizStep = 'commissioning'),
    'adding what departs': (event) => (event.action = 'ADD'),
    'shipping beside departing': (event, { epcisBody }) =>
      epcisBody.eventList.push({ ...event, eventID: second.eventID, bizStep: 'shipping' }),
    'receiving beside accepting': (_, { epcisBody }) =>
      epcisBody.eventList.push({
        ...second,
        eventID: 'urn:uuid:5f0a6a0e-5c53-4c3e-9d0f-2f6f4f6f0a02',
        bizStep: 'receiving',
      }),
    'another time than the timeline has': (event) => (event.eventTime = '2026-06-10T09:31:00-04:00'),
    'an event too few': (_, { epcisBody }) => epcisBody.eventList.shift(),
    'a withdrawn event that is reported as current': (_, { epcisBody }) =>
      delete epcisBody.eventList[1]?.errorDeclaration,
    'a list that is none': (_, document) => ((document.epcisBody as Json).eventList = {}),
  })
  t.not((await rules.judge(judged('[]'))).length, 0, 'a list for a document')
})

testWith(
  t,
  { faultsIn: xsd.open },
  'given documents in XML, when they are judged, then order, types and times count',
  async (t, { faultsIn }) => {
    const event =
      '<eventTime>2026-06-10T09:30:00-04:00</eventTime><eventTimeZoneOffset>-04:00</eventTimeZoneOffset><epcList><epc>urn:x:1</epc></epcList><action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:arriving</bizStep><own:code>7</own:code>'
    const document = (content: string, root = 'EPCISDocument', uri = 'urn:epcglobal:epcis:xsd:2') =>
      `<e:${root} xmlns:e="${uri}" xmlns:own="urn:own:" schemaVersion="2.0" creationDate="2026-06-10T14:00:00Z"><EPCISBody><EventList><ObjectEvent>${content}</ObjectEvent></EventList></EPCISBody></e:${root}>`
    const answer = (name: string) =>
      `<q:EPCISQueryDocument xmlns:q="urn:epcglobal:epcis-query:xsd:2" xmlns:own="urn:own:" schemaVersion="2.0" creationDate="2026-06-10T14:00:00Z"><EPCISBody><q:QueryResults><queryName>${name}</queryName><resultsBody><EventList><ObjectEvent>${event}</ObjectEvent></EventList></resultsBody></q:QueryResults></EPCISBody></q:EPCISQueryDocument>`
    const faults = (text: string) => faultsIn(judged(text, 'application/xml'))
    t.same(await faults(document(event)), [])
    const destination =
      '<destinationList><destination type="urn:epcglobal:cbv:sdt:location">geo:1,2</destination></destinationList>'
    t.same(await faults(document(event.replace('<own:code>', `${destination}<own:code>`))), [])
    t.same(await faults(answer('SimpleEventQuery')), [])
    const bad = {
      'an extension before its place': document(`<own:code>7</own:code>${event}`),
      'the step before the action': document(event.replace(/(<action>.*<\/action>)(<bizStep>.*<\/bizStep>)/, '$2$1')),
      'a destination before the step': document(event.replace('<bizStep>', `${destination}<bizStep>`)),
      'a destination without a type': document(
        event.replace('<own:code>', `${destination.replace(/ type="[^"]*"/, '')}<own:code>`),
      ),
      'an element without a namespace': document(`${event}<code>7</code>`),
      'a leap second': document(event.replace('09:30:00', '23:59:60')),
      'a time without a zone': document(event.replace('00-04:00</eventTime>', '00</eventTime>')),
      'an action in lower case': document(event.replace('OBSERVE', 'observe')),
      'no action': document(event.replace('<action>OBSERVE</action>', '')),
      'the namespace of 1.2': document(event, 'EPCISDocument', 'urn:epcglobal:epcis:xsd:1'),
      'a root that is none': document(event, 'Events'),
      'no name of the query': answer('x').replace('<queryName>x</queryName>', ''),
      'no date of creation': document(event).replace(/ creationDate="[^"]*"/, ''),
      'no XML': '<e',
    }
    for (const [name, text] of Object.entries(bad)) t.not((await faults(text)).length, 0, name)
  },
)
