import type { Target, Timeline, TimelineEvent } from '../../engine/index.ts'
import { rowOf } from '../shared/codes.ts'
import { timelineUrl } from '../shared/subject.ts'
import { attribute, eventAttributes, journeyAttributes } from './attributes.ts'
import { otlpStatuses } from './codes.ts'
import { spanIdsOf, traceIdOf } from './ids.ts'
import { isLater, unixNanoOf } from './instants.ts'
import type { Span, SpanEvent, Trace } from './schema.ts'

/**
 * The journey as a trace (OTLP, `ExportTraceServiceRequest`): a root span from the first event to the last, and below
 * it a span for each event that lasts until the next. Without an event there is no instant, so there is no span.
 */
export function project(timeline: Timeline, target: Target): Trace {
  const { profile, otep_version, events } = timeline
  if (events.length === 0) return { resourceSpans: [] }
  const resource = [
    attribute('service.name', `otep.${profile}`),
    attribute('otep.version', otep_version),
    attribute('otep.profile', profile),
  ]
  return {
    resourceSpans: [
      {
        resource: { attributes: resource, droppedAttributesCount: 0 },
        scopeSpans: [{ scope: { name: 'otep-engine', version: '1' }, spans: spansOf(timeline, target) }],
      },
    ],
  }
}

function spansOf(timeline: Timeline, target: Target): Span[] {
  const { profile, events } = timeline
  const traceId = traceIdOf(timeline, target)
  const spanIdOf = spanIdsOf(traceId)
  const instants = events.map(({ occurred_at }) => unixNanoOf(occurred_at))
  const root = rootOf(timeline, target, traceId, spanIdOf(''), boundsOf(instants))
  const spans = events.map((event, index): Span => {
    const start = instants[index] ?? '0'
    const next = instants[index + 1] ?? start
    return {
      traceId,
      spanId: spanIdOf(event.event_id),
      parentSpanId: root.spanId,
      name: event.status_code.toWellFormed(),
      kind: 1,
      startTimeUnixNano: start,
      endTimeUnixNano: isLater(next, start) ? next : start,
      attributes: eventAttributes(event),
      droppedAttributesCount: 0,
      events: [],
      droppedEventsCount: 0,
      status: statusOf(profile, event),
      links: [],
      droppedLinksCount: 0,
      flags: 257,
    }
  })
  return [root, ...spans]
}

/** The whole journey; the members of a span are in the order of the SDK, and in literals, which are quick to make. */
function rootOf(timeline: Timeline, target: Target, traceId: string, spanId: string, { start, end }: Bounds): Span {
  return {
    traceId,
    spanId,
    name: `${timeline.profile} journey`.toWellFormed(),
    kind: 1,
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    attributes: journeyAttributes(timeline, timelineUrl(target, timeline.subject)),
    droppedAttributesCount: 0,
    events: (timeline.withdrawn_events ?? []).map(withdrawalOf),
    droppedEventsCount: 0,
    status: journeyStatus(timeline),
    links: [],
    droppedLinksCount: 0,
    flags: 257,
  }
}

type Bounds = Readonly<Record<'start' | 'end', string>>

/** From the first instant to the last; events of one millisecond can be in another order than their nanoseconds. */
function boundsOf(instants: readonly string[]): Bounds {
  let start = instants[0] ?? '0'
  let end = start
  for (const instant of instants) {
    if (isLater(start, instant)) start = instant
    if (isLater(instant, end)) end = instant
  }
  return { start, end }
}

/** An incident is an error; that all else went well is not for us to say (OTLP, `Status.code`). */
function statusOf(profile: string, event: TimelineEvent): Span['status'] {
  if (!isIncident(profile, event)) return { code: 0 }
  const message = event.incident_reason || event.description || event.status_code
  return { code: 2, message: message.toWellFormed() }
}

function isIncident(profile: string, { status_code, phase, incident_reason }: TimelineEvent): boolean {
  return phase === 'exception' || incident_reason !== undefined || rowOf(otlpStatuses, profile, status_code).incident
}

/** A journey stands as its current status does, and went well once it is delivered. */
function journeyStatus({ profile, events, current_status, delivered }: Timeline): Span['status'] {
  const current = events.findLast(({ status_code }) => status_code === current_status) ?? events.at(-1)
  const status = current === undefined ? undefined : statusOf(profile, current)
  return status?.code === 2 ? status : { code: delivered ? 1 : 0 }
}

/** An event that was taken back, as a remark on the journey at the instant of its withdrawal. */
function withdrawalOf(event: TimelineEvent): SpanEvent {
  return {
    attributes: eventAttributes(event),
    name: 'withdrawn',
    timeUnixNano: unixNanoOf(event.withdrawn?.declared_at ?? event.recorded_at),
    droppedAttributesCount: 0,
  }
}
