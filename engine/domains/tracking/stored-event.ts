import type { Caller } from '../../kernel/context.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf } from '../../kernel/time.ts'
import { withoutNoDates } from './checks.ts'
import { contentId } from './content-id.ts'
import type { StoredEvent } from './events.ts'
import type { Report } from './records.ts'
import { type Entry, entryOf, type TrackingState } from './reducer.ts'
import type { EventInput } from './schema.ts'
import { otepVersion } from './timeline.ts'

/** What gives an event its id: its timeline, and when it was received (ISO 8601). */
interface Place {
  readonly stream: StreamName
  readonly state: TrackingState
  readonly now: string
}

/** Members that are written before the others, that are derived, or that are another fact. */
const placed: ReadonlySet<string> = new Set<keyof EventInput>([
  ...([
    'event_id',
    'otep_version',
    'occurred_at',
    'recorded_at',
    'status_code',
    'phase',
    'withdrawn',
    'sensors',
  ] as const),
])

/** The event in its stored form: with version, source and id, without derived members. */
export function storedEvent(report: Report, provider: string, place: Place): StoredEvent {
  const { kind } = report
  const input = withoutNoDates(report.event)
  const { event_id, otep_version = otepVersion, occurred_at, recorded_at = place.now, status_code } = input
  const event: Record<string, unknown> = { event_id, otep_version, occurred_at, recorded_at, status_code }
  for (const name in input) if (!placed.has(name)) event[name] = input[name as keyof EventInput]
  if (kind === 'status') event.synthesized = true
  event.source = { type: 'carrier_tracking', ...input.source, provider }
  const stored = event as unknown as StoredEvent
  return event_id === undefined ? withId(stored, report, provider, place) : stored
}

/**
 * Whose event an operator repeats who names no provider: that of the one who reported the same id, instant and code of the same
 * thing. So a file that a provider has sent can be recorded again, and nothing is there twice.
 */
export function repeatedProvider(
  { entries }: TrackingState,
  { event: { event_id, occurred_at, status_code, source } }: Report,
  { kind }: Pick<Caller, 'kind'>,
): string | undefined {
  if (kind !== 'operator' || event_id === undefined || source?.provider !== undefined) return undefined
  const at = instantOf(occurred_at)
  const isSame = (entry: Entry) => entry.at === at && entry.event.event_id === event_id
  return entries.find((entry) => isSame(entry) && entry.event.status_code === status_code)?.provider
}

/** The event with an id that was made of it, or of the foreign event that it was made of. */
function withId(event: StoredEvent, { source: origin }: Report, provider: string, { stream, state }: Place) {
  const derived = contentId(state.origin ?? stream, event)
  if (origin === undefined) return { ...event, event_id: derived }
  // Before sources were kept, the same event got the derived id.
  const before = entryOf(state, { provider, event_id: derived })
  const isBefore = before !== undefined && before.event.source?.event === undefined
  if (isBefore) return { ...event, event_id: derived }
  const { id, formerId = id } = origin
  const known = entryOf(state, { provider, event_id: formerId }) === undefined ? id : formerId
  const { source } = event
  const named = { ...event, event_id: known }
  return source?.event === undefined
    ? named
    : { ...named, source: { ...source, event: { ...source.event, id: known } } }
}
