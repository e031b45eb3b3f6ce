import { withoutNoDates } from '../../engine/domains/tracking/checks.ts'
import { tracking } from '../../engine/domains/tracking/commands.ts'
import { contentId } from '../../engine/domains/tracking/content-id.ts'
import type { StoredEvent, TrackingEvent } from '../../engine/domains/tracking/events.ts'
import { type Identifier, identifiersOf, timelineStream } from '../../engine/domains/tracking/identifiers.ts'
import { checkRecord, type Report, recordsOfItem } from '../../engine/domains/tracking/records.ts'
import type { TrackingState } from '../../engine/domains/tracking/reducer.ts'
import { timelineOf as folded, otepVersion } from '../../engine/domains/tracking/timeline.ts'
import { fold } from '../../engine/kernel/decider.ts'
import { isEngineError } from '../../engine/kernel/errors.ts'
import { instantOf, isoOf } from '../../engine/kernel/time.ts'
import type { Timeline } from '../../engine/kernel/timeline.ts'
import type { TimelineDocument } from './document.ts'
import type { Finding } from './finding.ts'
import { filledIn, type Options } from './options.ts'

/** A timeline, or the reasons why a document is none. */
export type TimelineResult =
  | { readonly timeline: Timeline; readonly findings?: undefined }
  | { readonly timeline?: undefined; readonly findings: readonly Finding[] }

/**
 * Reads a parsed JSON value as a timeline. It may be a timeline, one event with its subject, or a current status alone.
 * Events are ordered by occurrence, repeated ones are merged, and phases and the current status are derived, as in an
 * engine that recorded the document.
 */
export function timelineFrom(document: unknown, options: Options = {}): TimelineResult {
  const { profiles, now } = filledIn(options)
  const reports: Report[] = []
  const findings: Finding[] = []
  for (const record of recordsOfItem(document, '')) {
    const checked = checkRecord(record, profiles, isoOf(now))
    if ('event' in checked) reports.push(checked)
    else findings.push(...checked)
  }
  const [first] = reports
  return findings.length > 0 || first === undefined ? { findings } : recorded(first, reports, now)
}

/**
 * The timeline of a document whose shape is known, as `timelineFrom` reads it. Throws a `TypeError` with `findings` if
 * the document does not conform. With your own profiles, its codes may be any text for the compiler.
 */
export function timelineOf(document: TimelineDocument | Timeline, options?: Options): Timeline
export function timelineOf(
  document: TimelineDocument<string>,
  options: Options & Required<Pick<Options, 'profiles'>>,
): Timeline
export function timelineOf(document: TimelineDocument<string>, options?: Options): Timeline {
  const { timeline, findings } = timelineFrom(document, options)
  if (timeline !== undefined) return timeline
  const reasons = findings.map(({ path, code }) => (path === '' ? code : `${path} ${code}`))
  throw Object.assign(new TypeError(`The document is not a timeline: ${reasons.join(', ')}`), { findings })
}

/** The timeline of reports about one subject, of which `first` is one. */
function recorded({ profile }: Report, reports: readonly Report[], now: number): TimelineResult {
  const findings: Finding[] = []
  let state = tracking.initial()
  for (const report of reports.toSorted(byOccurrence)) {
    try {
      state = fold(tracking, eventsOf(report, state, now), state)
    } catch (error) {
      if (!isEngineError(error)) throw error
      findings.push({ path: report.path, code: error.code, params: error.params })
    }
  }
  return findings.length > 0 ? { findings } : { timeline: folded(state, profile, now) }
}

function byOccurrence(one: Report, other: Report): number {
  return instantOf(one.event.occurred_at) - instantOf(other.event.occurred_at)
}

/** What an engine would record of a report. */
function eventsOf(report: Report, state: TrackingState, now: number): readonly TrackingEvent[] {
  const { kind, profile, subject, event: input } = report
  const event = storedEvent(report)
  const command = { now, profile, subject, provider: input.source?.provider ?? '', event }
  if (kind === 'status') return tracking.decide({ type: 'ReportStatus', ...command }, state)
  const { withdrawn } = input
  return tracking.decide({ type: 'RecordEvent', ...command, ...(withdrawn && { withdrawn }) }, state)
}

function storedEvent({ kind, subject, event: input }: Report): StoredEvent {
  const { phase, withdrawn, event_id, otep_version = otepVersion, occurred_at, ...rest } = withoutNoDates(input)
  const { recorded_at = occurred_at, ...reported } = rest
  const marks = kind === 'status' ? { synthesized: true } : {}
  const event = { otep_version, occurred_at, recorded_at, ...reported, ...marks }
  const [opener] = identifiersOf(subject)
  return { event_id: event_id ?? contentId(timelineStream(opener as Identifier, 1), event), ...event }
}
