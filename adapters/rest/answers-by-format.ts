import type { Projection } from '../../engine/index.ts'
import { type JsonSchema, propertiesOf } from '../http/schema.ts'
import type { Components } from './components.ts'

const at = '#/components/schemas/'

/** What the own format has where another one has a document of any form. */
const ownForms = [`${at}Timeline`, `${at}TrackingEvent`]

/** The name of the own format. */
const own = 'otep'

/**
 * The answer of a read in any format, as two answers with names that `format` tells apart: one with timelines, and one with
 * documents whose schemas are those of the formats. So a generated client knows the members of a timeline.
 */
export function byFormat(
  name: string,
  answer: JsonSchema,
  formats: readonly Projection[],
  components: Components,
): JsonSchema {
  const others = formats.map((format) => format.name).filter((format) => format !== own)
  const withFormat = (shape: unknown, format: JsonSchema) => {
    const schema = shape as JsonSchema
    const { format: known, ...members } = propertiesOf(schema)
    return { ...schema, properties: { ...members, format: { ...known, ...format } } }
  }
  const asTimeline = withFormat(chosen(answer, true), { const: own })
  if (others.length === 0) return asTimeline
  const asDocument = withFormat(chosen(answer, false), { enum: others })
  return { oneOf: [components.add(`${name}AsTimeline`, asTimeline), components.add(`${name}AsDocument`, asDocument)] }
}

/** A schema with one side of each choice between the own form and others. */
function chosen(part: unknown, isOwn: boolean): unknown {
  if (Array.isArray(part)) return part.map((one) => chosen(one, isOwn))
  if (typeof part !== 'object' || part === null) return part
  const { anyOf, ...beside } = part as { readonly anyOf?: readonly JsonSchema[] }
  const isForm = ({ $ref }: JsonSchema) => ownForms.includes(String($ref))
  if (anyOf?.some(isForm)) {
    const [first, ...others] = anyOf.filter((one) => isForm(one) === isOwn)
    return others.length === 0 ? { ...beside, ...first } : { ...beside, anyOf: [first, ...others] }
  }
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, chosen(one, isOwn)]))
}
