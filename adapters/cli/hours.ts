import { type Invocation, usageError } from './command.ts'

/** An option such as `365d` or `24h` as a member in hours. */
export function hoursIn(
  values: Invocation['values'],
  option: string,
  member: string,
): Readonly<Record<string, number>> {
  const text = values[option]
  if (text === undefined) return {}
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(String(text)) ?? []
  if (count === undefined) throw usageError(`--${option} must be a number of days or hours, such as 365d or 24h.`)
  return { [member]: Number(count) * (unit === 'd' ? 24 : 1) }
}
