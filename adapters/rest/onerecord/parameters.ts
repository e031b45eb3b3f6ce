import type { Context as Request } from 'hono'
import { type Code, EngineError, excerptOf, instantProblem, type Params } from '../../../engine/index.ts'

/** Refuses the value of a parameter. */
export function refusedParameter(path: string, code: Code, params: Params = {}): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [{ path, code, params }])
}

/** A parameter that is true or false; false if absent. */
export function flagIn({ req }: Request, name: string): boolean {
  const value = req.query(name)
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw refusedParameter(name, 'unknown_value', { received: excerptOf(value), expected: 'true, false' })
}

/**
 * A parameter that is an instant, in ISO 8601; undefined if absent. The standard writes it in the basic format of UTC,
 * `20190926T075830Z`; the extended format is read, too.
 */
export function instantIn({ req }: Request, name: string): string | undefined {
  const value = req.query(name)
  if (value === undefined) return undefined
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(value) ?? []
  const extended = year === undefined ? value : `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`
  const problem = instantProblem(extended)
  if (problem === undefined) return extended
  throw refusedParameter(name, problem, { field: name })
}

/** A parameter that is a whole number of at least `least`; undefined if absent. */
export function wholeIn({ req }: Request, name: string, least: number): number | undefined {
  const value = req.query(name)
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(value)) throw refusedParameter(name, 'bad_pattern', { expected: '[0-9]{1,9}' })
  if (Number(value) < least) throw refusedParameter(name, 'too_small', { limit: least })
  return Number(value)
}
