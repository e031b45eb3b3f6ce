import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLFloat,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { type JsonSchema, propertiesOf, requiredOf } from '../http/schema.ts'

/** The type of values without a GraphQL type: several kinds, or arbitrary members. */
const json = new GraphQLScalarType({ name: 'JSON', description: 'Any value of JSON.' })

/** The arguments of a field with this input schema; names of input types start with `name`. */
export function argumentsOf(schema: JsonSchema, name: string): GraphQLFieldConfigArgumentMap {
  return membersOf(schema, `${name}Input`, inputOf)
}

/** The output type of a schema. Optional members, such as hidden prices, are nullable. */
export function outputOf(schema: JsonSchema, name: string): GraphQLOutputType {
  const [shape] = withoutNull(schema)
  if (shape.type === 'array') return new GraphQLList(strict(outputOf, itemsOf(shape), name))
  if (!isObjectShape(shape)) return leafOf(shape, name)
  return new GraphQLObjectType({ name, fields: membersOf(shape, name, outputOf) })
}

function inputOf(schema: JsonSchema, name: string): GraphQLInputType {
  const [shape] = withoutNull(schema)
  if (shape.type === 'array') return new GraphQLList(strict(inputOf, itemsOf(shape), name))
  if (!isObjectShape(shape)) return leafOf(shape, name)
  return new GraphQLInputObjectType({ name, fields: membersOf(shape, name, inputOf) })
}

/** The members of an object, by name. */
function membersOf<Type extends GraphQLInputType | GraphQLOutputType>(
  schema: JsonSchema,
  name: string,
  typeOf: (schema: JsonSchema, name: string) => Type,
) {
  const required = requiredOf(schema)
  const members = Object.entries(propertiesOf(schema)).map(([member, shape]) => {
    const path = `${name}${capitalized(member)}`
    const type = required.includes(member) ? strict(typeOf, shape, path) : typeOf(shape, path)
    return [member, { type, ...descriptionOf(shape) }] as const
  })
  return Object.fromEntries(members)
}

/** The type of a value: nullable only if the schema allows null. */
function strict<Type extends GraphQLInputType | GraphQLOutputType>(
  typeOf: (schema: JsonSchema, name: string) => Type,
  schema: JsonSchema,
  name: string,
): Type | GraphQLNonNull<Type> {
  const type = typeOf(schema, name)
  return withoutNull(schema)[1] ? type : new GraphQLNonNull(type)
}

/** The schema without null, and whether it allowed null. */
function withoutNull(schema: JsonSchema): readonly [JsonSchema, isNullable: boolean] {
  const { anyOf, ...rest } = schema as JsonSchema & { readonly anyOf?: readonly JsonSchema[] }
  if (anyOf === undefined) return [schema, false]
  const [one = {}, ...others] = anyOf.filter(({ type }) => type !== 'null')
  return [others.length === 0 ? { ...rest, ...one } : {}, anyOf.some(({ type }) => type === 'null')]
}

function leafOf(shape: JsonSchema, name: string): GraphQLEnumType | GraphQLScalarType {
  if (isEnumShape(shape)) {
    return new GraphQLEnumType({ name, values: Object.fromEntries(shape.enum.map((value) => [value, { value }])) })
  }
  const { type = typeof shape.const } = shape
  if (type === 'integer') return GraphQLInt
  if (type === 'number') return GraphQLFloat
  if (type === 'boolean') return GraphQLBoolean
  return type === 'string' ? GraphQLString : json
}

/** Whether all values are names that a GraphQL enum allows. */
function isEnumShape(shape: JsonSchema): shape is JsonSchema & { readonly enum: readonly string[] } {
  const isName = (value: unknown) => typeof value === 'string' && /^(?!true$|false$|null$|__)[_A-Za-z]\w*$/.test(value)
  return Array.isArray(shape.enum) && shape.enum.every(isName)
}

function isObjectShape(shape: JsonSchema): boolean {
  return shape.type === 'object' && Object.keys(propertiesOf(shape)).length > 0
}

function itemsOf({ items = {} }: JsonSchema): JsonSchema {
  return items as JsonSchema
}

function descriptionOf({ description }: JsonSchema): { readonly description?: string } {
  return typeof description === 'string' ? { description } : {}
}

/** Capitalizes a name for use in a type name. */
export function capitalized(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
