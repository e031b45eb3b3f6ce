import { relations } from '../graph.ts'
import type { SetName } from '../links.ts'
import { isSetName, meaningOf } from './model.ts'
import type { Target } from './options.ts'

/** Where a path leads from an entity, or from the root: to a set or a related entity, with an id. */
export interface Way {
  /** The name of the set at the root, or of the relation of the entity before. */
  readonly name: string
  readonly set: SetName
  readonly isMany: boolean
  readonly id?: string
}

/** A resource path (18-088, 9.2). */
export interface Path {
  readonly ways: readonly Way[]
  /** The property at the end, and whether its value alone is wanted. */
  readonly property?: string
  /** Members of the property, if that is a JSON object. */
  readonly members?: readonly string[]
  readonly isValue?: true
  readonly isReference?: true
  readonly isCount?: true
}

/** The longest path in steps, and in characters. */
export const pathLimits = { steps: 12, characters: 8_000 } as const

/** A path below the root with its percent signs as they were sent; undefined for one that leads nowhere. */
export function pathOf(text: string): Path | undefined {
  if (text.length > pathLimits.characters) return undefined
  const steps = stepsOf(text)
  if (steps === undefined || steps.length === 0 || steps.length > pathLimits.steps) return undefined
  const ways: Way[] = []
  let at = 0
  for (; at < steps.length; at++) {
    const way = wayOf(ways.at(-1), steps[at] as Step)
    if (way === undefined) break
    ways.push(way)
  }
  const last = ways.at(-1)
  if (last === undefined) return undefined
  const rest = steps.slice(at)
  if (rest.length === 0) return { ways }
  return ended(ways, last, rest)
}

/** The set that a path ends in, and what its query options are for. */
export function targetOf({ ways, property, isReference, isCount }: Path): {
  readonly set: SetName
  readonly target: Target
} {
  const { set, isMany, id } = ways.at(-1) as Way
  if (property !== undefined) return { set, target: 'value' }
  if (isCount) return { set, target: 'entities' }
  if (isMany && id === undefined) return { set, target: isReference ? 'references' : 'entities' }
  return { set, target: isReference ? 'value' : 'entity' }
}

interface Step {
  readonly name: string
  readonly id?: string
}

function wayOf(before: Way | undefined, { name, id }: Step): Way | undefined {
  const key = id === undefined ? {} : { id }
  if (before === undefined) return isSetName(name) ? { name, set: name, isMany: true, ...key } : undefined
  const isOne = !before.isMany || before.id !== undefined
  const relation = isOne && Object.hasOwn(relations[before.set], name) ? relations[before.set][name] : undefined
  if (relation === undefined || (id !== undefined && !isSetName(name))) return undefined
  return { name, set: relation.set, isMany: isSetName(name), ...key }
}

function ended(ways: readonly Way[], last: Way, rest: readonly Step[]): Path | undefined {
  const names = rest.map(({ name, id }) => (id === undefined ? name : ''))
  if (names.includes('')) return undefined
  const [first = ''] = names
  const isSet = last.isMany && last.id === undefined
  if (names.length === 1 && first === '$ref') return { ways, isReference: true }
  if (isSet) return names.length === 1 && first === '$count' ? { ways, isCount: true } : undefined
  const meaning = meaningOf(last.set, first)
  if (meaning === undefined || 'relation' in meaning) return undefined
  const isValue = names.at(-1) === '$value'
  const members = names.slice(1, isValue ? -1 : undefined)
  if (members.some((name) => name.startsWith('$')) || (members.length > 0 && meaning.type !== 'any')) return undefined
  return {
    ...{ ways, property: meaning.property },
    ...(members.length > 0 && { members }),
    ...(isValue && { isValue }),
  }
}

/** The steps of a path; undefined for an invalid one. A slash in an id does not separate steps. */
function stepsOf(text: string): readonly Step[] | undefined {
  const path = decoded(text)?.replace(/\/$/, '')
  if (path === undefined) return undefined
  const step = /([\w.$@:-]+)(?:\((?:'((?:[^']|'')*)'|([\w-]+))\))?(?:\/(?=.)|$)/y
  const steps: Step[] = []
  while (step.lastIndex < path.length) {
    const [, name, quoted, bare] = step.exec(path) ?? []
    if (name === undefined) return undefined
    const id = quoted?.replaceAll("''", "'") ?? bare
    steps.push(id === undefined ? { name } : { name, id })
  }
  return steps
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
