import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import t, { test } from 'tap'
import { examples, jsonSchema } from '../../../conformance/judges/epcis/files.ts'
import { testWith } from '../../../conformance/judges/official.test.fixture.ts'
import { projectFile } from '../../../conformance/program/files.ts'
import {
  eventBounds,
  type Finding,
  isEngineError,
  type Reading,
  sha256,
  type Target,
  type Timeline,
  type TimelineEvent,
} from '../../../engine/index.ts'
import { areMany, runs } from '../../../engine/testing/runs.test.fixture.ts'
import { bizSteps } from '../codes.ts'
import { eventsOf } from '../document.ts'
import { hashIdOf } from '../event-hash.ts'
import { project } from '../project.ts'
import { wholeJson } from '../whole.ts'
import { toXml } from '../xml-write.ts'
import { backRows, codeOf } from './back.ts'
import { gs1Contexts } from './context.ts'
import { hashEpcis } from './hashes.ts'
import { checkEpcis, parseEpcis, parseEpcisInSteps } from './index.ts'
import { changes, mutated, pathsOf } from './mutated.test.fixture.ts'

type Json = Record<string, unknown>

const target: Target = { baseUrl: 'https://track.example', options: {} }
const context = [gs1Contexts[0], { example: 'https://ns.example/epcis/' }]
const uuid = 'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8'
const otherUuid = 'urn:uuid:404d95fc-9457-4a51-bd6a-0bba133845a8'
const sscc = 'https://id.gs1.org/00/106141412345678908'

const event = {
  type: 'ObjectEvent',
  eventID: uuid,
  eventTime: '2026-06-10T13:30:00Z',
  eventTimeZoneOffset: '-04:00',
  epcList: [sscc],
  action: 'OBSERVE',
  bizStep: 'departing',
  disposition: 'in_transit',
  readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' },
}

const captured = (...eventList: readonly unknown[]) => ({
  '@context': context,
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-06-10T14:00:00Z',
  epcisBody: { eventList },
})

const read = (document: unknown) => parseEpcis(document, target)
const one = (more: Json) => read(captured({ ...event, ...more }))

/** Refuses also what only this reader minds. */
const readStrictly = (document: unknown) => parseEpcis(document, { ...target, strict: true })
/** The readings without what is kept of their source. */
const bare = (readings: readonly Reading[]) => readings.map(({ source: _, ...reading }) => reading)

/** The native event of the first reading. */
function nativeOf(readings: readonly Reading[]): Json {
  return (readings[0]?.event ?? {}) as Json
}

/** Codes and paths of what refuses a document, below its only event. */
function refused(readings: readonly Reading[]): readonly string[] {
  return readings.flatMap(({ findings = [] }) => findings.map(({ code, path }) => `${code} ${path}`))
}

function warned(readings: readonly Reading[]): readonly string[] {
  return readings.flatMap(({ warnings = [] }) => warnings.map(({ code, path }: Finding) => `${code} ${path}`))
}

test('given an event of another maker, when it is read, then each member stands in its native place', async (t) => {
  t.strictSame(bare(one({})), [
    {
      path: 'epcisBody.eventList[0]',
      subject: { gs1_sscc: '106141412345678908' },
      event: {
        event_id: uuid,
        // The instant of eventTime on the clock of the place.
        occurred_at: '2026-06-10T09:30:00-04:00',
        status_code: 'package_outbound',
        location: { gln: '4012345000016' },
        source: {
          type: 'carrier_tracking',
          code: 'departing/in_transit',
          event: { id: uuid, action: 'OBSERVE', biz_step: 'departing', disposition: 'in_transit' },
        },
      },
      places: {
        event_id: 'eventID',
        occurred_at: 'eventTime',
        status_code: 'bizStep',
        withdrawn: 'errorDeclaration',
        source: 'bizStep',
        location: 'readPoint',
        subject: 'epcList[0]',
      },
    },
  ])
})

test('given an event in each kind of document, when it is read, then its path is that of the document', async (t) => {
  const pathsOf = (document: unknown) => read(document).map(({ path, findings }) => [path, findings])
  t.strictSame(pathsOf(captured(event)), [['epcisBody.eventList[0]', undefined]])
  t.strictSame(pathsOf({ '@context': context, ...event }), [['', undefined]])
  t.strictSame(
    pathsOf({
      '@context': context,
      type: 'EPCISQueryDocument',
      epcisBody: { queryResults: { queryName: 'SimpleEventQuery', resultsBody: { eventList: [event] } } },
    }),
    [['epcisBody.queryResults.resultsBody.eventList[0]', undefined]],
  )
  t.strictSame(read(captured()), [], 'a document without events has none')
})

test('given what is no EPCIS document, when it is read, then one reading says so', async (t) => {
  for (const document of [null, true, 7, [], [event], {}, { type: 7 }, { type: 'Timeline' }, '<a/>']) {
    t.strictSame(read(document), [{ path: '', findings: [{ path: '', code: 'not_epcis' }] }], JSON.stringify(document))
  }
})

test('given a thing by its URI, when it is read, then the subject is the identifier that it stands for', async (t) => {
  const subjectOf = (uri: string) => one({ epcList: [uri] })[0]?.subject
  t.strictSame(subjectOf(sscc), { gs1_sscc: '106141412345678908' })
  t.strictSame(subjectOf('urn:epc:id:sscc:0614141.1234567890'), { gs1_sscc: '106141412345678908' })
  t.strictSame(subjectOf('https://brand.example/00/106141412345678908'), { gs1_sscc: '106141412345678908' })
  t.strictSame(subjectOf('https://track.example/id/tracking_number/SR%201'), { tracking_number: 'SR 1' })
  t.strictSame(subjectOf('https://track.example/id/package_id/7'), { package_id: 7 })
  t.strictSame(subjectOf('https://brand.example/00/106141412345678908?a=b'), { gs1_sscc: '106141412345678908' })
  const box = { piece_id: 'https://id.gs1.org/01/10614141073464/21/2017' }
  for (const host of ['id.gs1.org', 'brand.example']) {
    const wrong = `https://${host}/00/106141412345678909`
    t.strictSame(subjectOf(wrong), { piece_id: wrong }, 'no SSCC, whatever its host')
  }
  t.strictSame(subjectOf('urn:epc:id:sgtin:0614141.107346.2017'), box)
  t.strictSame(subjectOf('https://id.gs1.org/01/10614141073464/21/2017'), box)
  t.strictSame(subjectOf('https://brand.example/x/01/10614141073464/10/L7/21/2017?17=270101'), box)
  t.strictSame(subjectOf('https://brand.example/01/10614141073465/21/2017'), {
    piece_id: 'https://brand.example/01/10614141073465/21/2017',
  })
  t.strictSame(subjectOf('example:box7'), { piece_id: 'https://ns.example/epcis/box7' }, 'a compact URI is expanded')
})

test('given one thing in several spellings, when an event is read, then it has one reading', async (t) => {
  const epcList = ['urn:epc:id:sgtin:0614141.107346.2017', 'https://brand.example/01/10614141073464/21/2017']
  const readings = one({ epcList: [...epcList, sscc, 'urn:epc:id:sscc:0614141.1234567890'] })
  t.strictSame(
    readings.map(({ subject, places }) => [subject, places?.subject]),
    [
      [{ piece_id: 'https://id.gs1.org/01/10614141073464/21/2017' }, 'epcList[0]'],
      [{ gs1_sscc: '106141412345678908' }, 'epcList[2]'],
    ],
  )
})

/** An event of this type that only names the things in `more`. */
function typed(type: string, more: Json): Json {
  const { epcList: _, action: __, ...rest } = event
  return { ...rest, type, ...more }
}

test('given what is used up and what is made of it, when an event is read, then only the latter goes on', async (t) => {
  const made = { bizStep: 'commissioning', disposition: 'active', outputEPCList: ['urn:a:b:3'] }
  const inputEPCList = ['urn:a:b:1', 'urn:a:b:2']
  const readings = read(captured(typed('TransformationEvent', { ...made, inputEPCList })))
  t.strictSame(
    readings.map(({ subject, event: native }) => [subject, (native as Json).status_code]),
    [
      [{ piece_id: 'urn:a:b:1' }, 'x-consumed'],
      [{ piece_id: 'urn:a:b:2' }, 'x-consumed'],
      [{ piece_id: 'urn:a:b:3' }, 'x-commissioning'],
    ],
  )
  const at = 'epcisBody.eventList[0]'
  t.strictSame(warned(readings), [
    `code_missing ${at}.bizStep`,
    `code_missing ${at}.inputEPCList`,
    `not_taken ${at}.type`,
  ])
  t.equal(readings[0]?.places?.status_code, 'inputEPCList')
  t.equal(readings[2]?.places?.status_code, 'bizStep')
  const kept = read(captured(typed('TransformationEvent', { ...made, inputEPCList: ['urn:a:b:3'] })))
  t.strictSame(
    kept.map(({ event: native }) => (native as Json).status_code),
    ['x-commissioning'],
    'what comes out as it went in is not used up',
  )
  const quantities = { ...made, outputEPCList: [], outputQuantityList: [{ epcClass: 'urn:a:b' }], inputEPCList }
  const none = warned(read(captured(typed('TransformationEvent', quantities))))
  t.notOk(none.includes(`code_missing ${at}.bizStep`), 'where nothing is made singly, its code is not spoken of')
})

test('given an event that ends what belongs to an order, when it is read, then it takes no order and says so', async (t) => {
  const bizTransactionList = [{ type: 'po', bizTransaction: 'https://track.example/id/order_id/42' }]
  const of = (action: string, more: Json = { epcList: [sscc] }) =>
    read(captured(typed('TransactionEvent', { action, bizTransactionList, ...more })))
  t.same(of('OBSERVE')[0]?.subject, { gs1_sscc: '106141412345678908', order_id: 42 })
  const at = 'epcisBody.eventList[0]'
  t.same(of('DELETE')[0]?.subject, { gs1_sscc: '106141412345678908' })
  t.strictSame(warned(of('DELETE')), [
    `not_taken ${at}.type`,
    `not_taken ${at}.action`,
    `not_taken ${at}.bizTransactionList`,
  ])
  t.strictSame(warned(of('DELETE', {}))[0], `no_single_thing ${at}`)
  t.equal(of('DELETE', {})[0]?.event, undefined)
})

