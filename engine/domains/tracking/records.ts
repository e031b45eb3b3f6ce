import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { excerptOf, type Finding, pathTo, within } from '../../kernel/finding.ts'
import { isObject, type Members } from '../../kernel/members.ts'
import { type Parsed, parse } from '../../kernel/parse.ts'
import { bareCode, barePhase, type Profile } from '../../kernel/profile.ts'
import type { SourceEvent } from '../../kernel/projection.ts'
import type { SensorReading } from '../../kernel/sensor-reading.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { eventErrors, findingsOf } from './checks.ts'
import type { TrackingEvent } from './events.ts'
import { identifierKinds } from './identifiers.ts'
import { type EventInput, eventSchema, subjectSchema, timelineSchema } from './schema.ts'

/** One unchecked event of a document, with its context. */
export interface RawRecord {
  readonly kind: 'event' | 'status'
  /** Path of the event in the document: `events[0]`, `lines[7]`. */
  readonly path: string
  /** Path of its subject. */
  readonly subjectPath: string
  readonly subject: unknown
  readonly profile: unknown
  readonly event: unknown
  /** Problems of the document around it; such a record is refused. */
  readonly findings?: readonly Finding[]
  /** The event that it was made of, to be kept with it. */
  readonly source?: SourceEvent
  /** Whether it was reported with the former namespace of OTEP's own members. */
  readonly formerNamespace?: true
}

/** A source event that concerns no timeline, and is only kept. */
export interface SourceRecord extends Pick<RawRecord, 'path'> {
  readonly kind: 'source'
  readonly source: SourceEvent
}

/** A record that has passed its checks. */
export interface Report extends Pick<RawRecord, 'kind' | 'path' | 'subjectPath' | 'source' | 'formerNamespace'> {
  readonly subject: Subject
  readonly profile: Profile
  readonly event: EventInput
  /** What sensors measured with it. */
  readonly readings?: readonly SensorReading[]
}

/** A record that has passed its checks, or what is wrong with it. */
export type CheckedRecord = Report | SourceRecord | readonly Finding[]

/** Whether a record has not passed its checks. */
export function isRefusal(record: CheckedRecord): record is readonly Finding[] {
  return Array.isArray(record)
}

/**
 * The outcome of one event. `withheld`: the event is valid, but an all-or-nothing call stored nothing. `ignored`: it is
 * valid, but concerns nothing that is tracked.
 */
export type Outcome = 'accepted' | 'duplicate' | 'enriched' | 'rejected' | 'withheld' | 'ignored'

/** What became of a report that led to these facts. */
export function outcomeOf(facts: readonly TrackingEvent[]): Outcome {
  if (facts.length === 0) return 'duplicate'
  const fresh = facts.some(({ type }) => type === 'TrackingEventRecorded' || type === 'TrackingEventWithdrawn')
  return fresh ? 'accepted' : 'enriched'
}

