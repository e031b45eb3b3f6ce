import { isObject, type Members } from '../../../engine/index.ts'
import { compared } from './compare.ts'
import type { Expression, PathStep } from './expression.ts'
import { functions } from './functions.ts'
import { memberValue, type Value } from './values.ts'

/** An entity with the related entities that an expression needs, as members with the names of their relations. */
export type Evaluated = Members

/** Gives the values of an expression: one, or several if a path leads through a relation to several entities. */
type Values = (entity: Evaluated) => readonly Value[]

/** The most values of one part of an expression; those after them are not looked at. */
const maxValues = 1_000

/** A test of a condition. It holds if one of its values is true. */
export function testOf(condition: Expression, now: number): (entity: Evaluated) => boolean {
  const values = compiled(condition, now)
  return (entity) => values(entity).includes(true)
}

/** The value by which entities are ordered: the first one, or null. */
export function keyOf(expression: Expression, now: number): (entity: Evaluated) => Value {
  const values = compiled(expression, now)
  return (entity) => values(entity)[0] ?? null
}

/** The order of two values in a list; null comes first, and values without an order are in that of their types. */
export function listed(one: Value, other: Value): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  return compared(one, other) ?? rankOf(one) - rankOf(other)
}

function rankOf(value: Value): number {
  return ['boolean', 'number', 'string', 'object'].indexOf(typeof value)
}

function compiled(expression: Expression, now: number): Values {
  if (expression.kind === 'literal') {
    const values = [expression.value]
    return () => values
  }
  if (expression.kind === 'path') {
    const { steps, type } = expression
    return (entity) => membersAt(entity, steps, 0).map((member) => memberValue(member, type))
  }
  const { of, takesNull = false } = functions[expression.name]
  const args = expression.args.map((arg) => compiled(arg, now))
  const isLogical = expression.name === 'and' || expression.name === 'or' || expression.name === 'not'
  const apply = (values: readonly Value[]): Value =>
    takesNull || !values.includes(null) ? of(values as readonly never[], now) : null
  if (isLogical) return (entity) => [apply(args.map((arg) => truthOf(arg(entity))))]
  return (entity) => combinations(args.map((arg) => arg(entity))).map(apply)
}

/** A condition about several entities holds if it does for one of them. */
function truthOf(values: readonly Value[]): Value {
  if (values.includes(true)) return true
  return values.includes(false) ? false : null
}

function combinations(lists: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  let all: readonly (readonly Value[])[] = [[]]
  for (const list of lists) {
    if (list.length === 1) all = all.map((values) => [...values, list[0] as Value])
    else all = all.flatMap((values) => list.map((value) => [...values, value])).slice(0, maxValues)
  }
  return all
}

function membersAt(value: unknown, steps: readonly PathStep[], at: number): readonly unknown[] {
  const step = steps[at]
  if (step === undefined) return [value]
  if (Array.isArray(value) && step.kind !== 'member')
    return value.flatMap((one) => membersAt(one, steps, at)).slice(0, maxValues)
  const member = isObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined
  return membersAt(member, steps, at + 1)
}
