import { type Finding, pathTo } from '../../../engine/index.ts'
import { bareWord, type WordKind } from './words.ts'
import { extensionValue } from './xml-extension.ts'
import { elementsOf, type Node, rawText } from './xml-names.ts'

/** Where an element is read: its path in the JSON form, the version of the schema, and what was found of the event. */
export interface Place {
  readonly path: string
  readonly version: '1' | '2'
  readonly findings: Finding[]
}

/** How an element becomes a JSON value. */
export type Form = (node: Node, place: Place) => unknown

/** The elements of a sequence, in the order that the schema gives them. */
export type Forms = Readonly<Record<string, Form>>

/** Elements that only wrap what a later version of the schema added. */
const wrappers: ReadonlySet<string> = new Set(['extension', 'baseExtension'])

const below = (place: Place, member: string | number): Place => ({ ...place, path: pathTo(place.path, member) })

/** A text with the space around it taken off, as the types of the schema collapse it; elements in it make it none. */
export const text: Form = (node) => rawText(node)?.trim() ?? {}

const number: Form = (node) => numeric(rawText(node)?.trim() ?? '')

function numeric(written: string): number | string {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(written) ? Number(written) : written
}

/** A word of CBV: in XML a URI, which JSON writes as a bare word. */
function word(kind: WordKind): Form {
  return (node, place) => wordOf(kind, rawText(node)?.trim() ?? '', place)
}

function wordOf(kind: WordKind, written: string, { path, findings }: Place): string {
  if (!written.includes(':')) findings.push({ path, code: 'not_a_uri' })
  return bareWord(kind, written) ?? written
}

/** The elements of this name, as a list; `min` is how many the schema asks for. */
function listOf(name: string, item: Form, min = 0): Form {
  return (node, place) => {
    refuseText(node, place)
    const items = elementsOf(node).filter(({ key }, index) => key === name || misplaced(key, below(place, index)))
    if (items.length < min) place.findings.push({ path: place.path, code: 'too_short', params: { limit: min } })
    return items.map((child, index) => item(child, below(place, index)))
  }
}

function misplaced(field: string, { path, findings }: Place): boolean {
  if (!field.includes(':') && !wrappers.has(field)) findings.push({ path, code: 'unknown_field', params: { field } })
  return false
}

/** Text where only elements may stand. */
export function refuseText(node: Node, { path, findings }: Pick<Place, 'path' | 'findings'>): void {
  if (node.children.every((child) => typeof child !== 'string' || child.trim() === '')) return
  findings.push({ path, code: 'wrong_type', params: { expected: 'object', received: 'string' } })
}

/** An object of the elements in a sequence, which stand in the order of the schema (2.0), with extensions last. */
function sequence(forms: Forms): (node: Node, place: Place) => Record<string, unknown> {
  return (node, place) => {
    const members: Record<string, unknown> = {}
    readInto(members, node, forms, place, false)
    return members
  }
}

function readInto(members: Record<string, unknown>, node: Node, forms: Forms, place: Place, wrapped: boolean): void {
  const order = Object.keys(forms)
  let last = -1
  for (const child of elementsOf(node)) {
    const { key } = child
    if (wrappers.has(key)) {
      readInto(members, child, forms, place, true)
      continue
    }
    const rank = key.includes(':') ? order.length : order.indexOf(key)
    if (rank >= 0 && rank < last && place.version === '2' && !wrapped) {
      place.findings.push({ path: pathTo(place.path, key), code: 'element_order', params: { field: key } })
    }
    last = Math.max(last, rank)
    const form = Object.hasOwn(forms, key) ? forms[key] : extensionValue
    if (rank >= 0) add(members, key, form?.(child, below(place, key)), place)
    // What a later version adds may stand in a wrapper.
    else if (wrapped) add(members, `epcis:${key}`, rawText(child) ?? '', place)
    else place.findings.push({ path: pathTo(place.path, key), code: 'unknown_field', params: { field: key } })
  }
  refuseText(node, place)
}

/** Elements that may stand more than once in a sequence. */
const repeatable: ReadonlySet<string> = new Set(['sensorReport', 'set', 'unset'])

/** A second element of the same name makes a list of the two where it may be, and where it is of another namespace. */
function add(members: Record<string, unknown>, name: string, value: unknown, { path, findings }: Place): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined
  const isAllowed = before === undefined || repeatable.has(name) || name.includes(':')
  if (!isAllowed) findings.push({ path: pathTo(path, name), code: 'not_unique' })
  else if (Array.isArray(before)) before.push(value)
  else members[name] = before === undefined ? value : [before, value]
}

const epcs = listOf('epc', text)
const amount = sequence({ epcClass: text, quantity: number, uom: text })

/** A unit stands behind its amount. */
const quantityElement: Form = (node, at) => {
  const members = amount(node, at)
  if ('uom' in members && !('quantity' in members)) {
    at.findings.push({ path: pathTo(at.path, 'quantity'), code: 'required', params: { field: 'quantity' } })
  }
  return members
}
const quantities = listOf('quantityElement', quantityElement)
const place = sequence({ id: text })

