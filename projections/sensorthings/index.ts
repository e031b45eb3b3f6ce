import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { resource } from './resource.ts'
import { type Thing, thingSchema } from './schema.ts'

/** OGC SensorThings: what is tracked as a Thing, and its events as Observations of its status. */
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
    'Withdrawn events are left out, because whoever reads a Datastream takes every Observation of it as valid.',
    'Events are grouped by their source; the order of events of one instant is kept within a source alone.',
  ],
  schema: thingSchema,
  project,
  write,
  pieces,
  resource,
}
