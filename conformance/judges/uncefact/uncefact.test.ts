import t from 'tap'
import type { Target, Timeline } from '../../../engine/index.ts'
import type { FaultsIn, Judge, Judged } from '../judge.ts'
import { testWith } from '../official.test.fixture.ts'
import { judges } from './index.ts'
import { rulesJudge } from './rules.ts'

function judgeNamed(name: string): Judge {
  const judge = judges.find((one) => one.name.startsWith(name))
  if (judge === undefined) throw new Error(`no judge ${name}`)
  return judge
}

const baseUrl = 'https://t.example'
const at = `${baseUrl}/api/v1/otep/trackings/SR1/uncefact/events`

const timeline: Timeline = {
  otep_version: '0.1',
  profile: 'parcel',
  subject: { tracking_number: 'SR1', gs1_sscc: '395212300004172606' },
  current_status: 'delivered',
  delivered: true,
  events: [
    {
      event_id: 'E1',
      otep_version: '0.1',
      occurred_at: '2026-06-11T10:00:00+02:00',
      recorded_at: '2026-06-11T08:00:01Z',
      status_code: 'delivery_failed',
      phase: 'exception',
      incident_reason: 'consignee_absent',
      location: { name: 'Berlin', unlocode: 'DEBER', latitude: 52.5, longitude: 13.4 },
    },
    {
      event_id: 'E2',
      otep_version: '0.1',
      occurred_at: '2026-06-12T10:00:00+02:00',
      recorded_at: '2026-06-12T08:00:01Z',
      status_code: 'delivered',
      phase: 'delivered',
    },
  ],
}

const measure = (value: string) => ({
  type: 'unece:MeasureType',
  'unece:MeasureTypeValue': { '@type': 'xsd:decimal', '@value': value },
  'unece:MeasureTypeCode': { '@id': 'unece:UnitMeasureCode#DD' },
})

const goodVocabulary = {
  '@context': 'https://vocabulary.uncefact.org/unece-context.jsonld',
  id: `${baseUrl}/id/tracking_number/SR1`,
  type: 'Consignment',
  identifier: 'SR1',
  specifiedLogisticsStatus: {
    type: 'LogisticsStatus',
    logisticsStatusConditionCode: 'unece:LogisticsStatusCodeList#21',
    referenceDateTime: '2026-06-12T10:00:00+02:00',
  },
  deliveryTransportEvent: { id: `${at}/E2`, type: 'TransportEvent' },
  transportEvent: [
    {
      id: `${at}/E1`,
      type: 'TransportEvent',
      identifier: 'E1',
      typeCode: 'otep:parcel:delivery_failed',
      reportedConditionTypeCode: 'unece:LogisticsStatusCodeList#210',
      actualOccurrenceDateTime: '2026-06-11T10:00:00+02:00',
      receivedDateTime: '2026-06-11T08:00:01Z',
      reasonTypeCode: '269',
      occurrenceLogisticsLocation: {
        type: 'LogisticsLocation',
        identifier: ['DEBER'],
        name: 'Berlin',
        postalAddress: { type: 'TradeAddress', tradeAddressCountryId: 'unece:CountryId#DE' },
        physicalGeographicalCoordinate: {
          type: 'GeographicalCoordinate',
          latitudeMeasure: measure('52.5'),
          longitudeMeasure: measure('13.4'),
        },
      },
      applicableNote: [{ type: 'Note', subject: 'incident_reason', content: 'consignee_absent' }],
    },
    {
      id: `${at}/E2`,
      type: 'TransportEvent',
      identifier: 'E2',
      typeCode: 'otep:parcel:delivered',
      reportedConditionTypeCode: 'unece:LogisticsStatusCodeList#21',
      actualOccurrenceDateTime: '2026-06-12T10:00:00+02:00',
      receivedDateTime: '2026-06-12T08:00:01Z',
    },
  ],
}

