import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { SourceEvent } from '../../kernel/projection.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { instantOf } from '../../kernel/time.ts'
import type { EpcisEventCaptured, SealedSource, SourceFact } from './events.ts'

/** What all events of a provider are found by, in order of occurrence or of recording. */
export const everything = { occurred: 'occurred', recorded: 'recorded' } as const

/** The blinded term of a facet of a provider's events. */
export function termOf({ credentials }: Pick<Context, 'credentials'>, provider: string, ...facet: readonly string[]) {
  return credentials.blind(JSON.stringify(['epcis', provider, ...facet])).slice(0, 32)
}

/** What a source event is found by. */
export function termsOf(
  context: Pick<Context, 'credentials'>,
  provider: string,
  { at, facets }: SourceEvent,
): Pick<SealedSource, 'at' | 'terms' | 'values'> {
  const terms = facets.map(({ name, value }) => termOf(context, provider, name, value))
  const listed = facets.filter(({ isListed }) => isListed)
  return {
    at: instantOf(at),
    terms: [termOf(context, provider, everything.occurred), ...terms],
    values: [
      [termOf(context, provider, everything.recorded), ''],
      ...listed.map(({ name, value }) => [termOf(context, provider, 'values', name), value] as const),
    ],
  }
}

/**
 * What source events are found by: a row for each term, in order of occurrence; and for each listed value, in order of
 * values. One term has the time of recording in its place. All rows of an event go with its key.
 */
export const eventModel = {
  name: 'epcis_events',
  version: 1,
  category: 'epcis_event',
  columns: { term: 'text', value: 'text', at: 'integer', stream: 'text', revision: 'integer' },
  key: ['term', 'value', 'at', 'stream', 'revision'],
  indexes: [['stream']],
  rows: (event) => rowsOf(event as RecordedEvent<SourceFact>),
  gone: ({ type, stream }) => (type === 'EpcisSourceErased' ? [{ stream }] : []),
} as const satisfies ReadModel

function rowsOf({ type, data, stream, revision, recordedAt }: RecordedEvent<SourceFact>): readonly Row[] {
  const personal = type === 'EpcisEventCaptured' ? (data as EpcisEventCaptured['data']).personal : undefined
  if (personal === undefined) return []
  const { at, terms, values } = personal
  const recorded = Date.parse(recordedAt)
  return [
    ...terms.map((term) => ({ term, value: '', at, stream, revision })),
    ...values.map(([term, value]) => ({ term, value, at: recorded, stream, revision })),
  ]
}
