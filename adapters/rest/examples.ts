import { readFileSync } from 'node:fs'
import { type JsonSchema, propertiesOf, requiredOf } from '../http/schema.ts'
import { packageFile } from '../node/package-files.ts'

/** The JSON of a call that a test made, and of what it was answered. */
interface Recorded {
  readonly request?: unknown
  readonly answer: unknown
}

type All = Readonly<Record<string, Recorded>>

let recorded: All | undefined

/** The call of a test that shows most of an operation; `npm run examples` chooses it. */
export function recordedOf({ name }: { readonly name: string }): Recorded | undefined {
  recorded ??= JSON.parse(readFileSync(packageFile('adapters/rest/examples.json'), 'utf8')) as All
  return recorded[name]
}

/** An example, if there is one. */
type Example = { readonly value: unknown } | undefined

/** The parts of a JSON Schema that have their own examples. */
interface Shape {
  readonly type?: string
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

/**
 * An example of the values of a schema, made of the examples of its members; nothing if a required member has none.
 * `resolved` returns the schema that a reference points to.
 */
export function exampleOf(schema: JsonSchema, resolved: (schema: JsonSchema) => JsonSchema): Example {
  const shape = resolved(schema)
  const [given] = (shape.examples ?? []) as readonly unknown[]
  if (given !== undefined) return { value: given }
  if ('const' in shape) return { value: shape.const }
  const { anyOf, items, type } = shape as Shape
  if (anyOf !== undefined) return anyOf.map((one) => exampleOf(one, resolved)).find((one) => one !== undefined)
  if (type === 'array') {
    const item = items && exampleOf(items, resolved)
    return item && { value: [item.value] }
  }
  return type === 'object' ? exampleOfObject(shape, resolved) : undefined
}

function exampleOfObject(shape: JsonSchema, resolved: (schema: JsonSchema) => JsonSchema): Example {
  const required = requiredOf(shape)
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(propertiesOf(shape))) {
    const isRequired = required.includes(name)
    const example = isRequired || isSaid(member) ? exampleOf(member, resolved) : undefined
    if (example !== undefined) members.push([name, example.value])
    else if (isRequired) return undefined
  }
  return members.length > 0 ? { value: Object.fromEntries(members) } : undefined
}

/** Whether an optional member has its own example. One with a single value marks a special case, and is not shown. */
function isSaid(member: JsonSchema): boolean {
  return member.examples !== undefined && !('const' in member)
}
