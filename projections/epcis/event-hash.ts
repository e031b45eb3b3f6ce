import { canonicalLink, isObject, type Members } from '../../engine/index.ts'
import { decimalOf } from '../shared/number.ts'
import { hexDigest } from '../shared/template/index.ts'
import { utcMillisOf } from '../shared/time.ts'
import { sorted } from './code-points.ts'
import { storableTime } from './parse/clock.ts'
import { expanded } from './parse/things.ts'
import { plainWord, type WordKind, webPrefixOf } from './parse/words.ts'

/** The namespaces of an event's prefixes. */
type Prefixes = ReadonlyMap<string, string>

/** The text of a member; empty if it has none. */
type Hashed = (value: unknown, name: string, prefixes: Prefixes) => string

/** Members of the standard, and the place of each in the text. */
type Order = ReadonlyMap<string, { readonly hashed: Hashed; readonly place: number }>

/** The event hash id of any event in the form of JSON (CBV 2.0, event hash id); `prefixes` are those in its scope. */
export function hashIdOf(event: Members, prefixes: Prefixes): string {
  return `ni:///sha-256;${hexDigest(inOrder(event, ofEvent, prefixes))}?ver=CBV2.0`
}

/** Whether two event hash ids are the same; hexadecimal digits have no case. */
export function isSameHash(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase()
}

/** Whether an id is a hash by the rules that are known here. */
export function isHashId(id: unknown): id is string {
  return typeof id === 'string' && /^ni:\/\/\/sha-256;[\da-f]{64}\?ver=CBV2\.0$/i.test(id)
}

/** The members of the standard in their order, and then all others. */
function inOrder(members: Members, order: Order, prefixes: Prefixes): string {
  const texts = new Array<string>(order.size).fill('')
  const others: string[] = []
  // A look at each member that there might be takes longer than a look at those that there are.
  for (const name in members) {
    const value = members[name]
    const known = order.get(name)
    if (known === undefined) {
      if (!left.has(name)) others.push(otherText(name, value, prefixes))
    } else if (value !== undefined && value !== null) texts[known.place] = known.hashed(value, name, prefixes)
  }
  let text = ''
  for (const one of texts) text += one
  return others.length === 0 ? text : text + sorted(others)
}

/** Members that are not part of the hash. */
const left: ReadonlySet<string> = new Set(['@context', 'eventID', 'recordTime', 'errorDeclaration', 'rdfs:comment'])

/** A text without surrounding white space, a GS1 key in its canonical form, a number without superfluous zeros. */
function valueText(value: unknown, prefixes: Prefixes): string {
  return typeof value === 'number' ? decimalOf(value) : canonicalLink(inFull(String(value).trim(), prefixes))
}

/** A compact URI in full; any other text, such as one of several words, is unchanged. */
function inFull(text: string, prefixes: Prefixes): string {
  const full = expanded(text, prefixes)
  return full !== text && /\s/.test(text) ? text : full
}

const single: Hashed = (value, name, prefixes) => (isObject(value) ? '' : `${name}=${valueText(value, prefixes)}`)

const time: Hashed = (value, name) => {
  const written = storableTime(String(value).trim())
  return `${name}=${written === undefined ? String(value) : utcMillisOf(written)}`
}

const word =
  (kind: WordKind): Hashed =>
  (value, name, prefixes) =>
    `${name}=${wordText(kind, value, prefixes)}`

function wordText(kind: WordKind, value: unknown, prefixes: Prefixes): string {
  const written = String(value).trim()
  const bare = plainWord(kind, written, prefixes)
  return bare.includes(':') || bare === '' ? valueText(bare, prefixes) : webPrefixOf(kind) + bare
}

/** A list of texts with one name for each; the list itself has no name if it is called like its items. */
const texts =
  (item: string): Hashed =>
  (value, name, prefixes) => {
    const list = listOf(value)
    const text = sorted(list.map((one) => `${item}=${valueText(one, prefixes)}`))
    return list.length === 0 || item === name ? text : name + text
  }

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

const words =
  (kind: WordKind): Hashed =>
  (value, name, prefixes) =>
    sorted(listOf(value).map((one) => `${name}=${wordText(kind, one, prefixes)}`))

/** An object, with its name before the members. */
const object =
  (order: Order, named = true): Hashed =>
  (value, name, prefixes) =>
    isObject(value) ? (named ? name : '') + inOrder(value, order, prefixes) : ''

/** A list of objects; `item` is the name of each, and comes before it if `named`. */
const objects =
  (item: string, order: Order, { named = true, outer = true } = {}): Hashed =>
  (value, name, prefixes) => {
    const list = listOf(value)
    const text = sorted(list.map((one) => object(order, named)(one, item, prefixes)))
    return list.length === 0 || !outer ? text : name + text
  }

