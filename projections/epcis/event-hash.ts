import { canonicalLink, isObject, type Members } from '../../engine/index.ts'
import { decimalOf } from '../shared/number.ts'
import { hexDigest } from '../shared/template/index.ts'
import { utcMillisOf } from '../shared/time.ts'
import { sorted } from './code-points.ts'
import { storableTime } from './parse/clock.ts'
import { plainWord, type WordKind, webPrefixOf } from './parse/words.ts'

/** The namespaces of an event's prefixes. */
type Prefixes = ReadonlyMap<string, string>

/** A text that is hashed: the members of the standard in their order, and those of others, which come last. */
interface Parts {
  readonly text: string
  readonly others: readonly string[]
}

type Hashed = (value: unknown, name: string, prefixes: Prefixes) => Parts

/** The event hash id of any event in the form of JSON (CBV 2.0, event hash id); `prefixes` are those in its scope. */
export function hashIdOf(event: Members, prefixes: Prefixes): string {
  return `ni:///sha-256;${hexDigest(hashedText(event, prefixes))}?ver=CBV2.0`
}

/** The text from which the event hash id is computed. */
export function hashedText(event: Members, prefixes: Prefixes): string {
  const { text, others } = inOrder(event, ofEvent, prefixes)
  return text + sorted([...others])
}

/** Whether two event hash ids are the same; hexadecimal digits have no case. */
export function isSameHash(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Whether an id is a hash by the rules that are known here. */
export function isHashId(id: unknown): id is string {
  return typeof id === 'string' && /^ni:\/\/\/sha-256;[\da-f]{64}\?ver=CBV2\.0$/i.test(id)
}

/** The members of the standard in their order, and all others. */
function inOrder(members: Members, order: ReadonlyMap<string, Hashed>, prefixes: Prefixes): Parts {
  let text = ''
  const others: string[] = []
  for (const [name, hashed] of order) {
    const value = members[name]
    if (value === undefined || value === null) continue
    const parts = hashed(value, name, prefixes)
    text += parts.text
    others.push(...parts.others)
  }
  for (const name in members) {
    if (!order.has(name) && !left.has(name)) others.push(otherText(name, members[name], prefixes))
  }
  return { text, others }
}

/** Members that are not part of the hash. */
const left: ReadonlySet<string> = new Set(['@context', 'eventID', 'recordTime', 'errorDeclaration', 'rdfs:comment'])

const plain = (text: string): Parts => ({ text, others: [] })

/** A text without surrounding white space, a GS1 key in its canonical form, a number without superfluous zeros. */
function valueText(value: unknown): string {
  return typeof value === 'number' ? decimalOf(value) : canonicalLink(String(value).trim())
}

const single: Hashed = (value, name) => plain(isObject(value) ? '' : `${name}=${valueText(value)}`)

const time: Hashed = (value, name) => {
  const written = storableTime(String(value).trim())
  return plain(`${name}=${written === undefined ? String(value) : utcMillisOf(written)}`)
}

const word =
  (kind: WordKind): Hashed =>
  (value, name, prefixes) =>
    plain(`${name}=${wordText(kind, value, prefixes)}`)

function wordText(kind: WordKind, value: unknown, prefixes: Prefixes): string {
  const written = String(value).trim()
  const bare = plainWord(kind, written, prefixes)
  return bare.includes(':') || bare === '' ? canonicalLink(bare) : webPrefixOf(kind) + bare
}

/** A list of texts with one name for each; without a name of its own if it is called like its items. */
const texts =
  (item: string): Hashed =>
  (value, name) => {
    const list = [value].flat()
    const text = sorted(list.map((one) => `${item}=${valueText(one)}`))
    return plain(list.length === 0 || item === name ? text : name + text)
  }

const words =
  (kind: WordKind): Hashed =>
  (value, name, prefixes) =>
    plain(sorted([value].flat().map((one) => `${name}=${wordText(kind, one, prefixes)}`)))

/** An object, with its name before the members; its own extensions come at the end, with that name too. */
const object =
  (order: ReadonlyMap<string, Hashed>, named = true): Hashed =>
  (value, name, prefixes) => {
    if (!isObject(value)) return plain('')
    const { text, others } = inOrder(value, order, prefixes)
    return { text: (named ? name : '') + text, others: others.length === 0 ? [] : [name + sorted([...others])] }
  }

/** A list of objects; `item` is the name of each, and stands before it if `named`. */
const objects =
  (item: string, order: ReadonlyMap<string, Hashed>, { named = true, outer = true } = {}): Hashed =>
  (value, name, prefixes) => {
    const list = [value].flat()
    const parts = list.map((one) => object(order, named)(one, item, prefixes))
    const text = sorted(parts.map((part) => part.text))
    const others = parts.flatMap((part) => part.others)
    const isSensors = name === 'sensorElementList' && others.length > 0
    return {
      text: list.length === 0 || !outer ? text : name + text,
      others: isSensors ? [name + sorted([...others])] : others,
    }
  }

const ordered = (members: Readonly<Record<string, Hashed>>): ReadonlyMap<string, Hashed> =>
  new Map(Object.entries(members))

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

/** Members that only their sender knows, in a place of their own. */
const ilmd: Hashed = (value, name, prefixes) => plain(isObject(value) ? name + membersText(value, prefixes) : '')

/** The members of an event in the order of the standard. */
const ofEvent = ordered({
  type: (value) => plain(`eventType=${String(value)}`),
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
  const text = valueText(value)
  return text === '' ? key : `${key}=${text}`
}

function membersText(members: Members, prefixes: Prefixes): string {
  const names = Object.keys(members).filter((name) => !left.has(name))
  return sorted(names.map((name) => otherText(name, members[name], prefixes)))
}

function keyOf(name: string, prefixes: Prefixes): string {
  const colon = name.indexOf(':')
  const namespace = colon === -1 ? undefined : prefixes.get(name.slice(0, colon))
  return namespace === undefined ? name : `{${namespace}}${name.slice(colon + 1)}`
}
