import type { Projection } from '../../engine/index.ts'
import { mappings } from './codes.ts'
import { parseAftership } from './parse.ts'
import { project } from './project.ts'
import { type AftershipDocument, schema } from './schema.ts'

/** AfterShip: a parcel with its checkpoints, as shops and tracking pages read it (Tracking API 2026-07). */
export const aftership: Projection<AftershipDocument> = {
  name: 'aftership',
  title: 'AfterShip Tracking',
  standard: 'AfterShip Tracking API 2026-07',
  version: '1',
  representations: [],
  kind: 'history',
  external: true,
  codes: mappings,
  losses: [
    'Events that were withdrawn.',
    'Tag and subtag of an event whose code is unregistered and unknown to AfterShip: its words and its address remain.',
    'The kind of source, and whether an event was synthesized.',
    'The GLN, UN/LOCODE and street of a place that has a name.',
    'The country of an address where the code is not in ISO 3166-1.',
    'Of proof: the note, the time of the signature, which picture is the signature, and all proof but that of the last delivery that has one.',
    'Estimates of delivery between the first and the last one, and which events told them.',
    'Fractions of a second, and the offset, of recorded_at.',
  ],
  schema,
  project,
  parse: parseAftership,
}
