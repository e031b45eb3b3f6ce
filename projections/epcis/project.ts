import {
  atOnce,
  type PagedTimeline,
  type Projection,
  type Target,
  type Timeline,
  visitInSteps,
  type Withdrawal,
} from '../../engine/index.ts'
import {
  cachedMembers,
  constant,
  documentsInSteps,
  either,
  inEmptyPieces,
  list,
  object,
  piecesFrom,
  plain,
  ready,
  streamedList,
  type Template,
  text,
  within,
} from '../shared/template/index.ts'
import type { Step } from './codes.ts'
import type {
  CaptureDocument,
  Context,
  Destination,
  EpcisDocument,
  ErrorDeclaration,
  ObjectEvent,
  QueryDocument,
} from './document.ts'
import { type EventInput, ownMembers, type Replaced } from './event-input.ts'
import { formerForm, type Native, type OwnForm, ownForm, ownPrefixes, prefixed } from './extension.ts'
import { eventHash } from './hash.ts'
import { type DocumentInput, documentInput, eventInputs, latest, pagedInput } from './inputs.ts'
import { type Form, type WholeEvent, wholeJsonInSteps, wholeXmlPieces } from './whole.ts'
import { toXmlPieces } from './xml-write.ts'

const context: Context = ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', ownPrefixes]

/** A place, if it is known. */
function placeAt(
  uri: (input: EventInput) => string | undefined,
): Template<EventInput, { readonly id: string } | undefined> {
  return within(uri, object<string, { readonly id: string }>({ id: text((id) => id) }))
}

const declarationMembers: Native<Withdrawal> = {
  reason: text(({ reason }) => (isWordOfCbv(reason) ? undefined : reason)),
}

function errorDeclarationIn(form: OwnForm) {
  return object<Withdrawal & Partial<Replaced>, ErrorDeclaration>({
    declarationTime: text(({ declared_at }) => declared_at),
    reason: plain(({ reason }) => (isWordOfCbv(reason) ? reason : undefined)),
    correctiveEventIDs: list(
      ({ by }) => (by === undefined ? undefined : [by]),
      text((id: string) => id),
    ),
    ...prefixed(declarationMembers, form),
  })
}

function hasOwnId({ id }: EventInput): boolean {
  return id !== undefined
}

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
export const objectEvent = either(
  ({ common }: EventInput) => common.form === formerForm,
  objectEventIn(formerForm),
  objectEventIn(ownForm),
)

function objectEventIn(form: OwnForm) {
  return object<EventInput, ObjectEvent>({
    type: constant('ObjectEvent'),
    eventID: either(
      hasOwnId,
      text(({ id }) => id ?? ''),
      plain(eventHash),
    ),
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
    errorDeclaration: within(({ event, replaced }) => replaced ?? event.withdrawn, errorDeclarationIn(form)),
    ...prefixed(ownMembers, form),
  })
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
const made = documentsInSteps<DocumentInput, EpcisDocument>(documentInput, document)

const pagedJson = piecesFrom(document)

/** The document of a timeline in pages. */
export function paged(timeline: PagedTimeline, target: Target): Iterable<string> {
  return pagedJson(pagedInput(timeline, target))
}

/** The same in XML. */
export function xmlPaged(timeline: PagedTimeline, target: Target): Iterable<string> {
  return xmlOf(pagedInput(timeline, target))
}

function xmlOf(input: DocumentInput): Iterable<string> {
  return toXmlPieces(document.make({ ...input, events: [] }), objectEvents(input))
}

/** The document in XML, in pieces. */
export function* xmlPieces(timeline: Timeline, target: Target): Generator<string> {
  if (wantsSources(target.options)) {
    yield* wholeXmlPieces(...(yield* inEmptyPieces(wholeOf(timeline, target))))
    return
  }
  yield* xmlOf(yield* inEmptyPieces(documentInput(timeline, target)))
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
interface RecordedWhole {
  readonly event: WholeEvent
  readonly recordedAt: string
}

/** The events of a timeline as they came, followed by what was learnt later, or as they are made; in order and in steps. */
export function* wholeEvents(timeline: Timeline, target: Target): Generator<void, readonly RecordedWhole[]> {
  const input = yield* documentInput(timeline, target)
  const found: RecordedWhole[] = []
  yield* visitInSteps(input.events, (event) => {
    const kept = target.sourcesOf?.(event) ?? []
    for (const one of kept) found.push({ event: one, recordedAt: event.recorded_at })
    for (const one of eventInputs({ ...input, events: [event] })) {
      if (kept.length > 0 && !one.isLater) continue
      found.push({ event: objectEvent.make(one), recordedAt: one.event.recorded_at })
    }
  })
  return found
}
