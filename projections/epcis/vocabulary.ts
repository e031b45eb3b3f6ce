import * as v from 'valibot'
import { isOwnName, ownForm } from './extension.ts'
import { vocabularySchema } from './schema.ts'

/** One of OTEP's own members in EPCIS documents. */
export interface OwnMember {
  readonly name: string
  readonly iri: string
  readonly meaning: string
  /** `date-time` and `uri` are texts of that form. Every text of an event begins with the mark. */
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'date-time' | 'uri'
  readonly isList: boolean
  /** The member that it is part of. */
  readonly within?: string
}

/** The parts of a schema that may have members. */
interface Schema extends v.GenericSchema {
  readonly entries?: Readonly<Record<string, Schema>>
  readonly wrapped?: Schema
  readonly item?: Schema
}

/** OTEP's own members in EPCIS documents, as the schema declares them. */
export const ownVocabulary: readonly OwnMember[] = membersIn(vocabularySchema.entries)

function membersIn(entries: NonNullable<Schema['entries']>, within?: string): readonly OwnMember[] {
  return Object.entries(entries).flatMap(([written, schema]) => {
    const whole = schema.wrapped ?? schema
    const single = whole.item ?? whole
    if (!isOwnName(written)) return membersIn(single.entries ?? {})
    const name = written.slice(written.indexOf(':') + 1)
    const member = {
      ...{ name, iri: ownForm.namespace + name, meaning: v.getDescription(whole) ?? '', type: typeOf(single) },
      ...{ isList: whole.item !== undefined, ...(within !== undefined && { within }) },
    }
    return [member, ...membersIn(single.entries ?? {}, name)]
  })
}

function typeOf(schema: Schema): OwnMember['type'] {
  if (schema.entries !== undefined) return 'object'
  const { format } = v.getMetadata(schema)
  if (format === 'date-time' || format === 'uri') return format
  return schema.type === 'number' || schema.type === 'boolean' ? schema.type : 'string'
}

/** The JSON-LD context of the namespace. */
export function vocabularyContext(): object {
  const { prefix, namespace } = ownForm
  const terms = ownVocabulary.map(({ name, iri }) => [prefix + name, { '@id': iri }])
  return { '@context': { '@version': 1.1, otep: namespace, ...Object.fromEntries(terms) } }
}