const goodMessage = {
  exchangedDocument: {
    id: { content: 'R1' },
    typeCode: { content: '44', listAgencyId: '6' },
    issueDateTime: '2026-06-12T08:00:01Z',
    purposeCode: [{ content: '9', listAgencyId: '6' }],
  },
  specifiedConsignment: [
    {
      id: [{ content: 'SR1' }],
      carrierAssignedId: { content: 'SR1' },
      deliveryEvent: { actualOccurrenceDateTime: '2026-06-12T10:00:00+02:00' },
      reportedLogisticsStatus: [
        {
          conditionCode: { content: '210', listAgencyId: '6' },
          referenceDateTime: '2026-06-11T10:00:00+02:00',
          reasonCode: [{ content: '269', listAgencyId: '6' }],
          specifiedLogisticsLocation: [
            {
              id: [{ content: 'DEBER', schemeAgencyId: '6' }],
              name: [{ content: 'Berlin' }],
              physicalGeographicalCoordinate: {
                latitude: { content: '52.5', unitCode: 'DD' },
                longitude: { content: '13.4', unitCode: 'DD' },
              },
            },
          ],
          'x-eventId': 'E1',
          'x-statusCode': 'otep:parcel:delivery_failed',
          'x-recordedDateTime': '2026-06-11T08:00:01Z',
        },
        {
          conditionCode: { content: '21', listAgencyId: '6' },
          referenceDateTime: '2026-06-12T10:00:00+02:00',
          'x-eventId': 'E2',
          'x-statusCode': 'otep:parcel:delivered',
          'x-recordedDateTime': '2026-06-12T08:00:01Z',
        },
      ],
    },
  ],
}

const vocabularyTarget: Target = { baseUrl, options: {} }
const messageTarget: Target = { baseUrl, options: { dialect: 'message' } }

type Path = readonly (string | number)[]

/** The document with another value at a path; without that member where the value is undefined. */
function changed(document: object, path: Path, value: unknown): object {
  const copy = structuredClone(document)
  const last = path.at(-1) as string
  const parent = path.slice(0, -1).reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], copy)
  if (value !== undefined) (parent as Record<string, unknown>)[last] = value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete (parent as Record<string, unknown>)[last]
  return copy
}

/** The findings of a judge in a document. */
async function foundBy(
  faultsIn: FaultsIn,
  document: object | string,
  target: Target,
  of: Timeline = timeline,
): Promise<readonly string[]> {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return await faultsIn({ text, mediaType: 'application/json', timeline: of, target })
}

const first: Path = ['transportEvent', 0]
const place: Path = [...first, 'occurrenceLogisticsLocation']
const point: Path = [...place, 'physicalGeographicalCoordinate']
const rec24 = (code: string) => `unece:LogisticsStatusCodeList#${code}`

