import type { Projection } from '../../engine/index.ts'
import { type Expand, jsonLdForms } from '../shared/jsonld-forms.ts'
import { codes, rowSchema } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { resource } from './resource.ts'
import { type Collection, collectionSchema } from './schema.ts'

/** IATA ONE Record: the logistics events of a piece, as linked data (data model 3.2, API 2.2). */
export const onerecordWith = (expand: Expand): Projection<Collection> => ({
  name: 'onerecord',
  title: 'IATA ONE Record',
  standard: 'ONE Record data model 3.2, API 2.2',
  version: '1',
  representations: jsonLdForms(expand),
  kind: 'history',
  external: true,
  codes,
  rows: rowSchema,
  losses: [
    'Times are in UTC, as the standard asks for; the offset that the producer gave is not held.',
    'Where a code of IATA stands for a status code, the status code itself is not held.',
    'The reason of an incident has no member of its own and stands in brackets at the end of the name of the event.',
    'A description takes the place of the meaning of the code in the name of the event.',
    'The kind of the source and the code that the provider gave are not held, only the name of the provider.',
    'Of a proof of delivery the note and the time of the signature are not held.',
    'The region of an address is held only where it is part of the name of the place.',
    'Estimated times of delivery are not held: an event of its own would tell of a delivery that was not.',
    'Events that were taken back are left out, since events of the standard can neither change nor be taken back.',
    'That an event was made of a change of status (synthesized) is not held.',
    'The current status and whether it is delivered are not held, but follow from the events.',
    'The versions of the protocol and the name of its profile are not held beside codes of this server.',
  ],
  schema: collectionSchema,
  project,
  write,
  pieces,
  resource,
})
