import {
  EngineError,
  excerptOf,
  type Facet,
  instantOf,
  instantProblem,
  keyPattern,
  type Members,
  meantBy,
} from '../../engine/index.ts'
import { type Asked, comparable, eventMembers, facetOf, indexed, textParameters, typedName } from './facets.ts'
import { fieldTest } from './fields.ts'
import { measureTest, sensorValues } from './measures.ts'
import { contextOf, gs1Prefixes, noNames } from './parse/context.ts'

/** A query for events (EPCIS 2.0, SimpleEventQuery). */
export interface Query {
  /** For each parameter, the values of which an event has at least one. */
  readonly texts: ReadonlyMap<string, readonly string[]>
  readonly tests: readonly ((event: Asked, recorded: number) => boolean)[]
  /** Inclusive bounds in epoch milliseconds. */
  readonly eventTime: Bounds
  readonly recordTime: Bounds
  readonly orderBy: 'eventTime' | 'recordTime'
  readonly newestFirst: boolean
  /** The first so many; with `isMost`, more are an error. */
  readonly limit?: { readonly count: number; readonly isMost: boolean }
}

/** Inclusive bounds. */
type Bounds = readonly [from: number | undefined, to: number | undefined]

/** Parameters of paging, which are not part of a query. */
const paging: ReadonlySet<string> = new Set(['perPage', 'nextPageToken'])

/** Parameters with a meaning in EPCIS that this server cannot look for, by how their names begin. */
export const notOffered: readonly (readonly [RegExp, string])[] = [
  [/^(?:HASATTR|EQATTR)_/, 'attributes of things and places are master data, which is not looked for'],
  [new RegExp(`^(?:EQ|GT|GE|LT|LE)_(?:${sensorValues.join('|')})$`), 'the name ends with a unit, as in GE_value_CEL'],
]

/**
 * Reads a query from its parameters. Refuses an unknown parameter, one that is not offered and a wrong value with
 * `query_parameter_refused`.
 */
export function queryOf(
  parameters: Iterable<readonly [name: string, value: string]>,
  declared: ReadonlyMap<string, string> = new Map(),
): Query {
  const prefixes = new Map([...gs1Prefixes, ...declared])
  const texts = new Map<string, readonly string[]>()
  const tests: Query['tests'][number][] = []
  const given = new Map<string, string>()
  for (const [written, value] of parameters) {
    const name = typedName(written, prefixes)
    if (paging.has(name)) continue
    if (given.has(name)) throw refused(name, 'it is given twice')
    given.set(name, value)
    if (name.startsWith('MATCH_') && textParameters.has(name) && /[*]|:idpat:/.test(value))
      tests.push(matchOf(name, value, prefixes))
    else if (textParameters.has(name) || typedParameter.test(name)) texts.set(name, valuesOf(name, value, prefixes))
    else if (!single.has(name)) tests.push(testOf(name, value, prefixes))
  }
  return {
    texts,
    tests,
    eventTime: boundsOf(given, 'eventTime'),
    recordTime: boundsOf(given, 'recordTime'),
    ...orderIn(given),
  }
}

/** Reads a named query, whose parameters have values or lists of values; refuses as `queryOf` does. */
export function namedQueryOf(parameters: Members): Query {
  const { prefixes } = contextOf(parameters['@context'], noNames)
  const given = Object.entries(parameters).flatMap(([parameter, value]) => {
    if (parameter === '@context') return []
    const values = [value].flat()
    if (values.length === 0 || values.some((one) => typeof one === 'object' || String(one).includes('|')))
      throw refused(parameter, 'a value, or a list of values')
    return [[parameter, values.join('|')] as const]
  })
  return queryOf(given, prefixes)
}

/** Parameters whose names end with a type of CBV or a URI. */
const typedParameter = /^EQ_(?:bizTransaction|source|destination)_/

const single: ReadonlySet<string> = new Set([
  ...['GE_eventTime', 'LT_eventTime', 'GE_recordTime', 'LT_recordTime'],
  ...['orderBy', 'orderDirection', 'eventCountLimit', 'maxEventCount'],
])

