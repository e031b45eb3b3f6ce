import { isObject, type Members } from '../../kernel/members.ts'

/** What a second report adds to the first, and the paths where it differs. */
interface Comparison {
  readonly added: Members
  readonly differing: readonly string[]
}

/** Compares a known object with a second report of it, member by member. In lists, unknown elements are additions. */
export function compare(known: Members, report: Members, path = ''): Comparison {
  const added: Record<string, unknown> = {}
  const differing: string[] = []
  for (const [name, value] of Object.entries(report)) {
    const before = known[name]
    const here = path === '' ? name : `${path}.${name}`
    if (before === undefined) added[name] = value
    else if (Array.isArray(before) && Array.isArray(value)) {
      const fresh = value.filter((element) => !before.includes(element))
      if (fresh.length > 0) added[name] = fresh
    } else if (isObject(before) && isObject(value)) {
      const below = compare(before, value, here)
      if (Object.keys(below.added).length > 0) added[name] = below.added
      differing.push(...below.differing)
    } else if (before !== value) differing.push(here)
  }
  return { added, differing }
}

/** The known object with the additions; known values do not change. */
export function merge<Known extends object>(known: Known, added: object): Known {
  const merged: Record<string, unknown> = { ...(known as Members) }
  for (const [name, value] of Object.entries(added)) {
    const before = merged[name]
    if (Array.isArray(before) && Array.isArray(value)) merged[name] = [...before, ...value]
    else if (isObject(before) && isObject(value)) merged[name] = merge<Members>(before, value)
    else if (before === undefined) merged[name] = value
  }
  return merged as Known
}
