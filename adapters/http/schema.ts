import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

import { markOf, type Operation, pricesIn } from '../../engine/index.ts'

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The JSON Schema of a valibot schema, without `$schema`. Checks that JSON Schema cannot say are left out of it. */
export function jsonSchemaOf(schema: GenericSchema, overrideSchema?: Override): JsonSchema {
  const { $schema, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['raw_check'],
    ...(overrideSchema && { overrideSchema }),
  })
  return rest as JsonSchema
}

type Override = NonNullable<ConversionConfig['overrideSchema']>

/**
 * The JSON Schema of what an operation answers. Where the answer holds prices, they are optional, since they may be hidden
 * from the caller, and `price_hidden` says when they are.
 */
export function answerSchemaOf({ output }: Pick<Operation, 'output'>): JsonSchema {
  if (pricesIn(output).length === 0) return jsonSchemaOf(output)
  const hidden = { const: true, description: 'Prices are left out because they are hidden, not because they are zero.' }
  const schema = jsonSchemaOf(output, withOptionalPrices)
  return { ...schema, properties: { ...propertiesOf(schema), price_hidden: hidden } }
}

const withOptionalPrices: Override = ({ valibotSchema, jsonSchema }) => {
  if (!('entries' in valibotSchema)) return undefined
  const entries = valibotSchema.entries as Readonly<Record<string, GenericSchema>>
  const required = jsonSchema.required?.filter((name) => entries[name] !== undefined && !isPrice(entries[name]))
  return { ...jsonSchema, ...(required && { required }) }
}

function isPrice(schema: GenericSchema): boolean {
  const mark = markOf(schema)
  return mark !== undefined && mark !== 'none'
}

/** The members that an object of this schema cannot do without. */
export function requiredOf({ required = [] }: JsonSchema): readonly string[] {
  return required as readonly string[]
}

/** The members of an object of this schema. */
export function propertiesOf({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>
}

/**
 * What stands in a path or a query, which is text, as the types that the schema asks for; a list comes with commas, or as
 * several values of one name. What does not fit stays text and is refused by the door.
 */
export function coerced(
  schema: JsonSchema,
  given: Readonly<Record<string, string | readonly string[]>>,
): Record<string, unknown> {
  const properties = propertiesOf(schema)
  const members = Object.entries(given).map(([name, text]) => {
    const shape = Object.hasOwn(properties, name) ? shapeOf(properties[name]) : {}
    return [name, coerce([text].flat(), shape)] as const
  })
  return Object.fromEntries(members)
}

/** Whether a member of an object of this schema is a list. */
export function isList(schema: JsonSchema, name: string): boolean {
  const properties = propertiesOf(schema)
  return Object.hasOwn(properties, name) && shapeOf(properties[name]).type === 'array'
}

/** As much of a JSON Schema as tells what a text is meant to be. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

/** The schema, without the null that no text can say. */
function shapeOf(schema: Shape = {}): Shape {
  const [one, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return one !== undefined && others.length === 0 ? one : schema
}

function coerce(texts: readonly string[], shape: Shape): unknown {
  if (shape.type !== 'array') return readAs(texts[0] ?? '', kindOf(shape))
  const items = texts.flatMap((text) => (text === '' ? [] : text.split(',')))
  return items.map((item) => readAs(item, kindOf(shapeOf(shape.items))))
}

function kindOf({ type, const: value, enum: values = [value] }: Shape): string | undefined {
  if (values.every((one) => Number.isInteger(one))) return 'integer'
  const [first] = values
  return type ?? (values.every((one) => typeof one === typeof first) ? typeof first : undefined)
}

function readAs(text: string, kind: string | undefined): unknown {
  if (kind === 'boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
  return kind === 'integer' || kind === 'number' ? numberOf(text, kind) : text
}

const writings = { integer: /^-?(0|[1-9]\d*)$/, number: /^-?(0|[1-9]\d*)(\.\d+)?$/ }

/** A number as it is usually written; one that a double would change, or that is written otherwise, stays text. */
function numberOf(text: string, kind: keyof typeof writings): number | string {
  if (!writings[kind].test(text)) return text
  const value = Number(text)
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : text
}
