import type { JsonSchema } from '../../adapters/http/schema.ts'
import { code, plain } from './markdown.ts'

/** One member of a document: its path, its type, and whether it is required. */
export interface Member {
  readonly path: string
  readonly type: string
  readonly limits: string
  readonly required: boolean
  /** Markdown. */
  readonly meaning: string
}

/** The parts of a JSON Schema that the tables show. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** The name of a schema that is described elsewhere, if it is one of those. */
export type NameOf = (schema: JsonSchema) => string | undefined

/** The members of an object and of its nested objects, from top to bottom. */
export function membersOf(schema: JsonSchema, nameOf: NameOf, path = ''): readonly Member[] {
  const { properties = {}, required = [] } = schema as Schema
  return Object.entries(properties).flatMap(([name, member]) => {
    const here = path === '' ? name : `${path}.${name}`
    return membersAt(member, here, required.includes(name), nameOf)
  })
}

function membersAt(schema: Schema, path: string, required: boolean, nameOf: NameOf): readonly Member[] {
  const { items, description = '' } = schema
  const [type, limits] = [typeOf(schema, nameOf), limitsOf(schema)]
  const own: Member = { path, type, limits, required, meaning: plain(description) }
  return [own, ...(items === undefined ? below(schema, path, nameOf) : below(items, `${path}[]`, nameOf))]
}

/** The members of an object, or of each of its possible shapes. */
function below(schema: Schema, path: string, nameOf: NameOf): readonly Member[] {
  if (nameOf(schema as JsonSchema) !== undefined) return []
  if (schema.oneOf !== undefined) return schema.oneOf.flatMap((shape) => membersOf(shape as JsonSchema, nameOf, path))
  return schema.properties === undefined ? [] : membersOf(schema as JsonSchema, nameOf, path)
}

function typeOf(schema: Schema, nameOf: NameOf): string {
  const name = nameOf(schema as JsonSchema)
  if (name !== undefined) return name
  const { type, items, anyOf, oneOf } = schema
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => code(String(value))).join(', ')}`
  if (anyOf !== undefined) return [...new Set(anyOf.map((shape) => typeOf(shape, nameOf)))].join(', or ')
  if (oneOf !== undefined) return 'object'
  if (type === 'array') return items === undefined ? 'list' : `list of: ${typeOf(items, nameOf)}`
  if (schema.format === 'date-time') return 'date-time with offset'
  return schema.format === 'uri' ? 'http or https URL' : (type ?? 'anything')
}

function limitsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema
  const greatest = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  return [
    range(minLength, maxLength, ' characters'),
    range(minimum, greatest, ''),
    range(minItems, maxItems, ' elements'),
    ...(pattern === undefined ? [] : [code(pattern)]),
    ...(schema.items === undefined ? [] : [limitsOf(schema.items)].map((limits) => limits && `each ${limits}`)),
  ]
    .filter(Boolean)
    .join('; ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return `${least} or more${unit}`
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`
}
