import {
  codeOf,
  type PagedTimeline,
  type Profile,
  type Target,
  type Timeline,
  type TimelineEvent,
  visitInSteps,
} from '../../engine/index.ts'
import { profileOf } from '../shared/profile.ts'
import { timelineUrl } from '../shared/subject.ts'
import {
  constant,
  documentsInSteps,
  either,
  number,
  object,
  type Plain,
  piecesFrom,
  plain,
  streamedList,
  type Template,
  text,
  within,
  wrapped,
} from '../shared/template/index.ts'
import { eventAttributes, type Journey, journeyAttributes, profileAttributes } from './attributes.ts'
import { isIncidentCode } from './codes.ts'
import { spanIdsOf, traceIdOf } from './ids.ts'
import { isLater, unixNanoOf } from './instants.ts'
import type { Span, SpanEvent, Trace } from './schema.ts'

/** The input of one span, either of the whole journey or of one event. */
interface SpanInput {
  readonly traceId: Plain
  readonly spanId: Plain
  readonly parentSpanId: Plain | undefined
  readonly name: string
  readonly start: string
  readonly end: string
  readonly status: Status
  /** Only for the span of the whole journey. */
  readonly journey: Journey | undefined
  /** Only for the span of an event. */
  readonly event: TimelineEvent | undefined
}

/** 0 is unset, 1 is ok, 2 is an error with a message (OTLP, `Status.code`). */
interface Status {
  readonly code: 0 | 1 | 2
  readonly message?: string
}

/** A withdrawn event, as a span event of the journey at the instant of its withdrawal. */
const withdrawal = object<TimelineEvent, SpanEvent>({
  attributes: eventAttributes,
  name: constant('withdrawn'),
  timeUnixNano: text(({ withdrawn, recorded_at }) => unixNanoOf(withdrawn?.declared_at ?? recorded_at)),
  droppedAttributesCount: constant(0),
})

/** A span with these events, and its members in the order of the SDK. */
const spanWith = (events: Template<SpanInput, Span['events']>) =>
  object<SpanInput, Span>({
    traceId: plain(({ traceId }) => traceId),
    spanId: plain(({ spanId }) => spanId),
    parentSpanId: plain(({ parentSpanId }) => parentSpanId),
    name: text(({ name }) => name.toWellFormed()),
    kind: constant(1),
    startTimeUnixNano: text(({ start }) => start),
    endTimeUnixNano: text(({ end }) => end),
    attributes: either(
      ({ event }) => event === undefined,
      within(({ journey }) => journey as Journey, journeyAttributes),
      within(({ event }) => event as TimelineEvent, eventAttributes),
    ),
    droppedAttributesCount: constant(0),
    events,
    droppedEventsCount: constant(0),
    status: object<SpanInput, Span['status']>({
      code: number(({ status }) => status.code),
      message: text(({ status }) => status.message?.toWellFormed()),
    }),
    links: constant([]),
    droppedLinksCount: constant(0),
    flags: constant(257),
  })

/** Only the span of the whole journey has events. */
const span = either(
  ({ journey }) => journey === undefined,
  spanWith(constant([])),
  spanWith(streamedList(({ journey }) => journey?.timeline.withdrawn_events ?? [], withdrawal)),
)

/** A journey with its target and events, and the instants at which it begins and ends. */
interface TraceInput extends Journey {
  readonly target: Target
  readonly events: Iterable<TimelineEvent>
  /** The last event with the current status; if there is no such event, the last one. */
  readonly current: TimelineEvent | undefined
  /** Undefined without events. */
  readonly bounds: Bounds | undefined
}

const resourceSpans = object<TraceInput, Trace['resourceSpans'][number]>({
  resource: object({ attributes: profileAttributes, droppedAttributesCount: constant(0) }),
  scopeSpans: wrapped(
    (spans) => [{ scope: { name: 'otep-engine', version: '1' }, spans }],
    streamedList(spanInputs, span),
  ),
})

const trace = either(
  ({ bounds }: TraceInput) => bounds === undefined,
  constant<Trace>({ resourceSpans: [] }),
  wrapped((made): Trace => ({ resourceSpans: [made] }), resourceSpans),
)

