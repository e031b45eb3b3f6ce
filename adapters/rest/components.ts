import { isDeepStrictEqual } from 'node:util'
import type { GenericSchema } from 'valibot'
import { type Operation, saidBy } from '../../engine/index.ts'
import { answerSchemaOf, type JsonSchema, jsonSchemaOf, type Overrides } from '../http/schema.ts'

const at = '#/components/schemas/'

/** The schemas of the description that have names. */
export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** Adds a schema under a name, and returns the reference to it; a schema that is a reference stays one. */
  add(name: string, schema: JsonSchema): JsonSchema
  /** The JSON Schema of a valibot schema. What has a name in it becomes a reference. */
  of(schema: GenericSchema): JsonSchema
  /** The same, but a schema that itself has a name is no reference: its members are needed. */
  rootOf(schema: GenericSchema): JsonSchema
  /** The answer of an operation. */
  answerOf(operation: Pick<Operation, 'output'>): JsonSchema
  /** The schema itself, in place of a reference to it. */
  resolved(schema: JsonSchema): JsonSchema
}

/** Collects the schemas with names. Throws if two schemas that differ have one name. */
export function createComponents(): Components {
  const schemas: Record<string, JsonSchema> = {}
  const add = (name: string, schema: JsonSchema): JsonSchema => {
    if (isReference(schema)) return schema
    const known = schemas[name]
    if (known !== undefined && !isDeepStrictEqual(known, schema)) throw new Error(`Two schemas are named ${name}.`)
    schemas[name] = schema
    return { $ref: `${at}${name}` }
  }
  const resolved = (schema: JsonSchema): JsonSchema => {
    const { $ref, ...beside } = schema
    if (typeof $ref !== 'string' || !$ref.startsWith(at)) return schema
    return { ...schemas[$ref.slice(at.length)], ...beside }
  }
  /** The schema in full, with references to what has a name in it. */
  const rootOf = (schema: GenericSchema, overrides: Overrides = {}) => {
    const own = namingOf(schema)
    const overrideAction: NonNullable<Overrides['overrideAction']> = ({ valibotAction, jsonSchema }) => {
      const { name, shown, example } = saidBy(valibotAction)
      if (shown !== undefined) return { $ref: `${at}${shown}` }
      if (name !== undefined) return valibotAction === own ? undefined : add(name, { ...(jsonSchema as JsonSchema) })
      return example === undefined ? undefined : { ...jsonSchema, examples: [example as never] }
    }
    return resolved(jsonSchemaOf(schema, { ...overrides, overrideAction }))
  }
  const under = (named: GenericSchema, schema: JsonSchema) => {
    const { name } = saidBy(namingOf(named) ?? {})
    return name === undefined ? schema : add(name, schema)
  }
  return {
    schemas,
    add,
    resolved,
    rootOf,
    of: (schema) => under(schema, rootOf(schema)),
    answerOf: (operation) => under(operation.output, answerSchemaOf(operation, rootOf)),
  }
}

/** The action that gives a schema its own name. */
function namingOf(schema: GenericSchema): object | undefined {
  const { pipe = [] } = schema as { readonly pipe?: readonly object[] }
  return pipe.findLast((action) => saidBy(action).name !== undefined)
}

/** Whether a schema is a reference, with or without its own description. */
function isReference({ $ref }: JsonSchema): boolean {
  return typeof $ref === 'string'
}