test('given who belongs to whom, when an event is read, then that is not kept, and said', async (t) => {
  const at = 'not_taken epcisBody.eventList[0]'
  const told = (type: string, action: string) =>
    warned(read(captured(typed(type, { action, parentID: sscc, childEPCs: ['urn:a:b:1'] }))))
  for (const type of ['AggregationEvent', 'AssociationEvent']) t.strictSame(told(type, 'OBSERVE'), [`${at}.type`])
  t.strictSame(told('AssociationEvent', 'DELETE'), [`${at}.type`, `${at}.action`])
  t.strictSame(told('AggregationEvent', 'DELETE'), [], 'what is in what is kept')
  t.strictSame(warned(one({})), [], 'an ObjectEvent relates nothing')
  const announced = { bizStep: 'commissioning', disposition: 'active' }
  for (const action of ['ADD', 'OBSERVE'])
    t.notOk(warned(one({ ...announced, action })).includes(`${at}.action`), 'the action of an ObjectEvent is kept')
})

test('given an event of several things, when it is read, then each has a reading and the order goes with them', async (t) => {
  const bizTransactionList = [
    { type: 'po', bizTransaction: 'https://track.example/id/order_id/42' },
    { type: 'desadv', bizTransaction: 'urn:epcglobal:cbv:bt:0614141073467:1152' },
  ]
  const packed = {
    ...event,
    type: 'AggregationEvent',
    action: 'ADD',
    parentID: sscc,
    childEPCs: ['urn:a:b:1', 'urn:a:b:2'],
  }
  const { epcList: _, ...aggregation } = packed
  const readings = read(captured({ ...aggregation, bizTransactionList }))
  t.strictSame(
    readings.map(({ subject }) => subject),
    [
      { gs1_sscc: '106141412345678908', order_id: 42 },
      { piece_id: 'urn:a:b:1', order_id: 42 },
      { piece_id: 'urn:a:b:2', order_id: 42 },
    ],
  )
  const at = 'not_taken epcisBody.eventList[0]'
  t.strictSame(warned(readings), [`${at}.bizTransactionList[1]`])
  const parent = { gs1_sscc: '106141412345678908' }
  t.strictSame(
    readings.map(({ event: read }) => (read as { readonly aggregation?: object }).aggregation),
    [{ action: 'ADD' }, { action: 'ADD', parent }, { action: 'ADD', parent }],
  )
})

test('given a class of things alone, when it is read, then the event bears on nothing and says so', async (t) => {
  const { epcList: _, ...rest } = event
  const epcClass = 'urn:epc:class:lgtin:4012345.012345.998877'
  const [reading, ...others] = bare(
    read(captured({ ...rest, quantityList: [{ epcClass, quantity: 200, uom: 'KGM' }] })),
  )
  t.strictSame(others, [])
  t.strictSame(reading, {
    path: 'epcisBody.eventList[0]',
    warnings: [
      { path: 'epcisBody.eventList[0]', code: 'no_single_thing' },
      { path: 'epcisBody.eventList[0].quantityList[0]', code: 'class_level', params: { received: epcClass } },
    ],
  })
})

test('given members that OTEP has no place for, when an event is read, then each is named', async (t) => {
  const readings = one({
    action: 'ADD',
    bizLocation: { id: 'urn:epc:id:sgln:4012345.00002.0' },
    certificationInfo: 'https://cert.example/1',
    destinationList: [{ type: 'owning_party', destination: 'urn:epc:id:pgln:4012345.00001' }],
    ilmd: { 'example:lot': '7' },
    persistentDisposition: { set: ['damaged'] },
    readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0', 'example:dock': 7 },
    sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 26, uom: 'CEL' }] }],
    sourceList: [{ type: 'possessing_party', source: 'urn:epc:id:pgln:4012345.00001' }],
    'example:note': 'x',
  })
  const at = 'not_taken epcisBody.eventList[0]'
  const places = [
    'bizLocation',
    'certificationInfo',
    'destinationList',
    'example:note',
    'ilmd',
    'persistentDisposition',
  ]
  const others = ['readPoint.example:dock', 'sourceList']
  t.strictSame(
    [...warned(readings)].sort(),
    [...places, ...others].map((place) => `${at}.${place}`),
  )
})

test('given what is made, packed or corrected, when an event is read, then what is not kept of it is named', async (t) => {
  const at = 'epcisBody.eventList[0]'
  const amount = [{ epcClass: 'urn:a:b' }, { epcClass: 'urn:a:c' }]
  const classes = (name: string) => [`class_level ${at}.${name}[0]`, `class_level ${at}.${name}[1]`]
  const left = (type: string, more: Json) =>
    warned(read(captured(typed(type, more)))).filter((told) => !/bizStep$|inputEPCList$|no_single_thing/.test(told))
  const made = { transformationID: 'urn:x:1', inputEPCList: ['urn:a:b:1'], outputEPCList: ['urn:a:b:2'] }
  t.strictSame(left('TransformationEvent', { ...made, inputQuantityList: amount, outputQuantityList: amount }).sort(), [
    ...classes('inputQuantityList'),
    ...classes('outputQuantityList'),
    `not_taken ${at}.transformationID`,
    `not_taken ${at}.type`,
  ])
  const packed = { action: 'OBSERVE', parentID: sscc, childQuantityList: amount }
  t.strictSame(left('AggregationEvent', packed).sort(), [...classes('childQuantityList'), `not_taken ${at}.type`])
  t.strictSame(
    left('ObjectEvent', { action: 'OBSERVE', epcList: [sscc], quantityList: amount }),
    classes('quantityList'),
  )
  const many = Array.from({ length: 21 }, (_, index) => ({ epcClass: `urn:a:${index}` }))
  t.equal(left('ObjectEvent', { action: 'OBSERVE', epcList: [sscc], quantityList: many }).length, 21, 'each is named')
  const errorDeclaration = {
    ...{ declarationTime: '2026-06-11T08:00:00Z', correctiveEventIDs: [otherUuid], 'example:who': 'x' },
  }
  const bizLocation = { id: 'urn:epc:id:sgln:4012345.00001.0', 'example:shelf': 1 }
  t.strictSame([...warned(one({ errorDeclaration, bizLocation }))].sort(), [
    `not_taken ${at}.bizLocation.example:shelf`,
    `not_taken ${at}.errorDeclaration.correctiveEventIDs`,
    `not_taken ${at}.errorDeclaration.example:who`,
  ])
})

test('given a time and another offset, when an event is read, then it is that very instant on the clock there', async (t) => {
  const clock = (eventTime: string, eventTimeZoneOffset: string) =>
    nativeOf(one({ eventTime, eventTimeZoneOffset })).occurred_at
  t.equal(clock('2026-06-10T13:30:00.123456789Z', '-04:00'), '2026-06-10T09:30:00.123456789-04:00')
  t.equal(clock('2026-06-10T13:30:00.5+02:00', '+05:45'), '2026-06-10T17:15:00.5+05:45')
  t.equal(clock('2026-06-10T13:30:00.120-04:00', '-04:00'), '2026-06-10T13:30:00.120-04:00')
  t.equal(clock('2026-06-10T23:30:00Z', '+01:00'), '2026-06-11T00:30:00+01:00')
  t.equal(clock('9999-12-31T23:30:00Z', '+01:00'), '9999-12-31T23:30:00Z', 'there is no such year')
})

/** Something so deep that it has this many objects, or lists, around its text. */
const nested = (depth: number, around: (value: unknown) => unknown) =>
  Array.from({ length: depth }).reduce((value) => around(value), 'x' as unknown)

test('given an extension, when it is deeper than it may be, then it is refused where it goes too far', async (t) => {
  for (const [around, step] of [
    [(value: unknown) => ({ 'example:b': value }), '.example:b'],
    [(value: unknown) => ({ '@set': value }), '.@set'],
    [(value: unknown) => [value], '[0]'],
  ] as const) {
    t.strictSame(refused(one({ 'example:a': nested(32, around) })), [], step)
    t.strictSame(refused(one({ 'example:a': nested(33, around) })), [
      `too_deep epcisBody.eventList[0].example:a${step.repeat(33)}`,
    ])
  }
})

test('given a context of any depth, when a document is read, then it is refused and nothing is thrown', async (t) => {
  const context = nested(50_000, (value) => ({ example: value }))
  const list = nested(50_000, (value) => [value])
  const beside = { example: { '@id': 'https://ns.example/', more: context } }
  for (const one of [context, list, beside, [gs1Contexts[0], context], [gs1Contexts[0], list]]) {
    t.not(refused(read({ ...captured(event), '@context': one })).length, 0)
  }
})

test('given a context with a name that ends with a colon, when a document is read, then it may mean anything', async (t) => {
  const named = (name: string) => ({
    ...captured(event),
    '@context': [gs1Contexts[0], { [name]: 'https://ns.example/' }],
  })
  t.strictSame(refused(read(named('urn:'))), [])
  t.match(refused(read(named('urn:a'))), ['bad_pattern @context[1].urn:a'])
})

test('given a place by its URI, when it is read, then the location is what the URI tells', async (t) => {
  const locationOf = (id: string) => nativeOf(one({ readPoint: { id } })).location
  t.strictSame(locationOf('https://id.gs1.org/414/4012345000016'), { gln: '4012345000016' })
  t.strictSame(locationOf('https://id.gs1.org/414/4012345000016/254/7'), {
    gln: '4012345000016',
    name: 'https://id.gs1.org/414/4012345000016/254/7',
  })
  t.strictSame(locationOf('geo:52.5,-13.4'), { latitude: 52.5, longitude: -13.4 })
  t.strictSame(locationOf('https://track.example/id/place/Dock%207'), { name: 'Dock 7' })
  t.strictSame(locationOf('https://maps.example/dock-7'), { name: 'https://maps.example/dock-7' })
})

