import { isDeepStrictEqual } from 'node:util'
import type { Json } from './kept.ts'

/** A member that is not as it was; its path is like `order.parties[].name`. */
export interface Difference {
  readonly path: string
  readonly was: Json
  readonly is: Json
}

/** Every difference between two answers; the order of members is none. */
export function differencesIn(was: Json, is: Json, path = ''): readonly Difference[] {
  if (isDeepStrictEqual(was, is)) return []
  if (Array.isArray(was) && Array.isArray(is) && was.length === is.length)
    return was.flatMap((element, index) => differencesIn(element, is[index], `${path}[]`))
  if (!isMembers(was) || !isMembers(is)) return [{ path, was, is }]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names.flatMap((name) => differencesIn(was[name], is[name], path === '' ? name : `${path}.${name}`))
}

function isMembers(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
