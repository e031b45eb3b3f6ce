import type { JsonSchema } from '../../../adapters/http/schema.ts'
import { type Components, resolved } from './objects.ts'

/** Texts that formats and patterns may ask for. */
const texts = [
  ...['2026-06-10T09:30:00Z', '2026-06-10', '09:30', 'https://example.com/hook', 'jo@example.com', 'America/Toronto'],
  ...['CA', 'CAD', '#1b6ef3', '123456', 'code-1', 'a1', '1', 'A', '+14165550100', '12.50'],
]

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-06-10T09:30:00Z',
  date: '2026-06-10',
  uri: 'https://example.com/hook',
  email: 'jo@example.com',
  uuid: '0b6e4a52-7d1f-4c8e-9a35-2f1c7b9d8e60',
}

/** A value that a schema admits, with no more members than it requires; `name` is that of the member. */
export function sampleOf(schema: JsonSchema, components: Components, name = 'text'): unknown {
  const { const: only, enum: values, anyOf, oneOf, allOf, examples, ...own } = resolved(schema, components)
  if (only !== undefined) return only
  if (Array.isArray(examples)) return examples[0]
  if (Array.isArray(values)) return values[0]
  const [one] = (anyOf ?? oneOf ?? []) as readonly JsonSchema[]
  if (one !== undefined) return sampleOf(one, components, name)
  if (Array.isArray(allOf))
    return Object.assign({}, ...allOf.map((part: JsonSchema) => sampleOf(part, components, name)))
  const [type] = [own.type].flat()
  if (type === 'object' || own.properties !== undefined) return objectOf(own, components)
  if (type === 'array') return [sampleOf((own.items ?? {}) as JsonSchema, components, name)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, Number(own.minimum ?? 1))
  return textOf(own, name)
}

/** If nothing is required, as in a change, the first member is there. */
function objectOf({ properties = {}, required = [], ...own }: JsonSchema, components: Components): object {
  const members = properties as Readonly<Record<string, JsonSchema>>
  const [first] = Object.keys(members)
  const wanted = required as readonly string[]
  const names = wanted.length > 0 || first === undefined ? wanted : [first]
  const sampled = Object.fromEntries(names.map((name) => [name, sampleOf(members[name] ?? {}, components, name)]))
  const { minProperties = 0, additionalProperties } = own
  const more = typeof additionalProperties === 'object' && names.length < Number(minProperties)
  return more ? { ...sampled, name: sampleOf(additionalProperties as JsonSchema, components) } : sampled
}

function textOf({ format, pattern, minLength = 0, maxLength = 200 }: JsonSchema, name: string): string {
  const known = formats[String(format)]
  if (known !== undefined) return known
  const words = name.replaceAll('_', ' ').padEnd(Number(minLength), '.').slice(0, Number(maxLength))
  if (typeof pattern !== 'string') return words
  const asked = new RegExp(pattern, 'u')
  const fits = (text: string) =>
    asked.test(text) && text.length >= Number(minLength) && text.length <= Number(maxLength)
  return [words, name, ...texts].find(fits) ?? words
}
