import type { Projection } from '../../engine/index.ts'
import { type Expand, jsonLdForms } from '../shared/jsonld-forms.ts'
import { codes, rowSchema } from './codes.ts'
import { parseOneRecord } from './parse/index.ts'
import { pieces, project, steps, write } from './project.ts'
import { type Collection, collectionSchema } from './schema.ts'

/**
 * IATA ONE Record: the logistics events of a piece, as linked data (data model, API 2.2). Only with `expand` is
 * expanded JSON-LD among its representations.
 */
export const onerecordWith = (expand?: Expand): Projection<Collection> => ({
  name: 'onerecord',
  title: 'IATA ONE Record',
  standard: 'ONE Record data models 3.2 and 3.3, API 2.2 and 2.3',
  version: '2',
  representations: jsonLdForms(expand),
  kind: 'history',
  external: true,
  codes,
  rows: rowSchema,
  losses: [
    "Times are in UTC, as the standard requires; the producer's offset is lost.",
    'If a status code has an IATA code, only the IATA code is kept.',
    'The reason of an incident has no member. It is in brackets at the end of the event name.',
    'If an event has a description, it replaces the meaning of the code in the event name.',
    "The kind of source and the provider's code are lost; only the name of the provider is kept.",
    'The note and the signature time of a proof of delivery are lost.',
    'The region of an address is kept only as part of the name of the place.',
    'Estimated delivery times are lost: an event for an estimate would claim a delivery that has not happened.',
    'Withdrawn events are left out, because the standard has no withdrawal of events.',
    'What a thing was put into or taken out of, and whether an event is inherited from its container.',
    'It is lost that an event was derived from a change of status (synthesized).',
    'The current status and whether the parcel is delivered are left out; they follow from the events.',
    'The versions of the protocol and the name of the profile are kept only in codes of this server.',
  ],
  schema: collectionSchema,
  events: (collection) => [collection['api:hasItem'] ?? []].flat(),
  project,
  steps,
  write,
  pieces,
  parse: (document, target) => parseOneRecord(document, target),
})

/** IATA ONE Record without expanded JSON-LD, which needs a large library. */
export const onerecord = onerecordWith()
