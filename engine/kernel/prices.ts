import { type GenericSchema, is } from 'valibot'
import type { Family } from './account.ts'
import type { Caller } from './context.ts'
import { isObject } from './members.ts'

/** The member of a schema that marks a price. It is a symbol, so that JSON Schema does not show it. */
const mark = Symbol('price')

/** Marks a value as a price of an order family. A customer from whom the family's prices are hidden never receives the value. */
export function priceOf<Schema extends GenericSchema>(family: Family, schema: Schema): Schema {
  return { ...schema, [mark]: family }
}

/** Declares that a value of any form holds no price. Without the mark, such a value is dropped wherever prices are hidden. */
export function unpriced<Schema extends GenericSchema>(schema: Schema): Schema {
  return { ...schema, [mark]: 'none' }
}

/** As much of a valibot schema as these functions read. */
interface Shape {
  readonly type: string
  readonly entries?: Readonly<Record<string, Shape>>
  readonly rest?: Shape
  readonly value?: unknown
  readonly item?: Shape
  readonly wrapped?: Shape
  readonly options?: readonly unknown[]
  readonly [mark]?: Family | 'none'
}

/** The order family of a price schema; `none` if it is declared to hold no price, undefined without a mark. */
export function markOf(schema: GenericSchema): Family | 'none' | undefined {
  return marked(schema as unknown as Shape)
}

function marked(shape: Shape): Family | 'none' | undefined {
  return shape[mark] ?? (shape.wrapped && marked(shape.wrapped))
}

/** The families whose prices a value of this schema may hold, in order of appearance. */
export function pricesIn(schema: GenericSchema): readonly Family[] {
  return [...new Set(familiesIn(schema as unknown as Shape))]
}

function familiesIn(shape: Shape): readonly Family[] {
  const own = marked(shape)
  if (own !== undefined) return own === 'none' ? [] : [own]
  return partsOf(shape).flatMap(familiesIn)
}

function partsOf(shape: Shape): readonly Shape[] {
  const { entries = {}, rest, item, wrapped } = shape
  const optional = [rest, item, wrapped, recordValue(shape)].filter((part) => part !== undefined)
  return [...Object.values(entries), ...optional, ...choicesOf(shape)]
}

/** The families whose prices are hidden from a caller; only a customer has any. */
export function hiddenFrom({ account }: Caller): readonly Family[] {
  return account?.hiddenPrices ?? []
}

/** Whether the prices of a family are hidden from a caller. */
export function isHidden(caller: Caller, family: Family | undefined): boolean {
  return family !== undefined && hiddenFrom(caller).includes(family)
}

/**
 * Reduces a value to what its schema declares, without the prices of the hidden families. Members that the schema
 * does not declare, or declares in any form without `unpriced`, are dropped (document 1, price hiding).
 */
export function withoutPrices(schema: GenericSchema, value: unknown, hidden: readonly Family[]): unknown {
  return reduced(schema as unknown as Shape, value, hidden)
}

function reduced(shape: Shape, value: unknown, hidden: readonly Family[]): unknown {
  const own = marked(shape)
  if (own === 'none') return value
  if (own !== undefined && hidden.includes(own)) return undefined
  if (value === null || value === undefined) return value
  if (shape.wrapped !== undefined) return reduced(shape.wrapped, value, hidden)
  switch (shape.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'picklist':
    case 'literal':
      return typeof value === 'object' ? undefined : value
    case 'array':
      return Array.isArray(value) && shape.item ? itemsOf(shape.item, value, hidden) : undefined
    case 'union':
    case 'variant': {
      const choice = choicesOf(shape).find((option) => is(option as unknown as GenericSchema, value))
      return choice && reduced(choice, value, hidden)
    }
    case 'record':
    case 'object_with_rest':
    case 'object':
    case 'strict_object':
      return isObject(value) ? membersOf(shape, value, hidden) : undefined
    default:
      return undefined
  }
}

function itemsOf(item: Shape, values: readonly unknown[], hidden: readonly Family[]): readonly unknown[] {
  return values.map((value) => reduced(item, value, hidden)).filter((value) => value !== undefined)
}

function membersOf(shape: Shape, value: object, hidden: readonly Family[]): unknown {
  const { entries = {}, rest = recordValue(shape) } = shape
  const members = Object.entries(value).flatMap(([name, member]) => {
    const declared = Object.hasOwn(entries, name) ? entries[name] : rest
    const visible = declared && reduced(declared, member, hidden)
    return visible === undefined ? [] : [[name, visible] as const]
  })
  return Object.fromEntries(members)
}

/** The alternatives of a union; the options of a picklist are plain values. */
function choicesOf({ type, options = [] }: Shape): readonly Shape[] {
  return type === 'union' || type === 'variant' ? (options as readonly Shape[]) : []
}

/** The schema of the values of a record; the `value` of other schemas is something else. */
function recordValue({ type, value }: Shape): Shape | undefined {
  return type === 'record' ? (value as Shape) : undefined
}
