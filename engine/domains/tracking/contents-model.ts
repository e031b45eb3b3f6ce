import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { instantOf } from '../../kernel/time.ts'
import type { Subject } from '../../kernel/timeline.ts'
import type { TrackingEvent } from './events.ts'
import { type Identifier, identifiersOf, keyOf } from './identifiers.ts'

/** The blinded identifier of a container. */
export function containerTerm({ credentials }: Pick<Context, 'credentials'>, { kind, value }: Identifier): string {
  return credentials.blind(JSON.stringify(['container', kind, keyOf(value)])).slice(0, 32)
}

/** A fact with the blinded name of the container that it speaks of, by which the contents of the container are found. */
export function withContainerTerm<Fact extends TrackingEvent>(context: Pick<Context, 'credentials'>, fact: Fact): Fact {
  const parent = parentIn(fact)
  if (parent === undefined || !('personal' in fact.data)) return fact
  const personal = { ...fact.data.personal, container: containerTerm(context, parent) }
  return { ...fact, data: { ...fact.data, personal } }
}

/** The first identifier of the container, in the order of look-ups, as stays are named. */
function parentIn({ data }: TrackingEvent): Identifier | undefined {
  const parent: Subject | undefined = 'personal' in data ? data.personal?.aggregation?.parent : undefined
  return parent && identifiersOf(parent)[0]
}

/** What one event of a thing says of a container. */
export interface ContentsRow extends Row {
  /** The stream of the thing. */
  readonly child: string
  readonly provider: string
  readonly event: string
  /** The blinded identifier of the container; null if the event speaks of none. */
  readonly term: string | null
  readonly action: string | null
  /** Epoch milliseconds; null if only a later report of the event named the container. */
  readonly at: number | null
  readonly withdrawn: number | null
}

/**
 * What was ever put into a container or taken out of it, as the things in it say. The rows of a thing go with its
 * personal data. Only things that were ever in a container are opened for it.
 */
export const contentsModel = {
  name: 'contents',
  version: 1,
  category: 'tracking',
  columns: {
    ...{ child: 'text', provider: 'text', event: 'text' },
    ...{ term: 'text', action: 'text', at: 'integer', withdrawn: 'integer' },
  },
  key: ['child', 'provider', 'event'],
  indexes: [['term', 'child', 'provider', 'event']],
  opens: (event) => (event as RecordedEvent<TrackingEvent>).type === 'PersonalDataErased' || isContained(event),
  rows: (event) => rowsOf(event as RecordedEvent<TrackingEvent>),
  gone: ({ type, stream }) => (type === 'PersonalDataErased' ? [{ child: stream }] : []),
} as const satisfies ReadModel

function isContained({ data }: RecordedEvent): boolean {
  return (data as { readonly contained?: true }).contained === true
}

function rowsOf(recorded: RecordedEvent<TrackingEvent>): readonly Row[] {
  const { type, data, stream: child } = recorded
  if (!isContained(recorded)) return []
  if (type === 'TrackingEventWithdrawn') return [{ child, provider: data.provider, event: data.event_id, withdrawn: 1 }]
  if (type !== 'TrackingEventRecorded' && type !== 'TrackingEventEnriched') return []
  const { container: term, aggregation } = data.personal ?? {}
  if (term === undefined || aggregation === undefined) return []
  const named = { child, provider: data.provider, term, action: aggregation.action }
  if (type === 'TrackingEventEnriched') return [{ ...named, event: data.event_id }]
  const { event_id: event, occurred_at } = data.event
  return [{ ...named, event, at: instantOf(occurred_at) }]
}
