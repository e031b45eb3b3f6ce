import { type JsonSchema, propertiesOf, requiredOf } from '../http/schema.ts'
import type { Components } from './components.ts'

/**
 * The part of a description with a discriminator wherever one of several named schemas is chosen and a required member says
 * which, by texts that differ: a generated client then knows which one it has.
 */
export function withDiscriminators<Part>(part: Part, components: Components): Part {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const visited = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one)]))
    const discriminator = discriminatorOf(value as JsonSchema, components)
    return discriminator === undefined ? visited : { ...visited, discriminator }
  }
  return visit(part) as Part
}

/** What tells the schemas of a choice apart, if anything does. */
function discriminatorOf({ oneOf }: JsonSchema, { resolved }: Components): JsonSchema | undefined {
  if (!Array.isArray(oneOf)) return undefined
  const references = (oneOf as readonly JsonSchema[]).map(({ $ref }) => $ref)
  if (references.length < 2 || !references.every((one) => typeof one === 'string')) return undefined
  const schemas = oneOf.map(resolved)
  for (const propertyName of requiredOf(schemas[0] ?? {})) {
    const said = schemas.map((schema) => saidBy(schema, propertyName))
    const all = said.flat()
    const isClear = said.every((texts) => texts.length > 0) && new Set(all).size === all.length
    if (!isClear) continue
    const mapping = Object.fromEntries(said.flatMap((texts, index) => texts.map((text) => [text, references[index]])))
    return { propertyName, mapping }
  }
  return undefined
}

/** The texts that a required member of a schema may have; none if it may have any. */
function saidBy(schema: JsonSchema, name: string): readonly string[] {
  const member = propertiesOf(schema)[name]
  if (member === undefined || !requiredOf(schema).includes(name)) return []
  const values = 'const' in member ? [member.const] : ((member.enum ?? []) as readonly unknown[])
  return values.every((value) => typeof value === 'string') ? values : []
}
