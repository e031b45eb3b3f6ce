import { reporterOf } from '../../kernel/carrier-report.ts'
import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { findStream } from './find.ts'
import { eraseTimeline } from './forget.ts'
import { publicKinds } from './identifiers.ts'
import { ingest } from './ingest.ts'
import { readTimeline } from './read.ts'
import type { RawRecord } from './records.ts'

/** Something that a carrier tells of a parcel. */
interface Scan {
  readonly event_id: string
  readonly status_code: string
  readonly occurred_at: string
  readonly description?: string
  readonly locality?: string
  readonly country?: string
  readonly incident_reason?: string
  readonly estimated_delivery_at?: string
  readonly estimated_delivery_from?: string
  readonly signed_by?: string
  /** The carrier says only that the parcel is so, which is recorded once until the status changes. */
  readonly synthesized?: true
}

/** What a carrier tells of the parcel of a business. */
interface CarrierReport {
  readonly businessId: number
  readonly carrier: string
  readonly profile: string
  readonly tracking_number: string
  readonly events: readonly Scan[]
}

/** The kinds of number that a carrier's own number may be. */
const kinds = ['tracking_number'] as const

/**
 * Records in a timeline what a carrier tells, under a name that no provider can have; returns the codes of refusals. A business
 * reports only on what is not another's, as a provider does that is bound to it.
 */
export async function reportOfCarrier(context: Context, told: CarrierReport): Promise<readonly string[]> {
  const { businessId, carrier, profile, tracking_number, events } = told
  const reporting: Context = {
    ...context,
    caller: { kind: 'operator', name: reporterOf(carrier), scopes: ['otep:ingest'], businessId },
  }
  const around = { path: '', subjectPath: 'subject', subject: { tracking_number }, profile }
  const recordOf = ({ synthesized, ...scan }: Scan): RawRecord => {
    return { ...around, kind: synthesized === true ? 'status' : 'event', event: eventOf(scan) }
  }
  const results = await ingest(reporting, events.map(recordOf), false)
  return results.flatMap(({ errors }) => errors.map(({ code }) => code))
}

function eventOf({ locality, country, signed_by, ...scan }: Omit<Scan, 'synthesized'>) {
  const address = omitUndefined({ locality, country })
  return {
    ...scan,
    ...(Object.keys(address).length > 0 && { location: { address } }),
    ...(signed_by !== undefined && { pod: { recipient: signed_by } }),
  }
}

/** Whether the public finds a timeline by a number. */
export async function isPublic(context: Context, number: string): Promise<boolean> {
  try {
    await findStream(context, number, publicKinds)
    return true
  } catch (error) {
    if (isEngineError(error, 'timeline_not_found')) return false
    throw error
  }
}

/** The events of the timeline of a tracking number, oldest first; none if there is no timeline. */
export async function scansOfNumber(context: Context, trackingNumber: string): Promise<readonly Scan[]> {
  try {
    const { timeline } = await readTimeline(context, await findStream(context, trackingNumber, kinds))
    return timeline.events.map(({ event_id, status_code, occurred_at, description, location }) => {
      const { locality = location?.name, country } = location?.address ?? {}
      return { event_id, status_code, occurred_at, ...omitUndefined({ description, locality, country }) }
    })
  } catch (error) {
    if (isEngineError(error, 'timeline_not_found')) return []
    throw error
  }
}

/** Erases the personal data of the timeline of a tracking number, if there is one, and nothing in it is of another business. */
export async function forgetTimeline(context: Context, business: number, trackingNumber: string): Promise<void> {
  try {
    const stream = await findStream(context, trackingNumber, kinds)
    const { timeline } = await readTimeline(context, stream)
    const owners = await context.ports.tracking.businessesOf(context, timeline.subject)
    if (owners.every((owner) => owner === business)) await eraseTimeline(context, stream)
  } catch (error) {
    if (!isEngineError(error, 'timeline_not_found')) throw error
  }
}
