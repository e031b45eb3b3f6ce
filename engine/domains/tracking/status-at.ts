import type { Context, Facts } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import type { TrackingEventRecorded } from './events.ts'
import { readState } from './read.ts'
import { inOrder } from './reducer.ts'
import { currentOf } from './timeline.ts'

/** The event that gave a timeline its status, as of one that was recorded, and the number of its parcel. */
export interface StatusAt {
  readonly tracking_number: string
  readonly provider: string
  readonly event_id: string
  readonly status_code: string
  /** ISO 8601, UTC. */
  readonly occurred_at: string
}

/** The number and the reporter that an event of a timeline names itself; nothing for other events. */
export function namedIn({ type, data }: RecordedEvent) {
  if (type !== 'TrackingEventRecorded') return undefined
  const { provider, profile, subject } = data as TrackingEventRecorded['data']
  return profile === 'parcel' ? { provider, tracking_number: subject.tracking_number } : undefined
}

/** The status of a timeline as of one of its events; undefined without a tracking number. */
export async function statusAt(
  facts: Facts & Pick<Context, 'pause' | 'profiles'>,
  { stream, revision }: RecordedEvent,
): Promise<StatusAt | undefined> {
  const { state } = await readState(facts, stream as StreamName, revision)
  const profile = facts.profiles.find(({ name }) => name === state.profile)
  const { tracking_number } = state.subject
  if (profile === undefined || tracking_number === undefined) return undefined
  const entries = [...inOrder(state)].filter(({ withdrawn }) => withdrawn === undefined)
  const coded = entries.map(({ at, provider, event }) => ({ at, provider, ...event }))
  const current = currentOf(coded, profile)
  if (current === undefined) return undefined
  const { provider, event_id, status_code, at } = current
  return { tracking_number, provider, event_id, status_code, occurred_at: isoOf(at) }
}
