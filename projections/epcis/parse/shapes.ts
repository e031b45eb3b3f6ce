import { isObject } from '../../../engine/index.ts'
import {
  boolean,
  type Check,
  eventId,
  found,
  list,
  type Members,
  matching,
  number,
  object,
  oneOf,
  type Scope,
  text,
  time,
  uri,
  word,
} from './check.ts'

/** The most objects that one event may name. */
export const maxObjects = 10_000

const epcs = list(uri, { unique: true })
const quantities = list(
  object({
    members: { epcClass: uri, quantity: number, uom: matching(/^[A-Z\d]{2,3}$/, 'bad_pattern', { expected: 'KGM' }) },
    required: ['epcClass'],
  }),
)
const place = object({ members: { id: uri }, required: ['id'], open: true })

const metadata: Readonly<Record<string, Check>> = {
  ...{ time, deviceID: uri, deviceMetadata: uri, rawData: uri, startTime: time, endTime: time },
  ...{ dataProcessingMethod: uri, bizRules: uri },
}

const sensorReport = object({
  members: {
    type: word('measurement'),
    exception: word('alert'),
    ...{ deviceID: uri, deviceMetadata: uri, rawData: uri, dataProcessingMethod: uri, bizRules: uri, time },
    ...{ microorganism: uri, chemicalSubstance: uri, coordinateReferenceSystem: uri, component: word('component') },
    ...{ value: number, minValue: number, maxValue: number, meanValue: number, sDev: number, percRank: number },
    ...{ percValue: number, stringValue: text, booleanValue: boolean, uriValue: uri, uom: text },
    hexBinaryValue: matching(/^[A-Fa-f\d]+$/, 'bad_pattern', { expected: '0A1B' }),
  },
  required: ['type'],
  open: true,
})

const sensorElement = object({
  members: { sensorMetadata: object({ members: metadata, open: true }), sensorReport: list(sensorReport, { min: 1 }) },
  required: ['sensorReport'],
  open: true,
})

const errorDeclaration = object({
  members: { declarationTime: time, reason: word('reason'), correctiveEventIDs: list(eventId) },
  required: ['declarationTime'],
  open: true,
})

const changes = list(word('disposition'), { min: 1, unique: true })

const persistentDisposition: Check = (value, path, scope) => {
  object({ members: { set: changes, unset: changes } })(value, path, scope)
  if (isObject(value) && Object.keys(value).length === 0) found(scope, path, 'required', { field: 'set' })
}

const certificationInfo: Check = (value, path, scope) =>
  Array.isArray(value) ? list(uri)(value, path, scope) : uri(value, path, scope)

/** What every event has (EPCIS 2.0, section 7.4.1). */
const common: Readonly<Record<string, Check>> = {
  '@context': () => {},
  ...{ type: text, eventTime: time, recordTime: time, eventID: eventId, certificationInfo, errorDeclaration },
  eventTimeZoneOffset: matching(/^[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)$/, 'not_an_offset'),
}

const party = (member: string): Check =>
  list(object({ members: { type: word('sourceType'), [member]: uri }, required: ['type', member] }))

/** What tells of the step, the place and the business around it. */
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
const ilmd = object({ members: {}, open: true })
const timed = ['type', 'eventTime', 'eventTimeZoneOffset']
const children = { parentID: uri, childEPCs: epcs, childQuantityList: quantities, action }

/** The members of each type of event (EPCIS 2.0, sections 7.4.2 to 7.4.6); a set that is closed but for extensions. */
const shapes: Readonly<Record<string, Members>> = {
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
    open: true,
  },
  AggregationEvent: {
    members: { ...common, ...circumstances, ...children },
    required: [...timed, 'action'],
    open: true,
  },
  AssociationEvent: {
    members: { ...common, ...circumstances, ...children },
    required: [...timed, 'action', 'parentID'],
    open: true,
  },
  TransactionEvent: {
    members: { ...common, ...circumstances, parentID: uri, epcList: epcs, quantityList: quantities, action },
    required: [...timed, 'action', 'bizTransactionList'],
    open: true,
  },
  TransformationEvent: {
    members: {
      ...{ ...common, ...circumstances, persistentDisposition, ilmd, transformationID: uri },
      ...{ inputEPCList: epcs, outputEPCList: epcs, inputQuantityList: quantities, outputQuantityList: quantities },
    },
    required: timed,
    open: true,
  },
}