function refused(parameter: string, reason: string): EngineError {
  return new EngineError('query_parameter_refused', { parameter, reason })
}

const maxValues = 100

function valuesOf(name: string, value: string, prefixes: ReadonlyMap<string, string>): readonly string[] {
  const values = value.split('|')
  if (values.length > maxValues) throw refused(name, `more than ${maxValues} values`)
  if (name === 'EQ_action' && values.some((one) => !/^(?:ADD|OBSERVE|DELETE)$/.test(one)))
    throw refused(name, 'ADD, OBSERVE or DELETE')
  return values.map((one) => comparable(name, one, prefixes))
}

/** Compares with patterns too (EPCIS 2.0, section 8.2.7.1.1); a class that an event has may be written as a pattern. */
function matchOf(name: string, value: string, prefixes: ReadonlyMap<string, string>): Test {
  // A pattern without a star is a single thing.
  const given = value.replace(/\burn:epc:idpat:(?=[^*|]*(?:\||$))/g, 'urn:epc:id:')
  const values = valuesOf(name, given, prefixes)
  const patterns = given.split('|').map(keyPattern)
  for (const [index, one] of given.split('|').entries())
    if (patterns[index] === undefined && /[.:/]\*(?:\.|$)/.test(one))
      throw refused(name, `patterns are like urn:epc:idpat:sgtin:4012345.011111.*, not ${excerptOf(one)}`)
  return ({ texts }) => {
    const known = [...(texts.get(name) ?? [])]
    return known.some((one) => values.includes(one) || patterns.some((pattern) => pattern?.test(one)))
  }
}

type Test = (event: Asked, recorded: number) => boolean

const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  EQ: (one, other) => one === other,
  GT: (one, other) => one > other,
  GE: (one, other) => one >= other,
  LT: (one, other) => one < other,
  LE: (one, other) => one <= other,
}

const times: Readonly<Record<string, (event: Asked) => readonly number[]>> = {
  errorDeclarationTime: ({ declarationTime }) => (declarationTime === undefined ? [] : [declarationTime]),
  errorDeclaration_Time: ({ declarationTime }) => (declarationTime === undefined ? [] : [declarationTime]),
  time: ({ times }) => times,
  startTime: ({ startTimes }) => startTimes,
  endTime: ({ endTimes }) => endTimes,
}

function testOf(name: string, value: string, prefixes: ReadonlyMap<string, string>): Test {
  const reason = notOffered.find(([pattern]) => pattern.test(name))?.[1]
  if (reason !== undefined) throw refused(name, reason)
  if (/^WD_(?:readPoint|bizLocation)$/.test(name)) return withinTest(name, value, prefixes)
  const exists = /^EXISTS_(\w+)$/.exec(name)?.[1]
  if (exists !== undefined && eventMembers.has(exists)) return existsTest(name, exists, value)
  const [, operator = '', member = ''] = /^([A-Z]+)_(\w+)$/.exec(name) ?? []
  const compare = comparisons[operator]
  const timesOf = Object.hasOwn(times, member) ? times[member] : undefined
  if (timesOf !== undefined && (operator === 'GE' || operator === 'LT') && compare !== undefined) {
    const bound = timeOf(name, value)
    return (event) => timesOf(event).some((time) => compare(time, bound))
  }
  if (member === 'quantity' && compare !== undefined) {
    const bound = Number(value)
    if (value.trim() === '' || !Number.isFinite(bound)) throw refused(name, 'a number')
    return ({ quantities }) => quantities.some((one) => compare(one, bound))
  }
  const ofMeasure = measureTest(name, value)
  if (ofMeasure !== undefined) return ({ event }) => ofMeasure(event)
  const ofField = fieldTest(name, value, prefixes)
  if (ofField !== undefined) return (asked) => ofField(asked.event, asked.prefixes)
  throw noParameter(name, [...paging, ...single, ...textParameters])
}

