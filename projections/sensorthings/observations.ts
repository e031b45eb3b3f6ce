import type { TimelineEvent } from '../../engine/index.ts'
import { containerOf } from '../shared/subject.ts'
import { flag, joined, object, type Plain, plain, ready, text, within } from '../shared/template/index.ts'
import { proof, sourceOf } from './members.ts'
import type { Place } from './places.ts'
import type { Observation, Parameters } from './schema.ts'

/** The input of one Observation. */
export interface ObservationInput {
  readonly root: Plain
  readonly event: TimelineEvent
  readonly id: string
  /** Its id in addresses. */
  readonly key: Plain
  readonly result: Plain
  readonly place: Place
}

const parameters = object<TimelineEvent, Parameters>({
  event_id: text(({ event_id }) => event_id),
  otep_version: text(({ otep_version }) => otep_version),
  status_code: text(({ status_code }) => status_code),
  phase: text(({ phase }) => phase),
  source: sourceOf(({ source }) => source),
  incident_reason: text(({ incident_reason }) => incident_reason),
  description: text(({ description }) => description),
  pod: within(({ pod }) => pod, proof),
  estimated_delivery_at: text(({ estimated_delivery_at }) => estimated_delivery_at),
  estimated_delivery_from: text(({ estimated_delivery_from }) => estimated_delivery_from),
  synthesized: flag(({ synthesized }) => synthesized),
  inherited_from: text(containerOf),
})

/** An event as an Observation of the status (18-088, 8.2.6). */
export const observation = object<ObservationInput, Observation>({
  '@iot.id': text(({ id }) => id),
  '@iot.selfLink': plain(linkOf),
  phenomenonTime: text(({ event }) => event.occurred_at),
  resultTime: text(({ event }) => event.recorded_at),
  result: plain(({ result }) => result),
  parameters: within(({ event }) => event, parameters),
  'Datastream@iot.navigationLink': plain((input) => joined(linkOf(input), '/Datastream')),
  FeatureOfInterest: ready(({ place }) => place.feature),
})

function linkOf({ root, key }: ObservationInput): Plain {
  return joined(root, '/Observations', key)
}
