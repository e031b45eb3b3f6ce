import type { Projection } from '../../engine/index.ts'
import { mappings, rowSchema } from './codes.ts'
import { pieces, project, uncefactResource, write } from './project.ts'
import { documentSchema, optionsSchema, type Uncefact } from './schema.ts'

/**
 * UN/CEFACT in two forms: transport events in the words of its JSON-LD vocabulary, or the status report as a message.
 * A message is no linked data: asked for as `application/ld+json` it goes out as the JSON that it is.
 */
export const uncefact: Projection<Uncefact> = {
  name: 'uncefact',
  title: 'UN/CEFACT transport status',
  standard: 'UN/CEFACT Buy-Ship-Pay vocabulary and status report D23B, UNECE Recommendation 24 Revision 6',
  version: '1',
  representations: [
    { mediaType: 'application/ld+json' },
    { mediaType: 'application/ld+json', form: 'http://www.w3.org/ns/json-ld#compacted' },
  ],
  kind: 'history',
  external: true,
  codes: mappings,
  rows: rowSchema,
  losses: [
    'Events that were withdrawn are left out; a message then says that it replaces earlier ones.',
    'Phases, protocol versions of single events, and whether the parcel counts as delivered are not told.',
    'A status without a number in Recommendation 24 has only its OTEP code and a description.',
    'The vocabulary keeps the latest estimate of the delivery, not the one of each event, and none once the parcel has come to another end.',
    'The vocabulary keeps proof, source and incident reason as notes, in words; a number of the reason stands beside them.',
    'A coordinate without the other is left out.',
    'The current status is named by the vocabulary alone, and only where it has a number.',
    'In a message, addresses, further identifiers, sources, proof and times of recording are extensions (`x-`).',
  ],
  schema: documentSchema,
  options: optionsSchema,
  project,
  write,
  pieces,
  resource: uncefactResource,
}