/** The types of event that EPCIS defines. */
export const eventTypes: readonly string[] = Object.keys(shapes)

/** An event of a type from another namespace may have any member of the others. */
const foreign: Members = {
  members: { ...Object.assign({}, ...Object.values(shapes).map(({ members }) => members)), type: uri },
  required: timed,
  open: true,
}

/** Checks an event as the official schemas do, and more closely. */
export function checkEvent(event: unknown, path: string, scope: Scope): void {
  const type = isObject(event) ? event.type : ''
  if (typeof type === 'string' && Object.hasOwn(shapes, type)) {
    object(shapes[type] ?? foreign)(event, path, scope)
    if (isObject(event)) checkContent(event, type, path, scope)
  } else if (!isObject(event) || (typeof type === 'string' && type.includes(':'))) object(foreign)(event, path, scope)
  else if (type === undefined) found(scope, pathIn(path, 'type'), 'required', { field: 'type' })
  else oneOf(...eventTypes)(type, pathIn(path, 'type'), scope)
}

function pathIn(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`
}

type Event = Readonly<Record<string, unknown>>

const filled = (value: unknown) => Array.isArray(value) && value.length > 0

/** What an event has to be about, and which of its members exclude each other. */
function checkContent(event: Event, type: string, path: string, scope: Scope): void {
  const missing = (...names: readonly string[]) =>
    found(scope, pathIn(path, names[0] ?? ''), 'required', { field: names.join(', ') })
  const { action: what, epcList, quantityList } = event
  if (type === 'ObjectEvent') {
    const sensed = filled(event.sensorElementList) && event.readPoint !== undefined
    if (!Array.isArray(epcList) && !filled(quantityList) && !sensed) missing('epcList', 'quantityList')
    if (event.ilmd !== undefined && what !== 'ADD') onlyWith('ilmd', 'action ADD', path, scope)
  } else if (type === 'TransactionEvent') {
    if (!filled(event.bizTransactionList)) missing('bizTransactionList')
    if (what !== 'DELETE' && !Array.isArray(epcList) && !filled(quantityList)) missing('epcList', 'quantityList')
  } else if (type === 'TransformationEvent') {
    const taken = filled(event.inputEPCList) || filled(event.inputQuantityList)
    const made = filled(event.outputEPCList) || filled(event.outputQuantityList)
    const enough = event.transformationID === undefined ? taken && made : taken || made
    if (!enough) missing(...(taken ? ['outputEPCList', 'outputQuantityList'] : ['inputEPCList', 'inputQuantityList']))
  } else {
    const named = filled(event.childEPCs) || filled(event.childQuantityList)
    if (what !== 'DELETE' && !named) missing('childEPCs', 'childQuantityList')
    if (type === 'AggregationEvent' && what !== 'OBSERVE' && event.parentID === undefined) missing('parentID')
  }
  checkSize(event, path, scope)
  checkCorrections(event, path, scope)
}

function onlyWith(field: string, expected: string, path: string, scope: Scope): void {
  found(scope, pathIn(path, field), 'allowed_only_with', { field, expected })
}

function checkSize(event: Event, path: string, scope: Scope): void {
  for (const name of ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList']) {
    const value = event[name]
    if (Array.isArray(value) && value.length > maxObjects) {
      found(scope, pathIn(path, name), 'too_long', { limit: maxObjects })
    }
  }
}

function checkCorrections({ eventID, errorDeclaration: declared }: Event, path: string, scope: Scope): void {
  if (!isObject(declared) || !Array.isArray(declared.correctiveEventIDs) || eventID === undefined) return
  const index = declared.correctiveEventIDs.indexOf(eventID)
  if (index !== -1) found(scope, `${pathIn(path, 'errorDeclaration')}.correctiveEventIDs[${index}]`, 'corrects_itself')
}