test('given a declaration of error, when it is read with the event that it takes back, then it is no repetition', async (t) => {
  const declared = { ...event, errorDeclaration: { declarationTime: '2026-06-11T08:00:00Z', reason: 'did_not_occur' } }
  const readings = read(captured(event, declared))
  t.strictSame(refused(readings), [])
  t.strictSame(nativeOf(readings.slice(1)).withdrawn, { declared_at: '2026-06-11T08:00:00Z', reason: 'did_not_occur' })
  const twice = ['duplicate_event_id epcisBody.eventList[1].eventID']
  t.strictSame(refused(read(captured(event, { ...event, bizStep: 'arriving' }))), twice, 'one id, two contents')
  t.strictSame(refused(readStrictly(captured(event, event))), twice)
  t.strictSame(refused(read(captured(event, event))), [], 'the same event twice')
})

test('given the step and the disposition of another maker, when an event is read, then it has one code', async (t) => {
  const coded = (words: Json) => {
    const { bizStep: _, disposition: __, ...rest } = event
    const readings = read(captured({ ...rest, ...words }))
    const doubt = readings[0]?.warnings?.find(({ code }) => code.startsWith('code_'))
    return [nativeOf(readings).status_code, doubt?.code]
  }
  const pairs: readonly [Json, string, string | undefined][] = [
    [{ bizStep: 'accepting', disposition: 'in_progress' }, 'picked_up', 'code_decided'],
    [{ bizStep: 'arriving' }, 'arrival_scan', undefined],
    [{ bizStep: 'arriving', disposition: 'in_progress' }, 'received', 'code_decided'],
    [{ bizStep: 'commissioning' }, 'x-commissioning', 'code_missing'],
    [{ bizStep: 'commissioning', action: 'ADD' }, 'information_submitted', 'code_decided'],
    [{ bizStep: 'departing' }, 'package_outbound', undefined],
    [{ bizStep: 'arriving', disposition: 'in_transit' }, 'arrival_scan', undefined],
    [{ bizStep: 'arriving', disposition: 'stolen' }, 'arrival_scan', 'code_decided'],
    [{ bizStep: 'departing', disposition: 'in_progress' }, 'package_outbound', undefined],
    [{ bizStep: 'departing', disposition: 'recalled' }, 'package_outbound', 'code_decided'],
    [{ bizStep: 'transporting', disposition: 'https://words.example/seized' }, 'in_transit', 'code_decided'],
    [{ bizStep: 'staging_outbound', disposition: 'expired' }, 'awaiting_pickup', 'code_decided'],
    [{ bizStep: 'accepting', disposition: 'returned' }, 'picked_up', 'code_decided'],
    [{ bizStep: 'inspecting' }, 'x-inspecting', 'code_missing'],
    [{ bizStep: 'inspecting', disposition: 'damaged' }, 'x-damaged', undefined],
    [{ bizStep: 'inspecting', disposition: 'destroyed' }, 'x-disposed', 'code_decided'],
    [{ bizStep: 'arriving', disposition: 'disposed' }, 'x-disposed', undefined],
    [{ bizStep: 'receiving' }, 'received', 'code_decided'],
    [{ bizStep: 'shipping', disposition: 'in_transit' }, 'package_outbound', 'code_decided'],
    [{ bizStep: 'staging_outbound' }, 'awaiting_pickup', undefined],
    [{ bizStep: 'transporting' }, 'in_transit', undefined],
    [{ bizStep: 'transporting', disposition: 'returned' }, 'x-returning', 'code_decided'],
    [{ bizStep: 'https://steps.example/weighing' }, 'x-observed', 'code_missing'],
    [{}, 'x-observed', 'code_missing'],
  ]
  for (const [words, code, doubt] of pairs) {
    t.strictSame(coded(words), [code, doubt], JSON.stringify(words))
  }
})

test('given an event at the place that it names as its destination, when it is read, then it was delivered', async (t) => {
  const destination = 'urn:epc:id:sgln:4012345.00001.0'
  const there = { bizStep: 'receiving', destinationList: [{ type: 'location', destination }] }
  t.equal(nativeOf(one(there)).status_code, 'delivered')
  t.equal(nativeOf(one({ ...there, readPoint: { id: 'urn:epc:id:sgln:4012345.00009.0' } })).status_code, 'received')
  const link = { readPoint: { id: 'https://depots.example/414/4012345000016' } }
  t.equal(nativeOf(one({ ...there, ...link })).status_code, 'delivered', 'in another spelling')
  const compact = {
    readPoint: { id: 'example:door' },
    destinationList: [{ type: 'location', destination: 'https://ns.example/epcis/door' }],
  }
  t.equal(nativeOf(one({ ...there, ...compact })).status_code, 'delivered', 'compact and in full')
  const owner = [{ type: 'owning_party', destination }]
  t.equal(nativeOf(one({ ...there, destinationList: owner })).status_code, 'received', 'a party is no place')
})

test('every step of CBV has a row, and no code is longer than a code may be', async (t) => {
  t.strictSame(Object.keys(backRows).sort(), [...bizSteps].sort())
  for (const bizStep of bizSteps) t.match(codeOf({ bizStep, atDestination: false }).code, /^[a-z_-]{3,64}$/, bizStep)
  t.equal(codeOf({ bizStep: 'toString', disposition: '__proto__', atDestination: true }).code, 'x-observed')
})

test('the table that people read says what the code does, for every step that has a code', async (t) => {
  const page = readFileSync(projectFile('docs', 'explanation', 'epcis-ingest.md'), 'utf8')
  const rows = page.matchAll(/^\| `(\w+)` \| (.*?) ?\| `([\w-]+)` \| (?:`code_(\w+)` )?\|$/gm)
  const told = new Set<string>()
  for (const [row, bizStep = '', by = '', code, certainty = 'sure'] of rows) {
    const word = by.replaceAll('`', '')
    const action = word === 'ADD' ? word : 'OBSERVE'
    const isOther = word === '' || word === 'ADD' || word === 'destination'
    const disposition = isOther ? {} : { disposition: word === 'another disposition' ? 'stolen' : word }
    t.strictSame(
      codeOf({ bizStep, action, ...disposition, atDestination: word === 'destination' }),
      { code, certainty },
      row,
    )
    told.add(`${bizStep} ${word}`)
  }
  const coded = Object.entries(backRows).flatMap(([step, row]) => {
    if (row === 'missing') return []
    const words = [...Object.keys(row.dispositions ?? {}), ...Object.keys(row.actions ?? {})]
    if (row.atDestination !== undefined) words.push('destination')
    if (row.certainty === 'sure') words.push('another disposition')
    return ['', ...words].map((word) => `${step} ${word}`)
  })
  t.strictSame([...told].sort(), coded.sort())
})

