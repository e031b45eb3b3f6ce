import {
  codeOf,
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
  number,
  object,
  type Plain,
  plain,
  some,
  streamedList,
  text,
  within,
  wrapped,
} from '../shared/template/index.ts'
import {
  errorType,
  eventAttributes,
  type Journey,
  journeyAttributes,
  type Resource,
  resourceAttributes,
} from './attributes.ts'
import { isIncidentCode } from './codes.ts'
import { spanIdsOf, traceIdOf } from './ids.ts'
import { unixNanoOf } from './instants.ts'
import type { KeyValue, Span, Trace } from './schema.ts'
import { type Ended, endedIn } from './stages.ts'

/** The input of one span: of the whole journey, of a stage, or of a withdrawal. */
interface SpanInput {
  readonly traceId: Plain
  readonly spanId: Plain
  readonly parentSpanId: Plain | undefined
  readonly name: string
  readonly start: string
  readonly end: string
  readonly status: Status
  /** The code of what went wrong. */
  readonly errorType: string | undefined
  /** Only for the span of the whole journey. */
  readonly journey: Journey | undefined
  /** For any other span. */
  readonly event: TimelineEvent | undefined
}

/** 0 is unset, 1 is ok, 2 is an error with a message (OTLP, `Status.code`). */
interface Status {
  readonly code: 0 | 1 | 2
  readonly message?: string
}

/** A span with its members in the order of the SDK. */
const span = object<SpanInput, Span>({
  traceId: plain(({ traceId }) => traceId),
  spanId: plain(({ spanId }) => spanId),
  parentSpanId: plain(({ parentSpanId }) => parentSpanId),
  name: text(({ name }) => name.toWellFormed()),
  kind: constant(1),
  startTimeUnixNano: text(({ start }) => start),
  endTimeUnixNano: text(({ end }) => end),
  attributes: some<SpanInput, KeyValue | undefined>(
    within(({ journey }) => journey, journeyAttributes),
    within(({ event }) => event, eventAttributes),
    errorType,
  ),
  droppedAttributesCount: constant(0),
  events: constant([]),
  droppedEventsCount: constant(0),
  status: object<SpanInput, Span['status']>({
    code: number(({ status }) => status.code),
    message: text(({ status }) => status.message?.toWellFormed()),
  }),
  links: constant([]),
  droppedLinksCount: constant(0),
  flags: constant(257),
})

/** The spans of one service. */
interface ServiceInput extends Resource {
  readonly spans: readonly SpanInput[]
}

const resourceSpans = object<ServiceInput, Trace['resourceSpans'][number]>({
  resource: object({ attributes: resourceAttributes, droppedAttributesCount: constant(0) }),
  scopeSpans: wrapped(
    (spans) => [{ scope: { name: 'otep-engine', version: '1' }, spans }],
    streamedList(({ spans }: ServiceInput) => spans, span),
  ),
})

const trace = object<readonly ServiceInput[], Trace>({
  resourceSpans: streamedList((services) => services, resourceSpans),
})

/**
 * What has ended of a journey as a trace (OTLP, `ExportTraceServiceRequest`): a root span once the journey has ended, and
 * below it a span for each stage that has ended and for each withdrawal. No span changes afterwards.
 */
export const { project, steps, write, pieces } = documentsInSteps(servicesOf, trace)

/** The spans by the carriers that reported them. The whole journey is a separate service. */
function* servicesOf(timeline: Timeline, target: Target): Generator<void, readonly ServiceInput[]> {
  const profile = profileOf(timeline, target)
  const ended = yield* endedIn(timeline, profile)
  const platform = `otep.${timeline.profile}`
  const services = new Map<string, SpanInput[]>()
  yield* visitInSteps([...spanInputs(timeline, target, profile, ended)], (input) => {
    const service = input.event?.source?.provider ?? platform
    const spans = services.get(service)
    if (spans === undefined) services.set(service, [input])
    else spans.push(input)
  })
  return Array.from(services, ([service, spans]) => ({ service, timeline, spans }))
}

/** The inputs of the spans: that of the journey, those of its stages, and those of withdrawals. */
function* spanInputs(
  timeline: Timeline,
  target: Target,
  profile: Profile,
  { stages, ending }: Ended,
): Generator<SpanInput> {
  const traceId = traceIdOf(timeline, target)
  const spanIdOf = spanIdsOf(traceId)
  const rootId = spanIdOf('')
  if (ending !== undefined) {
    const { current, subject, start, end } = ending
    const delivered = current.phase === 'delivered'
    const status = statusOf(profile, current)
    const url = timelineUrl(target, subject)
    yield {
      ...{ traceId, spanId: rootId, parentSpanId: undefined, name: `${timeline.profile} journey`, start, end },
      status: status.code !== 2 && delivered ? well : status,
      errorType: status.code === 2 ? current.status_code : undefined,
      journey: { timeline: { subject, delivered, current_status: current.status_code }, url },
      event: undefined,
    }
  }
  const below = { traceId, parentSpanId: rootId, journey: undefined }
  for (const { event, start, end } of stages) {
    const status = statusOf(profile, event)
    yield {
      ...{ ...below, spanId: spanIdOf(`${nameOf(event)}\0${end}`), name: event.status_code, start, end, status, event },
      errorType: status.code === 2 ? event.status_code : undefined,
    }
  }
  for (const event of timeline.withdrawn_events ?? []) {
    const at = unixNanoOf(event.withdrawn?.declared_at ?? event.recorded_at)
    const spanId = spanIdOf(`${nameOf(event)}\0withdrawn`)
    yield { ...below, spanId, name: 'withdrawn', start: at, end: at, status: unset, errorType: undefined, event }
  }
}

/** The name of an event, which is unique in its timeline. */
function nameOf({ event_id, source }: TimelineEvent): string {
  return `${source?.provider ?? ''}\0${event_id}`
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
