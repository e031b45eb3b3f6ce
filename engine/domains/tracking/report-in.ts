import type { ParcelReport } from '../../kernel/carrier-report.ts'
import type { Context, Facts } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { isNotice } from '../../kernel/notice.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { namingSubject } from '../../kernel/timeline.ts'
import { isAhead } from './ahead.ts'
import type { TrackingEventBecameDue, TrackingEventRecorded } from './events.ts'
import { readState } from './read.ts'
import { entryOf, inOrder } from './reducer.ts'
import { currentOf } from './timeline.ts'

/**
 * The number and the reporter that an event of a timeline names itself; nothing for others. An event that was reported ahead of
 * its time speaks when that has come.
 */
export function namedIn({ type, data }: RecordedEvent) {
  if (type !== 'TrackingEventRecorded' && type !== 'TrackingEventBecameDue') return undefined
  const { provider, profile, subject, moved } = data as (TrackingEventRecorded | TrackingEventBecameDue)['data']
  if (moved !== undefined) return undefined
  return profile === 'parcel' ? { provider, tracking_number: subject.tracking_number } : undefined
}

/**
 * What an event says of its parcel, if it gives the timeline its status; undefined for others, and without a tracking number. After a
 * cancellation, which ends a timeline, the carrier may have got the parcel again, so what it reports then counts, too.
 */
export async function reportIn(
  facts: Facts & Pick<Context, 'pause' | 'profiles'>,
  { type, data, stream, revision, position, recordedAt: recorded_at }: RecordedEvent,
): Promise<ParcelReport | undefined> {
  if (type !== 'TrackingEventRecorded' && type !== 'TrackingEventBecameDue') return undefined
  const told = data as (TrackingEventRecorded | TrackingEventBecameDue)['data']
  const { provider, moved } = told
  if (moved !== undefined) return undefined
  const event_id = 'event' in told ? told.event.event_id : told.event_id
  const { state } = await readState(facts, stream as StreamName, revision)
  const profile = facts.profiles.find(({ name }) => name === state.profile)
  const { tracking_number } = namingSubject(state.subject)
  const entry = entryOf(state, { provider, event_id })
  const now = Date.parse(recorded_at)
  if (profile === undefined || tracking_number === undefined || entry === undefined) return undefined
  if (isAhead(entry.at, now)) return undefined
  const entries = inOrder(state, profile).filter(({ at, withdrawn }) => withdrawn === undefined && !isAhead(at, now))
  const coded = entries.map(({ at, provider, event }) => ({ at, provider, ...event }))
  const current = currentOf(coded, profile)
  const { at } = entry
  const { status_code } = entry.event
  const isCurrent = current?.event_id === event_id && current.provider === provider
  const isAfterCancellation = !isNotice(status_code) && current?.status_code === 'cancelled' && at >= current.at
  if (!isCurrent && !isAfterCancellation) return undefined
  return { tracking_number, provider, event_id, status_code, occurred_at: isoOf(at), position, recorded_at }
}