test('given a document in which one member is broken, when it is read strictly, then exactly that member is refused', async (t) => {
  const read = readStrictly
  const one = (more: Json) => read(captured({ ...event, ...more }))
  const at = (code: string, place: string) => [`${code} epcisBody.eventList[0]${place === '' ? '' : '.'}${place}`]
  const without = (name: string) => Object.fromEntries(Object.entries(event).filter(([key]) => key !== name))
  const broken: readonly [string, readonly Reading[], readonly string[]][] = [
    ['no time', read(captured(without('eventTime'))), at('required', 'eventTime')],
    ['no offset member', read(captured(without('eventTimeZoneOffset'))), at('required', 'eventTimeZoneOffset')],
    ['no action', read(captured(without('action'))), at('required', 'action')],
    ['no type', read(captured(without('type'))), at('required', 'type')],
    ['no object', read(captured(without('epcList'))), at('required', 'epcList')],
    ['30 February', one({ eventTime: '2026-02-30T10:00:00Z' }), at('no_such_date', 'eventTime')],
    ['a leap second', one({ eventTime: '2026-06-30T23:59:60Z' }), at('no_such_date', 'eventTime')],
    ['a blank for T', one({ eventTime: '2026-06-10 10:00:00Z' }), at('not_a_date_time', 'eventTime')],
    ['an offset without colon', one({ eventTime: '2026-06-10T10:00:00+0100' }), at('not_a_date_time', 'eventTime')],
    ['no offset', one({ eventTime: '2026-06-10T10:00:00' }), at('offset_missing', 'eventTime')],
    ['a date', one({ recordTime: '2026-06-10' }), at('not_a_date_time', 'recordTime')],
    ['Z as offset', one({ eventTimeZoneOffset: 'Z' }), at('not_an_offset', 'eventTimeZoneOffset')],
    ['+0000', one({ eventTimeZoneOffset: '+0000' }), at('not_an_offset', 'eventTimeZoneOffset')],
    ['+15:00', one({ eventTimeZoneOffset: '+15:00' }), at('not_an_offset', 'eventTimeZoneOffset')],
    ['a lower-case action', one({ action: 'observe' }), at('unknown_value', 'action')],
    ['an unknown type', one({ type: 'QuantityEvent' }), at('unknown_value', 'type')],
    ['a step of nobody', one({ bizStep: 'flying' }), at('unknown_cbv_word', 'bizStep')],
    ['a step as URN', one({ bizStep: 'urn:epcglobal:cbv:bizstep:shipping' }), at('unknown_cbv_word', 'bizStep')],
    [
      'a step as web URI',
      one({ bizStep: 'https://ref.gs1.org/cbv/BizStep-shipping' }),
      at('unknown_cbv_word', 'bizStep'),
    ],
    ['a step as compact URI', one({ bizStep: 'cbv:BizStep-shipping' }), at('unknown_cbv_word', 'bizStep')],
    ['a disposition of nobody', one({ disposition: 'shipping' }), at('unknown_cbv_word', 'disposition')],
    ['one object alone', one({ epcList: sscc }), [...at('wrong_type', 'epcList'), ...at('required', 'epcList')]],
    ['an object twice', one({ epcList: [sscc, sscc] }), at('not_unique', 'epcList[1]')],
    ['a bare number', one({ epcList: ['1Z999 AA'] }), at('not_a_uri', 'epcList[0]')],
    ['a relative URI', one({ epcList: ['/00/1'] }), at('not_a_uri', 'epcList[0]')],
    ['a prefix of nobody', one({ epcList: ['nobody:1'] }), at('undeclared_prefix', 'epcList[0]')],
    [
      'a wrong check digit',
      one({ epcList: ['https://id.gs1.org/00/106141412345678909'] }),
      at('check_digit', 'epcList[0]'),
    ],
    [
      'a wrong check digit of a GTIN',
      one({ epcList: ['https://x.example/01/10614141073465/21/1'] }),
      at('check_digit', 'epcList[0]'),
    ],
    [
      'a wrong check digit of an asset',
      one({ epcList: ['https://id.gs1.org/8003/09521230000018ab'] }),
      at('check_digit', 'epcList[0]'),
    ],
    ['a short SSCC', one({ epcList: ['https://id.gs1.org/00/10614141'] }), at('not_sscc', 'epcList[0]')],
    ['a short SSCC URN', one({ epcList: ['urn:epc:id:sscc:0614141.123456789'] }), at('not_sscc', 'epcList[0]')],
    ['a UUID with junk', one({ epcList: ['urn:uuid:374d95fc'] }), at('not_a_uri', 'epcList[0]')],
    ['an event id by https', one({ eventID: 'https://id.example/1' }), at('not_an_event_id', 'eventID')],
    ['an event id with junk', one({ eventID: `${uuid}x` }), at('not_an_event_id', 'eventID')],
    ['a short hash', one({ eventID: 'ni:///sha-256;abc?ver=CBV2.0' }), at('not_an_event_id', 'eventID')],
    ['id for eventID', one({ id: uuid }), at('unknown_field', 'id')],
    ['a place as text', one({ readPoint: 'urn:epc:id:sgln:4012345.00001.0' }), at('wrong_type', 'readPoint')],
    ['a place without id', one({ bizLocation: {} }), at('required', 'bizLocation.id')],
    [
      'a wrong GLN',
      one({ readPoint: { id: 'https://id.gs1.org/414/4012345000017' } }),
      at('check_digit', 'readPoint.id'),
    ],
    ['a short GLN', one({ readPoint: { id: 'urn:epc:id:sgln:4012345.0001.0' } }), at('not_gln', 'readPoint.id')],
    ['a member of nobody', one({ myField: 1 }), at('unknown_field', 'myField')],
    ['a member of another type', one({ childEPCs: [] }), at('unknown_field', 'childEPCs')],
    ['an undeclared prefix', one({ 'other:field': 1 }), at('undeclared_prefix', 'other:field')],
    ['a nested bare name', one({ 'example:a': { b: 1 } }), at('unknown_field', 'example:a.b')],
    ['a nested undeclared prefix', one({ 'example:a': [{ 'b:c': 1 }] }), at('undeclared_prefix', 'example:a[0].b:c')],
    ['a bare name in a place', one({ readPoint: { id: 'geo:1,2', dock: 1 } }), at('unknown_field', 'readPoint.dock')],
    ['an extension of null', one({ 'example:a': null }), at('wrong_type', 'example:a')],
    [
      'an amount as text',
      one({ quantityList: [{ epcClass: 'urn:a:b', quantity: '2' }] }),
      at('wrong_type', 'quantityList[0].quantity'),
    ],
    [
      'a unit of nobody',
      one({ quantityList: [{ epcClass: 'urn:a:b', uom: 'kilogram' }] }),
      at('bad_pattern', 'quantityList[0].uom'),
    ],
    ['ilmd without ADD', one({ ilmd: { 'example:a': 1 } }), at('allowed_only_with', 'ilmd')],
    ['a transaction as text', one({ bizTransactionList: ['urn:a:b'] }), at('wrong_type', 'bizTransactionList[0]')],
    [
      'a transaction with more',
      one({ bizTransactionList: [{ bizTransaction: 'urn:a:b', 'example:a': 1 }] }),
      at('unknown_field', 'bizTransactionList[0].example:a'),
    ],
    ['a source without type', one({ sourceList: [{ source: 'urn:a:b' }] }), at('required', 'sourceList[0].type')],
    ['a sensor without report', one({ sensorElementList: [{}] }), at('required', 'sensorElementList[0].sensorReport')],
    [
      'an empty change',
      one({ persistentDisposition: {} }),
      at('required', 'persistentDisposition.set').map((text) => text.replace('.set', '')),
    ],
    ['a declaration without time', one({ errorDeclaration: {} }), at('required', 'errorDeclaration.declarationTime')],
    [
      'a reason of nobody',
      one({ errorDeclaration: { declarationTime: '2026-06-11T08:00:00Z', reason: 'oops' } }),
      at('unknown_cbv_word', 'errorDeclaration.reason'),
    ],
    [
      'its own correction',
      one({ errorDeclaration: { declarationTime: '2026-06-11T08:00:00Z', correctiveEventIDs: [uuid] } }),
      at('corrects_itself', 'errorDeclaration.correctiveEventIDs[0]'),
    ],
    ['no event', read(captured(7)), at('wrong_type', '')],
  ]
  for (const [name, readings, expected] of broken) t.strictSame(refused(readings), expected, name)
})

test('given a document that is broken around its events, when it is read, then it is refused as a whole', async (t) => {
  const good = captured(event)
  const broken: readonly [string, Json, string][] = [
    ['no context', { '@context': undefined }, 'required @context'],
    ['a number as version', { schemaVersion: 2 }, 'wrong_type schemaVersion'],
    ['the version before', { schemaVersion: '1.2' }, 'unknown_value schemaVersion'],
    ['no version', { schemaVersion: undefined }, 'required schemaVersion'],
    ['no date', { creationDate: undefined }, 'required creationDate'],
    ['a date without offset', { creationDate: '2026-06-10T14:00:00' }, 'offset_missing creationDate'],
    ['a blank node as id', { id: '_:document1' }, 'not_a_uri id'],
    ['a context of nobody', { '@context': ['https://ns.example/context.jsonld'] }, 'unknown_context @context[0]'],
    ['prefixes alone', { '@context': { example: 'https://ns.example/' } }, 'unknown_context @context'],
    [
      'a term of EPCIS anew',
      { '@context': [gs1Contexts[0], { epcList: 'https://ns.example/x' }] },
      'reserved_term @context[1].epcList',
    ],
    ['a prefix of no URI', { '@context': [gs1Contexts[0], { example: 'x' }] }, 'not_a_uri @context[1].example'],
    ...['@import', '@vocab', '@base', 'a:b'].map((term): [string, Json, string] => [
      `${term} in a context`,
      { '@context': [gs1Contexts[0], { [term]: 'https://ns.example/' }] },
      `${term === 'a:b' ? 'bad_pattern' : 'unknown_field'} @context[1].${term}`,
    ]),
    ['no body', { epcisBody: undefined }, 'required epcisBody'],
    ['the list above the body', { eventList: [], epcisBody: {} }, 'required epcisBody.eventList'],
    ['an object as list', { epcisBody: { eventList: {} } }, 'wrong_type epcisBody.eventList'],
    ['a member of nobody', { isA: 'EPCISDocument' }, 'unknown_field isA'],
  ]
  for (const [name, more, expected] of broken) {
    const entries = Object.entries({ ...good, ...more }).filter(([, value]) => value !== undefined)
    const readings = readStrictly(Object.fromEntries(entries))
    t.equal(readings.length, 1, name)
    t.equal(readings[0]?.path, '', name)
    t.ok(refused(readings).includes(expected), `${name}: ${refused(readings)}`)
  }
})

const whole: Timeline = {
  otep_version: '0.1',
  profile: 'parcel',
  subject: {
    tracking_number: 'SR 1/ü',
    gs1_sscc: '106141412345678908',
    piece_id: 'odd:1',
    package_id: 7,
    order_id: 42,
  },
  current_status: 'delivered',
  delivered: true,
  events: [
    {
      event_id: uuid,
      otep_version: '0.1',
      occurred_at: '2026-06-10T09:29:59.120-04:00',
      recorded_at: '2026-06-10T13:30:01Z',
      status_code: 'picked_up',
      phase: 'pickup',
    },
    {
      event_id: 'e2 <&> "quoted"',
      otep_version: '0.1',
      occurred_at: '2026-06-10T13:30:00Z',
      recorded_at: '2026-06-10T13:30:01.5Z',
      status_code: 'delivered',
      phase: 'delivered',
      location: {
        name: 'Dock 7 🚚 ‮',
        unlocode: 'CATOR',
        gln: '4012345000016',
        latitude: 0,
        longitude: -1e-7,
        address: { street: 'a\tb\nc', country: 'CA' },
      },
      source: { type: 'proof_of_delivery', provider: 'acme', code: '7' },
      incident_reason: 'none',
      description: '',
      pod: { recipient: 'true', photo_urls: ['https://a.example/1'], note: ' 12 ' },
      estimated_delivery_at: '2026-06-10T18:00:00+02:00',
      synthesized: true,
    },
  ],
  withdrawn_events: [
    {
      event_id: 'e3',
      otep_version: '0.1',
      occurred_at: '2026-06-10T14:00:00Z',
      recorded_at: '2026-06-10T14:00:00Z',
      status_code: 'x-weighed',
      phase: 'x-experimental',
      pod: { photo_urls: [] },
      location: {},
      withdrawn: { declared_at: '2026-06-11T08:00:00Z', reason: 'The wrong parcel.' },
    },
  ],
}

/** The native events of a document, without phases, which are derived. */
const unphased = ({ phase, ...rest }: TimelineEvent) => rest

test('given a document of our own, when it is read, then it gives back what it was made of, in JSON and in XML', async (t) => {
  const events = [...whole.events, ...(whole.withdrawn_events ?? [])].map(unphased)
  for (const as of ['query', 'capture']) {
    const document = project(whole, { ...target, options: { as } })
    for (const [form, given] of [
      ['JSON', JSON.parse(JSON.stringify(document))],
      ['XML', toXml(document)],
    ] as const) {
      const readings = read(given)
      t.equal(readings.length, eventsOf(document).length, `${as}, ${form}: one reading for each event`)
      t.strictSame([...refused(readings), ...warned(readings)], [], `${as}, ${form}`)
      t.same(
        readings.map((reading) => reading.event),
        events,
        `${as}, ${form}`,
      )
      for (const { subject, profile } of readings) t.same([subject, profile], [whole.subject, 'parcel'], form)
    }
  }
})

