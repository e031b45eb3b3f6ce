import { canonicalKey, type Facet, instantOf, isObject, type Members } from '../../engine/index.ts'
import { expanded } from './parse/things.ts'
import { bareWord, type WordKind } from './parse/words.ts'

type Prefixes = ReadonlyMap<string, string>

/** What can be asked of an event: texts by the parameter that asks for them, and the numbers and times of the event. */
export interface Asked {
  readonly texts: ReadonlyMap<string, ReadonlySet<string>>
  readonly quantities: readonly number[]
  /** Epoch milliseconds. */
  readonly eventTime: number
  readonly declarationTime: number | undefined
  readonly times: readonly number[]
  readonly startTimes: readonly number[]
  readonly endTimes: readonly number[]
  /** The event itself, with the prefixes of its names. */
  readonly event: Members
  readonly prefixes: Prefixes
}

/** The form in which values of a parameter are compared: one for all ways to write a word, a GS1 key or a time. */
export function comparable(parameter: string, value: string, prefixes: Prefixes = new Map()): string {
  const kind = wordKinds[parameter]
  if (kind !== undefined) return bareWord(kind, expanded(value, prefixes)) ?? expanded(value, prefixes)
  return isUriParameter(parameter) ? canonicalKey(expanded(value, prefixes)) : value
}

/** A parameter whose name ends with a type: the same for all ways to write the type; any other is unchanged. */
export function typedName(parameter: string, prefixes: Prefixes): string {
  const [, start = '', member = '', type = ''] = /^(EQ_(bizTransaction|source|destination)_)(.*)$/.exec(parameter) ?? []
  if (start === '') return parameter
  const full = expanded(type, prefixes)
  return `${start}${bareWord(member === 'bizTransaction' ? 'bizTransactionType' : 'sourceType', full) ?? full}`
}

const wordKinds: Readonly<Record<string, WordKind>> = {
  EQ_bizStep: 'bizStep',
  EQ_disposition: 'disposition',
  EQ_persistentDisposition_set: 'disposition',
  EQ_persistentDisposition_unset: 'disposition',
  EQ_errorReason: 'reason',
  EQ_type: 'measurement',
}

function isUriParameter(parameter: string): boolean {
  return /^(?:MATCH_|EQ_(?:readPoint|bizLocation|transformationID|bizTransaction_|source_|destination_|eventID|correctiveEventID|deviceID|dataProcessingMethod|microorganism|chemicalSubstance|bizRules|uriValue))/.test(
    parameter,
  )
}

/** Parameters by the members of an event whose texts they ask for. */
const members: Readonly<Record<string, readonly string[]>> = {
  type: ['eventType'],
  action: ['EQ_action'],
  bizStep: ['EQ_bizStep'],
  disposition: ['EQ_disposition'],
  transformationID: ['EQ_transformationID'],
  eventID: ['EQ_eventID'],
  epcList: ['MATCH_epc', 'MATCH_anyEPC'],
  childEPCs: ['MATCH_epc', 'MATCH_anyEPC'],
  parentID: ['MATCH_parentID', 'MATCH_anyEPC'],
  inputEPCList: ['MATCH_inputEPC', 'MATCH_anyEPC'],
  outputEPCList: ['MATCH_outputEPC', 'MATCH_anyEPC'],
}

const classes: Readonly<Record<string, readonly string[]>> = {
  quantityList: ['MATCH_epcClass', 'MATCH_anyEPCClass'],
  childQuantityList: ['MATCH_epcClass', 'MATCH_anyEPCClass'],
  inputQuantityList: ['MATCH_inputEPCClass', 'MATCH_anyEPCClass'],
  outputQuantityList: ['MATCH_outputEPCClass', 'MATCH_anyEPCClass'],
}

const sensorMembers: readonly string[] = [
  ...['type', 'deviceID', 'dataProcessingMethod', 'microorganism', 'chemicalSubstance', 'bizRules', 'stringValue'],
  ...['hexBinaryValue', 'uriValue', 'booleanValue'],
]

/** The parameters that ask for texts, without those whose names end with a type. */
export const textParameters: ReadonlySet<string> = new Set([
  ...Object.values(members).flat(),
  ...Object.values(classes).flat(),
  ...['EQ_persistentDisposition_set', 'EQ_persistentDisposition_unset', 'EQ_readPoint', 'EQ_bizLocation'],
  ...['EQ_errorReason', 'EQ_correctiveEventID'],
  ...sensorMembers.map((name) => `EQ_${name}`),
])

