import type { Projection } from '../../engine/index.ts'
import { mappings, rowSchema } from './codes.ts'
import { parseAftership } from './parse.ts'
import { pieces, project, write } from './project.ts'
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
  rows: rowSchema,
  losses: [
    'Events that were withdrawn.',
    'Tag and subtag of an event whose code is unregistered and unknown to AfterShip: its words and its address remain. The tag of the tracking is then that of the event before it.',
    'That a delivery after a return was one to the sender: it reads as Delivered, and return_to_sender says that the parcel went back.',
    'The kind of source, a provider whose name has not the form of a courier code, and whether an event was synthesized.',
    'The street of a place, and its GLN and UN/LOCODE where it has a name, or the GLN where it has a UN/LOCODE.',
    'The country of an address where the code is not in ISO 3166-1.',
    'Of proof: the note, the time of the signature, and all proof but that of the last delivery that has one. Which picture is the signature stands in custom_fields alone.',
    'Estimates of delivery between the first and the last one. Which events told these two stands in custom_fields alone.',
    'Fractions of a second, and the offset, of recorded_at.',
  ],
  schema,
  project,
  write,
  pieces,
  parse: parseAftership,
}