/**
 * The journey as a trace (OTLP, `ExportTraceServiceRequest`): a root span from the first event to the last, and below
 * it a span for each event, which lasts until the next event. A timeline without events has no span, because it has no
 * instants.
 */
export const { project, steps, write, pieces } = documentsInSteps(function* (
  timeline,
  target,
): Generator<void, TraceInput> {
  const { events, current_status } = timeline
  const current = events.findLast(({ status_code }) => status_code === current_status) ?? events.at(-1)
  const bounds = yield* boundsOf(events)
  return { timeline, target, events, current, bounds, url: timelineUrl(target, timeline.subject) }
}, trace)

const pagedPieces = piecesFrom(trace)

/** The same for a timeline in pages. */
export function paged(timeline: PagedTimeline, target: Target): Iterable<string> {
  const { events, current, earliest, latest } = timeline
  const bounds = { start: unixNanoOf(earliest), end: unixNanoOf(latest) }
  return pagedPieces({ timeline, target, events, current, bounds, url: timelineUrl(target, timeline.subject) })
}

/** The inputs of the root span and of the spans of the events. */
function* spanInputs({ timeline, target, events, current, url, bounds = none }: TraceInput): Generator<SpanInput> {
  const profile = profileOf(timeline, target)
  const traceId = traceIdOf(timeline, target)
  const spanIdOf = spanIdsOf(traceId)
  const rootId = spanIdOf('')
  yield {
    traceId,
    spanId: rootId,
    parentSpanId: undefined,
    name: `${timeline.profile} journey`,
    ...bounds,
    status: journeyStatus(current, timeline, profile),
    journey: { timeline, url },
    event: undefined,
  }
  for (const [event, start, next] of withNext(events)) {
    yield {
      traceId,
      spanId: spanIdOf(event.event_id),
      parentSpanId: rootId,
      name: event.status_code,
      start,
      end: isLater(next, start) ? next : start,
      status: statusOf(profile, event),
      journey: undefined,
      event,
    }
  }
}

/** Events with their own instants, and those of the events after them; the last one has its own twice. */
function* withNext(events: Iterable<TimelineEvent>): Generator<readonly [TimelineEvent, string, string]> {
  let before: { readonly event: TimelineEvent; readonly instant: string } | undefined
  for (const event of events) {
    const instant = unixNanoOf(event.occurred_at)
    if (before !== undefined) yield [before.event, before.instant, instant]
    before = { event, instant }
  }
  if (before !== undefined) yield [before.event, before.instant, before.instant]
}

type Bounds = Readonly<Record<'start' | 'end', string>>

const none: Bounds = { start: '0', end: '0' }

/** The earliest and the latest instant. Events of one millisecond may not be ordered by their nanoseconds. */
function* boundsOf(events: readonly TimelineEvent[]): Generator<void, Bounds | undefined> {
  const [first] = events
  if (first === undefined) return undefined
  let start = unixNanoOf(first.occurred_at)
  let end = start
  yield* visitInSteps(events, (event) => {
    const instant = unixNanoOf(event.occurred_at)
    if (isLater(start, instant)) start = instant
    if (isLater(instant, end)) end = instant
  })
  return { start, end }
}

const unset: Status = { code: 0 }
const well: Status = { code: 1 }

/** An incident is an error. Any other event is unset, because we cannot tell whether it went well. */
function statusOf(profile: Profile, event: TimelineEvent): Status {
  if (!isIncident(profile, event)) return unset
  return { code: 2, message: event.incident_reason || event.description || event.status_code }
}

/** A reason alone makes an incident only of a code whose meaning is not known. */
function isIncident(profile: Profile, { status_code, phase, incident_reason }: TimelineEvent): boolean {
  if (isIncidentCode(profile, status_code)) return true
  return codeOf(profile, status_code) === undefined && (phase === 'exception' || incident_reason !== undefined)
}

/** The status of a journey is that of its current event, or ok once the parcel is delivered. */
function journeyStatus(
  current: TimelineEvent | undefined,
  { delivered }: Pick<Timeline, 'delivered'>,
  profile: Profile,
): Status {
  const status = current === undefined ? unset : statusOf(profile, current)
  return status.code === 2 || !delivered ? status : well
}
