import { isDuration, isShape, isTime, type Time, timeIn, type Value } from './values.ts'

/** The order of two values; undefined if they have none, such as two values of different types. */
export function compared(one: Value, other: Value): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other)
  if (isDuration(one) && isDuration(other)) return one.length - other.length
  const [first, second] = [timeOf(one, other), timeOf(other, one)]
  return first === undefined || second === undefined || first.kind !== second.kind ? undefined : ofTimes(first, second)
}

/** A text that is compared with a time is one, if it can be. */
function timeOf(value: Value, with_: Value): Time | undefined {
  if (isTime(value)) return value
  return typeof value === 'string' && isTime(with_) && with_.kind === 'instant' ? timeIn(value) : undefined
}

/** An interval is before another time if it ends before that begins; intervals that overlap have no order. */
function ofTimes(one: Time, other: Time): number | undefined {
  if (one.from === other.from && one.to === other.to) return 0
  if (one.to <= other.from) return -1
  return one.from >= other.to ? 1 : undefined
}

/** Whether two values are equal; null equals null. */
export function isEqual(one: Value, other: Value): boolean {
  if (one === null || other === null) return one === other
  if (isShape(one) && isShape(other)) return JSON.stringify(one) === JSON.stringify(other)
  return compared(one, other) === 0
}
