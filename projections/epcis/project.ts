import {
  atOnce,
  instantOf,
  mapInSteps,
  type Projection,
  sortInSteps,
  type Target,
  type Timeline,
  type TimelineEvent,
  visitInSteps,
  type Withdrawal,
} from '../../engine/index.ts'
import { profileOf } from '../shared/profile.ts'
import {
  cachedMembers,
  constant,
  documentsInSteps,
  either,
  inEmptyPieces,
  list,
  object,
  plain,
  prepared,
  ready,
  streamedList,
  type Template,
  text,
  within,
} from '../shared/template/index.ts'
import { isAfter, offsetOf } from '../shared/time.ts'
import { type Step, stepOf } from './codes.ts'
import type {
  CaptureDocument,
  Context,
  Destination,
  EpcisDocument,
  ErrorDeclaration,
  ObjectEvent,
  QueryDocument,
} from './document.ts'
import { type Common, type EventInput, ownMembers, subjectExtension } from './event-input.ts'
import { otepNamespace, prefixed } from './extension.ts'
import { eventHash, hashedTexts } from './hash.ts'
import { isGlnOf, named, placeUri } from './identifiers.ts'
import { type Form, type WholeEvent, wholeJsonInSteps, wholeXmlPieces } from './whole.ts'
import { toXmlPieces } from './xml-write.ts'

const context: Context = ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', { otep: otepNamespace }]

/** A place, if it is known. */
function placeAt(
  uri: (input: EventInput) => string | undefined,
): Template<EventInput, { readonly id: string } | undefined> {
  return within(uri, object<string, { readonly id: string }>({ id: text((id) => id) }))
}

const errorDeclaration = object<Withdrawal, ErrorDeclaration>({
  declarationTime: text(({ declared_at }) => declared_at),
  reason: plain(({ reason }) => (isWordOfCbv(reason) ? reason : undefined)),
  'otep:reason': text(({ reason }) => (isWordOfCbv(reason) ? undefined : reason)),
})

function isWordOfCbv(reason: string | undefined): reason is 'did_not_occur' | 'incorrect_data' {
  return reason === 'did_not_occur' || reason === 'incorrect_data'
}

/** The CBV terms for the step of an event. */
const step = cachedMembers<EventInput, Step, Pick<ObjectEvent, 'action' | 'bizStep' | 'disposition'>>(
  ({ row }) => row,
  {
    action: plain(({ action }) => action),
    bizStep: text(({ bizStep }) => bizStep),
    disposition: text(({ disposition }) => disposition),
  },
)

/** An event of the timeline (EPCIS 2.0, ObjectEvent). */
export const objectEvent = object<EventInput, ObjectEvent>({
  type: constant('ObjectEvent'),
  eventID: plain(eventHash),
  eventTime: text(({ event }) => event.occurred_at),
  recordTime: text(({ event }) => event.recorded_at),
  eventTimeZoneOffset: text(({ eventTimeZoneOffset }) => eventTimeZoneOffset),
  epcList: ready(({ common }) => common.epcList),
  ...step,
  readPoint: placeAt(({ readPoint }) => readPoint),
  bizLocation: placeAt(({ bizLocation }) => bizLocation),
  bizTransactionList: ready(({ common }) => common.bizTransactionList),
  destinationList: list(
    ({ destination }) => (destination === undefined ? undefined : [destination]),
    object<string, Destination>({ type: constant('location'), destination: text((place) => place) }),
  ),
  errorDeclaration: within(({ event }) => event.withdrawn, errorDeclaration),
  ...prefixed(ownMembers),
})

/** The events of a timeline, and the parts that they share. */
export interface DocumentInput {
  readonly events: readonly TimelineEvent[]
  readonly creationDate: string
  readonly common: Common
  readonly target: Target
}

/** What a document tells of itself, whatever its events. */
export type Head = Pick<DocumentInput, 'creationDate' | 'target'>

/** The form of documents with a list of events. */
export function formOf<Input extends Head>(eventList: Template<Input, readonly ObjectEvent[]>) {
  const head = {
    schemaVersion: constant('2.0'),
    creationDate: text(({ creationDate }: Input) => creationDate),
  } as const

  /** The events as a document to be captured (EPCIS 2.0, EPCISDocument). */
  const capture = object<Input, CaptureDocument>({
    '@context': constant(context),
    type: constant('EPCISDocument'),
    ...head,
    epcisBody: object({ eventList }),
  })

  /** The events as the response to a query (EPCIS 2.0, SimpleEventQuery). */
  const answer = object<Input, QueryDocument>({
    '@context': constant(context),
    type: constant('EPCISQueryDocument'),
    ...head,
    epcisBody: object({
      queryResults: object({ queryName: constant('SimpleEventQuery'), resultsBody: object({ eventList }) }),
    }),
  })

  return either(({ target }: Input) => target.options.as === 'capture', capture, answer)
}

const document = formOf<DocumentInput>(streamedList(eventInputs, objectEvent))

/** The timeline as the response to a query, or with `as=capture` as a document to be captured. */
const made = documentsInSteps(documentInput, document)

