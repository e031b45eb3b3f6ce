import * as v from 'valibot'
import { otepPrefix, otepVocabulary } from './extension.ts'
import { documentMembers, eventSchema } from './schema.ts'

/** One of OTEP's own members in EPCIS documents. */
export interface OwnMember {
  readonly name: string
  readonly iri: string
  readonly meaning: string
  /** `date-time` and `uri` are texts of that form. */
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
export const ownVocabulary: readonly OwnMember[] = membersIn({ ...eventSchema.entries, ...documentMembers })

function membersIn(entries: NonNullable<Schema['entries']>, within?: string): readonly OwnMember[] {
  return Object.entries(entries).flatMap(([written, schema]) => {
    const whole = schema.wrapped ?? schema
    const single = whole.item ?? whole
    if (!written.startsWith(otepPrefix)) return membersIn(single.entries ?? {})
    const name = written.slice(otepPrefix.length)
    const member = {
      ...{ name, iri: otepVocabulary + name, meaning: v.getDescription(whole) ?? '', type: typeOf(single) },
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
  const terms = ownVocabulary.map(({ name, iri, type }) => {
    if (type === 'uri') return [otepPrefix + name, { '@id': iri, '@type': '@id' }]
    if (type === 'date-time')
      return [otepPrefix + name, { '@id': iri, '@type': 'http://www.w3.org/2001/XMLSchema#dateTime' }]
    return [otepPrefix + name, { '@id': iri }]
  })
  return { '@context': { '@version': 1.1, otep: otepVocabulary, ...Object.fromEntries(terms) } }
}
