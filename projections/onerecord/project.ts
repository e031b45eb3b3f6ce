import type { Target, Timeline } from '../../engine/index.ts'
import { eventOf } from './event.ts'
import { linksOf } from './links.ts'
import { rootOf, some } from './names.ts'
import type { Collection } from './schema.ts'

/** The namespaces: IATA publishes no context, and numbers none of them (implementation guidelines, data model versioning). */
export const context: Collection['@context'] = {
  api: 'https://onerecord.iata.org/ns/api#',
  cargo: 'https://onerecord.iata.org/ns/cargo#',
}

/**
 * What a ONE Record server answers who asks for the logistics events of a piece, in the compacted form; the piece, and
 * all else that the events link to, stand beside them (ONE Record API 2.2, Get Logistics Events; data model 3.2).
 */
export function project(timeline: Timeline, target: Target): Collection {
  const root = rootOf(timeline.subject, target)
  const links = linksOf(root, timeline, target)
  const items = some(timeline.events.map((event) => eventOf(event, links)))
  const included = links.included()
  return {
    '@context': context,
    '@id': `${links.piece['@id']}/logistics-events`,
    '@type': 'api:Collection',
    'api:hasTotalItems': {
      '@type': 'http://www.w3.org/2001/XMLSchema#nonNegativeInteger',
      '@value': String(timeline.events.length),
    },
    ...(items === undefined ? {} : { 'api:hasItem': items }),
    '@included': some(included) ?? included[0],
  }
}