/** The result of one record: its path in the document, outcome, event id, errors and warnings. */
export interface RecordResult {
  readonly path: string
  readonly outcome: Outcome
  readonly event_id?: string
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

const timelineShell = v.strictObject({
  otep_version: v.exactOptional(v.unknown()),
  profile: v.exactOptional(v.unknown()),
  subject: v.unknown(),
  current_status: v.exactOptional(v.unknown()),
  current_status_at: v.exactOptional(v.unknown()),
  delivered: timelineSchema.entries.delivered,
  events: v.exactOptional(v.array(v.unknown())),
  future_events: v.exactOptional(v.array(v.unknown())),
  withdrawn_events: v.exactOptional(v.array(v.unknown())),
  sensors: v.exactOptional(v.unknown()),
})

/**
 * The records of a document, made as they are read: a timeline, one event with its subject, a current status alone, or
 * many of them as `{timelines: [...]}` or `{lines: [...]}`. An unreadable line becomes its parse error.
 */
export function* recordsOf(document: unknown): Generator<RawRecord> {
  if (!isObject(document)) {
    yield notAnObject(document, '')
    return
  }
  const { timelines, lines } = document
  if (Array.isArray(timelines)) {
    for (const [index, timeline] of timelines.entries()) yield* recordsOfItem(timeline, pathTo('timelines', index))
  } else if (Array.isArray(lines)) {
    for (let index = 0; index < lines.length; index++) {
      const line: unknown = lines[index]
      const path = pathTo('lines', index)
      if (isOneEvent(line)) yield recordOfEvent(line, path)
      else yield* recordsOfLine(line, path)
    }
  } else yield* recordsOfItem(document, '')
}

/** Members that only a timeline has, not a single event. */
const timelineMembers = ['events', 'future_events', 'withdrawn_events', 'current_status']

function isOneEvent(item: unknown): item is Members {
  if (!isObject(item) || item instanceof EngineError) return false
  for (const member of timelineMembers) if (Object.hasOwn(item, member)) return false
  return true
}

/** The records of one timeline, of one event with its subject, or of a current status alone, at a path. */
export function recordsOfItem(item: unknown, path: string): Iterable<RawRecord> {
  if (isOneEvent(item)) return [recordOfEvent(item, path)]
  return isObject(item) ? recordsOfTimeline(item, path) : [notAnObject(item, path)]
}

function recordOfEvent({ subject, profile, ...event }: Members, path: string): RawRecord {
  return { kind: 'event', path, subjectPath: pathTo(path, 'subject'), subject, profile, event }
}

function recordsOfLine(line: unknown, path: string): Iterable<RawRecord> {
  return line instanceof EngineError
    ? [refused(path, [{ path, code: line.code, params: line.params }])]
    : recordsOfItem(line, path)
}

function* recordsOfTimeline(document: Members, path: string): Generator<RawRecord> {
  const { value, findings } = parse(timelineShell, document)
  if (findings !== undefined) {
    yield refused(
      path,
      findings.map((finding) => within(path, finding)),
    )
    return
  }
  const { subject, profile, otep_version: version, events = [] } = value
  const { future_events: future = [], withdrawn_events: withdrawn = [] } = value
  const around = { subjectPath: pathTo(path, 'subject'), subject, profile }
  const listed = (event: unknown, name: string, index: number): RawRecord => ({
    ...around,
    kind: 'event',
    path: pathTo(pathTo(path, name), index),
    event: isObject(event) && version !== undefined ? { otep_version: version, ...event } : event,
  })
  for (const [index, event] of events.entries()) yield listed(event, 'events', index)
  for (const [index, event] of future.entries()) yield listed(event, 'future_events', index)
  for (const [index, event] of withdrawn.entries()) yield requireWithdrawal(listed(event, 'withdrawn_events', index))
  if (events.length + future.length + withdrawn.length > 0) return
  if (value.current_status === undefined) {
    yield refused(path, [{ path, code: 'events_or_status_required' }])
    return
  }
  const { current_status: status_code, current_status_at: at } = value
  const event = {
    status_code,
    ...(at === undefined ? {} : { occurred_at: at }),
    ...(version === undefined ? {} : { otep_version: version }),
  }
  yield { ...around, kind: 'status', path, event }
}

/** Withdrawn events must say that they are withdrawn; otherwise they would count as in force. */
function requireWithdrawal(record: RawRecord): RawRecord {
  if (!isObject(record.event) || record.event.withdrawn !== undefined) return record
  const path = pathTo(record.path, 'withdrawn')
  return { ...record, findings: [{ path, code: 'required', params: { field: 'withdrawn' } }] }
}

/** Checks a record; `now` is the time of a status report without an instant. */
export function checkRecord(record: RawRecord, profiles: readonly Profile[], now: string): Report | readonly Finding[] {
  if (record.findings !== undefined) return record.findings
  const profile = profileOf(record, profiles)
  const timed =
    record.kind === 'status' && isObject(record.event) ? { occurred_at: now, ...record.event } : record.event
  const input = 'path' in profile || !isObject(timed) ? timed : withBareAddresses(timed, profile)
  const subject = parse(subjectSchema, record.subject)
  const event = parse(eventSchema, input)
  const ofSubject = subjectFindings(record.subject, subject)
  const semantic = semanticFindings(input, profile, record)
  if ('path' in profile || event.findings !== undefined || ofSubject.length + semantic.length > 0) {
    return [
      ...ofSubject.map((finding) => within(record.subjectPath, finding)),
      ...(event.findings ?? []).map((finding) => within(record.path, renamed(finding, record.kind))),
      ...('path' in profile ? [profile] : []),
      ...semantic,
    ]
  }
  const { kind, path, subjectPath, source, formerNamespace } = record
  const report = { kind, path, subjectPath, subject: subject.value as Subject, profile, event: event.value }
  if (source === undefined && formerNamespace === undefined) return report
  return { ...report, ...(source && { source }), ...(formerNamespace && { formerNamespace }) }
}

/** The event with its code and phase by their names, where it has them by their addresses. */
export function withBareAddresses(event: Members, profile: Profile): Members {
  const { status_code: code, phase } = event
  if (!isAddress(code) && !isAddress(phase)) return event
  return {
    ...event,
    ...(isAddress(code) && { status_code: bareCode(profile, code) }),
    ...(isAddress(phase) && { phase: barePhase(phase) }),
  }
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('otep:')
}

function subjectFindings(input: unknown, { value, findings }: Parsed<typeof subjectSchema>): readonly Finding[] {
  if (input === undefined) return [{ path: '', code: 'required', params: { field: 'subject' } }]
  return findings ?? identifierMissing(value)
}

function semanticFindings(input: unknown, profile: Profile | Finding, record: RawRecord): readonly Finding[] {
  if ('path' in profile || !isObject(input)) return []
  const found = findingsOf(eventErrors, input, { profile, now: 0 })
  return found.length === 0 ? found : found.map((finding) => within(record.path, renamed(finding, record.kind)))
}

/** In a status report, the members of the event have other names. */
function renamed(finding: Finding, kind: RawRecord['kind']): Finding {
  if (finding.code === 'required' && finding.path === 'occurred_at') return { ...finding, code: 'occurred_at_required' }
  return kind === 'event' ? finding : underStatusName(finding)
}

const statusNames = new Map([
  ['status_code', 'current_status'],
  ['occurred_at', 'current_status_at'],
])

/** Moves a finding to the member names of a status report. */
export function underStatusName(finding: Finding): Finding {
  const name = statusNames.get(finding.path)
  return name === undefined ? finding : { ...finding, path: name, params: { ...finding.params, field: name } }
}

/** The profile of a record (the first one by default), or the problem with its name. */
function profileOf({ profile: name, path, subjectPath }: RawRecord, profiles: readonly Profile[]): Profile | Finding {
  const profile = name === undefined ? profiles[0] : profiles.find((candidate) => candidate.name === name)
  if (profile !== undefined) return profile
  const place = subjectPath.replace(/subject$/, 'profile')
  if (typeof name !== 'string')
    return { path: place, code: 'wrong_type', params: { expected: 'string', received: kindOf(name) } }
  const expected = profiles.map((candidate) => candidate.name).join(', ')
  return { path: place || path, code: 'unknown_profile', params: { received: excerptOf(name), expected } }
}

/** A subject has at least one identifier (OTEP 0.1, section 3). */
export function identifierMissing(subject: object | undefined): readonly Finding[] {
  if (subject === undefined || Object.keys(subject).length > 0) return []
  return [{ path: '', code: 'no_identifier', params: { expected: identifierKinds.join(', ') } }]
}

function notAnObject(value: unknown, path: string): RawRecord {
  return refused(path, [{ path, code: 'wrong_type', params: { expected: 'object', received: kindOf(value) } }])
}

function refused(path: string, findings: readonly Finding[]): RawRecord {
  return { kind: 'event', path, subjectPath: '', subject: undefined, profile: undefined, event: undefined, findings }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}