const ordered = (members: Readonly<Record<string, Hashed>>): Order =>
  new Map(Object.entries(members).map(([name, hashed], place) => [name, { hashed, place }]))

const quantity = ordered({ epcClass: single, quantity: single, uom: single })
const place = ordered({ id: single })

const metadata = ordered({
  ...{ time, startTime: time, endTime: time, deviceID: single, deviceMetadata: single, rawData: single },
  ...{ dataProcessingMethod: single, bizRules: single },
})

const report = ordered({
  ...{ type: word('measurement'), exception: word('alert'), deviceID: single, deviceMetadata: single },
  ...{ rawData: single, dataProcessingMethod: single, time, microorganism: single, chemicalSubstance: single },
  ...{ value: single, component: word('component'), stringValue: single, booleanValue: single },
  ...{ hexBinaryValue: single, uriValue: single, minValue: single, maxValue: single, meanValue: single },
  ...{ sDev: single, percRank: single, percValue: single, uom: single, coordinateReferenceSystem: single },
})

const sensor = ordered({
  sensorMetadata: object(metadata),
  sensorReport: objects('sensorReport', report, { outer: false }),
})

const party = (name: string) => ordered({ type: word('sourceType'), [name]: single })

/** Members that only their sender knows, in a separate place. */
const ilmd: Hashed = (value, name, prefixes) => (isObject(value) ? name + membersText(value, prefixes) : '')

/** The members of an event in the order of the standard. */
const ofEvent = ordered({
  type: (value, _, prefixes) => single(value, 'eventType', prefixes),
  ...{ eventTime: time, eventTimeZoneOffset: single, certificationInfo: texts('certificationInfo') },
  ...{ epcList: texts('epc'), parentID: single, inputEPCList: texts('epc'), childEPCs: texts('epc') },
  ...{ quantityList: objects('quantityElement', quantity), childQuantityList: objects('quantityElement', quantity) },
  ...{ inputQuantityList: objects('quantityElement', quantity), outputEPCList: texts('epc') },
  ...{ outputQuantityList: objects('quantityElement', quantity), action: single, transformationID: single },
  ...{ bizStep: word('bizStep'), disposition: word('disposition') },
  persistentDisposition: object(ordered({ set: words('disposition'), unset: words('disposition') })),
  ...{ readPoint: object(place), bizLocation: object(place) },
  bizTransactionList: objects('bizTransaction', ordered({ type: word('bizTransactionType'), bizTransaction: single }), {
    named: false,
  }),
  sourceList: objects('source', party('source'), { named: false }),
  destinationList: objects('destination', party('destination'), { named: false }),
  sensorElementList: objects('sensorElement', sensor),
  ilmd,
})

/** A member of another namespace, with its name as `{namespace}name`. */
function otherText(name: string, value: unknown, prefixes: Prefixes): string {
  const key = keyOf(name, prefixes)
  if (Array.isArray(value)) return sorted(value.map((one) => itemText(key, one, prefixes)))
  return itemText(key, value, prefixes)
}

function itemText(key: string, value: unknown, prefixes: Prefixes): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return sorted(value.map((one) => itemText(key, one, prefixes)))
  if (isObject(value)) return key + membersText(value, prefixes)
  const text = valueText(value, prefixes)
  return text === '' ? key : `${key}=${text}`
}

function membersText(members: Members, prefixes: Prefixes): string {
  const texts: string[] = []
  for (const name in members) if (!left.has(name)) texts.push(otherText(name, members[name], prefixes))
  return sorted(texts)
}

/** Names with their namespaces, by the prefixes of a document. */
const expandedNames = new WeakMap<Prefixes, Map<string, string>>()
const [mostNames, longestName] = [256, 100]

function keyOf(name: string, prefixes: Prefixes): string {
  const known = expandedNames.get(prefixes) ?? new Map<string, string>()
  const found = known.get(name)
  if (found !== undefined) return found
  const key = splitName(name, prefixes)
  if (known.size === 0) expandedNames.set(prefixes, known)
  if (known.size < mostNames && key.length <= longestName) known.set(name, key)
  return key
}

/** A name with its namespace apart; that of a name in full ends with the last of its delimiters. */
function splitName(name: string, prefixes: Prefixes): string {
  const colon = name.indexOf(':')
  const namespace = colon === -1 ? undefined : prefixes.get(name.slice(0, colon))
  if (namespace !== undefined) return `{${namespace}}${name.slice(colon + 1)}`
  const [, start, local] = /^([a-z][a-z\d+.-]*:.*[/#:])([^/#:]+)$/i.exec(name) ?? []
  return start === undefined ? name : `{${start}}${local}`
}