/** An element with its kind in an attribute: a business transaction, a source, a destination. */
function typed(name: string, kind: WordKind): Form {
  return listOf(
    name,
    (node, at) => {
      const { type } = node.attributes
      return { ...(type === undefined ? {} : { type: wordOf(kind, type, below(at, 'type')) }), [name]: text(node, at) }
    },
    1,
  )
}

const numbers: ReadonlySet<string> = new Set([
  ...['value', 'minValue', 'maxValue', 'meanValue', 'sDev', 'percRank', 'percValue'],
])

const attributeWords: Readonly<Record<string, WordKind>> = {
  component: 'component',
  type: 'measurement',
  exception: 'alert',
}

/** What sensors tell stands in attributes; the types of measurement are GS1's own terms. */
const attributes: Form = (node) =>
  Object.fromEntries(
    Object.entries(node.attributes)
      .filter(([name]) => !/^(?:xmlns|xsi:)/.test(name))
      .map(([name, written]) => [name, attributeValue(name, written.trim())]),
  )

function attributeValue(name: string, written: string): unknown {
  if (numbers.has(name)) return numeric(written)
  if (name === 'booleanValue')
    return written === 'true' || written === '1' ? true : written === 'false' || written === '0' ? false : written
  const kind = Object.hasOwn(attributeWords, name) ? attributeWords[name] : undefined
  return (kind && bareWord(kind, written)) ?? written
}

const sensorElement: Form = (node, at) => {
  const { sensorReport, ...rest } = sequence({ sensorMetadata: attributes, sensorReport: attributes })(node, at)
  return {
    ...rest,
    sensorReport: sensorReport === undefined ? [] : Array.isArray(sensorReport) ? sensorReport : [sensorReport],
  }
}

const changes: Form = (node, at) => {
  const members = sequence({ unset: word('disposition'), set: word('disposition') })(node, at)
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  )
}

const errorDeclaration = sequence({
  declarationTime: text,
  reason: word('reason'),
  correctiveEventIDs: listOf('correctiveEventID', text),
})

/** What every event begins with. */
const base: Forms = {
  ...{ eventTime: text, recordTime: text, eventTimeZoneOffset: text, eventID: text, errorDeclaration },
  certificationInfo: text,
}

const where: Forms = {
  bizStep: word('bizStep'),
  disposition: word('disposition'),
  readPoint: place,
  bizLocation: place,
}
const business: Forms = { bizTransactionList: typed('bizTransaction', 'bizTransactionType') }
const parties: Forms = {
  sourceList: typed('source', 'sourceType'),
  destinationList: typed('destination', 'sourceType'),
  sensorElementList: listOf('sensorElement', sensorElement, 1),
}
const ilmd = sequence({})
const action: Forms = { action: text }

/** The sequences of the event types (EPCIS 2.0, XML schema). */
const events: Readonly<Record<string, Forms>> = {
  ObjectEvent: {
    ...{ ...base, epcList: epcs, ...action, ...where, ...business, quantityList: quantities, ...parties },
    ...{ persistentDisposition: changes, ilmd },
  },
  AggregationEvent: {
    ...{ ...base, parentID: text, childEPCs: epcs, ...action, ...where, ...business, childQuantityList: quantities },
    ...{ ...parties, persistentDisposition: changes },
  },
  TransactionEvent: {
    ...{
      ...base,
      ...business,
      parentID: text,
      epcList: epcs,
      ...action,
      ...where,
      quantityList: quantities,
      ...parties,
    },
    persistentDisposition: changes,
  },
  TransformationEvent: {
    ...{
      ...base,
      inputEPCList: epcs,
      inputQuantityList: quantities,
      outputEPCList: epcs,
      outputQuantityList: quantities,
    },
    ...{ transformationID: text, ...where, ...business, ...parties, persistentDisposition: changes, ilmd },
  },
  AssociationEvent: {
    ...{ ...base, parentID: text, childEPCs: epcs, childQuantityList: quantities, ...action, ...where, ...business },
    ...{ ...parties, persistentDisposition: changes },
  },
}

/** The members of an event in JSON, its type apart. */
export function eventMembers(type: string, node: Node, at: Place): Record<string, unknown> {
  if (type === 'QuantityEvent' && at.version === '1') return quantityEvent(node, at)
  const forms = (Object.hasOwn(events, type) ? events[type] : undefined) ?? base
  const { persistentDisposition, ...members } = sequence(forms)(node, at)
  if (persistentDisposition === undefined) return members
  // The XML schema has it in every event, the JSON schema in these two.
  const name =
    type === 'ObjectEvent' || type === 'TransformationEvent' ? 'persistentDisposition' : 'epcis:persistentDisposition'
  return { ...members, [name]: persistentDisposition }
}

/** The event of 1.2 that only counts things of a class, as 2.0 tells of them. */
function quantityEvent(node: Node, at: Place): Record<string, unknown> {
  const forms = { ...base, epcClass: text, quantity: number, ...where, ...business }
  const { epcClass, quantity, ...members } = sequence(forms)(node, at)
  return { ...members, type: 'ObjectEvent', action: 'OBSERVE', quantityList: [{ epcClass, quantity }] }
}
