import type { Projection } from '../../engine/index.ts'
import { codes, rowSchema } from './codes.ts'
import { pieces, project, steps, write } from './project.ts'
import { type OspDocument, schema } from './schema.ts'

/** Open Shipping Protocol: the tracking of a shipment. */
export const osp: Projection<OspDocument> = {
  name: 'osp',
  title: 'Open Shipping Protocol',
  standard: 'Open Shipping Protocol 0.1 (draft), core, Tracking',
  version: '1',
  representations: [],
  kind: 'history',
  external: true,
  codes,
  rows: rowSchema,
  losses: [
    'There are eleven statuses for all codes. If two codes have the same status, only the description tells them apart.',
    'A cancellation, and what is on its way back, read as exception.',
    'Withdrawn events, incident reasons, ids of events, when they were recorded, and who reported them.',
    'Of a place: its street, its postal code, its GLN and UN/LOCODE, and its name if the town is known.',
    'Of a proof of delivery, all but who signed; images would be in base64.',
    'Of an expected time, all but its day, and all but the last one.',
    'The carrier is empty if no event names one, because the protocol requires it.',
  ],
  schema,
  events: ({ events }) => events.toReversed(),
  project,
  steps,
  write,
  pieces,
}
