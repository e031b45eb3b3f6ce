import { excerptOf, type Members } from '../../../engine/index.ts'
import {
  action,
  amount,
  below,
  count,
  type EventState,
  type Form,
  found,
  listOf,
  type Place,
  sensorMetadata,
  sensorReport,
  stamp,
  text,
  typed,
  uri,
  word,
} from './xml-forms.ts'
import type { Node } from './xml-names.ts'
import { type Element, object, type Read, reading, type Sequence, type Wrapper } from './xml-sequence.ts'

const later: Wrapper = { wraps: { elements: {}, open: 'local', filled: true, attributes: true } }
const ofOthers: Wrapper = { wraps: { elements: {}, open: 'other', filled: true, attributes: true } }

const epcs = listOf('epc', text)

const quantity = object({ elements: { epcClass: { form: uri, required: true }, quantity: amount, uom: text } })

/** A unit follows an amount, which may be nil. */
const quantityElement: Form = (node, at) => {
  const isOf = (name: string) => node.elements.some(({ key }) => key === name)
  if (isOf('uom') && !isOf('quantity')) found(below(at, 'quantity'), 'required', { field: 'quantity' })
  return quantity(node, at)
}

const quantities = listOf('quantityElement', quantityElement)
const place = object({ elements: { id: { form: uri, required: true }, extension: later }, open: 'other' })
const transactions = typed('bizTransaction', 'bizTransactionType')

const errorElements = {
  declarationTime: stamp,
  reason: word('reason'),
  correctiveEventIDs: listOf('correctiveEventID', uri),
  extension: later,
}

/** In 2.0 the elements of an error declaration may have any order. */
const errorDeclaration = object({ elements: errorElements, open: 'other', attributes: true, choice: true })

const firstErrorDeclaration = object({
  elements: { ...errorElements, declarationTime: { form: stamp, required: true } },
  open: 'other',
  attributes: true,
})

const sensorElement = object({
  elements: {
    sensorMetadata,
    sensorReport: { form: sensorReport, required: true, many: true },
    extension: later,
  },
  open: 'other',
})

const changes = object({
  elements: { unset: { form: word('disposition'), many: true }, set: { form: word('disposition'), many: true } },
})

const ilmd = object({ elements: { extension: later }, open: 'other', attributes: true })

const required = (form: Form): Element => ({ form, required: true })

const where = { bizStep: word('bizStep'), disposition: word('disposition'), readPoint: place, bizLocation: place }

const parties = {
  sourceList: typed('source', 'sourceType', true),
  destinationList: typed('destination', 'sourceType', true),
}

const sensors = {
  sensorElementList: listOf('sensorElement', sensorElement, { min: 1, wrapped: true }),
  persistentDisposition: changes,
}

const inputs = { inputEPCList: epcs, inputQuantityList: quantities }
const outputs = { outputEPCList: epcs, outputQuantityList: quantities }

const base = {
  ...{ eventTime: required(stamp), recordTime: stamp, eventTimeZoneOffset: required(text), eventID: uri },
  ...{ errorDeclaration, certificationInfo: uri, baseExtension: ofOthers },
}

const did = { action: required(action) }

/** The types of events (EPCIS 2.0, XML schema). */
const second: Readonly<Record<string, Sequence['elements']>> = {
  ObjectEvent: {
    ...{ epcList: epcs, ...did, ...where, bizTransactionList: transactions, quantityList: quantities },
    ...{ ...parties, ...sensors, ilmd },
  },
  AggregationEvent: {
    ...{ parentID: uri, childEPCs: epcs, ...did, ...where, bizTransactionList: transactions },
    ...{ childQuantityList: quantities, ...parties, ...sensors },
  },
  TransactionEvent: {
    ...{ bizTransactionList: required(transactions), parentID: uri, epcList: epcs, ...did, ...where },
    ...{ quantityList: quantities, ...parties, ...sensors },
  },
  TransformationEvent: {
    ...{ ...inputs, ...outputs, transformationID: uri, ...where, bizTransactionList: transactions },
    ...{ ...parties, ...sensors, ilmd },
  },
  AssociationEvent: {
    ...{ parentID: required(uri), childEPCs: epcs, childQuantityList: quantities, ...did, ...where },
    ...{ bizTransactionList: transactions, ...parties, ...sensors },
  },
}

