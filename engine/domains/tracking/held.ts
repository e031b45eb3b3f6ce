import type { Finding } from '../../kernel/finding.ts'
import { isNotice } from '../../kernel/notice.ts'
import { parse } from '../../kernel/parse.ts'
import { isExperimental, type Profile, phaseOf } from '../../kernel/profile.ts'
import type { Fidelity, Projection, Target } from '../../kernel/projection.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import type { Draft, Held, Placed } from './draft.ts'
import { otepVersion } from './timeline.ts'

/**
 * Looks for a projection to an external standard that takes the whole timeline (OTEP 0.1, section 9, level 2). A draft
 * with errors of shape is not projected; its codes alone decide.
 */
export function* heldProjection(draft: Omit<Draft, 'held'>): Generator<void, Held> {
  const { events, ordered, ahead, formats, profile, shape } = draft
  const codes = events.map(({ event }) => String(event.status_code)).filter((code) => !isExperimental(code))
  const covering = formats.filter(
    (format) => format.external && codes.every((code) => fidelityOf(format, profile, code) !== 'none'),
  )
  const isReadable = shape.length === 0 && ordered.length + ahead === events.length
  if (covering.length === 0) return { findings: [{ path: 'events', code: 'no_projection' }] }
  if (!isReadable) return { findings: [] }
  const findings: Finding[] = []
  for (const format of covering) {
    const misfit = yield* misfitOf(format, draft, ordered)
    if (misfit === undefined) return { projection: format.name, findings: [] }
    findings.push(misfit)
  }
  return { findings }
}

const eventsPerStep = 100

/** The first difference between a format's documents of the timeline and the format's schema. */
function* misfitOf(format: Projection, draft: Omit<Draft, 'held'>, placed: readonly Placed[]) {
  const options = (format.options && parse(format.options, {}).value) ?? {}
  const target: Target = { baseUrl: 'https://example.org', options, profiles: [draft.profile] }
  const step = format.kind === 'history' ? eventsPerStep : Math.max(placed.length, 1)
  for (let start = 0; start === 0 || start < placed.length; start += step) {
    const misfit = misfitOfPart(format, target, timelineOf(draft, placed.slice(start, start + step)))
    if (misfit !== undefined) return misfit
    yield
  }
  return undefined
}

function misfitOfPart(format: Projection, target: Target, timeline: Timeline): Finding | undefined {
  const [first] = parse(format.schema, format.project(timeline, target)).findings ?? []
  if (first === undefined) return undefined
  const { path } = first
  return { path: 'events', code: 'projection_misfit', params: { format: format.name, path } }
}

/** Events in force as a timeline, with what an engine would add. */
function timelineOf({ document, profile }: Omit<Draft, 'held'>, placed: readonly Placed[]): Timeline {
  const events = placed.map(({ path, event }) => eventOf(path, event as Partial<TimelineEvent>, profile))
  const last = events.findLast(({ status_code }) => !isNotice(status_code))
  return {
    otep_version: otepVersion,
    profile: profile.name,
    subject: document.subject as Timeline['subject'],
    ...(last && { current_status: last.status_code }),
    delivered: last?.phase === 'delivered',
    events,
  }
}

function eventOf(path: string, event: Partial<TimelineEvent>, profile: Profile): TimelineEvent {
  const { occurred_at = '', status_code = '', source, ...rest } = event
  return {
    ...{ event_id: path, otep_version: otepVersion, recorded_at: occurred_at },
    ...rest,
    ...(source?.type && { source }),
    ...{ occurred_at, status_code, phase: phaseOf(profile, status_code) ?? '' },
  }
}

/** The fidelity of a code in a format; none if the format does not list it. */
function fidelityOf(format: Projection, profile: Profile, code: string): Fidelity {
  return format.codes(profile)[code]?.fidelity ?? 'none'
}
