import type { GenericSchema } from 'valibot'
import { isObject, type Members } from './members.ts'

/** The fast check cannot decide; the value may still be valid. */
export const unsure = Symbol('unsure')

/** Returns the value as valibot would parse it, or `unsure` if valibot has to decide. */
type Accept = (value: unknown) => unknown

/** The parts of a valibot schema or pipe step that are read here. */
interface Shape {
  readonly kind: string
  readonly type: string
  readonly entries?: Readonly<Record<string, Shape>>
  readonly item?: Shape
  readonly wrapped?: Shape
  readonly options?: readonly unknown[]
  readonly pipe?: readonly Shape[]
  readonly default?: unknown
  readonly fallback?: unknown
  '~run'(dataset: { typed: true; value: unknown }, config: object): { readonly issues?: unknown }
}

/** A kind of value: a type check, and an optional conversion. */
interface Kind {
  is(value: unknown): boolean
  readonly take?: Accept
}

const cache = new WeakMap<object, Accept>()

/**
 * Compiles a schema to a fast check for valid values; valibot reports what is wrong with the others. A schema with an
 * unknown part is always `unsure`.
 */
export function acceptOf(schema: GenericSchema): Accept {
  const accept = cache.get(schema) ?? compiled(schema as unknown as Shape) ?? (() => unsure)
  cache.set(schema, accept)
  return accept
}

function compiled(shape: Shape): Accept | undefined {
  const kind = kindOf(shape)
  const steps = stepsOf(shape).filter((step) => step.kind !== 'metadata')
  if (kind === undefined || !isPlain(shape) || steps.some((step) => step.kind !== 'validation')) return undefined
  const { is, take = unchanged } = kind
  // One for all steps, as valibot does it, and for all values: a step adds `issues`, or leaves it as it is.
  let dataset = emptyDataset()
  const passes = (value: unknown) => {
    if (steps.length === 0) return true
    dataset.value = value
    for (const step of steps) {
      if (step['~run'](dataset, config).issues === undefined) continue
      dataset = emptyDataset()
      return false
    }
    dataset.value = undefined
    return true
  }
  // Checks of a whole object rely on its members, so they come last. Checks of a list are about its length, so they
  // come first and bound the work.
  if (shape.type === 'strict_object' && steps.length > 0) {
    return (value) => {
      const accepted = is(value) ? take(value) : unsure
      return accepted !== unsure && passes(accepted) ? accepted : unsure
    }
  }
  return (value) => (is(value) && passes(value) ? take(value) : unsure)
}

const config = {}

const emptyDataset = (): { typed: true; value: unknown } => ({ typed: true, value: undefined })

function unchanged(value: unknown): unknown {
  return value
}

/** The pipe steps after the type, including those of nested pipes. */
function stepsOf({ pipe = [] }: Shape): readonly Shape[] {
  const [first, ...steps] = pipe
  return first === undefined ? [] : [...stepsOf(first), ...steps]
}

function isPlain(shape: Shape): boolean {
  return shape.default === undefined && shape.fallback === undefined
}

function kindOf({ type, entries = {}, item, options = [] }: Shape): Kind | undefined {
  switch (type) {
    case 'unknown':
      return { is: () => true }
    case 'string':
      return { is: (value) => typeof value === 'string' }
    case 'boolean':
      return { is: (value) => typeof value === 'boolean' }
    case 'number':
      return { is: (value) => typeof value === 'number' && !Number.isNaN(value) }
    case 'picklist':
      return { is: (value) => options.includes(value) }
    case 'array':
      return item && listOf(item)
    case 'strict_object':
      return objectOf(entries)
    default:
      return undefined
  }
}

function listOf(item: Shape): Kind | undefined {
  const accept = compiled(item)
  if (accept === undefined) return undefined
  const take = (value: unknown) => {
    const list = value as readonly unknown[]
    const accepted = list.map(accept)
    if (accepted.includes(unsure)) return unsure
    return accepted.every((member, index) => member === list[index]) ? list : accepted
  }
  return { is: Array.isArray, take }
}

interface Member {
  /** Position in the schema. */
  readonly place: number
  readonly isOptional: boolean
  readonly accept: Accept
}

function objectOf(entries: Readonly<Record<string, Shape>>): Kind | undefined {
  const members = new Map<string, Member>()
  for (const [name, entry] of Object.entries(entries)) {
    const isOptional = entry.type === 'exact_optional'
    const accept = isPlain(entry) ? compiled(isOptional ? (entry.wrapped as Shape) : entry) : undefined
    if (accept === undefined) return undefined
    members.set(name, { place: members.size, isOptional, accept })
  }
  const needed = [...members.values()].filter(({ isOptional }) => !isOptional).length
  return { is: isObject, take: (value) => acceptedObject(value as Members, members, needed) }
}

/**
 * The object itself if its members are in the order of the schema; otherwise a copy in that order, as valibot
 * returns.
 */
function acceptedObject(input: Members, members: ReadonlyMap<string, Member>, needed: number): unknown {
  let isSame = true
  let last = -1
  let missing = needed
  for (const name in input) {
    const member = members.get(name)
    if (member === undefined) return unsure
    const value = member.accept(input[name])
    if (value === unsure) return unsure
    if (value !== input[name] || member.place < last) isSame = false
    if (!member.isOptional) missing--
    last = member.place
  }
  if (missing > 0) return unsure
  return isSame ? input : inOrder(input, members)
}

function inOrder(input: Members, members: ReadonlyMap<string, Member>): Members {
  const ordered: Record<string, unknown> = {}
  for (const [name, { accept }] of members) if (name in input) ordered[name] = accept(input[name])
  return ordered
}