/** Mistakes that the official files refuse. */
const badForTheVocabulary: readonly (readonly [what: string, path: Path, value: unknown])[] = [
  ['another context', ['@context'], 'https://schema.org/'],
  ['no context', ['@context'], undefined],
  ['no type', ['type'], undefined],
  ['another class', ['type'], 'TransportEvent'],
  ['a relative id', ['id'], 'SR1'],
  ['a member that no context has', ['eventTypeCode'], 'x'],
  ['a member of another class', [...first, 'occurrenceDateTime'], '2026-06-11T10:00:00+02:00'],
  ['the condition of another class', [...first, 'conditionCode'], rec24('21')],
  ['a status member on an event', [...first, 'logisticsStatusConditionCode'], rec24('21')],
  ['a bare number', [...first, 'reportedConditionTypeCode'], '210'],
  ['a number of the CSV alone', [...first, 'reportedConditionTypeCode'], rec24('374')],
  ['a number in a gap', [...first, 'reportedConditionTypeCode'], rec24('42')],
  ['a number of another list', [...first, 'reportedConditionTypeCode'], 'unece:StatusCodeList#21'],
  ['a code as a node with a member', [...first, 'reportedConditionTypeCode'], { id: rec24('210'), name: 'x' }],
  ['a code as a literal', [...first, 'reportedConditionTypeCode'], { '@value': '210' }],
  ['a date without a zone', [...first, 'actualOccurrenceDateTime'], '2026-06-11T10:00:00'],
  ['a date alone', [...first, 'receivedDateTime'], '2026-06-11'],
  ['a day that is none', [...first, 'receivedDateTime'], '2026-02-30T10:00:00Z'],
  ['a number where a text belongs', [...first, 'identifier'], 7],
  ['a place as a text', place, 'Berlin'],
  ['a place of another class', [...place, 'type'], 'TradeAddress'],
  ['a place without a class', [...place, 'type'], undefined],
  ['an address member on a place', [...place, 'cityName'], 'Berlin'],
  ['a country that is none', [...place, 'postalAddress', 'tradeAddressCountryId'], 'unece:CountryId#XK'],
  ['a bare country', [...place, 'postalAddress', 'tradeAddressCountryId'], 'DE'],
  ['a measure as a text', [...point, 'latitudeMeasure'], '52.5'],
  ['a measure as a number', [...point, 'latitudeMeasure'], 52.5],
  ['a decimal with an exponent', [...point, 'latitudeMeasure'], measure('1e-7')],
  ['a double', [...point, 'latitudeMeasure', 'unece:MeasureTypeValue', '@type'], 'xsd:double'],
  ['another unit', [...point, 'latitudeMeasure', 'unece:MeasureTypeCode'], { '@id': 'unece:UnitMeasureCode#KGM' }],
  ['a note as a text', [...first, 'applicableNote', 0], 'absent'],
  ['another member on a note', [...first, 'applicableNote', 0, 'description'], 'absent'],
  ['a party that these documents lack', ['carrierParty'], { type: 'TradeParty', value: 'x' }],
]

/** Mistakes that only our own rules detect. */
const badForTheRules: readonly (readonly [what: string, path: Path, value: unknown])[] = [
  ['an event that is missing', [...first.slice(0, 1), 1], undefined],
  ['an event twice', ['transportEvent', 1], goodVocabulary.transportEvent[0]],
  ['a single event and no list', ['transportEvent'], goodVocabulary.transportEvent[0]],
  ['another time of occurrence', [...first, 'actualOccurrenceDateTime'], '2026-06-11T08:00:00Z'],
  ['the time of occurrence for the time of recording', [...first, 'receivedDateTime'], '2026-06-11T10:00:00+02:00'],
  ['another status', [...first, 'typeCode'], 'otep:parcel:delivered'],
  ['a failed attempt as a delivery', [...first, 'reportedConditionTypeCode'], rec24('21')],
  ['no number where there is one', [...first, 'reportedConditionTypeCode'], undefined],
  ['a reason that no list has', [...first, 'reasonTypeCode'], '374'],
  ['a reason in words', [...first, 'reasonTypeCode'], 'consignee_absent'],
  ['an id elsewhere', [...first, 'id'], 'https://else.example/E1'],
  ['two events with one id', [...first, 'id'], `${at}/E2`],
  ['a delivery that is no event', ['deliveryTransportEvent', 'id'], `${at}/E9`],
  ['another subject', ['identifier'], 'SR2'],
  ['an old status', ['specifiedLogisticsStatus', 'logisticsStatusConditionCode'], rec24('210')],
  ['a status of another time', ['specifiedLogisticsStatus', 'referenceDateTime'], '2026-06-11T10:00:00+02:00'],
  ['a null', [...first, 'description'], null],
  ['a latitude out of range', [...point, 'latitudeMeasure'], measure('91')],
  ['a longitude out of range', [...point, 'longitudeMeasure'], measure('-180.1')],
]

const consignment: Path = ['specifiedConsignment', 0]
const status: Path = [...consignment, 'reportedLogisticsStatus', 0]
const spot: Path = [...status, 'specifiedLogisticsLocation', 0]

