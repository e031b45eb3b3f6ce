import type { GenericSchema } from 'valibot'
import { isObject, type Members } from '../../kernel/members.ts'

/** The member of a schema that marks what the public sees. It is a symbol, so that JSON Schema does not show it. */
const mark = Symbol('public')

/** Marks a value that the public sees even in the reduced view. Values without the mark are hidden in it. */
export function publicly<Schema extends GenericSchema>(schema: Schema): Schema {
  return { ...schema, [mark]: true }
}

/** Public members, and objects that contain some. */
interface PublicMembers {
  readonly [member: string]: true | PublicMembers
}

/** As much of a valibot schema as is read here. */
interface Shape {
  readonly entries?: Readonly<Record<string, Shape>>
  readonly wrapped?: Shape
  readonly [mark]?: true
}

/** Makes a function that leaves of an object what its schema marks with `publicly`. Objects that would be empty are left out. */
export function reducerOf(schema: GenericSchema): (value: Members) => Members {
  const table = membersOf(schema as unknown as Shape)
  return (value) => reduced(value, table)
}

/** The paths of the members that a schema marks. */
export function publicPaths(schema: GenericSchema): readonly string[] {
  return pathsIn(membersOf(schema as unknown as Shape), '')
}

function pathsIn(table: PublicMembers, prefix: string): readonly string[] {
  return Object.entries(table).flatMap(([name, below]) =>
    below === true ? [prefix + name] : pathsIn(below, `${prefix}${name}.`),
  )
}

function membersOf({ entries = {} }: Shape): PublicMembers {
  const members: Record<string, true | PublicMembers> = {}
  for (const [name, entry] of Object.entries(entries)) {
    const shape = entry.wrapped ?? entry
    const below = membersOf(shape)
    if (shape[mark] === true) members[name] = true
    else if (Object.keys(below).length > 0) members[name] = below
  }
  return members
}

function reduced(value: Members, table: PublicMembers): Members {
  const left: Record<string, unknown> = {}
  for (const name in table) {
    const [member, below] = [value[name], table[name]]
    if (member === undefined) continue
    if (below === true) left[name] = member
    else if (below !== undefined && isObject(member)) {
      const part = reduced(member, below)
      if (Object.keys(part).length > 0) left[name] = part
    }
  }
  return left
}
