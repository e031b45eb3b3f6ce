import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The JSON Schema of a valibot schema, without `$schema`. Checks that JSON Schema cannot say are left out of it. */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  const { $schema, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['raw_check'],
  })
  return rest as JsonSchema
}

/** Query parameters, which are text, as the types that the schema asks for; what does not fit stays text and is refused by the door. */
export function coerced(schema: JsonSchema, query: Readonly<Record<string, string>>): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, { readonly type?: string }>>
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => [name, coerce(text, own(properties, name)?.type)]),
  )
}

function coerce(text: string, type: string | undefined): unknown {
  if (type === 'boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  return text
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
