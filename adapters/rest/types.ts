/**
 * The part of a description with a type beside each fixed value and each list of values: languages with fewer types than
 * TypeScript need it.
 */
export function withTypes<Part>(part: Part): Part {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const visited = Object.entries(value).map(([name, one]) => [name, name === 'example' ? one : visit(one)])
    const type = 'type' in value ? undefined : typeOf(value)
    return Object.fromEntries(type === undefined ? visited : [['type', type], ...visited])
  }
  return visit(part) as Part
}

/** The type of the values that a schema lists, if they have one. */
function typeOf(schema: { readonly const?: unknown; readonly enum?: unknown }): string | undefined {
  const values = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? (schema.enum as unknown[]) : []
  const types = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)))
  const [type, ...others] = types
  return others.length === 0 && type !== undefined && known.includes(type) ? type : undefined
}

const known = ['string', 'boolean', 'integer', 'number']
