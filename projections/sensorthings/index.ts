import * as v from 'valibot'
import type { Projection, Target } from '../../engine/index.ts'
import { type Documents, stringified } from '../shared/template/index.ts'
import { codes } from './codes.ts'
import { type InsertedThing, insertOf, insertSchema, optionsSchema } from './insert.ts'
import { documents } from './project.ts'
import { refusal } from './refusal.ts'
import { type Thing, thingSchema } from './schema.ts'

/** OGC SensorThings: the parcel as a Thing, and its events as Observations of its status. */
export const sensorthings: Projection<Thing | InsertedThing> = {
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
    'What sensors measured is in the Datastreams of the service, and not in the document.',
    'A document for another server (`as=insert`) has no ids, and no HistoricalLocations, which that server makes itself.',
  ],
  schema: v.union([thingSchema, insertSchema]),
  options: optionsSchema,
  events: ({ Datastreams }) => Datastreams.flatMap(({ Observations }) => Observations),
  project: (timeline, target) => by(target).project(timeline, target),
  *steps(timeline, target) {
    if (isInsert(target)) return insertOf(yield* documents.steps(timeline, target))
    return yield* documents.steps(timeline, target)
  },
  write: (timeline, target) => by(target).write(timeline, target),
  pieces: (timeline, target) => by(target).pieces(timeline, target),
  refusal,
}

const inserts: Documents<InsertedThing> = stringified((timeline, target) =>
  insertOf(documents.project(timeline, target)),
)

function isInsert({ options }: Target): boolean {
  return options.as === 'insert'
}

function by(target: Target): Documents<Thing | InsertedThing> {
  return isInsert(target) ? inserts : documents
}
