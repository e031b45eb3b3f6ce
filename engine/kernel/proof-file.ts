import * as v from 'valibot'
import { deriveNumber } from './id.ts'
import type { EventNames } from './profile.ts'

/** What a proof file shows; the platform's own numbers, as document 3 names none. */
export const proofFileTypes = { photo: 1, signature: 2 } as const

/** What a proof file shows. */
export type ProofFileKind = keyof typeof proofFileTypes

const link = v.pipe(v.string(), v.maxLength(2000))
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const ofNothing = 'null for a file that no recorded event brought.'

/** The event that brought a proof file, as webhooks tell it of each file. */
export const proofContextEntries = {
  tracking_event_id: v.pipe(v.nullable(number), v.description(`\`id\` of its \`tracking.event\`; ${ofNothing}`)),
  tracking_event_status_id: v.pipe(v.nullable(number), v.description(`Number of the status; ${ofNothing}`)),
  tracking_event_key: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(100))),
    v.description(`As \`delivery-success\`; ${ofNothing}`),
  ),
  service_type: v.pipe(v.nullable(v.picklist([1, 2])), v.description(`1 delivery, 2 pickup; ${ofNothing}`)),
  service_status: v.pipe(v.nullable(v.picklist([1, 2])), v.description(`1 success, 2 failed; ${ofNothing}`)),
}

/** A proof file as webhooks tell it (document 3, `proof_files_detail`). */
export const proofFileRecord = v.strictObject({
  file_id: v.pipe(number, v.description('The same for good, whatever image it has.')),
  type: v.pipe(v.picklist([1, 2]), v.description('1 photo, 2 signature.')),
  url: v.pipe(link, v.description('Path of the file where it is kept.')),
  full_url: v.pipe(link, v.description('Absolute URL of the file.')),
  signed_url: v.pipe(link, v.description('URL to download it by.')),
  signed_url_expires_at: v.pipe(v.nullable(number), v.description('Unix seconds; null where the URL does not expire.')),
  ...proofContextEntries,
})

/** A proof file as webhooks tell it. */
export type ProofFileRecord = v.InferOutput<typeof proofFileRecord>

/** The event that brought a proof file. */
export type ProofContext = Pick<ProofFileRecord, keyof typeof proofContextEntries>

/** That no recorded event brought it. */
export const noProofContext: ProofContext = {
  tracking_event_id: null,
  tracking_event_status_id: null,
  tracking_event_key: null,
  service_type: null,
  service_status: null,
}

/** The event of a timeline as its proof files tell it. */
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

/** The file of a URL. The platform keeps no files of its own: what was reported is where it is kept, and does not expire. */
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

/** An event of a timeline, by the names that it has there. */
export interface TrackedEventName {
  readonly provider: string
  readonly event_id: string
  /** The parcel's; ids are the producer's own, and may be used again for another parcel. */
  readonly trackingNumber: string
}

/** The number that webhooks name an event of a timeline by: derived from its names, and so the same wherever it is told. */
export function trackingEventIdOf({ provider, event_id, trackingNumber }: TrackedEventName): number {
  return deriveNumber('tracking event', provider, event_id, trackingNumber)
}

/** The numbers that webhooks name the proof files of an event by; `place` counts files of a kind from 0. */
export function proofFileIdOf(event: TrackedEventName, kind: ProofFileKind, place: number): number {
  return deriveNumber('proof file', event.provider, event.event_id, event.trackingNumber, kind, String(place))
}
