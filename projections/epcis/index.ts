import type { Projection } from '../../engine/index.ts'
import { codes, rowSchema } from './codes.ts'
import type { EpcisDocument } from './document.ts'
import { parseEpcis } from './parse/index.ts'
import { pieces, project, write } from './project.ts'
import { optionsSchema, schema } from './schema.ts'
import { toXml } from './xml-write.ts'

/** GS1 EPCIS: each event of the timeline an ObjectEvent, in JSON-LD and in XML. */
export const epcis: Projection<EpcisDocument> = {
  name: 'epcis',
  title: 'GS1 EPCIS',
  standard: 'EPCIS 2.0, CBV 2.0',
  version: '1',
  representations: [
    { mediaType: 'application/ld+json' },
    { mediaType: 'application/ld+json', form: 'http://www.w3.org/ns/json-ld#compacted' },
    { mediaType: 'application/xml', write: toXml },
  ],
  kind: 'history',
  external: true,
  codes,
  rows: rowSchema,
  losses: [
    'The current status, whether it was delivered and the phases are not told: they follow from the codes.',
    'What CBV has no word for (a driver on the way, a failed or moved attempt, a refusal, a cancellation) is the step `other`; its code is told in `otep:status_code` alone.',
    'A place with neither GLN nor coordinates is a URI of this server, made of its name, where that is no URI itself.',
    'The id of an event is the hash of what the document says of it: it changes when more is learnt of the event or of its parcel, and with the address of the server. The id that the producer gave stays in `otep:event_id`.',
    'A parcel with several identifiers stands as several EPCs in `epcList`: that they are one thing is told in `otep:subject` alone.',
  ],
  schema,
  options: optionsSchema,
  project,
  write,
  pieces,
  parse: parseEpcis,
}