/** The document in XML, in pieces. */
export function* xmlPieces(timeline: Timeline, target: Target): Generator<string> {
  if (wantsSources(target.options)) {
    yield* wholeXmlPieces(...(yield* inEmptyPieces(wholeOf(timeline, target))))
    return
  }
  const input = yield* inEmptyPieces(documentInput(timeline, target))
  yield* toXmlPieces(document.make({ ...input, events: [] }), objectEvents(input))
}

/** The ObjectEvents of a document. */
export function* objectEvents(input: DocumentInput): Generator<ObjectEvent> {
  for (const event of eventInputs(input)) yield objectEvent.make(event)
}

/** The same, or with `as=source` the response with the events from which the timeline was made. */
export const {
  project,
  steps,
  write,
  pieces,
}: Required<Pick<Projection<EpcisDocument>, 'project' | 'steps' | 'write' | 'pieces'>> = {
  project: (timeline, target) => chosen(target).project(timeline, target),
  steps: (timeline, target) => chosen(target).steps(timeline, target),
  write: (timeline, target) => chosen(target).write(timeline, target),
  pieces: (timeline, target) => chosen(target).pieces(timeline, target),
}

const whole = documentsOf(sourcesIn)

/** The members of a projection that make a document from its steps. */
function documentsOf(make: (timeline: Timeline, target: Target) => Generator<void, EpcisDocument>): typeof made {
  const project = (timeline: Timeline, target: Target) => atOnce(make(timeline, target))
  return {
    project,
    steps: make,
    write: (timeline, target) => JSON.stringify(project(timeline, target)),
    *pieces(timeline, target) {
      yield JSON.stringify(yield* inEmptyPieces(make(timeline, target)))
    },
  }
}

function chosen(target: Target): typeof made {
  return wantsSources(target.options) ? whole : made
}

/** Whether a document is to have the events as they came. */
export function wantsSources({ as }: Target['options']): boolean {
  return as === 'source'
}

function* sourcesIn(timeline: Timeline, target: Target): Generator<void, EpcisDocument> {
  return (yield* wholeJsonInSteps(...(yield* wholeOf(timeline, target)))) as unknown as EpcisDocument
}

function* wholeOf(timeline: Timeline, target: Target): Generator<void, readonly [readonly WholeEvent[], Form]> {
  const creationDate = yield* latest((yield* documentInput(timeline, target)).events)
  const events = yield* wholeEvents(timeline, target)
  return [events.map(({ event }) => event), { as: 'query', creationDate }]
}

/** An event of a whole document, and when it was recorded. */
export interface RecordedWhole {
  readonly event: WholeEvent
  readonly recordedAt: string
}

/** The events of a timeline as they came, in order, or as they are made; in steps. */
export function* wholeEvents(timeline: Timeline, target: Target): Generator<void, readonly RecordedWhole[]> {
  const input = yield* documentInput(timeline, target)
  const found: RecordedWhole[] = []
  yield* visitInSteps(input.events, (event) => {
    const kept = target.sourcesOf?.(event) ?? []
    const events = kept.length > 0 ? kept : objectEvents({ ...input, events: [event] })
    for (const one of events) found.push({ event: one, recordedAt: event.recorded_at })
  })
  return found
}

/** The input of a document. */
export function* documentInput(timeline: Timeline, target: Target): Generator<void, DocumentInput> {
  const { subject } = timeline
  const names = named(subject, target.baseUrl)
  const { epcList, bizTransactionList } = names
  const common = {
    profile: profileOf(timeline, target),
    epcList: prepared(epcList),
    bizTransactionList: bizTransactionList && prepared(bizTransactionList),
    subject: prepared(subjectExtension.make(subject)),
    hashed: hashedTexts(names, subject),
  }
  const events = yield* inOrder(timeline)
  return { events, creationDate: yield* latest(events), common, target }
}

/** The inputs of all events. */
export function* eventInputs({ events, common, target: { baseUrl } }: DocumentInput): Generator<EventInput> {
  for (const event of events) {
    const row = stepOf(common.profile, event)
    const readPoint = placeUri(event.location, baseUrl)
    const isGln = readPoint !== undefined && isGlnOf(event.location, readPoint)
    yield {
      common,
      event,
      row,
      eventTimeZoneOffset: offsetOf(event.occurred_at),
      readPoint,
      bizLocation: isGln && stays(row) ? readPoint : undefined,
      destination: row.atDestination ? readPoint : undefined,
    }
  }
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
function* latest(events: readonly TimelineEvent[]): Generator<void, string> {
  let last = '1970-01-01T00:00:00Z'
  yield* visitInSteps(events, ({ recorded_at, withdrawn }) => {
    if (isAfter(recorded_at, last)) last = recorded_at
    if (withdrawn !== undefined && isAfter(withdrawn.declared_at, last)) last = withdrawn.declared_at
  })
  return last
}

/** The place where it may be found afterwards is only known if the item has not left (EPCIS 2.0, business location). */
function stays({ bizStep, leaves }: Step): boolean {
  return !leaves && bizStep !== 'departing' && bizStep !== 'transporting' && bizStep !== 'shipping'
}
