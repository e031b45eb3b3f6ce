import type { Caller, Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import { type Finding, pathTo, within } from '../../kernel/finding.ts'
import type { Code } from '../../kernel/messages/index.ts'
import type { Profile } from '../../kernel/profile.ts'
import { createPauses, type Pauses, passed } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { eventWarnings, findingsOf } from './checks.ts'
import { compareReports, tracking } from './commands.ts'
import type { StoredEvent } from './events.ts'
import { type MeasuredThing, noteReadings, readingsOf, withReadings } from './measure.ts'
import { splitPersonal } from './personal.ts'
import { placeEvent } from './place.ts'
import type { SourceBook } from './ports.ts'
import { providerOf } from './provider-of.ts'
import { readAhead } from './read-ahead.ts'
import {
  type CheckedRecord,
  checkRecord,
  isRefusal,
  type Outcome,
  outcomeOf,
  type RawRecord,
  type RecordResult,
  type Report,
  type SourceRecord,
} from './records.ts'
import { entryOf, type TrackingState } from './reducer.ts'
import { reservedNames } from './reserved-names.ts'
import type { EventInput } from './schema.ts'
import { keepSources, resultOfIgnored } from './sources.ts'
import { repeatedProvider, storedEvent } from './stored-event.ts'
import { type SubjectGuard, subjectGuardOf } from './subject-guard.ts'
import { allSteps, newSteps } from './timeline.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

/** An accepted event and its timeline. */
interface AcceptedEvent {
  readonly report: Report
  readonly stream: StreamName
  readonly event_id: string
  readonly provider: string
  readonly outcome: Outcome
  readonly warnings: readonly Finding[]
  /** Whether the personal data of the timeline was erased. */
  readonly isErased: boolean
}

/**
 * Records events of producers: all valid events in one transaction, with a result for each, in order. With `atomic`,
 * nothing is stored if any event is refused.
 */
export async function ingest(
  context: Context,
  records: readonly (RawRecord | SourceRecord)[],
  atomic: boolean,
): Promise<readonly RecordResult[]> {
  const now = isoOf(context.clock())
  const pauses = createPauses(context.pause)
  const reports: CheckedRecord[] = []
  for (const record of records) {
    const pause = pauses.next()
    if (pause !== undefined) await pause
    reports.push(
      record.kind === 'source' ? record : withReadings(checkRecord(record, context.profiles, now), context.clock()),
    )
  }
  let attempts = 0
  const ended = await retryOnConflict(async () => {
    // A call that has lost a race makes no pauses any more, so that others cannot overtake it again and again.
    const next = attempts++ === 0 ? pauses.next : noPause
    const { caller, store, ports } = context
    const workspace = createWorkspace(context)
    const sources = ports.tracking.openSources(context)
    const guard = subjectGuardOf(context)
    const call: IngestCall = { caller, guard, now, nowAt: instantOf(now), workspace, sources, measured: [] }
    const results: (AcceptedEvent | RecordResult)[] = []
    await readAhead(context, workspace, reports, attempts === 1)
    for (const index of inOrderOfOccurrence(reports)) {
      const pause = next()
      if (pause !== undefined) await pause
      const result = resultFor(reports[index] as CheckedRecord, records[index]?.path ?? '', call)
      results[index] = result instanceof Promise ? await result : result
    }
    await keepSources(sources, reports, results, caller, next)
    const refusedAll = atomic && results.some((result) => result.outcome === 'rejected')
    const appends = refusedAll
      ? []
      : [
          ...workspace.appends(),
          ...sources.appends(),
          ...(await reservedNames(context, results)),
          ...(await readingsOf(context, call.measured)),
        ]
    if (appends.length > 0) await store.appendMany(appends)
    const steps = await stepsOf(call, results, next)
    for (const _ of refusedAll ? [] : workspace.cacheStates()) {
      const pause = next()
      if (pause !== undefined) await pause
    }
    return results.map((result) => resultOf(result, steps, refusedAll))
  })
  context.server.pushed(context.caller, ended)
  return ended
}

const noPause: Pauses['next'] = () => undefined

/** The result of a record, decided on the streams of the call as its earlier events left them. */
function resultFor(
  report: CheckedRecord,
  path: string,
  call: IngestCall,
): AcceptedEvent | RecordResult | Promise<AcceptedEvent | RecordResult> {
  if (isRefusal(report)) return rejected(path, report)
  if (report.kind === 'source') return resultOfIgnored(report, call.caller, call.sources)
  return passed(() => accept(report, call))
}

/** Events of a call are processed in order of occurrence, whatever their order in the document. */
function inOrderOfOccurrence(reports: readonly CheckedRecord[]): readonly number[] {
  const at = reports.map((report) => ('event' in report ? instantOf(report.event.occurred_at) : 0))
  return reports.map((_, index) => index).sort((one, other) => (at[one] ?? 0) - (at[other] ?? 0))
}

/** Errors that refuse one event because of what is already known; any other error fails the whole call. */
const refusals: readonly Code[] = [
  'event_id_conflict',
  'too_long',
  'identifiers_disagree',
  'other_identifier',
  'other_profile',
  'ambiguous_identifier',
  'other_business',
]

/** A call: the caller, its restriction to one business, the time, and what it reads and writes. */
interface IngestCall {
  readonly caller: Caller
  readonly guard: SubjectGuard | undefined
  readonly now: string
  /** The same in epoch milliseconds. */
  readonly nowAt: number
  readonly workspace: Workspace
  readonly sources: SourceBook
  /** What sensors measured, by the timelines of their events. */
  readonly measured: MeasuredThing[]
}

/** One pass: nothing is recorded before all that it needs was read. */
function accept(report: Report, call: IngestCall): AcceptedEvent | RecordResult {
  const { caller, guard, now, nowAt, workspace } = call
  const named = providerOf(report, caller)
  if (typeof named !== 'string') return rejected(report.path, [named])
  const { subject, profile, event: input, path, formerNamespace } = report
  // It is recorded where it happened.
  if (input.inherited_from !== undefined) return { path, outcome: 'ignored', errors: [], warnings: [] }
  try {
    guard?.admit(subject)
    const at = instantOf(input.occurred_at)
    const storedIn = (stream: StreamName, state: TrackingState, provider = named) =>
      storedEvent(report, provider, { stream, state, now })
    const { timeline: stream, claims } = placeEvent(workspace, {
      subject,
      profile,
      code: input.status_code,
      provider: named,
      at,
      now: nowAt,
      ...(guard && { admit: guard.admit }),
      isIn: (timeline, state) =>
        entryOf(state, { provider: named, event_id: storedIn(timeline, state).event_id }) !== undefined,
    })
    const known = workspace.timeline(stream)
    const provider = repeatedProvider(known, report, caller) ?? named
    const event = storedIn(stream, known, provider)
    const told = { now: nowAt, profile, subject, provider, event }
    const command = formerNamespace === undefined ? told : { ...told, formerNamespace }
    const name = { provider, event_id: event.event_id }
    guard?.admit(known.subject)
    if (known.entries.length === 0) guard?.admitNew(subject, workspace)
    const isKnown = entryOf(known, name) !== undefined
    const state = isKnown ? workspace.fullTimeline(stream) : known
    const before = isKnown ? entryOf(state, name)?.event : undefined
    const { withdrawn } = input
    const facts = tracking.decide(
      report.kind === 'status'
        ? { type: 'ReportStatus', ...command }
        : { type: 'RecordEvent', ...command, ...(withdrawn && { withdrawn }) },
      state,
    )
    for (const { identifier, from, providers } of claims) workspace.assign(identifier, stream, from, providers)
    workspace.record(stream, facts)
    const { isErased } = state
    if (report.readings !== undefined) {
      noteReadings(workspace, stream, { subject, provider, now: nowAt })
      const thing = { timeline: stream, subject: { ...subject, ...state.subject }, provider, isErased }
      call.measured.push({ ...thing, readings: report.readings })
    }
    const warnings = warningsOf(report, call, { before, event, isErased })
    return { report, stream, event_id: event.event_id, provider, outcome: outcomeOf(facts), warnings, isErased }
  } catch (error) {
    if (!isEngineError(error) || !refusals.includes(error.code)) throw error
    return rejected(path, [{ path: placeOf(error.code, report), code: error.code, params: error.params }])
  }
}

/** What is odd about an event that is accepted. */
function warningsOf(
  { event: input, profile, path }: Report,
  { nowAt }: IngestCall,
  { before, event, isErased }: { before: StoredEvent | undefined; event: StoredEvent; isErased: boolean },
): readonly Finding[] {
  const found = findingsOf(eventWarnings, input, { profile, now: nowAt })
  if (found.length === 0 && before === undefined && !isErased) return found
  const differing = before === undefined ? [] : differencesOf(before, event, input)
  return [
    ...found.map((finding) => within(path, finding)),
    ...differing.map((field) => ({ path: pathTo(path, field), code: 'field_differs' as const, params: { field } })),
    // Personal data is not stored in a timeline whose personal data was erased.
    ...(isErased && splitPersonal(input).personal !== undefined
      ? [{ path, code: 'personal_data_dropped' as const, params: {} }]
      : []),
  ]
}

function placeOf(code: Code, { path, subjectPath }: Report): string {
  if (code === 'event_id_conflict') return pathTo(path, 'event_id')
  if (code === 'other_profile') return subjectPath.replace(/subject$/, 'profile')
  return code === 'too_long' ? pathTo(path, 'pod.photo_urls') : subjectPath
}

/** The members in which a second report differs; a missing source is no difference. */
function differencesOf(before: StoredEvent, event: StoredEvent, { source }: EventInput): readonly string[] {
  const { differing } = compareReports(before, event)
  return source === undefined ? differing.filter((path) => path !== 'source.type') : differing
}

/** The findings of the state machine for the events of a call, by timeline and name of the event. */
type Steps = ReadonlyMap<StreamName, ReadonlyMap<string, Finding>>

/** The findings for the timelines that the call has changed. */
async function stepsOf(
  { workspace, nowAt }: Pick<IngestCall, 'workspace' | 'nowAt'>,
  results: readonly (AcceptedEvent | RecordResult)[],
  next: Pauses['next'],
): Promise<Steps> {
  const steps = new Map<StreamName, ReadonlyMap<string, Finding>>()
  for (const [stream, { profile, isWhole }] of touchedBy(results)) {
    const pause = next()
    if (pause !== undefined) await pause
    const state = workspace.timeline(stream)
    const findings = isWhole ? allSteps(state, profile, nowAt, stepKey) : newSteps(state, profile, nowAt, stepKey)
    if (findings.length > 0) steps.set(stream, new Map(findings.map((finding) => [finding.path, finding])))
  }
  return steps
}

/** The timelines with new facts; of some, not only the latest events are asked for. */
function touchedBy(results: readonly (AcceptedEvent | RecordResult)[]) {
  const touched = new Map<StreamName, { readonly profile: Profile; readonly isWhole: boolean }>()
  for (const result of results) {
    if (!('stream' in result) || result.outcome === 'duplicate') continue
    const { stream, report, outcome } = result
    const known = touched.get(stream)
    if (known !== undefined && outcome === 'accepted') continue
    touched.set(stream, { profile: report.profile, isWhole: outcome !== 'accepted' })
  }
  return touched
}

function stepKey({ event_id, source }: StoredEvent): string {
  return nameOf(source?.provider, event_id)
}

function nameOf(provider: string | undefined, id: string): string {
  return `${provider}\0${id}`
}

function resultOf(result: AcceptedEvent | RecordResult, steps: Steps, refusedAll: boolean): RecordResult {
  if (!('stream' in result)) return result
  const { report, stream, event_id, provider, warnings } = result
  const isStatus = report.kind === 'status'
  const member = isStatus ? 'current_status' : 'status_code'
  // A repeated status created no event, so there is no id.
  const isEcho = isStatus && result.outcome === 'duplicate'
  const step = result.outcome === 'duplicate' ? undefined : steps.get(stream)?.get(nameOf(provider, event_id))
  const outcome = refusedAll && result.outcome !== 'duplicate' ? 'withheld' : result.outcome
  const found = step === undefined ? warnings : [...warnings, { ...step, path: pathTo(report.path, member) }]
  return isEcho
    ? { path: report.path, outcome, errors: [], warnings: found }
    : { path: report.path, outcome, event_id, errors: [], warnings: found }
}

function rejected(path: string, errors: readonly Finding[]): RecordResult {
  return { path, outcome: 'rejected', errors, warnings: [] }
}
