import {
  type EventVersion,
  hasFormerNamespace,
  instantOf,
  isAfter,
  mapInSteps,
  type PagedTimeline,
  type Subject,
  sortInSteps,
  type Target,
  type Timeline,
  type TimelineEvent,
  versionsOf,
  visitInSteps,
} from '../../engine/index.ts'
import { profileOf } from '../shared/profile.ts'
import { prepared } from '../shared/template/index.ts'
import { offsetOf } from '../shared/time.ts'
import { type Step, stepOf } from './codes.ts'
import { type Common, type EventInput, subjectNative } from './event-input.ts'
import { extension, formerForm, type OwnForm, ownForm } from './extension.ts'
import { eventHash, hashedTexts } from './hash.ts'
import { isGlnOf, named, placeUri } from './identifiers.ts'

/** The events of a timeline, and the parts that they share. */
export interface DocumentInput<Events extends Iterable<TimelineEvent> = Iterable<TimelineEvent>> {
  readonly events: Events
  readonly creationDate: string
  readonly subject: Subject
  /** The parts that events share: those with these identifiers of their subject, in the form of an event. */
  commonOf(subject: Subject, event: TimelineEvent): Common
  readonly target: Target
}

/** The input of a document. */
export function* documentInput(
  timeline: Timeline,
  target: Target,
): Generator<void, DocumentInput<readonly TimelineEvent[]>> {
  const events = yield* inOrder(timeline)
  return { events, creationDate: yield* latest(events), ...shared(timeline, target) }
}

/** The input of the document of a timeline in pages. */
export function pagedInput(timeline: PagedTimeline, target: Target): DocumentInput {
  const { events, recorded } = timeline
  return { events, creationDate: recorded, ...shared(timeline, target) }
}

type Shared = Pick<DocumentInput, 'subject' | 'commonOf' | 'target'>

function shared(timeline: Pick<Timeline, 'subject' | 'profile'>, target: Target): Shared {
  const commons = new Map<string, Common>()
  let last: { readonly subject: Subject; readonly common: Common } | undefined
  const commonOf = (subject: Subject, event: TimelineEvent) => {
    const form = hasFormerNamespace(event) ? formerForm : ownForm
    if (last?.subject === subject && last.common.form === form) return last.common
    const key = form.prefix + JSON.stringify(subject)
    const common = commons.get(key) ?? commonFor(subject, form, timeline, target)
    commons.set(key, common)
    last = { subject, common }
    return common
  }
  return { subject: timeline.subject, commonOf, target }
}

const subjects = new Map([ownForm, formerForm].map((form) => [form, extension(subjectNative, form)]))

function commonFor(subject: Subject, form: OwnForm, timeline: Pick<Timeline, 'profile'>, target: Target): Common {
  const names = named(subject, target.baseUrl)
  const { epcList, bizTransactionList } = names
  return {
    profile: profileOf(timeline, target),
    form,
    epcList: prepared(epcList),
    bizTransactionList: bizTransactionList && prepared(bizTransactionList),
    subject: prepared(subjects.get(form)?.make(subject) ?? {}),
    hashed: hashedTexts(names, subject, form),
  }
}

/** The inputs of all events, and of all versions of those that have some. */
export function* eventInputs(input: DocumentInput): Generator<EventInput> {
  for (const event of input.events) {
    const known = versionsOf(event)
    if (known === undefined) yield inputOf(event, commonIn(event, input), input.target)
    else yield* versionInputs(known, input)
  }
}

/** What an event shares with others: an inherited one is an event of the container that it happened to. */
function commonIn(event: TimelineEvent, { subject, commonOf }: DocumentInput): Common {
  return commonOf(event.inherited_from ?? subject, event)
}

function inputOf(event: TimelineEvent, common: Common, { baseUrl }: Target): EventInput {
  const row = stepOf(common.profile, event)
  const readPoint = placeUri(event.location, baseUrl)
  const isGln = readPoint !== undefined && isGlnOf(event.location, readPoint)
  return {
    common,
    event,
    id: event.source?.event?.id,
    replaced: undefined,
    isLater: false,
    row,
    eventTimeZoneOffset: offsetOf(event.occurred_at),
    readPoint,
    bizLocation: isGln && stays(row) ? readPoint : undefined,
    destination: row.atDestination ? readPoint : undefined,
  }
}

/**
 * The versions of an event. Each but the last is replaced by the next one (EPCIS 2.0, ErrorDeclaration), but nothing is
 * declared of the event of somebody else. A version with the same content is left out.
 */
function versionInputs(known: readonly EventVersion[], { commonOf, target }: DocumentInput): readonly EventInput[] {
  const inputs: (EventInput & { readonly hash: string })[] = []
  for (const { event, subject, since } of known) {
    const input = inputOf(
      since === undefined ? event : { ...event, recorded_at: since },
      commonOf(subject, event),
      target,
    )
    const hash = eventHash(input)
    if (inputs.at(-1)?.hash === hash) continue
    const isLater = inputs.length > 0
    inputs.push({ ...input, isLater, id: isLater ? hash : input.id, hash })
  }
  return inputs.map((input, at) => {
    const next = inputs[at + 1]
    const isOfAnother = input.id !== undefined && !input.isLater
    if (next === undefined || isOfAnother) return input
    return { ...input, replaced: { declared_at: next.event.recorded_at, by: next.hash } }
  })
}

/** Current and withdrawn events together, in order of occurrence. */
function* inOrder({ events, withdrawn_events }: Timeline): Generator<void, readonly TimelineEvent[]> {
  if (withdrawn_events === undefined || withdrawn_events.length === 0) return events
  const dated = yield* mapInSteps([...events, ...withdrawn_events], (event) => ({
    event,
    at: instantOf(event.occurred_at),
  }))
  return yield* mapInSteps(yield* sortInSteps(dated, (one, other) => one.at - other.at), ({ event }) => event)
}

/** The latest instant at which anything in the document was recorded or declared. */
export function* latest(events: readonly TimelineEvent[]): Generator<void, string> {
  let last = '1970-01-01T00:00:00Z'
  yield* visitInSteps(events, (event) => {
    const { recorded_at, withdrawn } = event
    const known = versionsOf(event) ?? []
    for (const at of [recorded_at, ...known.map(({ since }) => since)])
      if (at !== undefined && isAfter(at, last)) last = at
    if (withdrawn !== undefined && isAfter(withdrawn.declared_at, last)) last = withdrawn.declared_at
  })
  return last
}

/** The place where it may be found afterwards is only known if the item has not left (EPCIS 2.0, business location). */
function stays({ bizStep, leaves }: Step): boolean {
  return !leaves && bizStep !== 'departing' && bizStep !== 'transporting' && bizStep !== 'shipping'
}
