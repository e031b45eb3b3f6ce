import * as v from 'valibot'
import type { Code } from './messages/index.ts'

/** Why a value is refused, at which member, and what is meant. */
export interface Problem {
  readonly code: Code
  readonly member?: string
  readonly expected?: string
}

/**
 * A step of a schema that gives a value its one form, or refuses what was received; done twice, it changes nothing more. JSON
 * Schema does not include it.
 */
export function normalising<Value>(
  normalise: (value: Value, refuse: (received: string, problem: Problem) => void) => Value,
): v.RawTransformAction<Value, Value> {
  const step = v.rawTransform<Value, Value>(({ dataset, addIssue }) => {
    const whole = dataset.value
    return normalise(whole, (received, { code, member: key, expected }) => {
      const input = whole as Record<string, unknown>
      const path =
        key === undefined ? undefined : ([{ type: 'object', origin: 'value', input, key, value: received }] as const)
      addIssue({ message: code, input: received, expected, ...(path && { path: [...path] }) })
    })
  })
  return { ...step, type: 'normalise' as string as 'raw_transform' }
}
