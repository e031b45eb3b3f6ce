import { type Code, type Finding, type Params, pathTo } from '../../../engine/index.ts'
import { bareWord, type WordKind } from './words.ts'
import { extensionValue } from './xml-extension.ts'
import { hasText, type Node, trimmedText } from './xml-names.ts'

/** The context of an element: the path of its JSON member, and the findings of the event. */
export interface Place {
  /** The context of its parent; the event itself has none, and its member is its path. */
  readonly outer?: Place
  readonly member: string | number
  /** The version of the schema. */
  readonly version: '1' | '2'
  readonly findings: Finding[]
  /** Whether extensions are taken with all that they contain. */
  readonly whole?: boolean
}

/** Converts an element to a JSON value. */
type Form = (node: Node, place: Place) => unknown

/** The elements of a sequence, in the order of the schema. */
type Forms = Readonly<Record<string, Form>>

/** Elements that only wrap additions of a later version of the schema. */
const wrappers: ReadonlySet<string> = new Set(['extension', 'baseExtension'])

function below(outer: Place, member: string | number): Place {
  return { ...outer, outer, member }
}

/** Paths are built only for findings. */
function pathOf({ outer, member }: Place): string {
  return outer === undefined ? String(member) : pathTo(pathOf(outer), member)
}

function found(place: Place, code: Code, params?: Params): void {
  place.findings.push({ path: pathOf(place), code, ...(params && { params }) })
}

/**
 * A text without surrounding white space, as the types of the schema collapse it; an empty object if it contains elements.
 */
const text: Form = (node) => trimmedText(node) ?? {}

const number: Form = (node) => numeric(trimmedText(node) ?? '')

function numeric(written: string): number | string {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(written) ? Number(written) : written
}

/** A word of CBV: a URI in XML, a bare word in JSON. */
function word(kind: WordKind): Form {
  return (node, place) => wordOf(kind, trimmedText(node) ?? '', place)
}

function wordOf(kind: WordKind, written: string, place: Place): string {
  if (!written.includes(':')) found(place, 'not_a_uri')
  return bareWord(kind, written) ?? written
}

/** The elements with this name, as a list; the schema requires at least `min`. */
function listOf(name: string, item: Form, min = 0): Form {
  return (node, place) => {
    refuseText(node, place)
    const items = node.elements.filter(({ key }, index) => key === name || misplaced(key, below(place, index)))
    if (items.length < min) found(place, 'too_short', { limit: min })
    return items.map((child, index) => item(child, below(place, index)))
  }
}

function misplaced(field: string, place: Place): boolean {
  if (!field.includes(':') && !wrappers.has(field)) found(place, 'unknown_field', { field })
  return false
}

function refuseText(node: Node, place: Place): void {
  if (hasText(node)) found(place, 'wrong_type', { expected: 'object', received: 'string' })
}

type Members = Record<string, unknown>

/** An element of a sequence: its conversion, and its position in the order of the schema. */
interface Step {
  readonly form: Form
  readonly rank: number
}

type Steps = ReadonlyMap<string, Step>

function stepsOf(forms: Forms): Steps {
  return new Map(Object.entries(forms).map(([name, form], rank) => [name, { form, rank }]))
}

/** An object from the elements of a sequence, which are in the order of the schema (2.0), with extensions last. */
function sequence(forms: Forms): (node: Node, place: Place) => Members {
  const steps = stepsOf(forms)
  return (node, place) => membersOf(node, steps, place)
}

function membersOf(node: Node, steps: Steps, place: Place): Members {
  const members: Members = {}
  readInto(members, node, steps, place, false)
  return members
}

const extension: Step = { form: (node, { whole }) => extensionValue(node, whole), rank: Number.POSITIVE_INFINITY }

function readInto(members: Members, node: Node, steps: Steps, place: Place, wrapped: boolean): void {
  let last = -1
  for (const child of node.elements) {
    const { key } = child
    if (wrappers.has(key)) {
      readInto(members, child, steps, place, true)
      continue
    }
    const step = steps.get(key) ?? (key.includes(':') ? extension : undefined)
    if (step !== undefined) {
      const at = below(place, key)
      if (step.rank < last && place.version === '2' && !wrapped) found(at, 'element_order', { field: key })
      last = Math.max(last, step.rank)
      add(members, key, step.form(child, at), at)
    }
    // Additions of a later version may be in a wrapper.
    else if (wrapped) add(members, `epcis:${key}`, extensionValue(child, place.whole), below(place, `epcis:${key}`))
    else found(below(place, key), 'unknown_field', { field: key })
  }
  refuseText(node, place)
}

/** Elements that may be repeated in a sequence. */
const repeatable: ReadonlySet<string> = new Set(['sensorReport', 'set', 'unset'])

/** A repeated element becomes a list, if repetition is allowed or it belongs to another namespace. */
function add(members: Members, name: string, value: unknown, place: Place): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined
  if (before === undefined) members[name] = value
  else if (!repeatable.has(name) && !name.includes(':')) found(place, 'not_unique')
  else if (Array.isArray(before)) before.push(value)
  else members[name] = [before, value]
}

const epcs = listOf('epc', text)
const amount = sequence({ epcClass: text, quantity: number, uom: text })

/** In the JSON form the unit follows the amount. */
const quantityElement: Form = (node, at) => {
  const members = amount(node, at)
  if ('uom' in members && !('quantity' in members)) {
    found(below(at, 'quantity'), 'required', { field: 'quantity' })
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
      const value = text(node, at)
      return type === undefined ? { [name]: value } : { type: wordOf(kind, type, below(at, 'type')), [name]: value }
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

/** Sensor values are in attributes; the types of measurement are GS1's own terms. */
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

/** The first elements of every event. */
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
    ...{ ...base, ...business, parentID: text, epcList: epcs, ...action, ...where, quantityList: quantities },
    ...{ ...parties, persistentDisposition: changes },
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

/** The elements of an event of this type, in the order of the schema. */
export function eventElements(type: string): readonly string[] {
  return Object.keys(events[type] ?? events.ObjectEvent ?? {})
}

const eventSteps: ReadonlyMap<string, Steps> = new Map(
  Object.entries(events).map(([type, forms]) => [type, stepsOf(forms)]),
)
const foreignSteps = stepsOf(base)
const countingSteps = stepsOf({ ...base, epcClass: text, quantity: number, ...where, ...business })

/** An event in the form of JSON. */
export function eventOf(node: Node, place: Place): Members {
  const type = node.key
  if (type === 'QuantityEvent' && place.version === '1') return countingEvent(node, place)
  const event: Members = { type }
  readInto(event, node, eventSteps.get(type) ?? foreignSteps, place, false)
  // The XML schema has it in every event, the JSON schema only in these two.
  if (event.persistentDisposition === undefined || type === 'ObjectEvent' || type === 'TransformationEvent')
    return event
  const { persistentDisposition, ...members } = event
  return { ...members, 'epcis:persistentDisposition': persistentDisposition }
}

/** The event of 1.2 that only counts things of a class, in the form of 2.0. */
function countingEvent(node: Node, place: Place): Members {
  const { epcClass, quantity, ...members } = membersOf(node, countingSteps, place)
  return { ...members, type: 'ObjectEvent', action: 'OBSERVE', quantityList: [{ epcClass, quantity }] }
}
