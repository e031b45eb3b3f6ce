import type { Target, Timeline, TimelineEvent } from '../../engine/index.ts'
import { nameOf } from '../shared/subject.ts'
import { codeUri } from './codes.ts'
import { tellers } from './datastreams.ts'
import { linkTo, rootUrl, uniqueIds } from './links.ts'
import { proofOf, sourceOf, subjectOf } from './members.ts'
import { type Place, placesOf } from './places.ts'
import type { HistoricalLocation, Location, Observation, Parameters, Thing } from './schema.ts'

/**
 * What is tracked as a Thing (18-088, clause 8): events are Observations of its status, one Datastream for each source;
 * it is where it was last seen, and every move is a HistoricalLocation.
 */
export function project(timeline: Timeline, target: Target): Thing {
  const root = rootUrl(target, timeline.subject)
  const idOf = uniqueIds()
  const placeOf = placesOf(root)
  const { tell, datastreams } = tellers()
  const history: HistoricalLocation[] = []
  let current: Location | undefined
  for (const event of timeline.events) {
    const id = idOf(event.event_id)
    const place = placeOf(event.location)
    tell(event.source, observationOf(root, id, timeline.profile, event, place))
    if (place.location === undefined || place.location === current) continue
    current = place.location
    history.push(moveOf(root, id, event, current))
  }
  const { kind, value } = nameOf(timeline.subject)
  const name = value.toWellFormed()
  return {
    '@iot.id': name,
    '@iot.selfLink': linkTo(root, 'Things', name),
    name,
    description: `What is tracked under the ${kind} ${name}.`,
    properties: propertiesOf(timeline),
    Locations: current === undefined ? [] : [current],
    HistoricalLocations: history,
    Datastreams: datastreams(root, timeline),
  }
}

function propertiesOf(timeline: Timeline): Thing['properties'] {
  const { otep_version, profile, current_status, delivered } = timeline
  const subject = subjectOf(timeline.subject)
  if (current_status === undefined) return { otep_version, profile, subject, delivered }
  return { otep_version, profile, subject, current_status, delivered }
}

function observationOf(root: string, id: string, profile: string, event: TimelineEvent, place: Place): Observation {
  const link = linkTo(root, 'Observations', id)
  return {
    '@iot.id': id,
    '@iot.selfLink': link,
    phenomenonTime: event.occurred_at,
    resultTime: event.recorded_at,
    result: codeUri(profile, event.status_code),
    parameters: parametersOf(event),
    'Datastream@iot.navigationLink': `${link}/Datastream`,
    FeatureOfInterest: place.feature,
  }
}

function parametersOf(event: TimelineEvent): Parameters {
  const { event_id, otep_version, status_code, phase } = event
  const parameters: Parameters = { event_id, otep_version, status_code, phase }
  if (event.source !== undefined) parameters.source = sourceOf(event.source)
  if (event.incident_reason !== undefined) parameters.incident_reason = event.incident_reason
  if (event.description !== undefined) parameters.description = event.description
  if (event.pod !== undefined) parameters.pod = proofOf(event.pod)
  if (event.estimated_delivery_at !== undefined) parameters.estimated_delivery_at = event.estimated_delivery_at
  if (event.synthesized !== undefined) parameters.synthesized = event.synthesized
  return parameters
}

function moveOf(root: string, id: string, event: TimelineEvent, location: Location): HistoricalLocation {
  const link = linkTo(root, 'HistoricalLocations', id)
  return {
    '@iot.id': id,
    '@iot.selfLink': link,
    time: event.occurred_at,
    'Thing@iot.navigationLink': `${link}/Thing`,
    Locations: [location],
  }
}
