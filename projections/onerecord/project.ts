import { mapInSteps, type Target, type Timeline } from '../../engine/index.ts'
import { profileOf } from '../shared/profile.ts'
import {
  constant,
  digits,
  documentsInSteps,
  either,
  joined,
  object,
  type Plain,
  type Prepared,
  plain,
  ready,
  streamedList,
  type Template,
  within,
  wrapped,
} from '../shared/template/index.ts'
import { type EventInput, eventInput, logisticsEvent } from './event.ts'
import { linksOf } from './links.ts'
import { some } from './names.ts'
import type { Collection, LogisticsObject } from './schema.ts'

/**
 * The namespaces. IATA publishes no context, and its namespaces have no version (implementation guidelines, data model
 * versioning).
 */
export const context: Collection['@context'] = {
  api: 'https://onerecord.iata.org/ns/api#',
  cargo: 'https://onerecord.iata.org/ns/cargo#',
}

/** The input of a document. */
interface CollectionInput {
  readonly piece: Plain
  readonly events: readonly EventInput[]
  readonly included: readonly Prepared<LogisticsObject>[]
}

/**
 * The answer of a ONE Record server to a request for the logistics events of a piece, in the compacted form. The piece
 * and everything else that the events link to are included (ONE Record API, Get Logistics Events; data model 3.2).
 */
const collection = object<CollectionInput, Collection>({
  '@context': constant(context),
  '@id': plain(({ piece }) => joined(piece, '/logistics-events')),
  '@type': constant('api:Collection'),
  'api:hasTotalItems': wrapped(
    (count) => ({ '@type': 'http://www.w3.org/2001/XMLSchema#nonNegativeInteger', '@value': count }) as const,
    plain(({ events }: CollectionInput) => digits(events.length)),
  ),
  'api:hasItem': either(
    ({ events }) => events.length > 1,
    streamedList(({ events }) => events, logisticsEvent),
    within(({ events }) => events[0], logisticsEvent),
  ),
  '@included': some(
    ({ included }) => included,
    ready((one: Prepared<LogisticsObject>) => one),
  ) as Template<CollectionInput, Collection['@included']>,
})

/** The timeline as the logistics events of a piece. */
export const { project, steps, write, pieces } = documentsInSteps(collectionInput, collection)

function* collectionInput(timeline: Timeline, target: Target): Generator<void, CollectionInput> {
  const links = linksOf(target, timeline)
  const profile = profileOf(timeline, target)
  const events = yield* mapInSteps(timeline.events, (event) => eventInput(event, profile, target.baseUrl, links))
  return { piece: links.piece, events, included: links.included() }
}
