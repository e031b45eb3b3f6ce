import * as v from 'valibot'
import { eventTypes } from '../../../kernel/profile.ts'
import { deliveredNames, proofContextOf, proofFileOf, proofFileRecord } from '../../../kernel/proof-file.ts'
import { id, maxCharacters } from '../../../kernel/schemas.ts'
import type { WebhookEventType } from '../../../kernel/webhook-event.ts'
import { maxPhotos, publicSubjectSchema } from '../schema.ts'
import { descriptionRecord } from './describe.ts'

const text = (limit: number, description: string) =>
  v.pipe(v.string(), maxCharacters(limit), v.description(description))
const numbers = (description: string) =>
  v.pipe(v.array(v.pipe(v.string(), maxCharacters(100))), v.maxLength(1), v.description(description))
/** The photographs of an event and its signature. */
const maxFiles = maxPhotos + 1
const link = v.pipe(v.string(), v.maxLength(2000))
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The `data` of a `tracking.event` (document 3, tracking event payload). */
export const trackingEventData = v.strictObject({
  id: v.pipe(id, v.description('Permanent id of the event, derived from its names in the timeline.')),
  order_id: id,
  order_ref: text(100, "The sender's reference of the order; empty if it has none."),
  location_id: v.pipe(number, v.description('Id of the place, derived from its code or name; 0 if no place is known.')),
  location_name: text(200, 'Empty if no place is known.'),
  tracking_event_type: v.pipe(
    v.picklist(eventTypes),
    v.description(
      'I announced, P pick-up, A at a facility, T transit, O out for delivery, D delivery, R return, X exception, S storage.',
    ),
  ),
  tracking_event_status_id: v.pipe(number, v.description('Number of the status; 0 if it has none.')),
  tracking_event_key: text(100, 'For example `delivery-success`.'),
  otep_status: text(64, 'Status code of the protocol, for example `delivered`.'),
  proof_files: v.exactOptional(
    v.pipe(
      v.array(link),
      v.maxLength(maxFiles),
      v.description('Paths of the files; present for deliveries and pick-ups.'),
    ),
  ),
  proof_files_detail: v.exactOptional(v.pipe(v.array(proofFileRecord), v.maxLength(maxFiles))),
  description: v.pipe(descriptionRecord, v.description('What has happened, in fourteen languages.')),
  tracking_number: numbers('Tracking number of the parcel.'),
  external_tracking_number: numbers('Tracking number of another system or carrier.'),
  inherited_from: v.exactOptional(
    v.pipe(
      publicSubjectSchema,
      v.description(
        'The container that the event happened to, while the parcel was in it; absent for the own events of the parcel.',
      ),
    ),
  ),
})

/** The data of a `tracking.event`. */
export type TrackingEventData = v.InferOutput<typeof trackingEventData>

const file = proofFileOf(
  { id: 4_102_277_112, kind: 'photo', url: 'https://files.example.com/proofs/door.jpg' },
  proofContextOf(deliveredNames, 2_734_018_511),
)

const example: TrackingEventData = {
  id: 2_734_018_511,
  order_id: 42,
  order_ref: 'PO-1001',
  location_id: 991_020_417,
  location_name: 'Lyon hub',
  tracking_event_type: deliveredNames.type,
  tracking_event_status_id: deliveredNames.statusId,
  tracking_event_key: deliveredNames.key,
  otep_status: 'delivered',
  proof_files: [file.url],
  proof_files_detail: [file],
  description: {
    en: 'Delivered (Lyon hub)',
    fr: 'Livré (Lyon hub)',
    chs: '已送达 (Lyon hub)',
    cht: '已送達 (Lyon hub)',
    es: 'Entregado (Lyon hub)',
    de: 'Zugestellt (Lyon hub)',
    nl: 'Bezorgd (Lyon hub)',
    pt: 'Entregue (Lyon hub)',
    it: 'Consegnato (Lyon hub)',
    sr: 'Isporučeno (Lyon hub)',
    hu: 'Kézbesítve (Lyon hub)',
    pl: 'Doręczono (Lyon hub)',
    sk: 'Doručené (Lyon hub)',
    cs: 'Doručeno (Lyon hub)',
  },
  tracking_number: ['LD00004212345678905'],
  external_tracking_number: [],
}

/** An event was recorded in the timeline of an order's parcel. */
export const trackingEventType = {
  name: 'tracking.event',
  channel: 'tenant',
  field: 'tracking_event_webhook_url',
  summary: "An event was recorded in the timeline of an order's parcel.",
  data: trackingEventData,
  example,
} as const satisfies WebhookEventType<typeof trackingEventData>
