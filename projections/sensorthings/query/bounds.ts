import type { Expression } from './expression.ts'
import { isTime } from './values.ts'

/** Inclusive bounds that follow from a condition on Observations; what is beyond them does not meet it. */
export interface Bounds {
  /** Of `phenomenonTime`, in epoch milliseconds. */
  readonly at?: readonly [from: number | undefined, to: number | undefined]
  /** Of a `result` that is a number. */
  readonly value?: readonly [from: number | undefined, to: number | undefined]
}

type Bound = readonly [from: number | undefined, to: number | undefined]

const turned: Readonly<Record<string, string>> = { gt: 'lt', ge: 'le', lt: 'gt', le: 'ge', eq: 'eq' }

/** The bounds that follow from a condition, so that an index can be used. */
export function boundsOf(condition: Expression | undefined): Bounds {
  if (condition?.kind !== 'call') return {}
  const { name, args } = condition
  if (name === 'and') return args.map(boundsOf).reduce(narrowed, {})
  const [one, other] = args
  if (one === undefined || other === undefined || !Object.hasOwn(turned, name)) return {}
  return one.kind === 'literal' ? boundOf(other, turned[name] ?? name, one) : boundOf(one, name, other)
}

function boundOf(path: Expression, operator: string, literal: Expression): Bounds {
  if (path.kind !== 'path' || literal.kind !== 'literal' || path.steps.length !== 1) return {}
  const { value } = literal
  const isLower = operator !== 'lt' && operator !== 'le'
  const isUpper = operator !== 'gt' && operator !== 'ge'
  if (path.steps[0]?.name === 'result' && typeof value === 'number')
    return { value: [isLower ? value : undefined, isUpper ? value : undefined] }
  if (path.steps[0]?.name === 'phenomenonTime' && isTime(value))
    return { at: [isLower ? value.from : undefined, isUpper ? value.to : undefined] }
  return {}
}

function narrowed(one: Bounds, other: Bounds): Bounds {
  const [at, value] = [both(one.at, other.at), both(one.value, other.value)]
  return { ...(at && { at }), ...(value && { value }) }
}

function both(one: Bound | undefined, other: Bound | undefined): Bound | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return [extreme(Math.max, one[0], other[0]), extreme(Math.min, one[1], other[1])]
}

function extreme(of: (...numbers: number[]) => number, ...bounds: readonly (number | undefined)[]): number | undefined {
  const known = bounds.filter((bound) => bound !== undefined)
  return known.length === 0 ? undefined : of(...known)
}
