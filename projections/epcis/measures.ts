import { EngineError, inUnit, isObject, type Members } from '../../engine/index.ts'

/** The numbers of a sensor report that have a unit, as the names of parameters have them. */
export const sensorValues = ['value', 'minValue', 'maxValue', 'meanValue', 'sDev', 'percValue'] as const

const parameter = new RegExp(`^(EQ|GT|GE|LT|LE)_(${[...sensorValues, 'quantity'].join('|')})_([A-Z0-9]{2,4})$`)

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  EQ: (order) => order === 0,
  GT: (order) => order > 0,
  GE: (order) => order >= 0,
  LT: (order) => order < 0,
  LE: (order) => order <= 0,
}

/** What remains of a conversion that comes out even. */
const rounding = 1e-9

/**
 * Reads a parameter that compares a value of a sensor report, or a quantity, in a unit (`GE_value_CEL`), or a percentile
 * rank (`EQ_percRank`); undefined if the name is not of this form. Values in other units of the same kind are converted.
 */
export function measureTest(name: string, value: string): ((event: Members) => boolean) | undefined {
  const [, rank] = /^(EQ|GT|GE|LT|LE)_percRank$/.exec(name) ?? []
  const [, operator = rank, member = 'percRank', unit] = parameter.exec(name) ?? []
  const compare = operator === undefined ? undefined : comparisons[operator]
  if (compare === undefined) return undefined
  const bound = Number(value)
  if (value.trim() === '' || !Number.isFinite(bound))
    throw new EngineError('query_parameter_refused', { parameter: name, reason: 'a number' })
  return (event) =>
    partsOf(event, member).some(({ [member]: given, uom }) => {
      const measured = numberIn(given)
      if (measured === undefined) return false
      const one = unit === undefined ? measured : inUnit(measured, String(uom), unit, member === 'sDev')
      return one !== undefined && compare(orderOf(one, bound))
    })
}

function partsOf(event: Members, member: string): readonly Members[] {
  if (member === 'quantity')
    return ['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'].flatMap((list) =>
      objectsIn(event[list]),
    )
  return objectsIn(event.sensorElementList).flatMap(({ sensorReport }) => objectsIn(sensorReport))
}

function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function orderOf(one: number, other: number): number {
  return Math.abs(one - other) <= rounding * Math.max(1, Math.abs(other)) ? 0 : one - other
}

function objectsIn(value: unknown): readonly Members[] {
  return [value].flat().filter(isObject)
}
