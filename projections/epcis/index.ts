import type { Projection } from '../../engine/index.ts'
import { codes, rowSchema } from './codes.ts'
import type { EpcisDocument } from './document.ts'
import { joined } from './joined.ts'
import { checkedByClauses } from './parse/clauses.ts'
import { parseEpcis, parseEpcisInSteps } from './parse/index.ts'
import { paged, pieces, project, steps, wantsSources, write, xmlPaged, xmlPieces } from './project.ts'
import { optionsSchema, schema } from './schema.ts'
import { toXml } from './xml-write.ts'

/** GS1 EPCIS: each event of the timeline as an ObjectEvent, in JSON-LD and in XML. */
export const epcis: Projection<EpcisDocument> = {
  name: 'epcis',
  title: 'GS1 EPCIS',
  standard: 'EPCIS 2.0, CBV 2.0',
  version: '1',
  representations: [
    { mediaType: 'application/ld+json' },
    { mediaType: 'application/ld+json', form: 'http://www.w3.org/ns/json-ld#compacted' },
    { mediaType: 'application/xml', write: toXml, pieces: xmlPieces, paged: xmlPaged },
  ],
  kind: 'history',
  external: true,
  codes,
  rows: rowSchema,
  keepsInherited: true,
  losses: [
    'The current status, whether the parcel was delivered, and the phases are left out; they follow from the codes.',
    'Codes that CBV has no word for (a driver on the way, a failed or rescheduled attempt, a refusal, a cancellation) become the step `other`; only `otep:status_code` keeps the code.',
    'A place with neither GLN nor coordinates, whose name is not a URI, gets a URI of this server that contains its name.',
    'What is learnt of an event later is reported by a further event, which it names in `correctiveEventIDs`. The ids of both are hashes of their content, unless the event came as EPCIS. They change with the address of the server and with an erasure. `otep:event_id` keeps the id of the producer.',
    'A parcel with several identifiers appears as several EPCs in `epcList`; only `otep:subject` says that they are one thing.',
    'What a thing was put into or taken out of is only in the events as they came (`as=source`). An event that it has inherited from its container is an event of the container.',
  ],
  schema,
  events: ({ epcisBody: body }) => ('queryResults' in body ? body.queryResults.resultsBody.eventList : body.eventList),
  options: optionsSchema,
  wantsSources,
  project,
  steps,
  write,
  pieces,
  paged,
  joined,
  parse: parseEpcis,
  parseInSteps: parseEpcisInSteps,
  check: checkedByClauses,
}