test('given an event of our own that somebody added to, when it is read, then what was added is named', async (t) => {
  const document = JSON.parse(JSON.stringify(project(whole, { ...target, options: { as: 'capture' } })))
  const delivered = document.epcisBody.eventList.find((told: Json) => told.destinationList !== undefined)
  t.strictSame(delivered.destinationList, [{ type: 'location', destination: delivered.readPoint.id }])
  delivered.destinationList.push({ type: 'owning_party', destination: 'urn:a:b' })
  const at = 'epcisBody.eventList[1]'
  t.strictSame(warned(read(document)), [`not_taken ${at}.destinationList`, `event_hash_differs ${at}.eventID`])
})

test('given a place that is part of another, when it is read and told again, then it is the same place', async (t) => {
  for (const id of ['urn:epc:id:sgln:0614141.07346.1234', 'https://maps.example/dock-7', 'geo:52.5,-13.4']) {
    const { occurred_at, location } = nativeOf(one({ readPoint: { id } })) as unknown as TimelineEvent
    const told = { ...whole.events[0], event_id: '1', occurred_at, location } as TimelineEvent
    const [again] = eventsOf(project({ ...whole, events: [told], withdrawn_events: [] }, target))
    t.strictSame(again?.readPoint, { id })
  }
})

test('given a native member that is wrong, when it is placed, then the place is that of the document', async (t) => {
  const [reading] = read(project(whole, { ...target, options: { as: 'capture' } }))
  t.equal(reading?.places?.subject, 'otep:subject')
  t.equal(reading?.places?.occurred_at, 'eventTime')
})

const xml = (eventXml: string, root = 'xmlns:e="urn:epcglobal:epcis:xsd:2" schemaVersion="2.0"') =>
  `<?xml version="1.0"?><e:EPCISDocument ${root} xmlns:example="https://ns.example/epcis/" creationDate="2026-06-10T14:00:00Z">` +
  `<EPCISBody><EventList>${eventXml}</EventList></EPCISBody></e:EPCISDocument>`

const xmlEvent = (tail: string) =>
  `<ObjectEvent><eventTime>2026-06-10T13:30:00Z</eventTime><eventTimeZoneOffset>-04:00</eventTimeZoneOffset>` +
  `<eventID>${uuid}</eventID><epcList><epc> ${sscc} </epc></epcList><action>OBSERVE</action>` +
  `<bizStep>urn:epcglobal:cbv:bizstep:departing</bizStep><disposition>https://ref.gs1.org/cbv/Disp-in_transit</disposition>` +
  `<readPoint><id>urn:epc:id:sgln:4012345.00001.0</id></readPoint>${tail}</ObjectEvent>`

test('given the same event in XML, when it is read, then it reads as in JSON', async (t) => {
  const [inXml, inJson] = [read(xml(xmlEvent(''))), one({})]
  t.same(bare(inXml), bare(inJson))
  t.equal(inXml[0]?.source?.content, inJson[0]?.source?.content)
  t.match(inXml[0]?.source?.kept, { binding: 'xml', version: '2.0', body: xmlEvent('') })
  t.match(inJson[0]?.source?.kept, { binding: 'json', version: '2.0', context, body: event })
})

test('given one element fifty thousand times, when its event is read, then in a time that grows with them', async (t) => {
  const many = 50_000
  const readings = read(xml(xmlEvent('<example:a>1</example:a>'.repeat(many))))
  t.strictSame(refused(readings), [])
  t.strictSame(warned(readings), ['not_taken epcisBody.eventList[0].example:a'])
  const ours = 'xmlns:e="urn:epcglobal:epcis:xsd:2" xmlns:otep="urn:otep:epcis:" schemaVersion="2.0"'
  const photos = `<otep:pod>${'<otep:photo_urls>a</otep:photo_urls>'.repeat(many)}</otep:pod>`
  const own = '<otep:subject/><otep:status_code>delivered</otep:status_code>'
  const native = nativeOf(read(xml(xmlEvent(own + photos), ours)))
  t.equal((native.pod as { photo_urls: readonly string[] } | undefined)?.photo_urls.length, many)
})

test('given XML that its schema or CBV refuses, when it is read, then the logical path is told', async (t) => {
  const at = (code: string, place: string) => [`${code} epcisBody.eventList[0].${place}`]
  const broken: readonly [string, string, readonly string[]][] = [
    [
      'out of order',
      xmlEvent('<bizStep>urn:epcglobal:cbv:bizstep:departing</bizStep>'),
      at('element_order', 'bizStep').concat(at('not_unique', 'bizStep')),
    ],
    [
      'a bare word',
      xmlEvent('').replace('urn:epcglobal:cbv:bizstep:departing', 'departing'),
      at('not_a_uri', 'bizStep'),
    ],
    [
      'a disposition as step',
      xmlEvent('').replace('bizstep:departing', 'disp:in_transit'),
      at('unknown_cbv_word', 'bizStep'),
    ],
    ['an element of nobody', xmlEvent('<myField>1</myField>'), at('unknown_field', 'myField')],
    ['text between', xmlEvent('loose'), ['wrong_type epcisBody.eventList[0]']],
    ['a leap second', xmlEvent('').replace('13:30:00Z', '23:59:60Z'), at('no_such_date', 'eventTime')],
    [
      'an amount in words',
      xmlEvent(
        '<quantityList><quantityElement><epcClass>urn:a:b</epcClass><quantity>two</quantity></quantityElement></quantityList>',
      ),
      at('wrong_type', 'quantityList[0].quantity'),
    ],
    ['an element in a list', xmlEvent('').replace('<epc>', '<x/><epc>'), at('unknown_field', 'epcList[0]')],
  ]
  for (const [name, text, expected] of broken) t.strictSame(refused(readStrictly(xml(text))), expected, name)
  t.strictSame(refused(read(xml(xmlEvent('<nobody:a/>')))), ['undeclared_prefix '], 'a prefix of nobody')
  t.strictSame(refused(read(xml(xmlEvent(''), 'xmlns:e="urn:other"'))), ['not_epcis '], 'another namespace')
  t.strictSame(warned(read(xml(xmlEvent('<example:a><b/></example:a>')))), at('not_taken', 'example:a'))
})

test('given XML of 1.2 with its wrappers, when it is read, then they are no part of the paths', async (t) => {
  const first = (text: string) => read(xml(text, 'xmlns:e="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2"'))
  const inFirst = (tail: string) =>
    xmlEvent(tail).replace(`<eventID>${uuid}</eventID>`, `<baseExtension><eventID>${uuid}</eventID></baseExtension>`)
  const wrapped = inFirst(
    '<extension><sourceList><source type="urn:epcglobal:cbv:sdt:location">urn:a:b</source></sourceList></extension>',
  )
  const [reading] = first(wrapped)
  t.same(reading?.event, one({})[0]?.event)
  t.strictSame(warned(first(wrapped)), ['not_taken epcisBody.eventList[0].sourceList'])
  const counted =
    '<QuantityEvent><eventTime>2026-06-10T13:30:00Z</eventTime><eventTimeZoneOffset>-04:00</eventTimeZoneOffset>' +
    '<epcClass>urn:epc:idpat:sgtin:4012345.1.*</epcClass><quantity>7</quantity></QuantityEvent>'
  t.strictSame(warned(first(counted)), [
    'no_single_thing epcisBody.eventList[0]',
    'class_level epcisBody.eventList[0].quantityList[0]',
  ])
  const transformed = inFirst('')
    .replace(
      `<epcList><epc> ${sscc} </epc></epcList><action>OBSERVE</action>`,
      '<inputEPCList><epc>urn:a:b:1</epc></inputEPCList><outputEPCList><epc>urn:a:b:2</epc></outputEPCList>',
    )
    .replaceAll('ObjectEvent', 'TransformationEvent')
  t.strictSame(
    first(`<extension>${transformed}</extension>`).map(({ subject }) => subject),
    [{ piece_id: 'urn:a:b:1' }, { piece_id: 'urn:a:b:2' }],
  )
})

const inSecond =
  'xmlns:e="urn:epcglobal:epcis:xsd:2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" schemaVersion="2.0"'
const sensed = (report: string) => `<sensorElementList><sensorElement>${report}</sensorElement></sensorElementList>`

test('given XML that is unusual but valid, when it is read, then it is taken, and only what is used is remarked on', async (t) => {
  const told = (text: string) => {
    const readings = read(text)
    t.strictSame(refused(readings), [], text)
    return warned(readings).map((one) => one.replace(' epcisBody.eventList[0].', ' '))
  }
  const left = ['not_taken sensorElementList']
  const reports = [
    '<sensorReport type="gs1:Angle" component="cbv:Comp-longitude" value="1e2" uom="DD"/>',
    '<sensorReport component="example:y" type="https://example.org/Own" value="INF"/>',
    '<sensorReport exception="gs1:ALARM_CONDITION" own="1"/>',
  ]
  for (const report of reports) t.strictSame(told(xml(xmlEvent(sensed(report)), inSecond)), left)
  const amount =
    '<quantityElement><epcClass>urn:epc:class:lgtin:4012345.012345.1</epcClass><quantity xsi:nil="true"/></quantityElement>'
  const counted = xmlEvent(`<quantityList>${amount}</quantityList>`)
  t.strictSame(told(xml(counted, inSecond)), ['class_level quantityList[0]'])
  const changed = '<persistentDisposition><set>urn:epcglobal:cbv:disp:damaged</set></persistentDisposition>'
  const packed = xmlEvent(changed)
    .replaceAll('ObjectEvent', 'AggregationEvent')
    .replace(/<epcList>.*<.epcList>/, '<parentID>urn:a:b:1</parentID><childEPCs/>')
  t.strictSame(told(xml(packed)), ['not_taken type', 'not_taken persistentDisposition', 'required childEPCs'])
  const declared =
    '<errorDeclaration><reason>urn:epcglobal:cbv:er:incorrect_data</reason><declarationTime>2026-06-11T08:00:00Z</declarationTime></errorDeclaration>'
  const corrected = xml(xmlEvent('').replace('<epcList>', `${declared}<epcList>`))
  t.strictSame(told(corrected), [])
  t.strictSame(nativeOf(read(corrected)).withdrawn, { declared_at: '2026-06-11T08:00:00Z', reason: 'incorrect_data' })
  const compact = xml(xmlEvent('').replace(` ${sscc} `, 'example:box7').replace('urn:epcglobal:cbv:bizstep:', ''))
  t.strictSame(told(compact), [])
  t.match(read(compact)[0], {
    subject: { piece_id: 'https://ns.example/epcis/box7' },
    event: { status_code: 'package_outbound' },
  })
  t.strictSame(
    told(xml(xmlEvent('').replace(`<epc> ${sscc} </epc>`, `<epc>${sscc}</epc><epc>${sscc}</epc><epc>a b</epc>`))),
    ['not_unique epcList[1]', 'not_a_uri epcList[2]'],
  )
  t.strictSame(told(xml(xmlEvent('')).replace('?>', '?>\n<!DOCTYPE e:EPCISDocument>')), [])
})

