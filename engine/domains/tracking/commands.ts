import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { isNotice } from '../../kernel/notice.ts'
import type { Profile } from '../../kernel/profile.ts'
import { instantOf } from '../../kernel/time.ts'
import type { Subject, Withdrawal } from '../../kernel/timeline.ts'
import { isAhead } from './ahead.ts'
import type { Addition, EventName, StoredEvent, TrackingEvent } from './events.ts'
import { compare } from './merge.ts'
import { splitPersonal } from './personal.ts'
import { type Entry, entryOf, evolve, initial, inOrder, isDue, type TrackingState } from './reducer.ts'
import { maxPhotos } from './schema.ts'

interface Report {
  /** When it is reported, in epoch milliseconds. */
  readonly now: number
  readonly profile: Profile
  readonly subject: Subject
  readonly provider: string
  /** Whether it was reported with the former namespace of OTEP's own members. */
  readonly formerNamespace?: true
}

/** Record an event that a producer reports; with `withdrawn`, also its withdrawal. */
interface RecordEvent extends Report {
  readonly type: 'RecordEvent'
  readonly event: StoredEvent
  readonly withdrawn?: Withdrawal
}

/** Record the current status of a source without history, as the event that led to it. */
interface ReportStatus extends Report {
  readonly type: 'ReportStatus'
  readonly event: StoredEvent
}

/** Erase the personal data of the timeline; `at` is when, ISO 8601. */
interface ErasePersonalData {
  readonly type: 'ErasePersonalData'
  readonly at: string
}

/** Note that the time of events has come that were reported ahead of it; `now` in epoch milliseconds. */
interface BecomeDue {
  readonly type: 'BecomeDue'
  readonly now: number
  readonly events: readonly EventName[]
}

/** Note that a provider has readings of sensors of the thing; `now` in epoch milliseconds. */
interface NoteReadings {
  readonly type: 'NoteReadings'
  readonly now: number
  readonly subject: Subject
  readonly provider: string
}

/** The commands of a timeline. */
type TrackingCommand = RecordEvent | ReportStatus | BecomeDue | NoteReadings | ErasePersonalData

/** The tracking decider. It returns no events if there is nothing new. */
export const tracking: Decider<TrackingState, TrackingCommand, TrackingEvent> = { initial, evolve, decide }

function decide(command: TrackingCommand, state: TrackingState): readonly TrackingEvent[] {
  if (command.type === 'ErasePersonalData') {
    const facts = state.isErased ? [] : [erased(command)].map((fact) => (state.isMeasured ? measured(fact) : fact))
    return isAhead(state.latest, instantOf(command.at)) ? facts.map(ahead) : facts
  }
  if (command.type === 'BecomeDue') {
    const facts = command.events.flatMap((name) => becomeDue(name, command.now, state))
    return marked(facts, command.now, state)
  }
  if (command.type === 'NoteReadings') {
    const named = identified(command, state)
    const { provider } = command
    const first: TrackingEvent = { type: 'SubjectIdentified', data: { subject: {}, provider } }
    const facts = state.isMeasured || named.length > 0 ? named : [first]
    return marked(facts.map(measured), command.now, state)
  }
  const known = state.isErased ? withoutPersonalData(command) : command
  const facts = known.type === 'RecordEvent' ? recordEvent(known, state) : reportStatus(known, state)
  const isRecorded = facts.some((fact) => fact.type === 'TrackingEventRecorded')
  const all = isRecorded ? facts : [...facts, ...identified(known, state)]
  const isPutIn = known.event.aggregation?.parent !== undefined
  const latest = Math.max(state.latest, instantOf(known.event.occurred_at))
  return marked(all, command.now, { latest, isContained: state.isContained || isPutIn, isMeasured: state.isMeasured })
}

/** The facts with what they tell of their timeline as long as they are the last of its stream. */
function marked(
  facts: readonly TrackingEvent[],
  now: number,
  { latest, isContained, isMeasured }: Pick<TrackingState, 'latest' | 'isContained' | 'isMeasured'>,
): readonly TrackingEvent[] {
  const inside = isContained ? facts.map(contained) : facts
  const told = isMeasured ? inside.map(measured) : inside
  return isAhead(latest, now) ? told.map(ahead) : told
}

function ahead<Fact extends TrackingEvent>(fact: Fact): Fact {
  return { ...fact, data: { ...fact.data, ahead: true } }
}

/** Nothing is due of an event that is withdrawn or was split off, or whose time has not come. */
function becomeDue(name: EventName, now: number, state: TrackingState): readonly TrackingEvent[] {
  const entry = entryOf(state, name)
  if (entry === undefined || entry.withdrawn !== undefined || isDue(state, name) || isAhead(entry.at, now)) return []
  const { provider, event_id } = name
  const { profile = '', subject } = state
  return [{ type: 'TrackingEventBecameDue', data: { provider, event_id, profile, subject } }]
}

function contained<Fact extends TrackingEvent>(fact: Fact): Fact {
  return { ...fact, data: { ...fact.data, contained: true } }
}

