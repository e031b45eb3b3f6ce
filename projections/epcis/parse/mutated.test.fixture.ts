type Json = Record<string, unknown>

/** The way to a value in a document. */
type Path = readonly (string | number)[]

/** The ways to all values of a document. */
export function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))]
}

/** What can be done to a member. */
export const changes = ['remove', 'replace', 'add', 'rename', 'spoil'] as const

/** A copy of a document with a member removed, replaced, renamed, damaged or added. */
export function mutated(document: unknown, path: Path, change: string, value: unknown, place: number): unknown {
  const copy = structuredClone(document) as Json
  const holder = path.slice(0, -1).reduce<Json | undefined>((inner, key) => inner?.[key] as Json | undefined, copy)
  const key = String(path.at(-1))
  // An earlier change may have removed the member of this one.
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return copy
  const old = holder[key]
  if (change === 'replace') holder[key] = value
  else if (change === 'spoil') holder[key] = typeof old === 'string' ? spoilt(old, value, place) : value
  else if (Array.isArray(holder))
    holder.splice(Number(key), change === 'add' ? 0 : 1, ...(change === 'add' ? [value] : []))
  else {
    if (change !== 'add') delete holder[key]
    if (change !== 'remove') holder[typeof value === 'string' ? value : 'added'] = old
  }
  return copy
}

/** A text with another put into it, or without one of its characters. */
function spoilt(text: string, value: unknown, place: number): string {
  const at = place % (text.length + 1)
  return typeof value === 'string' ? text.slice(0, at) + value + text.slice(at) : text.slice(0, at) + text.slice(at + 1)
}