test('given an event in XML without a document, when it is read, then it is read as in JSON', async (t) => {
  const [alone] = bare(read(xmlEvent('')))
  t.same(alone, { ...bare(one({}))[0], path: '' })
  const named = xmlEvent('').replace('<ObjectEvent>', '<e:ObjectEvent xmlns:e="urn:epcglobal:epcis:xsd:2">')
  t.same(bare(read(named.replace('</ObjectEvent>', '</e:ObjectEvent>')))[0], alone)
  t.strictSame(refused(read(xmlEvent('<myField/>'))), ['unknown_field myField'])
  t.strictSame(refused(read('<QuantityEvent/>')), ['not_epcis '])
})

test('given documents without events, when they are read, then they are refused instead of lost', async (t) => {
  const master = '<VocabularyList><Vocabulary type="urn:epcglobal:epcis:vtype:ReadPoint"/></VocabularyList>'
  const root = (name: string, part: string, body: string) =>
    `<e:${name} xmlns:e="urn:epcglobal:${part}:xsd:2" schemaVersion="2.0" creationDate="2026-06-10T14:00:00Z">${body}</e:${name}>`
  const header = `<EPCISHeader><extension><EPCISMasterData>${master}</EPCISMasterData></extension></EPCISHeader>`
  const results = `<e:QueryResults><queryName>SimpleMasterDataQuery</queryName><resultsBody>${master}</resultsBody></e:QueryResults>`
  const poll = '<e:Poll><queryName>SimpleEventQuery</queryName><params/></e:Poll>'
  const documents = [
    root('EPCISDocument', 'epcis', `${header}<EPCISBody/>`),
    root('EPCISDocument', 'epcis', `${header}<EPCISBody><EventList/></EPCISBody>`),
    root('EPCISMasterDataDocument', 'epcis-masterdata', `<EPCISBody>${master}</EPCISBody>`),
    root('EPCISQueryDocument', 'epcis-query', `<EPCISBody>${results}</EPCISBody>`),
    root('EPCISQueryDocument', 'epcis-query', `<EPCISBody>${poll}</EPCISBody>`),
    root('EPCISQueryDocument', 'epcis-query', '<EPCISBody><e:Poll/></EPCISBody>'),
    { ...captured(), epcisHeader: { epcisMasterData: { vocabularyList: [] } } },
    { ...captured(), type: 'EPCISMasterDataDocument' },
  ]
  for (const document of documents) t.strictSame(refused(read(document)), ['no_events '], JSON.stringify(document))
  t.strictSame(refused(read(root('EPCISDocument', 'epcis', '<EPCISBody><EventList/></EPCISBody>'))), [])
})

test('given XML of 1.2 in another order, when it is read, then it is refused as by its schema', async (t) => {
  const first = 'xmlns:e="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2"'
  const late = xmlEvent('')
    .replace(`<eventID>${uuid}</eventID>`, '')
    .replace('<action>OBSERVE</action>', '')
    .replace('</bizStep>', '</bizStep><action>OBSERVE</action>')
  t.strictSame(refused(read(xml(late, first))), ['element_order epcisBody.eventList[0].action'])
})

test('given JSON that is unusual but valid, when it is read, then it is taken', async (t) => {
  const taken = (more: Json, names: Json = {}) => {
    const document = captured({ ...event, ...more })
    const readings = read({ ...document, '@context': [gs1Contexts[0], { ex: 'https://ex.example/', ...names }] })
    t.strictSame(refused(readings), [], JSON.stringify(more))
    return readings
  }
  const at = 'epcisBody.eventList[0]'
  for (const bizStep of ['cbv:BizStep-departing', 'https://ref.gs1.org/cbv/BizStep-departing']) {
    const readings = taken({ bizStep })
    t.match(readings[0]?.event, { status_code: 'package_outbound', source: { code: 'departing/in_transit' } })
    t.strictSame(warned(readings), [])
  }
  t.strictSame(warned(taken({ bizStep: 'cbv:BizStep-flying' })), [
    `code_missing ${at}.bizStep`,
    `unknown_cbv_word ${at}.bizStep`,
  ])
  const component = { sensorElementList: [{ sensorReport: [{ type: 'gs1:New', component: 'no:y' }] }] }
  t.strictSame(warned(taken(component)), [`not_taken ${at}.sensorElementList`])
  t.strictSame(warned(taken({ epcList: ['no:1'] })), [`undeclared_prefix ${at}.epcList[0]`])
  taken({ 'ex:count': 7 }, { 'ex:count': { '@type': 'xsd:integer' } })
  taken({ 'ex:a': { count: 7, own: 1 } }, { count: 'ex:count', '@vocab': 'https://ex.example/' })
  taken({ 'ex:a': null })
  t.strictSame(warned(taken({ readPoint: { id: 'https://id.gs1.org/414/9521230000117' } })), [
    `check_digit ${at}.readPoint.id`,
  ])
  t.match(warned(read({ ...captured(event), schemaVersion: '2.1' })), ['unknown_value schemaVersion'])
})

test('given a time that cannot be stored as it is, when it is read, then it is moved as little as possible, and said', async (t) => {
  const occurred = (more: Json) => {
    const readings = one({ eventTimeZoneOffset: '+00:00', ...more })
    const moved = readings[0]?.warnings?.find(({ code }) => code === 'read_as')
    return [nativeOf(readings).occurred_at, moved?.path]
  }
  const at = 'epcisBody.eventList[0].eventTime'
  t.strictSame(occurred({ eventTime: '2016-12-31T23:59:60Z' }), ['2016-12-31T23:59:59Z', at])
  t.strictSame(occurred({ eventTime: '2026-06-10T09:30:00.123456789123Z' }), ['2026-06-10T09:30:00.123456789Z', at])
  t.strictSame(occurred({ eventTime: '2026-06-10T09:30:00+23:00' }), ['2026-06-09T10:30:00.000Z', at])
  t.strictSame(refused(one({ eventTime: '0000-06-10T09:30:00Z' })), [`no_such_date ${at}`])
  const local = xml(xmlEvent('').replace('-04:00', 'local'))
  t.strictSame(warned(read(local)), [
    'read_as epcisBody.eventList[0].eventTimeZoneOffset',
    'not_an_offset epcisBody.eventList[0].eventTimeZoneOffset',
  ])
  t.equal(nativeOf(read(local)).occurred_at, '2026-06-10T13:30:00Z')
})

test('given an id that claims to be the hash of its event, when it is read, then a wrong one is remarked on', async (t) => {
  const { eventID: _, ...unnamed } = event
  const { events } = hashEpcis(captured(unnamed))
  const hash = events[0]?.hash ?? ''
  t.match(hash, /^ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/)
  t.strictSame(warned(one({ eventID: hash })), [])
  t.strictSame(warned(one({ eventID: hash, action: 'ADD' })).slice(-1), [
    'event_hash_differs epcisBody.eventList[0].eventID',
  ])
  const inXml = hashEpcis(xml(xmlEvent('')))
  t.strictSame(inXml.events, [{ path: 'epcisBody.eventList[0]', id: uuid, hash }], 'it is the same in XML')
  t.match(hashEpcis(captured({ ...event, eventID: hash }, 7)), {
    events: [{ fits: true }],
    findings: [{ path: 'epcisBody.eventList[1]', code: 'wrong_type' }],
  })
})

test('given the context of any 2.0.x, or cbvmda declared anew, when a document is read, then it is taken', async (t) => {
  const base = 'https://ref.gs1.org/standards/epcis'
  for (const url of [`${base}/2.0.0`, `${base}/2.0.1`, base]) {
    const document = { ...captured(event), '@context': [`${url}/epcis-context.jsonld`] }
    t.strictSame([refused(read(document)), warned(read(document))], [[], []], url)
    t.strictSame(refused(readStrictly(document)), [], url)
  }
  for (const uri of ['urn:epcglobal:cbv:mda', 'https://ns.example/mda#', 'urn:epcglobal:cbv:mda:']) {
    const named = { ...event, bizStep: 'commissioning', action: 'ADD', ilmd: { 'cbvmda:lotNumber': '7' } }
    const document = { ...captured(named), '@context': [gs1Contexts[0], { cbvmda: uri }] }
    const isOwn = uri.endsWith('mda:')
    const expected = isOwn ? [] : ['reserved_term @context[1].cbvmda']
    t.strictSame(
      [
        refused(read(document)),
        warned(read(document))
          .slice(0, 1)
          .filter((one) => /term/.test(one)),
      ],
      [[], expected],
    )
    t.strictSame(refused(readStrictly(document)), expected, 'strictly')
    const hashed = hashEpcis(document).events[0]?.hash
    t.equal(hashed, hashEpcis(captured(named)).events[0]?.hash, 'it means what GS1 says')
    const kept = read(document)
      .flatMap(({ source }) => source?.kept ?? [])
      .slice(0, 1)
    const form = { as: 'query', creationDate: '2026-06-10T14:00:00Z' } as const
    t.notMatch(JSON.stringify(wholeJson(kept, form)['@context']), uri, 'and it is not given back')
  }
})

/** The hash of the only event of a document with this context. */
function hashIn(members: object, more: object): string | undefined {
  const { eventID: _, ...unnamed } = { ...event, ...members } as Record<string, unknown>
  return hashEpcis({ ...captured(unnamed), '@context': [gs1Contexts[0], more] }).events[0]?.hash
}

