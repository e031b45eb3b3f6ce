import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, steps, write } from './project.ts'
import { refusal } from './refusal.ts'
import { type Thing, thingSchema } from './schema.ts'

/** OGC SensorThings: the parcel as a Thing, and its events as Observations of its status. */
export const sensorthings: Projection<Thing> = {
  name: 'sensorthings',
  title: 'OGC SensorThings API',
  standard: 'OGC SensorThings API 1.1, Part 1: Sensing (18-088)',
  version: '1',
  representations: [],
  kind: 'history',
  external: true,
  codes,
  losses: [
    'What a thing was put into or taken out of; only that an event is inherited from its container is kept.',
    'Withdrawn events are left out, because readers of a Datastream treat every Observation as valid.',
    'Events are grouped by source; the order of simultaneous events is kept only within a source.',
  ],
  schema: thingSchema,
  events: ({ Datastreams }) => Datastreams.flatMap(({ Observations }) => Observations),
  project,
  steps,
  write,
  pieces,
  refusal,
}
