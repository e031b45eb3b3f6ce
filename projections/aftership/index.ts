import { base64OfHex, hmacSha256, type Projection } from '../../engine/index.ts'
import { mappings, rowSchema } from './codes.ts'
import { parseAftership } from './parse.ts'
import { pieces, project, steps, write } from './project.ts'
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
    'What a thing was put into or taken out of, and whether an event is inherited from its container.',
    'Withdrawn events.',
    'The tag and subtag of an event whose code is unregistered and unknown to AfterShip: its description and its address are kept. The tracking then has the tag of the previous event.',
    'That the delivery after a return was made to the sender: it reads as Delivered, and return_to_sender says that the parcel was returned.',
    'The kind of source, the name of a provider if it does not have the form of a courier code, and whether an event was synthesized.',
    'The street of a place; its GLN and UN/LOCODE if it has a name; its GLN if it has a UN/LOCODE.',
    'The country of an address if its code is not in ISO 3166-1.',
    'The note and the signature time of a proof, and all proofs but that of the last delivery that has one. Only custom_fields says which image is the signature.',
    'Estimates of delivery between the first and the last one. Only custom_fields says which events contained these two.',
    'Fractions of a second, and the offset, of recorded_at.',
  ],
  schema,
  events: ({ data }) => data.checkpoints,
  project,
  steps,
  write,
  pieces,
  parse: parseAftership,
  proofIn: ({ headers, text }, secret) => ({
    given: headers['aftership-hmac-sha256'],
    expected: base64OfHex(hmacSha256(secret, text)),
  }),
}
