import * as v from 'valibot'

/** The keys of what a schema says of itself. They are symbols, so that JSON Schema does not show them. */
const nameKey = Symbol('name')
const exampleKey = Symbol('example')
const shownKey = Symbol('shown')

/**
 * A schema with a name, such as `Order`. The description of the interface has it once, under this name; two schemas that
 * differ must not share one.
 */
export function named<Schema extends v.GenericSchema>(name: string, schema: Schema): Schema {
  return said(schema, { [nameKey]: name })
}

/** A schema with an example of its values, for the description of the interface. */
export function exampled<Schema extends v.GenericSchema>(schema: Schema, example: unknown): Schema {
  return said(schema, { [exampleKey]: example })
}

/**
 * A schema that the description of the interface shows as another one with this name: where more is accepted than is meant,
 * or where the other one belongs to another domain.
 */
export function shownAs<Schema extends v.GenericSchema>(name: string, schema: Schema): Schema {
  return said(schema, { [shownKey]: name })
}

function said<Schema extends v.GenericSchema>(schema: Schema, metadata: Record<symbol, unknown>): Schema {
  return v.pipe(schema, v.metadata(metadata as Record<string, unknown>)) as unknown as Schema
}

/** What an action of a schema says: the name of the schema, that of the schema that is shown for it, or an example. */
interface Said {
  readonly name?: string
  readonly shown?: string
  readonly example?: unknown
}

/** What an action of a schema says of it; nothing if it is neither a name nor an example. */
export function saidBy(action: object): Said {
  const { metadata } = action as { readonly metadata?: Readonly<Record<symbol, unknown>> }
  if (metadata === undefined) return {}
  if (nameKey in metadata) return { name: String(metadata[nameKey]) }
  if (shownKey in metadata) return { shown: String(metadata[shownKey]) }
  return exampleKey in metadata ? { example: metadata[exampleKey] } : {}
}

/** A name in snake case as the name of a schema: `carrier_package` becomes `CarrierPackage`. */
export function schemaName(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
