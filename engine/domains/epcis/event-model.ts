import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { shortHex } from '../../kernel/id.ts'
import type { Facet, SourceEvent } from '../../kernel/projection.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { instantOf } from '../../kernel/time.ts'
import { type EpcisEventCaptured, type SealedSource, type SourceFact, sourceKey } from './events.ts'

/** What all events of a provider are found by, in order of occurrence or of recording. */
export const everything = { occurred: 'occurred', recorded: 'recorded' } as const

/** What the events of a provider are looked up by: a blinded term, and a listed value of it. */
export interface LookUp {
  readonly term: string
  readonly value: string
}

/** The blinded term of a facet of a provider's events. */
export function termOf({ credentials }: Pick<Context, 'credentials'>, provider: string, ...facet: readonly string[]) {
  return credentials.blind(JSON.stringify(['epcis', provider, ...facet])).slice(0, 32)
}

/** The term after which the values of a listed facet stand. */
export function listTermOf(context: Pick<Context, 'credentials'>, provider: string, name: string): string {
  return termOf(context, provider, 'values', name)
}

/** Where the events of a provider with a facet are: listed values stand in clear, all others are part of the term. */
export function lookUpOf(
  context: Pick<Context, 'credentials'>,
  provider: string,
  { name, value, isListed }: Facet,
): LookUp {
  return isListed
    ? { term: listTermOf(context, provider, name), value }
    : { term: termOf(context, provider, name, value), value: '' }
}

/** What a source event is found by. */
export function termsOf(
  context: Pick<Context, 'credentials'>,
  provider: string,
  { at, facets }: SourceEvent,
): Pick<SealedSource, 'at' | 'terms' | 'values'> {
  const found = facets.map((facet) => lookUpOf(context, provider, facet))
  return {
    at: instantOf(at),
    terms: [
      termOf(context, provider, everything.occurred),
      ...found.flatMap(({ term, value }) => (value === '' ? [term] : [])),
    ],
    values: [
      [termOf(context, provider, everything.recorded), ''],
      ...found.flatMap(({ term, value }) => (value === '' ? [] : [[term, value] as const])),
    ],
  }
}

/**
 * What source events are found by: a row for each term and for each listed value, in order of occurrence. One term has the
 * time of recording in its place. All rows of an event go with its key. There are several for each of maybe millions of
 * events, twice with the index, so terms and names of streams are short.
 */
export const eventModel = {
  name: 'epcis_events',
  version: 2,
  category: 'epcis_event',
  columns: { term: 'text', value: 'text', at: 'integer', source: 'text', revision: 'integer' },
  key: ['term', 'value', 'at', 'source', 'revision'],
  indexes: [['source']],
  rows: (event) => rowsOf(event as RecordedEvent<SourceFact>),
  gone: ({ type, stream }) => (type === 'EpcisSourceErased' ? [{ source: sourceKey(stream) }] : []),
} as const satisfies ReadModel

function rowsOf({ type, data, stream, revision, recordedAt }: RecordedEvent<SourceFact>): readonly Row[] {
  const personal = type === 'EpcisEventCaptured' ? (data as EpcisEventCaptured['data']).personal : undefined
  if (personal === undefined) return []
  const { at, terms, values } = personal
  const source = sourceKey(stream)
  return [
    ...terms.map((term) => ({ term: shortHex(term), value: '', at, source, revision })),
    ...values.map(([term, value]) => ({
      ...{ term: shortHex(term), value, source, revision },
      at: value === '' ? Date.parse(recordedAt) : at,
    })),
  ]
}
