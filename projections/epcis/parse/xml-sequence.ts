import { below, extension, type Form, found, type Place, refuseAttributes, refuseText, unknown } from './xml-forms.ts'
import { type Node, rawText } from './xml-names.ts'

/** An element of a sequence. */
export interface Element {
  readonly form: Form
  readonly required?: true
  readonly many?: true
}

/** A wrapper around elements that belong to the object outside. */
export interface Wrapper {
  readonly wraps: Sequence
}

/** The elements of a type, in the order of the XML Schema. */
export interface Sequence {
  readonly elements: Readonly<Record<string, Form | Element | Wrapper>>
  /** What may follow: elements of other namespaces, or ones without a namespace. */
  readonly open?: 'other' | 'local'
  /** Whether there must be something. */
  readonly filled?: true
  /** Whether any attribute is allowed. */
  readonly attributes?: true
  /** Whether the elements may have any order and number. */
  readonly choice?: true
}

interface Step extends Partial<Element> {
  readonly wraps?: Read
  readonly rank: number
  /** Whether it is an addition of a later version, which gets the prefix of EPCIS. */
  readonly renamed?: true
}

/** Reads the elements of a type into an object. */
export type Read = (into: Record<string, unknown>, node: Node, place: Place) => void

/** The reading of a type of the XML Schema. */
export function reading(sequence: Sequence): Read {
  const { open, filled, choice } = sequence
  const steps = new Map(Object.entries(sequence.elements).map(([name, one], rank) => [name, stepOf(one, rank)]))
  const names = [...steps.keys()]
  const required = [...steps].filter(([, step]) => step.required).map(([name]) => name)
  return (into, node, place) => {
    refuseText(node, place)
    if (sequence.attributes !== true) refuseAttributes(node, place)
    else if (node.attributes['xsi:nil'] !== undefined)
      found(place, 'wrong_type', { expected: 'object', received: 'null' })
    let last = -1
    let missing = required.length
    // The names before, once one is out of order: a document in order needs no set.
    let before: Set<string> | undefined
    for (const [index, child] of node.elements.entries()) {
      const { key } = child
      const step = steps.get(key) ?? foreignStep(child, open, place)
      if (step === undefined) {
        unknown(below(place, key), key, names)
        continue
      }
      const { rank, many } = step
      if (rank <= last && many !== true) before ??= new Set(node.elements.slice(0, index).map((one) => one.key))
      const isRepeated = many !== true && before?.has(key) === true
      before?.add(key)
      if (choice !== true) {
        if (rank < last) found(below(place, key), 'element_order', { field: key })
        if (isRepeated) found(below(place, key), 'not_unique')
      }
      if (rank > last) last = rank
      if (step.required === true && !isRepeated) missing--
      take(into, child, step, place)
    }
    if (filled && node.elements.length === 0) found(place, 'too_short', { limit: 1 })
    if (missing > 0) requireAll(required, node, place)
  }
}

function requireAll(names: readonly string[], { elements }: Node, place: Place): void {
  for (const name of names) {
    if (!elements.some(({ key }) => key === name)) found(below(place, name), 'required', { field: name })
  }
}

function stepOf(one: Form | Element | Wrapper, rank: number): Step {
  if (typeof one === 'function') return { form: one, rank }
  return 'wraps' in one ? { wraps: reading(one.wraps), rank } : { ...one, rank }
}

const other: Step = { form: extension, many: true, rank: Number.POSITIVE_INFINITY }
const addition: Step = { ...other, form: (node) => rawText(node) ?? '', renamed: true }

function foreignStep({ namespace }: Node, open: Sequence['open'], place: Place): Step | undefined {
  if (open === 'other') return namespace !== '' && namespace !== place.event.namespace ? other : undefined
  return open === 'local' && namespace === '' ? addition : undefined
}

/** Of an element that must not be repeated, the first one is kept. */
function take(into: Record<string, unknown>, child: Node, { form, wraps, many, renamed }: Step, place: Place): void {
  if (wraps !== undefined) {
    wraps(into, child, place)
    return
  }
  const name = renamed ? `epcis:${child.key}` : child.key
  const value = form?.(child, below(place, name))
  const before = Object.hasOwn(into, name) ? into[name] : undefined
  if (value === undefined) return
  if (before === undefined) into[name] = repeated.has(name) ? [value] : value
  else if (many !== true) return
  else if (Array.isArray(before)) before.push(value)
  else into[name] = [before, value]
}

/** Elements that EPCIS repeats; in JSON they are lists. */
const repeated: ReadonlySet<string> = new Set(['sensorReport', 'set', 'unset'])

/** An object from the elements of a type. */
export function object(sequence: Sequence): Form {
  const read = reading(sequence)
  return (node, place) => {
    const members: Record<string, unknown> = {}
    read(members, node, place)
    return members
  }
}