function measured<Fact extends TrackingEvent>(fact: Fact): Fact {
  return { ...fact, data: { ...fact.data, measured: true } }
}

function erased({ at }: ErasePersonalData): TrackingEvent {
  return { type: 'PersonalDataErased', data: { at } }
}

/** The report without its personal data, for a timeline whose personal data was erased. */
function withoutPersonalData<Command extends RecordEvent | ReportStatus>(command: Command): Command {
  const event = splitPersonal(command.event).rest
  if (command.type === 'ReportStatus' || command.withdrawn === undefined) return { ...command, event }
  return { ...command, event, ...splitPersonal({ withdrawn: command.withdrawn }).rest }
}

function reportStatus(command: ReportStatus, state: TrackingState): readonly TrackingEvent[] {
  const { provider, event } = command
  const known = entryOf(state, { provider, event_id: event.event_id }) !== undefined
  return known || lastReported(command, state) === event.status_code ? [] : [recorded(command)]
}

/** Identifiers that are new to the timeline; a recorded event brings its subject along. */
function identified(
  { subject, provider }: Pick<Report, 'subject' | 'provider'>,
  state: TrackingState,
): readonly TrackingEvent[] {
  const { added } = compare({ ...state.subject }, { ...subject })
  return Object.keys(added).length === 0 ? [] : [{ type: 'SubjectIdentified', data: { subject: added, provider } }]
}

function recordEvent(command: RecordEvent, state: TrackingState): readonly TrackingEvent[] {
  const { provider, event, withdrawn } = command
  const name = { provider, event_id: event.event_id }
  const known = entryOf(state, name)
  const facts: TrackingEvent[] = known === undefined ? [recorded(command)] : enriched(name, known, event)
  if (withdrawn !== undefined && known?.withdrawn === undefined) {
    const { rest, personal } = splitPersonal({ withdrawn })
    facts.push({ type: 'TrackingEventWithdrawn', data: { ...name, ...rest, ...(personal && { personal }) } })
  }
  return facts
}

function recorded(command: RecordEvent | ReportStatus): TrackingEvent {
  const { profile, subject, provider, event, formerNamespace } = command
  const { rest, personal } = splitPersonal(event)
  const known = { profile: profile.name, subject, provider, event: rest }
  const data = personal === undefined ? known : { ...known, personal }
  return {
    type: 'TrackingEventRecorded',
    data: formerNamespace === undefined ? data : { ...data, former_namespace: formerNamespace },
  }
}

function enriched(name: { provider: string; event_id: string }, known: Entry, event: StoredEvent): TrackingEvent[] {
  refuseAnotherEvent(known.event, event)
  const { added } = compareReports(known.event, event)
  const photos = (known.event.pod?.photo_urls?.length ?? 0) + (added.pod?.photo_urls?.length ?? 0)
  if (photos > maxPhotos) throw new EngineError('too_long', { limit: maxPhotos })
  if (Object.keys(added).length === 0) return []
  const { rest, personal } = splitPersonal(added)
  return [{ type: 'TrackingEventEnriched', data: { ...name, added: rest, ...(personal && { personal }) } }]
}

/**
 * What a second report adds to an event, and where it differs. Instants and the protocol's version are not compared.
 * If the location differs, nothing is added to it, because half of one place and half of another make no place; nor does half
 * of one window and half of another make a window.
 */
export function compareReports(
  known: StoredEvent,
  report: StoredEvent,
): { added: Addition; differing: readonly string[] } {
  const { otep_version, event_id, occurred_at, recorded_at, status_code, ...rest } = report
  const { added, differing } = compare({ ...known }, rest)
  const isElsewhere = differing.some((path) => path.startsWith('location'))
  const isAnotherTime = differing.includes('estimated_delivery_at')
  const { location, estimated_delivery_from, ...kept } = added as Addition
  const whole = {
    ...kept,
    ...(location && !isElsewhere && { location }),
    ...(estimated_delivery_from && !isAnotherTime && { estimated_delivery_from }),
  }
  return { added: isElsewhere || isAnotherTime ? whole : (added as Addition), differing }
}

/** An id that is reused for another time or status is a mistake, not a repetition. */
function refuseAnotherEvent(known: StoredEvent, report: StoredEvent): void {
  const received = report.event_id
  if (known.status_code !== report.status_code) {
    throw new EngineError('event_id_conflict', { received, field: 'status_code', recorded: known.status_code })
  }
  if (Date.parse(known.occurred_at) !== Date.parse(report.occurred_at)) {
    throw new EngineError('event_id_conflict', { received, field: 'occurred_at', recorded: known.occurred_at })
  }
}

/** The last status reported by this provider; before its first report, the status of the latest event. Notices and what lies ahead do not count. */
function lastReported({ provider, profile, now }: ReportStatus, state: TrackingState): string | undefined {
  let own: Entry | undefined
  let latest: Entry | undefined
  for (const entry of inOrder(state, profile)) {
    if (entry.withdrawn !== undefined || isNotice(entry.event.status_code) || isAhead(entry.at, now)) continue
    latest = entry
    if (entry.provider === provider) own = entry
  }
  return (own ?? latest)?.event.status_code
}