test('given one event with two prefixes and in full, when it is hashed, then it has one id', async (t) => {
  const saidWith = (ex: string) => ({
    ...{ epcList: [`${ex}box`], bizStep: `${ex}wrapping`, disposition: `${ex}own`, readPoint: { id: `${ex}dock` } },
    bizTransactionList: [{ type: `${ex}claim`, bizTransaction: `${ex}c/1` }],
    sensorElementList: [{ sensorReport: [{ type: `${ex}Own`, value: 1, uom: 'CEL' }] }],
    [`${ex}kind`]: `${ex}large`,
    [`${ex}inner`]: { [`${ex}list`]: [`${ex}one`, 'ex and: more'] },
  })
  const namespace = 'https://ns.example/epcis/'
  const full = hashIn(saidWith(namespace), {})
  t.match(full, /^ni:/)
  t.equal(hashIn(saidWith('a:'), { a: namespace }), full)
  t.equal(hashIn(saidWith('b:'), { b: namespace }), full)
  t.not(hashIn({ 'a:note': 'a: b' }, { a: namespace }), hashIn({ 'a:note': `${namespace} b` }, { a: namespace }))
  t.equal(hashIn({ 'a:note': 'ax' }, { a: namespace }), hashIn({ 'b:note': 'ax' }, { b: namespace }), 'no colon')
})

test('given extensions of nested members, when an event is hashed, then they follow the members of their parent', async (t) => {
  const own = { 'ex:b': 2, 'ex:a': 1 }
  const members = {
    ...{ type: 'ObjectEvent', eventTime: '2026-06-10T09:00:00.1-05:00', eventTimeZoneOffset: '-05:00' },
    ...{ epcList: ['urn:x:1'], action: 'OBSERVE', readPoint: { ...own, id: 'urn:x:2' }, 'ex:last': 'z' },
    quantityList: [{ 'ex:q': 1, epcClass: 'urn:x:3', quantity: 5 }],
    bizTransactionList: [{ 'ex:t': 1, bizTransaction: 'urn:x:4' }],
    sensorElementList: [
      { sensorReport: [{ ...own, value: 1 }], sensorMetadata: { ...own, time: '2026-06-10T14:00:00Z' }, 'ex:s': 1 },
    ],
  }
  const ns = '{https://ns.example/}'
  const both = `${ns}a=1${ns}b=2`
  const text = [
    'eventType=ObjectEventeventTime=2026-06-10T14:00:00.100ZeventTimeZoneOffset=-05:00epcListepc=urn:x:1',
    `quantityListquantityElementepcClass=urn:x:3quantity=5${ns}q=1action=OBSERVEreadPointid=urn:x:2${both}`,
    `bizTransactionListbizTransaction=urn:x:4${ns}t=1`,
    `sensorElementListsensorElementsensorMetadatatime=2026-06-10T14:00:00.000Z${both}`,
    `sensorReportvalue=1${both}${ns}s=1${ns}last=z`,
  ].join('')
  const prefixes = new Map([['ex', 'https://ns.example/']])
  t.equal(hashIdOf(members, prefixes), `ni:///sha-256;${sha256(text)}?ver=CBV2.0`)
})

const membersOfExamples = [
  ...['example:', 'sensorElementList', 'sourceList', 'QuantityList', 'correctiveEventIDs', 'desadv'],
]

testWith(
  t,
  { examples },
  'given the official examples, when they are read, then all are taken and every member is taken or named',
  (t, { examples }) => {
    t.ok(examples.length >= 6)
    for (const { name, text } of examples) {
      const readings = read(name.endsWith('.xml') ? text : JSON.parse(text))
      t.strictSame(refused(readings), [], name)
      t.ok(readings.length > 0, name)
      const named = warned(readings).join('\n')
      for (const member of membersOfExamples) {
        const names = member === 'desadv' ? 'bizTransactionList' : member
        const isRead = member === 'sensorElementList' && readings.some(({ event = {} }) => 'sensors' in event)
        if (text.includes(member) && !isRead) t.match(named, names, `${name}: ${member}`)
      }
    }
  },
)

/** What is refused beyond the official JSON Schema, by code and place in the document, and why. */
const beyond: readonly (readonly [why: string, found: RegExp])[] = [
  ['a context that GS1 does not know, or that changes its terms', /^\w+ (?:.*\.)?@context/],
  ['a prefix that no context declares: nothing tells what is meant', /^undeclared_prefix /],
  ['a name without prefix where JSON-LD drops it: in places, extensions and bodies', /^unknown_field /],
  ['an extension of null, which JSON-LD drops', /^wrong_type .*:/],
  [
    'an id that is neither a UUID nor a hash (SHACL of EPCIS 2.0)',
    /^not_an_event_id .*(?:eventID|correctiveEventIDs\[\d+\])$/,
  ],
  ['two events with one id, and one that corrects itself', /^(?:duplicate_event_id|corrects_itself) /],
  ['an SSCC or GLN that is none', /^(?:not_sscc|not_gln|check_digit) /],
  ['a URI whose scheme has a form, or whose host is no host', /^not_a_uri /],
  ['half a byte (SHACL)', /^bad_pattern .*hexBinaryValue$/],
  ['a leap second, a blank for T, an offset without colon', /^(?:not_a_date_time|no_such_date) .*(?:Time|time|Date)$/],
  ['a word of GS1 as a URI, where JSON has the bare word', /^unknown_cbv_word /],
  ['a child, or an object of a transaction, twice', /^not_unique .*(?:childEPCs|epcList)\[\d+\]$/],
  ['a whole that nobody names, while parts are put into it or taken out', /^required (?:.*\.)?parentID$/],
  ['a version that is not 2.0', /^unknown_value schemaVersion$/],
  ['an event of a type of its own, whose members are those of EPCIS all the same', /^\w+ foreign /],
]

const amounts = [{ epcClass: 'urn:epc:class:lgtin:4012345.012345.998877', quantity: 2.5, uom: 'KGM' }]

const sensors = {
  sensorMetadata: { time: '2026-06-10T13:30:00Z', deviceID: 'urn:epc:id:giai:4012345.111', 'example:by': 'x' },
  sensorReport: [
    { type: 'Temperature', exception: 'ALARM_CONDITION', component: 'x', value: 26.1, uom: 'CEL', stringValue: 's' },
    { type: 'example:Other', booleanValue: true, hexBinaryValue: '0aFf', uriValue: 'urn:a:b', sDev: 1 },
  ],
}

/** All members that an event of any type may have. */
const full = (type: string, id: number, more: Json) => ({
  ...{ ...event, type, recordTime: '2026-06-10T13:30:00.123456789+14:00', eventID: `${uuid.slice(0, -1)}${id}` },
  epcList: undefined,
  bizLocation: { id: 'https://id.gs1.org/414/4012345000016/254/7', 'example:dock': { 'example:gate': ['7'] } },
  bizTransactionList: [{ type: 'po', bizTransaction: 'https://a.example/po/1' }, { bizTransaction: 'urn:a:b' }],
  sourceList: [{ type: 'location', source: 'geo:1.5,2' }],
  destinationList: [{ type: 'https://x.example/t', destination: 'geo:1,2' }],
  certificationInfo: ['https://a.example/c'],
  errorDeclaration: {
    declarationTime: '2026-06-11T13:30:00Z',
    reason: 'incorrect_data',
    correctiveEventIDs: [otherUuid],
  },
  sensorElementList: [sensors],
  'example:more': { 'example:a': [{ 'example:b': 'c' }] },
  ...more,
})

const masterData = [
  {
    type: 'urn:epcglobal:epcis:vtype:BusinessLocation',
    vocabularyElementList: [{ id: 'urn:a:b', attributes: [{ id: 'urn:c:d', attribute: 'x' }], children: ['urn:e:f'] }],
  },
]

/** Documents with everything that the official schema knows. */
function fullDocuments(): readonly Json[] {
  const children = { childEPCs: ['urn:epc:id:sgtin:4012345.012345.1'], childQuantityList: amounts }
  const made = { set: ['damaged'], unset: ['in_transit'] }
  const list = [
    full('ObjectEvent', 1, { epcList: [sscc], quantityList: amounts, action: 'ADD', ilmd: { 'example:a': 1 } }),
    full('ObjectEvent', 2, { epcList: [], persistentDisposition: made }),
    full('AggregationEvent', 3, { ...children, parentID: 'urn:epc:id:sscc:4012345.0000000111' }),
    full('AssociationEvent', 4, { ...children, parentID: 'urn:a:b', action: 'DELETE' }),
    full('TransactionEvent', 5, { epcList: [sscc], parentID: 'urn:a:b', quantityList: amounts }),
    full('TransformationEvent', 6, {
      ...{ action: undefined, transformationID: 'urn:t:1', persistentDisposition: made, ilmd: { 'example:a': 1 } },
      ...{ inputEPCList: [sscc], inputQuantityList: amounts, outputEPCList: ['urn:c:e'], outputQuantityList: amounts },
    }),
    { ...event, type: 'example:Own', eventID: undefined },
  ]
  const around = { id: 'urn:a:b', sender: 's', receiver: 'r', instanceIdentifier: 'i', 'example:around': 1 }
  const header = { epcisHeader: { epcisMasterData: { vocabularyList: masterData } } }
  const results = {
    queryName: 'q',
    subscriptionID: 's',
    resultsBody: { eventList: list.slice(0, 2), vocabularyList: masterData },
  }
  const query = { ...captured(), type: 'EPCISQueryDocument', epcisBody: { queryResults: results } }
  const alone = { '@context': context, ...list[2] }
  return [{ ...captured(...list), ...around, ...header }, query, alone].map((one) => JSON.parse(JSON.stringify(one)))
}

const changedAnywhere =
  'given a document that was changed anywhere, when its JSON Schema refuses it, then so does the reader, and what it refuses beyond that is listed'

