import type { Timeline } from '../../engine/index.ts'
import {
  around,
  constant,
  digits,
  documents,
  either,
  joined,
  longList,
  object,
  type Plain,
  type Prepared,
  plain,
  ready,
  type Template,
  within,
} from '../shared/template/index.ts'
import { logisticsEvent, type Told, toldOf } from './event.ts'
import { linksOf } from './links.ts'
import { rootOf, some } from './names.ts'
import type { Collection, LogisticsObject } from './schema.ts'

/** The namespaces: IATA publishes no context, and numbers none of them (implementation guidelines, data model versioning). */
export const context: Collection['@context'] = {
  api: 'https://onerecord.iata.org/ns/api#',
  cargo: 'https://onerecord.iata.org/ns/cargo#',
}

/** What a document of a timeline is filled with. */
interface Given {
  readonly piece: Plain
  readonly told: readonly Told[]
  readonly included: readonly Prepared<LogisticsObject>[]
}

/**
 * What a ONE Record server answers who asks for the logistics events of a piece, in the compacted form; the piece, and
 * all else that the events link to, stand beside them (ONE Record API 2.2, Get Logistics Events; data model 3.2).
 */
const collection = object<Given, Collection>({
  '@context': constant(context),
  '@id': plain(({ piece }) => joined(piece, '/logistics-events')),
  '@type': constant('api:Collection'),
  'api:hasTotalItems': around(
    (count) => ({ '@type': 'http://www.w3.org/2001/XMLSchema#nonNegativeInteger', '@value': count }) as const,
    plain(({ told }: Given) => digits(told.length)),
  ),
  'api:hasItem': either(
    ({ told }) => told.length > 1,
    longList(({ told }) => told, logisticsEvent),
    within(({ told }) => told[0], logisticsEvent),
  ),
  '@included': some(
    ({ included }) => included,
    ready((one: Prepared<LogisticsObject>) => one),
  ) as Template<Given, Collection['@included']>,
})

/** The timeline as the logistics events of a piece. */
export const { project, write, pieces } = documents((timeline: Timeline, target): Given => {
  const links = linksOf(rootOf(timeline.subject, target), timeline)
  const told = timeline.events.map((event) => toldOf(event, timeline.profile, target.baseUrl, links))
  return { piece: links.piece, told, included: links.included() }
}, collection)