/** Mistakes that the official schema refuses. */
const badForTheSchema: readonly (readonly [what: string, path: Path, value: unknown])[] = [
  ['a context', ['@context'], 'https://vocabulary.uncefact.org/unece-context.jsonld'],
  ['no header', ['exchangedDocument'], undefined],
  ['no consignment', ['specifiedConsignment'], []],
  ['no identifier', ['exchangedDocument', 'id'], undefined],
  ['another kind of document', ['exchangedDocument', 'typeCode', 'content'], '700'],
  ['no date of issue', ['exchangedDocument', 'issueDateTime'], undefined],
  ['a purpose that is no list', ['exchangedDocument', 'purposeCode'], { content: '9' }],
  ['a purpose that is none', ['exchangedDocument', 'purposeCode', 0, 'content'], '2'],
  ['a bare text as a code', [...status, 'conditionCode'], '210'],
  ['a number as a code', [...status, 'conditionCode', 'content'], 210],
  ['a number in a gap', [...status, 'conditionCode', 'content'], '42'],
  ['a number of the CSV alone', [...status, 'conditionCode', 'content'], '374'],
  ['a mnemonic', [...status, 'conditionCode', 'content'], 'DLV'],
  ['another agency', [...status, 'conditionCode', 'listAgencyId'], '5'],
  ['a reason that is no list', [...status, 'reasonCode'], { content: '269' }],
  ['a reason that no list has', [...status, 'reasonCode', 0, 'content'], '999'],
  ['a member that is none', [...status, 'recordedDateTime'], '2026-06-11T08:00:01Z'],
  ['a name of the vocabulary', [...status, 'reportedConditionTypeCode'], '210'],
  ['a date without a zone', [...status, 'referenceDateTime'], '2026-06-11T10:00:00'],
  ['a place that is no list', [...status, 'specifiedLogisticsLocation'], {}],
  ['a place name that is no list', [...spot, 'name'], { content: 'Berlin' }],
  ['two identifiers of a place', [...spot, 'id'], [{ content: 'DEBER' }, { content: '9521230000222' }]],
  ['an address', [...spot, 'postalAddress'], { cityName: [{ content: 'Berlin' }] }],
  ['a number as a coordinate', [...spot, 'physicalGeographicalCoordinate', 'latitude', 'content'], 52.5],
  ['a coordinate with an exponent', [...spot, 'physicalGeographicalCoordinate', 'latitude', 'content'], '1e-7'],
  ['a coordinate without a unit', [...spot, 'physicalGeographicalCoordinate', 'latitude', 'unitCode'], undefined],
  ['a coordinate in another unit', [...spot, 'physicalGeographicalCoordinate', 'latitude', 'unitCode'], 'degrees'],
  ['a carrier number as a list', [...consignment, 'carrierAssignedId'], [{ content: 'SR1' }]],
  ['a consignment number that is no list', [...consignment, 'id'], { content: 'SR1' }],
  ['a type on the delivery', [...consignment, 'deliveryEvent', 'typeCode'], { content: '21' }],
]

/** Mistakes that only our own rules detect. */
const badForTheMessageRules: readonly (readonly [what: string, path: Path, value: unknown])[] = [
  ['a request', ['exchangedDocument', 'typeCode', 'content'], '45'],
  ['an empty identifier', ['exchangedDocument', 'id', 'content'], ''],
  ['a date of issue before the reported events', ['exchangedDocument', 'issueDateTime'], '2026-06-11T08:00:01Z'],
  ['a replacement of nothing', ['exchangedDocument', 'purposeCode', 0, 'content'], '5'],
  ['a status that is missing', [...consignment, 'reportedLogisticsStatus', 1], undefined],
  ['another time of occurrence', [...status, 'referenceDateTime'], '2026-06-11T08:00:00Z'],
  ['no time of recording', [...status, 'x-recordedDateTime'], undefined],
  ['a failed attempt as a delivery', [...status, 'conditionCode', 'content'], '21'],
  ['no number where there is one', [...status, 'conditionCode'], undefined],
  ['a code without its agency', [...status, 'conditionCode', 'listAgencyId'], undefined],
  ['a reason without its agency', [...status, 'reasonCode', 0, 'listAgencyId'], undefined],
  ['another event', [...status, 'x-eventId'], 'E7'],
  ['a latitude out of range', [...spot, 'physicalGeographicalCoordinate', 'latitude', 'content'], '90.5'],
  ['an extension with a date that is none', [...status, 'x-anyDateTime'], 'soon'],
  ['a null in an extension', [...status, 'x-any'], null],
]