testWith(t, { jsonSchema }, changedAnywhere, (t, { jsonSchema }) => {
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  const isValid = ajv.compile(jsonSchema)
  const documents = [
    ...(examples().here ?? [])
      .filter(({ name }) => name.endsWith('.jsonld'))
      .map(({ text }) => JSON.parse(text) as Json),
    ...['query', 'capture'].map(
      (as) => JSON.parse(JSON.stringify(project(whole, { ...target, options: { as } }))) as Json,
    ),
    ...fullDocuments(),
  ]
  const value = fc.constantFrom<unknown>(
    ...[null, true, 7, '', ' ', 'x', 'urn:a:b', 'example:x', 'nobody:x', 'OBSERVE', 'ADD', 'shipping', 'urn:uuid:1'],
    ...['http://[::1]/', 'http://a:b/', 'foo://a@b@c', 'http:x', 'a:?x', 'a:b%zz', 'urn:x', 'https://x.example:80/#f'],
    ...[
      '2020-01-01T00:00:00Z',
      '2020-02-30T00:00:00Z',
      '2020-01-01 00:00:00z',
      '2016-12-31T23:59:60Z',
      '+14:00',
      '1.2',
    ],
    ...['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'example:Type', 'EPCISQueryDocument', 'epcList', 'ilmd'],
    ...[[], {}, ['x'], [{}], { id: 'x' }, { x: 1 }, ['urn:a:b', 'urn:a:b'], 'urn:epcglobal:cbv:bizstep:shipping'],
    ...[
      'cbv:BizStep-shipping',
      'https://gs1.org/voc/Temperature',
      { set: ['x'] },
      { set: [] },
      { 'example:a': { b: 1 } },
    ],
  )
  const seen = { valid: 0, refused: 0, beyond: 0 }
  const count = runs(t, 30)
  for (const document of documents) {
    t.ok(isValid(document), ajv.errorsText(isValid.errors))
    t.strictSame(checkEpcis(document, true).refusing, [])
    const places = fc.constantFrom(...pathsOf(document).slice(1))
    const change = fc.constantFrom(...changes)
    const step = fc.tuple(places, change, value, fc.nat(200))
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 2 }), (steps) => {
        const broken = steps.reduce<unknown>((one, how) => mutated(one, ...how), document)
        const changed = JSON.parse(JSON.stringify(broken)) as Json
        const findings = checkEpcis(changed, true).refusing
        if (isValid(changed)) {
          seen[findings.length === 0 ? 'valid' : 'beyond']++
          return findings.every((finding) => isListed(finding, changed))
        }
        seen.refused++
        return findings.length > 0
      }),
      { numRuns: count },
    )
  }
  t.ok(!areMany || Math.min(seen.valid, seen.refused, seen.beyond) > 100, JSON.stringify(seen))
})

function isListed({ code, path }: Finding, document: Json): boolean {
  const place = isForeign(document, path) ? `foreign ${path}` : path
  return beyond.some(([, found]) => found.test(`${code} ${place}`))
}

/** Whether a path is that of an event, or below one, whose type is from another namespace. */
function isForeign(document: unknown, path: string): boolean {
  const list = /^epcisBody\.(?:queryResults\.resultsBody\.)?eventList\[\d+\]/
  const keys = (list.exec(path)?.[0] ?? '').split(/[.[\]]+/).filter((key) => key !== '')
  const { type } = keys.reduce<Json>((inner, key) => inner[key] as Json, document as Json)
  return typeof type === 'string' && type.includes(':')
}

test('given more events or things than one call takes, when they are read, then the call is refused', async (t) => {
  const over = Array.from({ length: 10_001 }, () => event)
  t.throws(() => read(captured(...over)), { code: 'too_many_events' })
  const things = (count: number) => Array.from({ length: count }, (_, index) => `urn:a:b:${index}`)
  const whole = [
    { ...event, epcList: things(10_000) },
    { ...event, eventID: otherUuid, epcList: things(10_000) },
  ]
  t.equal(read(captured(...whole)).length, 20_000)
  const { eventID: _, ...nameless } = event
  t.throws(() => read(captured(...whole, nameless)), { code: 'too_many_things' })
  t.match(read(captured({ ...event, epcList: things(10_001) })), [
    { findings: [{ path: 'epcisBody.eventList[0].epcList', code: 'too_long' }] },
  ])
})

test('given more than one event may hold, when it is read, then it is refused alike in JSON and XML, with its path', async (t) => {
  const { values, characters } = eventBounds
  const inXml = (inside: string) => xml(xmlEvent('') + xmlEvent(inside).replace(uuid, otherUuid))
  const inJson = (value: unknown) => captured(event, { ...event, eventID: otherUuid, 'example:a': value })
  const refused = (document: unknown) => {
    for (const read of [parseEpcis, checkEpcis, hashEpcis] as const)
      t.throws(() => (read as typeof parseEpcis)(document, target), {
        code: 'event_too_large',
        params: eventBounds,
        findings: [{ path: 'epcisBody.eventList[1]', code: 'event_too_large' }],
      })
  }
  for (const item of ['', 0, {}, [], null]) refused(inJson(new Array(values).fill(item)))
  refused(inJson('x'.repeat(characters + 1)))
  refused(inJson({ ['example:'.padEnd(characters, 'x')]: '' }))
  const attributes = Array.from({ length: 200 }, (_, index) => ` b${index}=""`).join('')
  for (const item of [
    '<example:a/>',
    '<a/>',
    '<y:a/>',
    '<example:a xmlns="u:x"/>',
    '<example:a><example:b/></example:a>',
  ])
    refused(inXml(item.repeat(values)))
  refused(inXml(`<example:a${attributes}/>`.repeat(values / 200)))
  for (const item of ['&lt;', '<!---->', '<?a?>', '<![CDATA[]]>', 'x'])
    refused(inXml(`<example:a>${item.repeat(characters / item.length)}</example:a>`))
  t.equal(read(inJson(new Array(values - 100).fill(0))).length, 2)
  t.equal(read(inXml('<example:a/>'.repeat(values - 100))).length, 2)
})

test('given more than may be around the events of an XML document, when it is read, then it is refused', async (t) => {
  const many = '<a/>'.repeat(eventBounds.values)
  const around = { code: 'event_too_large', findings: [{ path: '', code: 'event_too_large' }] }
  t.throws(
    () => read(xml(xmlEvent('')).replace('<EPCISBody>', `<EPCISHeader>${many}</EPCISHeader><EPCISBody>`)),
    around,
  )
  t.throws(() => read(xml(xmlEvent('')).replace('</EPCISBody>', `${many}</EPCISBody>`)), around)
  const long = `<EPCISHeader>${' '.repeat(eventBounds.characters)}</EPCISHeader>`
  t.throws(() => read(xml(xmlEvent('')).replace('<EPCISBody>', `${long}<EPCISBody>`)), {
    code: 'event_too_large',
    findings: [{ path: 'epcisHeader', code: 'event_too_large' }],
  })
  t.throws(() => read(xml('<ObjectEvent/>'.repeat(10_001))), { code: 'too_many_events' })
  const spaces = (count: number) => Array.from({ length: count }, (_, index) => `<a xmlns="u:${index}"/>`).join('')
  t.throws(() => read(xml(xmlEvent(spaces(1_001)))), {
    code: 'malformed_xml',
    params: { reason: 'more than 1000 namespaces' },
  })
  t.strictSame(refused(read(xml(xmlEvent(spaces(900))))), [])
  t.equal(refused(read(xml(xmlEvent('<y:a/>'.repeat(1_000))))).length, 100)
})

test('given elements that each declare the same namespaces, when they are read, then all share one scope', async (t) => {
  const scopes = new Set<unknown>()
  const { create } = Object
  t.teardown(() => Object.assign(Object, { create }))
  const counted = (...args: Parameters<typeof create>) => {
    const made = create(...args)
    scopes.add(made)
    return made
  }
  Object.assign(Object, { create: counted })
  read(xml(xmlEvent('<a xmlns="u:x" xmlns:b="u:b"/>'.repeat(1_000))))
  t.ok(scopes.size < 10, `${scopes.size}`)
})

test('given an event as large as one may be, when it is read in steps, then it takes several', async (t) => {
  const items = new Array(90_000).fill('a')
  const work = parseEpcisInSteps(captured({ ...event, 'example:a': items }), target)
  let steps = 0
  while (work.next().done !== true) steps++
  t.ok(steps >= 4, `${steps}`)
})

test('given one large event whose id many repeat, when they are read, then its text is made once', async (t) => {
  let made = 0
  const large = { ...event, 'example:a': { toJSON: () => ++made } }
  const others = Array.from({ length: 1_000 }, (_, index) => ({ ...event, 'example:b': `${index}` }))
  const readings = read(captured(large, ...others))
  t.equal(refused(readings).filter((one) => one.startsWith('duplicate_event_id')).length, 1_000)
  t.equal(made, 1)
})

test('whatever is read, nothing but a refusal of the engine is thrown', async (t) => {
  const harmless = (document: unknown) => {
    try {
      return Array.isArray(read(document))
    } catch (error) {
      return isEngineError(error)
    }
  }
  const names = fc.constantFrom(
    ...Object.keys(event),
    'example:x',
    'errorDeclaration',
    'sensorElementList',
    '__proto__',
    'otep:subject',
  )
  const members = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }))
  fc.assert(fc.property(fc.jsonValue(), harmless))
  fc.assert(fc.property(members, (more) => harmless(captured({ ...event, ...more }))))
  fc.assert(fc.property(members, (more) => harmless({ ...captured(event), ...more })))
  const pieces = fc.constantFrom(
    '<a>',
    '</a>',
    '<e:a x="1">',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&lt;',
    '&x;',
    '<?x?>',
    ' ',
    'é',
    '<!DOCTYPE a>',
  )
  fc.assert(fc.property(fc.array(pieces), (parts) => harmless(`<a>${parts.join('')}</a>`)))
  const good = xml(xmlEvent('<example:a/>'))
  fc.assert(
    fc.property(fc.nat(good.length), fc.nat(40), fc.string(), (from, length, text) =>
      harmless(good.slice(0, from) + text + good.slice(from + length)),
    ),
  )
  t.pass('no counterexample')
})

test('given many events, when a document is read in steps, then a step is a hundred events and the result is the same', async (t) => {
  const uuid = (index: number) => `urn:uuid:00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  const document = captured(...Array.from({ length: 300 }, (_, index) => ({ ...event, eventID: uuid(index) })))
  const work = parseEpcisInSteps(document, target)
  let steps = 0
  let next = work.next()
  for (; next.done !== true; next = work.next()) steps++
  t.equal(steps, 3)
  t.strictSame(next.value, read(document))
})
