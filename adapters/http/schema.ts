import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

import { markOf, type Operation, pricesIn } from '../../engine/index.ts'

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The JSON Schema of a valibot schema, without `$schema`. Checks that JSON Schema cannot express are left out. */
export function jsonSchemaOf(schema: GenericSchema, overrides: Overrides = {}): JsonSchema {
  const { $schema, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['raw_check', 'normalise'],
    ...overrides,
  })
  return rest as JsonSchema
}

/** What changes the conversion of schemas and of their actions. */
export type Overrides = Pick<ConversionConfig, 'overrideSchema' | 'overrideAction'>

/**
 * The JSON Schema of the answer of an operation. Prices in it are optional because they may be hidden from the caller;
 * `price_hidden` says when they are.
 */
export function answerSchemaOf({ output }: Pick<Operation, 'output'>, convert = jsonSchemaOf): JsonSchema {
  if (pricesIn(output).length === 0) return convert(output)
  const hidden = { const: true, description: 'Prices are left out because they are hidden, not because they are zero.' }
  const schema = convert(output, { overrideSchema: withOptionalPrices })
  return { ...schema, properties: { ...propertiesOf(schema), price_hidden: hidden } }
}

const withOptionalPrices: NonNullable<Overrides['overrideSchema']> = ({ valibotSchema, jsonSchema }) => {
  if (!('entries' in valibotSchema)) return undefined
  const entries = valibotSchema.entries as Readonly<Record<string, GenericSchema>>
  const required = jsonSchema.required?.filter((name) => entries[name] !== undefined && !isPrice(entries[name]))
  return { ...jsonSchema, ...(required && { required }) }
}

function isPrice(schema: GenericSchema): boolean {
  const mark = markOf(schema)
  return mark !== undefined && mark !== 'none'
}

/** The required members of an object schema. */
export function requiredOf({ required = [] }: JsonSchema): readonly string[] {
  return required as readonly string[]
}

/** The members of an object schema. */
export function propertiesOf({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>
}

/**
 * Converts the text of a path or a query to the types of the schema. A list has commas, or is a repeated name. Text
 * that does not fit is left for the gateway to refuse.
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

/** The members, with a single text, number or switch as a list of one where the schema has a list: agents often write it so. */
export function withLists(schema: JsonSchema, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = Object.entries(given).map(([name, value]) => {
    const isOne = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return [name, isOne && isList(schema, name) ? [value] : value] as const
  })
  return Object.fromEntries(members)
}

/** Whether a member of an object schema is a list. */
export function isList(schema: JsonSchema, name: string): boolean {
  const properties = propertiesOf(schema)
  return Object.hasOwn(properties, name) && shapeOf(properties[name]).type === 'array'
}

/** The part of a JSON Schema that determines the type of a text. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

/** The schema without `null`, which text cannot express. */
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

/** Parses a number in its usual notation. Text that a double would change, or in another notation, stays text. */
function numberOf(text: string, kind: keyof typeof writings): number | string {
  if (!writings[kind].test(text)) return text
  const value = Number(text)
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : text
}
