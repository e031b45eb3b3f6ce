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

/** The URL that events are sent to. */
export function urlOf(given: string | boolean): string {
  const text = String(given)
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw usageError('--forward-to takes a URL, such as http://127.0.0.1:3001/hook.')
  return new URL(text).href
}