const firstBase = {
  ...{ eventTime: required(stamp), recordTime: stamp, eventTimeZoneOffset: required(text) },
  baseExtension: {
    wraps: {
      elements: { eventID: uri, errorDeclaration: firstErrorDeclaration, extension: later },
      attributes: true,
    },
  },
} as const

const added = (elements: Sequence['elements']) => ({
  extension: { wraps: { elements: { ...elements, extension: later }, attributes: true } } as const,
})

const counted = { epcClass: required(uri), quantity: required(count) }

/** The types of events (EPCIS 1.2, XML schema); what 1.1 added is in wrappers. */
const first: Readonly<Record<string, Sequence['elements']>> = {
  ObjectEvent: {
    ...{ epcList: required(epcs), ...did, ...where, bizTransactionList: transactions },
    ...added({ quantityList: quantities, ...parties, ilmd }),
  },
  AggregationEvent: {
    ...{ parentID: uri, childEPCs: required(epcs), ...did, ...where, bizTransactionList: transactions },
    ...added({ childQuantityList: quantities, ...parties }),
  },
  QuantityEvent: { ...counted, ...where, bizTransactionList: transactions, extension: later },
  TransactionEvent: {
    ...{ bizTransactionList: required(transactions), parentID: uri, epcList: required(epcs), ...did, ...where },
    ...added({ quantityList: quantities, ...parties }),
  },
  TransformationEvent: {
    ...{ ...inputs, ...outputs, transformationID: uri, ...where, bizTransactionList: transactions },
    ...{ ...parties, ilmd, extension: later },
  },
}

const read: Readonly<Record<EventState['version'], ReadonlyMap<string, Read>>> = {
  '1': readersOf(first, firstBase),
  '2': readersOf(second, { ...base }, { extension: ofOthers }),
}

function readersOf(
  types: Readonly<Record<string, Sequence['elements']>>,
  before: Sequence['elements'],
  after: Sequence['elements'] = {},
): ReadonlyMap<string, Read> {
  return new Map(
    Object.entries(types).map(([type, elements]) => [
      type,
      reading({ elements: { ...before, ...elements, ...after }, open: 'other', attributes: true }),
    ]),
  )
}

/** An event of another namespace may have any of these; no schema describes it. */
const readOther = reading({
  elements: Object.assign({}, ...Object.values(second).map((elements) => ({ ...base, ...elements }))),
  open: 'other',
  attributes: true,
  choice: true,
})

/** An event in the form of JSON. `wrapped` is the number of extensions around it in the list. */
export function eventOf(node: Node, place: Place, wrapped: number): Members {
  const { key: type, namespace } = node
  const into: Record<string, unknown> = { type }
  const isNamed = place.event.version === '2' ? wrapped === 0 : wrapped === (type === 'TransformationEvent' ? 1 : 0)
  const reader = isNamed && namespace === '' ? read[place.event.version].get(type) : undefined
  if (reader !== undefined) {
    reader(into, node, place)
    return type === 'QuantityEvent' ? counting(into) : into
  }
  const isOther =
    place.event.version === '2' ? wrapped === 1 && isForeign(node, place) : wrapped === 2 && namespace === ''
  if (!isOther) {
    const expected = [...read[place.event.version].keys()].join(', ')
    found(below(place, 'type'), 'unknown_value', { received: excerptOf(type), expected })
  }
  readOther(into, node, { ...place, event: { ...place.event, findings: [] } })
  // What 2.0 has added is an extension in 1.2.
  const isLater = place.event.version === '1' && isOther && Object.hasOwn(second, type)
  return isLater || type.includes(':') ? into : { ...into, type: `epcis:${type}` }
}

function isForeign({ namespace }: Node, place: Place): boolean {
  return namespace !== '' && namespace !== place.event.namespace
}

/** The event of 1.2 that only counts things of a class, in the form of 2.0. */
function counting({ epcClass, quantity, ...members }: Members): Members {
  return { ...members, type: 'ObjectEvent', action: 'OBSERVE', quantityList: [{ epcClass, quantity }] }
}

/** The elements of an event of this type that are no extensions, in the order of the schema (2.0). */
export function eventElements(type: string): readonly string[] {
  const elements = Object.keys({ ...base, ...(second[type] ?? second.ObjectEvent) })
  return elements.filter((name) => name !== 'baseExtension')
}
