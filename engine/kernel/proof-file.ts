import * as v from 'valibot'
import { deriveNumber } from './id.ts'
import type { EventNames } from './profile.ts'

// Webhook events about timelines and about proof files both carry this record. It must be the same in both.

/** What a proof file shows. The numbers are the platform's own; document 3 does not define any. */
const proofFileTypes = { photo: 1, signature: 2 } as const

/** What a proof file shows. */
export type ProofFileKind = keyof typeof proofFileTypes

const link = v.pipe(v.string(), v.maxLength(2000))
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const nullFor = 'null for a file that no recorded event brought.'

/** The event that a proof file belongs to, as webhooks describe it for each file. */
export const proofContextEntries = {
  tracking_event_id: v.pipe(v.nullable(number), v.description(`\`id\` of its \`tracking.event\`; ${nullFor}`)),
  tracking_event_status_id: v.pipe(v.nullable(number), v.description(`Number of the status; ${nullFor}`)),
  tracking_event_key: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(100))),
    v.description(`As \`delivery-success\`; ${nullFor}`),
  ),
  service_type: v.pipe(v.nullable(v.picklist([1, 2])), v.description(`1 delivery, 2 pickup; ${nullFor}`)),
  service_status: v.pipe(v.nullable(v.picklist([1, 2])), v.description(`1 success, 2 failed; ${nullFor}`)),
}

/** A proof file in webhooks (document 3, `proof_files_detail`). */
export const proofFileRecord = v.strictObject({
  file_id: v.pipe(number, v.description('Permanent id of the file, even if its image is replaced.')),
  type: v.pipe(v.picklist([1, 2]), v.description('1 photo, 2 signature.')),
  url: v.pipe(link, v.description('Path of the file at its location.')),
  full_url: v.pipe(link, v.description('Absolute URL of the file.')),
  signed_url: v.pipe(link, v.description('URL to download the file.')),
  signed_url_expires_at: v.pipe(v.nullable(number), v.description('Unix seconds; null if the URL does not expire.')),
  ...proofContextEntries,
})

/** A proof file in webhooks. */
export type ProofFileRecord = v.InferOutput<typeof proofFileRecord>

/** The event that a proof file belongs to. */
export type ProofContext = Pick<ProofFileRecord, keyof typeof proofContextEntries>

/** The context of the proof files of an event. */
export function proofContextOf({ statusId, key, attempt }: EventNames, trackingEventId: number): ProofContext {
  return {
    tracking_event_id: trackingEventId,
    tracking_event_status_id: statusId,
    tracking_event_key: key,
    service_type: attempt === undefined ? null : attempt.kind === 'delivery' ? 1 : 2,
    service_status: attempt === undefined ? null : attempt.isDone ? 1 : 2,
  }
}

/** The names of a delivery, for examples. */
export const deliveredNames: EventNames = {
  statusId: 15,
  key: 'delivery-success',
  type: 'D',
  attempt: { kind: 'delivery', isDone: true },
}

/**
 * The record of a file that is somewhere else, by its URL: the reported URL is the location, and it does not expire.
 */
export function proofFileOf(
  { id, kind, url }: { readonly id: number; readonly kind: ProofFileKind; readonly url: string },
  context: ProofContext,
): ProofFileRecord {
  return {
    file_id: id,
    type: proofFileTypes[kind],
    url: pathOf(url),
    full_url: url,
    signed_url: url,
    signed_url_expires_at: null,
    ...context,
  }
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}

/** Identifies an event of a timeline. */
export interface TrackedEventName {
  readonly provider: string
  readonly event_id: string
  /** The parcel's tracking number; event ids belong to the producer and may be reused for another parcel. */
  readonly trackingNumber: string
}

/** The number of an event in webhooks. It is derived from its names, and so the same everywhere. */
export function trackingEventIdOf({ provider, event_id, trackingNumber }: TrackedEventName): number {
  return deriveNumber('tracking event', provider, event_id, trackingNumber)
}

/** The number of a proof file in webhooks; `place` counts the files of a kind from 0. */
export function proofFileIdOf(event: TrackedEventName, kind: ProofFileKind, place: number): number {
  return deriveNumber('proof file', event.provider, event.event_id, event.trackingNumber, kind, String(place))
}
