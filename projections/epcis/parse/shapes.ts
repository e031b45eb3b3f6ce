import { isObject, type Members } from '../../../engine/index.ts'
import {
  anything,
  boolean,
  eventId,
  list,
  matching,
  number,
  object,
  oneOf,
  otherEventId,
  type Shape,
  text,
  times,
  uri,
  word,
} from './check.ts'
import { contentOf } from './content.ts'
import { below, both, type Findings, found, good, ifStrict } from './findings.ts'
import type { Check } from './scope.ts'

const epcs = list(uri, { unique: true })
/** The JSON Schema does not mind a repetition in these lists. */
const repeatedEpcs = list(uri, { unique: true, seldom: true })
const quantities = list(
  object({
    members: { epcClass: uri, quantity: number, uom: matching(/^[A-Z\d]{2,3}$/, 'bad_pattern', { expected: 'KGM' }) },
    required: ['epcClass'],
  }),
)
const place = object({ members: { id: uri }, required: ['id'], open: 'terms' })

const metadata: Readonly<Record<string, Check>> = {
  ...times('time', 'startTime', 'endTime'),
  ...{ deviceID: uri, deviceMetadata: uri, rawData: uri, dataProcessingMethod: uri, bizRules: uri },
}

const sensorReport = object({
  members: {
    type: word('measurement'),
    exception: word('alert'),
    ...{ deviceID: uri, deviceMetadata: uri, rawData: uri, dataProcessingMethod: uri, bizRules: uri },
    ...times('time'),
    ...{ microorganism: uri, chemicalSubstance: uri, coordinateReferenceSystem: uri, component: word('component') },
    ...{ value: number, minValue: number, maxValue: number, meanValue: number, sDev: number, percRank: number },
    ...{ percValue: number, stringValue: text, booleanValue: boolean, uriValue: uri, uom: text },
    hexBinaryValue: matching(/^(?:[A-Fa-f\d]{2})+$/, 'bad_pattern', { expected: '0A1B' }),
  },
  required: ['type'],
  open: 'sensors',
})

const sensorElement = object({
  members: {
    sensorMetadata: object({ members: metadata, open: 'sensors' }),
    sensorReport: list(sensorReport, { min: 1 }),
  },
  required: ['sensorReport'],
  open: 'sensors',
})

const errorDeclaration = object({
  members: { ...times('declarationTime'), reason: word('reason'), correctiveEventIDs: list(otherEventId) },
  required: ['declarationTime'],
  open: 'extensions',
})

const changes = list(word('disposition'), { min: 1, unique: true })

const changed = object({ members: { set: changes, unset: changes } })

const persistentDisposition: Check = (value, scope) => {
  const isEmpty = isObject(value) && Object.keys(value).length === 0
  return isEmpty ? found('required', { field: 'set' }) : changed(value, scope)
}

/** The XML Schema has it in every event, the JSON Schema only in two. */
const changesInXml: Check = (value, scope) =>
  scope.xml ? persistentDisposition(value, scope) : found('unknown_field', { field: 'persistentDisposition' })

const uris = list(uri)
const certificationInfo: Check = (value, scope) => (Array.isArray(value) ? uris : uri)(value, scope)

/** The members of every event (EPCIS 2.0, section 7.4.1). */
const common: Readonly<Record<string, Check>> = {
  '@context': anything,
  ...{ type: text, ...times('eventTime', 'recordTime'), eventID: eventId, certificationInfo, errorDeclaration },
  eventTimeZoneOffset: matching(/^[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)$/, 'not_an_offset'),
}

const party = (member: string): Check =>
  list(object({ members: { type: word('sourceType'), [member]: uri }, required: ['type', member] }))

/** The members for the step, the place and the business context. */
const circumstances: Readonly<Record<string, Check>> = {
  ...{ bizStep: word('bizStep'), disposition: word('disposition'), readPoint: place, bizLocation: place },
  bizTransactionList: list(
    object({ members: { type: word('bizTransactionType'), bizTransaction: uri }, required: ['bizTransaction'] }),
  ),
  sourceList: party('source'),
  destinationList: party('destination'),
  sensorElementList: list(sensorElement),
}

const action = oneOf('ADD', 'OBSERVE', 'DELETE')
const ilmd = object({ members: {}, open: 'extensions' })
const timed = ['type', 'eventTime', 'eventTimeZoneOffset']
const children = { parentID: uri, childEPCs: repeatedEpcs, childQuantityList: quantities, action }
const inXml = { persistentDisposition: changesInXml }

/** The members of each event type (EPCIS 2.0, sections 7.4.2 to 7.4.6); the set is closed except for extensions. */
const shapes: Readonly<Record<string, Shape>> = {
  ObjectEvent: {
    members: {
      ...common,
      ...circumstances,
      epcList: epcs,
      quantityList: quantities,
      action,
      persistentDisposition,
      ilmd,
    },
    required: [...timed, 'action'],
    open: 'extensions',
  },
  AggregationEvent: {
    members: { ...common, ...circumstances, ...children, ...inXml },
    required: [...timed, 'action'],
    open: 'extensions',
  },
  AssociationEvent: {
    members: { ...common, ...circumstances, ...children, ...inXml },
    required: [...timed, 'action', 'parentID'],
    open: 'extensions',
  },
  TransactionEvent: {
    members: {
      ...{ ...common, ...circumstances, parentID: uri, epcList: repeatedEpcs, quantityList: quantities, action },
      ...inXml,
    },
    required: [...timed, 'action', 'bizTransactionList'],
    open: 'extensions',
  },
  TransformationEvent: {
    members: {
      ...{ ...common, ...circumstances, persistentDisposition, ilmd, transformationID: uri },
      ...{ inputEPCList: epcs, outputEPCList: epcs, inputQuantityList: quantities, outputQuantityList: quantities },
    },
    required: timed,
    open: 'extensions',
  },
}

/** The types of event that EPCIS defines. */
export const eventTypes: readonly string[] = Object.keys(shapes)

/** The members of EPCIS in an event whose type is from another namespace; no schema knows their form there. */
const ofOthers: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.values(shapes)
    .flatMap(({ members }) => Object.entries(members))
    .filter(([name]) => !Object.hasOwn(common, name))
    .map(([name, check]) => [name, loose(check)]),
)

/** A text without a colon would be relative, which no JSON-LD reader takes. */
function loose(check: Check): Check {
  const isRelative = ({ code }: Findings[number]) => code === 'unknown_cbv_word' || code === 'not_a_uri'
  return (value, scope) => {
    const findings = check(value, scope)
    return findings === good ? good : findings.flatMap((one) => (isRelative(one) ? [one] : ifStrict([one])))
  }
}

const foreign = object({ members: { ...ofOthers, ...common, type: uri }, required: timed, open: 'extensions' })

const knownType = oneOf(...eventTypes)

/** The check of each type, including its content. */
const checks: ReadonlyMap<unknown, Check> = new Map(
  Object.entries(shapes).map(([type, shape]) => [type, withContent(object(shape), contentOf(type))]),
)

function withContent(check: Check, content: (event: Members) => Findings): Check {
  return (event, scope) => both(check(event, scope), isObject(event) ? content(event) : good)
}

/** Checks an event as strictly as the official schemas, and more. */
export const checkEvent: Check = (event, scope) => {
  if (!isObject(event)) return foreign(event, scope)
  const { type } = event
  const check = checks.get(type)
  if (check !== undefined) return check(event, scope)
  if (typeof type === 'string' && type.includes(':')) return foreign(event, scope)
  return type === undefined ? found('required', { field: 'type' }, 'type') : below('type', knownType(type, scope))
}