/** The members of which can be asked whether an event has them. */
export const eventMembers: ReadonlySet<string> = new Set([
  ...Object.keys(members).filter((name) => name !== 'type'),
  ...Object.keys(classes),
  ...['readPoint', 'bizLocation', 'persistentDisposition', 'bizTransactionList', 'sourceList', 'destinationList'],
  ...['sensorElementList', 'errorDeclaration', 'ilmd', 'certificationInfo'],
])

/** What can be asked of an event in the form of JSON. */
export function askedOf(event: Members, prefixes: Prefixes): Asked {
  const texts = new Map<string, Set<string>>()
  /** Parameters that ask for the same member compare it in the same form. */
  const add = (parameters: readonly string[], value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'boolean') return
    const form = comparable(parameters[0] ?? '', String(value), prefixes)
    for (const parameter of parameters) texts.set(parameter, (texts.get(parameter) ?? new Set()).add(form))
  }
  for (const [name, parameters] of Object.entries(members))
    for (const value of [event[name]].flat()) add(parameters, value)
  for (const [name, parameters] of Object.entries(classes))
    for (const { epcClass } of objectsIn(event[name])) add(parameters, epcClass)
  for (const name of ['readPoint', 'bizLocation']) for (const { id } of objectsIn(event[name])) add([`EQ_${name}`], id)
  for (const { set, unset } of objectsIn(event.persistentDisposition)) {
    for (const one of [set].flat()) add(['EQ_persistentDisposition_set'], one)
    for (const one of [unset].flat()) add(['EQ_persistentDisposition_unset'], one)
  }
  for (const name of ['bizTransaction', 'source', 'destination'])
    for (const one of objectsIn(event[`${name}List`]))
      add([typedName(`EQ_${name}_${String(one.type ?? '')}`, prefixes)], one[name])
  const [declaration] = objectsIn(event.errorDeclaration)
  add(['EQ_errorReason'], declaration?.reason)
  for (const id of [declaration?.correctiveEventIDs].flat()) add(['EQ_correctiveEventID'], id)
  const elements = objectsIn(event.sensorElementList)
  const metadata = elements.flatMap((element) => objectsIn(element.sensorMetadata))
  const sensed = [...metadata, ...elements.flatMap((element) => objectsIn(element.sensorReport))]
  for (const one of sensed) for (const name of sensorMembers) add([`EQ_${name}`], one[name])
  const amounts = Object.keys(classes).flatMap((name) => objectsIn(event[name]).map(({ quantity }) => quantity))
  return {
    texts,
    quantities: amounts.filter((one) => typeof one === 'number'),
    eventTime: instantOf(String(event.eventTime)),
    declarationTime: timesIn([declaration?.declarationTime])[0],
    times: timesIn(sensed.map(({ time }) => time)),
    startTimes: timesIn(metadata.map(({ startTime }) => startTime)),
    endTimes: timesIn(metadata.map(({ endTime }) => endTime)),
    ...{ event, prefixes },
  }
}

function objectsIn(value: unknown): readonly Members[] {
  return [value].flat().filter(isObject)
}

function timesIn(values: readonly unknown[]): readonly number[] {
  return values.filter((value) => typeof value === 'string').map(instantOf)
}

/** The parameters that events are looked up by, the most telling first; they are checked for all others. */
export const indexed: readonly string[] = [
  ...['EQ_eventID', 'EQ_correctiveEventID', 'EQ_transformationID', 'MATCH_anyEPC', 'MATCH_anyEPCClass'],
  ...['EQ_readPoint', 'EQ_bizLocation', 'EQ_disposition', 'EQ_bizStep', 'eventType'],
]

/** The parameters whose values are listed; the words of CBV are known without. */
const listed: ReadonlySet<string> = new Set([
  ...['MATCH_anyEPC', 'EQ_readPoint', 'EQ_bizLocation', 'EQ_bizStep', 'EQ_disposition'],
])

/** What an event is looked up by; `id` is the one that it is known by, if it has none itself. */
export function facetsOf(event: Members, prefixes: Prefixes, id: string): readonly Facet[] {
  const { texts } = askedOf({ eventID: id, ...event }, prefixes)
  return indexed.flatMap((name) => [...(texts.get(name) ?? [])].map((value) => facetOf(name, value)))
}

/** A facet; of some parameters, the values that are no words of CBV are listed. */
export function facetOf(name: string, value: string): Facet {
  return { name, value, ...(listed.has(name) && value.includes(':') && { isListed: true as const }) }
}
