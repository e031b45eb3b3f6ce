import { type Code, type Params, pathTo, unknownAmong } from '../../../engine/index.ts'
import { isXsdDateTime, isXsdStamp, timeProblem } from './clock.ts'
import type { Fault } from './findings.ts'
import { isAnyUri } from './uris.ts'
import { bareWord, type WordKind } from './words.ts'
import { extensionValue } from './xml-extension.ts'
import { hasText, type Node, rawText, trimmedText } from './xml-names.ts'

/** The context of an element: the path of its JSON member, and the findings of the event. */
export interface Place {
  /** The context of its parent; the event itself has none, and its member is its path. */
  readonly outer?: Place
  readonly member: string | number
  readonly event: EventState
}

/** What the elements of an event share. */
export interface EventState {
  /** The version of the schema, and its namespace. */
  readonly version: '1' | '2'
  readonly namespace: string
  /** Namespaces that the document declares. */
  readonly prefixes: ReadonlyMap<string, string>
  readonly findings: Fault[]
}

/** Converts an element to a JSON value, and reports what its type in the XML Schema does not allow. */
export type Form = (node: Node, place: Place) => unknown

/** The context of a member. */
export function below(outer: Place, member: string | number): Place {
  return { outer, member, event: outer.event }
}

/** Paths are built only for findings. */
function pathOf({ outer, member }: Place): string {
  return outer === undefined ? String(member) : pathTo(pathOf(outer), member)
}

/** The most findings that the XML Schema has for one event. */
const maxFindings = 1000

/** Reports a finding. */
export function found(place: Place, code: Code, params?: Params): void {
  if (place.event.findings.length < maxFindings)
    place.event.findings.push({ path: pathOf(place), code, ...(params && { params }) })
}

/** Reports a name that is none of the known ones. */
export function unknown(place: Place, name: string, known: readonly string[]): void {
  const { code, params } = unknownAmong(name, known)
  found(place, code, params)
}

/** Reports text between elements. */
export function refuseText(node: Node, place: Place): void {
  if (hasText(node)) found(place, 'wrong_type', { expected: 'object', received: 'string' })
}

/** Attributes that every element may have. */
const always: ReadonlySet<string> = new Set(['xsi:schemaLocation', 'xsi:noNamespaceSchemaLocation', 'xsi:type'])

/** Reports attributes that are not in the list. */
export function refuseAttributes({ attributes }: Node, place: Place, known: readonly string[] = []): void {
  for (const name in attributes) {
    if (!always.has(name) && !known.includes(name)) unknown(below(place, name), name, known)
  }
}

/** The text of an element, without attributes and elements; an empty object if it contains elements. */
function textOf(node: Node, place: Place): string | undefined {
  refuseAttributes(node, place)
  const text = trimmedText(node)
  if (text === undefined) found(place, 'wrong_type', { expected: 'string', received: 'object' })
  return text
}

/** A text without surrounding white space. */
export const text: Form = (node, place) => textOf(node, place) ?? {}

/** A URI. */
export const uri: Form = (node, place) => uriOf(textOf(node, place), place) ?? {}

function uriOf(written: string | undefined, place: Place): string | undefined {
  if (written !== undefined && !isAnyUri(written)) found(place, 'not_a_uri')
  return written
}

/** A word that must be written exactly. */
export const action: Form = (node, place) => {
  textOf(node, place)
  const written = rawText(node) ?? ''
  if (!/^(?:ADD|OBSERVE|DELETE)$/.test(written)) {
    found(place, 'unknown_value', { received: written.slice(0, 60), expected: 'ADD, OBSERVE, DELETE' })
  }
  return written
}

/** A date-time; in 1.2 its zone may be missing. */
export const stamp: Form = (node, place) => stampOf(textOf(node, place) ?? '', place)

function stampOf(written: string, place: Place): string {
  const isGood = place.event.version === '1' ? isXsdDateTime(written) : isXsdStamp(written)
  if (!isGood) found(place, timeProblem(written) ?? 'not_a_date_time', { field: String(place.member) })
  return written
}

/** A decimal number that may be nil; then it has no value. */
export const amount: Form = (node, place) => {
  const { 'xsi:nil': nil, ...others } = node.attributes
  const written = textOf({ ...node, attributes: others }, place) ?? ''
  if (nil !== undefined && /^(?:true|1)$/.test(nil.trim())) {
    if (written !== '') found(place, 'wrong_type', { expected: 'null', received: 'string' })
    return undefined
  }
  return numeric(written, /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/, place)
}

/** A whole number, as the event of 1.2 that counts has it. */
export const count: Form = (node, place) => numeric(textOf(node, place) ?? '', /^[+-]?\d{1,10}$/, place)

function numeric(written: string, form: RegExp, place: Place): number | string {
  if (!form.test(written)) found(place, 'wrong_type', { expected: 'number', received: 'string' })
  return form.test(written) && Number.isFinite(Number(written)) ? Number(written) : written
}

/** A word of CBV: a URI in XML, a bare word in JSON. */
export function word(kind: WordKind): Form {
  return (node, place) => wordOf(kind, textOf(node, place) ?? '', place)
}

function wordOf(kind: WordKind, written: string, place: Place): string {
  // The schema also takes a bare word for a URI.
  if (!written.includes(':'))
    place.event.findings.push({ path: pathOf(place), code: 'not_a_uri', level: 'strict', silent: true })
  uriOf(written, place)
  return bareWord(kind, written, place.event.prefixes) ?? written
}

