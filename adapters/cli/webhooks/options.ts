import { type Invocation, usageError } from '../command.ts'

/** A whole number of the options; `undefined` if it is not given. */
export function numberOf(values: Invocation['values'], name: string, from: number, to: number): number | undefined {
  const value = values[name]
  if (typeof value !== 'string') return undefined
  if (!/^\d{1,9}$/.test(value) || Number(value) < from || Number(value) > to)
    throw usageError(`--${name} takes a number from ${from} to ${to}.`)
  return Number(value)
}

/** The secret of the signatures, if one is given. */
export function secretOf({ env, values }: Pick<Invocation, 'env' | 'values'>): string | undefined {
  const secret = values.secret ?? env.OTEP_WEBHOOK_SECRET
  return typeof secret === 'string' && secret !== '' ? secret : undefined
}