const { specifiedLogisticsStatus: _, ...withoutStatus } = goodVocabulary

const cases = [
  {
    ...{ name: 'JSON-LD', target: vocabularyTarget, mistakes: badForTheVocabulary, other: goodMessage },
    goods: [goodVocabulary, withoutStatus],
  },
  {
    ...{ name: 'Rules', target: vocabularyTarget, mistakes: badForTheRules, other: goodMessage },
    goods: [goodVocabulary, withoutStatus],
  },
  {
    ...{ name: 'JSON Schema', target: messageTarget, mistakes: badForTheSchema, other: goodVocabulary },
    goods: [goodMessage, changed(goodMessage, [...status, 'x-any'], { deep: [1] })],
  },
  {
    ...{ name: 'Rules', target: messageTarget, mistakes: badForTheMessageRules, other: goodVocabulary },
    goods: [goodMessage, changed(goodMessage, [...status, 'x-any'], { deep: [1] })],
  },
] as const

for (const { name, target, goods, mistakes, other } of cases) {
  const judge = judgeNamed(name)
  const needs = { faultsIn: judge.open }
  const which = `${target.options.dialect ?? 'vocabulary'}, ${name}`

  testWith(t, needs, `given a good ${which} takes it`, async (t, { faultsIn }) => {
    for (const good of goods) {
      const judged: Judged = { text: '', mediaType: 'application/json', timeline, target }
      t.ok(judge.takes(judged))
      t.same(await foundBy(faultsIn, good, target), [])
    }
  })

  testWith(t, needs, `given what is no ${which} says so`, async (t, { faultsIn }) => {
    for (const text of ['', '{', '[]', 'null', '"x"', '7']) {
      t.not((await foundBy(faultsIn, text, target)).length, 0, text)
    }
    t.not((await foundBy(faultsIn, other, target)).length, 0, 'the other form')
  })

  testWith(t, needs, `given a mistake in a ${which} finds it`, async (t, { faultsIn }) => {
    for (const [what, path, value] of mistakes) {
      t.not((await foundBy(faultsIn, changed(goods[0], path, value), target)).length, 0, what)
    }
  })
}

t.test('given a withdrawn event, then it must not be reported, and the message says that it replaces', async (t) => {
  const [kept, gone] = timeline.events
  if (kept === undefined || gone === undefined) throw new Error('two events')
  const taken: Timeline = {
    ...timeline,
    current_status: 'delivery_failed',
    delivered: false,
    events: [kept],
    withdrawn_events: [{ ...gone, withdrawn: { declared_at: '2026-06-13T00:00:00Z' } }],
  }
  const found = async (document: object, target: Target) =>
    (await foundBy(rulesJudge.judge, document, target, taken)).join()
  t.match(await found(goodVocabulary, vocabularyTarget), /transportEvent\[1\] was withdrawn/)
  t.match(await found(goodMessage, messageTarget), /reportedLogisticsStatus\[1\] was withdrawn/)
  t.match(await found(goodMessage, messageTarget), /purpose is 5/)
})

t.test('given events out of order, they are refused', async (t) => {
  const reversed = { ...goodVocabulary, transportEvent: [...goodVocabulary.transportEvent].reverse() }
  t.not((await foundBy(rulesJudge.judge, reversed, vocabularyTarget)).length, 0)
})
