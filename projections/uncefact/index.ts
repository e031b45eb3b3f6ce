import type { Projection } from '../../engine/index.ts'
import { mappings, rowSchema } from './codes.ts'
import { pieces, project, steps, uncefactResource, write } from './project.ts'
import { documentSchema, optionsSchema, type Uncefact } from './schema.ts'

/**
 * UN/CEFACT in two forms: transport events in the JSON-LD vocabulary, or the status report as a message. A message is
 * not linked data: a request for `application/ld+json` gets it as plain JSON.
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
    'What a thing was put into or taken out of; only that an event is inherited from its container is kept.',
    'Withdrawn events are left out; a message then says that it replaces earlier ones.',
    'Phases, protocol versions of single events, and whether the parcel counts as delivered are left out.',
    'A status without a number in Recommendation 24 has only its OTEP code and a description.',
    "The vocabulary keeps the latest estimate of the delivery, not that of each event, and none once the parcel's journey has ended in another way.",
    'The vocabulary keeps proof, source and incident reason as notes in words; if the reason has a number, that is added.',
    'A single coordinate without the other is left out.',
    'Only the vocabulary names the current status, and only if the status has a number.',
    'In a message, addresses, further identifiers, sources, proof and times of recording are extensions (`x-`).',
  ],
  schema: documentSchema,
  events: (document) => ('transportEvent' in document ? document.transportEvent : []),
  options: optionsSchema,
  project,
  steps,
  write,
  pieces,
  resource: uncefactResource,
}