/** The refusal of a parameter that is none of the known ones; it names the one that was probably meant. */
export function noParameter(name: string, known: readonly string[]): EngineError {
  const meant = meantBy(name, known)
  return refused(excerptOf(name), `there is no such parameter${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}

function existsTest(name: string, member: string, value: string): Test {
  if (value !== 'true' && value !== 'false') throw refused(name, 'true or false')
  return ({ event }) => value === 'false' || [event[member]].flat().some((one) => one !== undefined && one !== null)
}

/** A place and its parts. Those of a GLN are known by its extension; other parts would be master data. */
function withinTest(name: string, value: string, prefixes: ReadonlyMap<string, string>): Test {
  const parameter = name.replace('WD_', 'EQ_')
  const places = valuesOf(parameter, value, prefixes)
  const wholes = places.filter((one) => /^https:\/\/id\.gs1\.org\/414\/\d{13}$/.test(one)).map((one) => `${one}/254/`)
  return ({ texts }) =>
    [...(texts.get(parameter) ?? [])].some(
      (one) => places.includes(one) || wholes.some((whole) => one.startsWith(whole)),
    )
}

function timeOf(name: string, value: string): number {
  // A plus sign that was not encoded arrives as a space.
  const text = value.replace(/ (?=\d\d:\d\d$)/, '+')
  if (instantProblem(text) !== undefined) throw refused(name, 'a date-time with an offset')
  return instantOf(text)
}

function boundsOf(given: ReadonlyMap<string, string>, member: string): Bounds {
  const [from, before] = [given.get(`GE_${member}`), given.get(`LT_${member}`)]
  return [
    from === undefined ? undefined : timeOf(`GE_${member}`, from),
    before === undefined ? undefined : timeOf(`LT_${member}`, before) - 1,
  ]
}

function orderIn(given: ReadonlyMap<string, string>): Pick<Query, 'orderBy' | 'newestFirst' | 'limit'> {
  const orderBy = given.get('orderBy') ?? 'eventTime'
  const direction = given.get('orderDirection') ?? 'DESC'
  if (orderBy !== 'eventTime' && orderBy !== 'recordTime') throw refused('orderBy', 'eventTime or recordTime')
  if (direction !== 'ASC' && direction !== 'DESC') throw refused('orderDirection', 'ASC or DESC')
  const [first, most] = [given.get('eventCountLimit'), given.get('maxEventCount')]
  if (first !== undefined && most !== undefined) throw refused('maxEventCount', 'not together with eventCountLimit')
  const count = first ?? most
  if (count !== undefined && !/^[1-9]\d{0,8}$/.test(count))
    throw refused(first === undefined ? 'maxEventCount' : 'eventCountLimit', 'a positive whole number')
  return {
    orderBy,
    newestFirst: direction === 'DESC',
    ...(count !== undefined && { limit: { count: Number(count), isMost: most !== undefined } }),
  }
}

/** Whether an event is among the results; `recorded` is when it was recorded, in epoch milliseconds. */
export function matches(query: Query, event: Asked, recorded: number): boolean {
  for (const [name, values] of query.texts) {
    const known = event.texts.get(name)
    if (known === undefined || !values.some((value) => known.has(value))) return false
  }
  return (
    isWithin(event.eventTime, query.eventTime) &&
    isWithin(recorded, query.recordTime) &&
    query.tests.every((test) => test(event, recorded))
  )
}

function isWithin(at: number, [from, to]: Bounds): boolean {
  return (from === undefined || at >= from) && (to === undefined || at <= to)
}

/** The parameters of the standard whose events are among those that another one finds. */
const within: Readonly<Record<string, string>> = {
  ...{ MATCH_epc: 'MATCH_anyEPC', MATCH_parentID: 'MATCH_anyEPC', MATCH_inputEPC: 'MATCH_anyEPC' },
  ...{ MATCH_outputEPC: 'MATCH_anyEPC', MATCH_epcClass: 'MATCH_anyEPCClass' },
  ...{ MATCH_inputEPCClass: 'MATCH_anyEPCClass', MATCH_outputEPCClass: 'MATCH_anyEPCClass' },
}

/** The facets by which the events of a query are looked up, the most telling ones; none if it has no such parameter. */
export function lookedUpBy({ texts }: Query): readonly Facet[] {
  for (const name of indexed)
    for (const [parameter, values] of texts)
      if (parameter === name || within[parameter] === name) return values.map((value) => facetOf(name, value))
  return []
}