/** Whether a wrapper holds additions of a later version, which have no namespace. */
function isLater(node: Node): boolean {
  const { elements, attributes } = node
  const isPlain = elements.length > 0 && !hasText(node) && attributes['xsi:nil'] === undefined
  return isPlain && elements.every(({ namespace }) => namespace === '')
}

/** The elements with this name, as a list; the schema requires at least `min`. Some lists may end with an extension. */
export function listOf(name: string, item: Form, { min = 0, wrapped = false } = {}): Form {
  return (node, place) => {
    refuseText(node, place)
    refuseAttributes(node, place)
    const items = node.elements.filter((child, index) => {
      const { key } = child
      if (key === name) return true
      const isLast = index === node.elements.length - 1
      if (!(wrapped && isLast && key === 'extension' && isLater(child))) {
        unknown(below(place, index), key, [name])
      }
      return false
    })
    if (items.length < min) found(place, 'too_short', { limit: min })
    return items.map((child, index) => item(child, below(place, index)))
  }
}

/** An element with its kind in an attribute: a business transaction, a source, a destination. */
export function typed(name: string, kind: WordKind, required = false): Form {
  const item: Form = (node, at) => {
    const { type, ...others } = node.attributes
    const value = uri({ ...node, attributes: others }, at)
    if (type !== undefined) return { type: wordOf(kind, type.trim(), below(at, 'type')), [name]: value }
    if (required) found(below(at, 'type'), 'required', { field: 'type' })
    return { [name]: value }
  }
  return listOf(name, item, { min: 1 })
}

const double = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|-?INF|NaN)$/

const attributeWords: Readonly<Record<string, WordKind>> = {
  component: 'component',
  type: 'measurement',
  exception: 'alert',
}

type AttributeForm = (written: string, name: string, place: Place) => unknown

const asUri: AttributeForm = (written, _, place) => uriOf(written, place)
const asTime: AttributeForm = (written, _, place) => stampOf(written, place)
const asNumber: AttributeForm = (written, _, place) => numeric(written, double, place)

const asWord: AttributeForm = (written, name, place) => {
  const kind = attributeWords[name]
  return (kind && bareWord(kind, written, place.event.prefixes)) ?? uriOf(written, place)
}

const asTruth: AttributeForm = (written, _, place) => {
  if (/^(?:true|1)$/.test(written)) return true
  if (!/^(?:false|0)$/.test(written)) found(place, 'wrong_type', { expected: 'boolean', received: 'string' })
  return /^(?:false|0)$/.test(written) ? false : written
}

const asHex: AttributeForm = (written, _, place) => {
  if (!/^(?:[\dA-Fa-f]{2})*$/.test(written)) found(place, 'bad_pattern', { expected: '0A1B' })
  return written
}

/** The attributes of sensor elements that are not texts. */
const attributeForms: ReadonlyMap<string, AttributeForm> = new Map([
  ...(['value', 'minValue', 'maxValue', 'meanValue', 'sDev', 'percRank', 'percValue'] as const).map(
    (name) => [name, asNumber] as const,
  ),
  ...(['time', 'startTime', 'endTime'] as const).map((name) => [name, asTime] as const),
  ...[
    ...(['deviceID', 'deviceMetadata', 'rawData', 'dataProcessingMethod', 'bizRules', 'uriValue'] as const),
    ...(['chemicalSubstance', 'microorganism', 'coordinateReferenceSystem'] as const),
  ].map((name) => [name, asUri] as const),
  ...(['type', 'component', 'exception'] as const).map((name) => [name, asWord] as const),
  ['booleanValue', asTruth],
  ['hexBinaryValue', asHex],
])

/** The attributes of the metadata; the same names may be added to reports, and the other way round. */
const ofMetadata: ReadonlySet<string> = new Set([
  ...['time', 'startTime', 'endTime', 'deviceID', 'deviceMetadata', 'rawData', 'bizRules', 'dataProcessingMethod'],
])
const ofReports: ReadonlySet<string> = new Set(
  [...attributeForms.keys()].filter((name) => !['startTime', 'endTime', 'bizRules'].includes(name)),
)

/** What surrounds sensor values. */
export const sensorMetadata: Form = (node, place) => attributesOf(node, place, ofMetadata)

/** Sensor values. */
export const sensorReport: Form = (node, place) => attributesOf(node, place, ofReports)

/** Sensor elements have attributes, and any other attribute may be added. */
function attributesOf(node: Node, place: Place, known: ReadonlySet<string>): unknown {
  if (node.elements.length > 0) found(place, 'wrong_type', { expected: 'string', received: 'object' })
  const members: Record<string, unknown> = {}
  for (const name in node.attributes) {
    if (name === 'xsi:nil') found(place, 'wrong_type', { expected: 'object', received: 'null' })
    if (name.startsWith('xsi:') || name.startsWith('xml:')) continue
    const form = known.has(name) ? attributeForms.get(name) : undefined
    const written = node.attributes[name] ?? ''
    members[name] = form === undefined ? written : form(written.trim(), name, below(place, name))
  }
  return members
}

/** The value of an element of another namespace. */
export const extension: Form = extensionValue
