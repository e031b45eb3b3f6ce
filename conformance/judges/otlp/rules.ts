import type { Timeline } from '../../../engine/index.ts'
import type { Judged } from '../judge.ts'
import { type KeyValue, type Span, spansOf, type TraceRequest } from './document.ts'

/** The errors of a trace that no schema can express (OTLP; opentelemetry-proto 1.11, comments of trace.proto). */
export function faultsOf(document: TraceRequest, { timeline }: Judged): readonly (string | false)[] {
  try {
    return traceFaults(document, timeline)
  } catch (error) {
    return [`It is no trace: ${error}.`]
  }
}

function traceFaults(document: TraceRequest, timeline: Timeline): readonly (string | false)[] {
  const spans = spansOf(document)
  const { events, withdrawn_events: withdrawn = [] } = timeline
  if (events.length + withdrawn.length === 0) return [spans.length > 0 && 'There are spans of nothing.']
  const resources = document.resourceSpans.map(({ resource }) => resource.attributes)
  const services = resources.map((all) => all.find(({ key }) => key === 'service.name')?.value.stringValue)
  const stages = spans.filter(({ name, parentSpanId }) => parentSpanId !== undefined && name !== 'withdrawn')
  return [
    services.some((service) => !service) && 'A resource has no service.name.',
    new Set(services).size < services.length && 'A service has two resources.',
    resources.some(repeated) && 'A resource has an attribute twice.',
    ...treeFaults(spans),
    ...spans.flatMap((span) => spanFaults(span, timeline)),
    stages.length > events.length && `${stages.length} stages of ${events.length} events.`,
    stages.length + 1 < events.length && `${stages.length} stages of ${events.length} events: only the last may go on.`,
  ]
}

function treeFaults(spans: readonly Span[]): readonly (string | false)[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
  const parents = new Set(spans.flatMap(({ parentSpanId }) => parentSpanId ?? []))
  return [
    ids.size < spans.length && 'Two spans have one id.',
    new Set(spans.map(({ traceId }) => traceId)).size > 1 && 'There is more than one trace.',
    roots.length > 1 && `There are ${roots.length} roots.`,
    parents.size > 1 && 'There is more than one parent.',
    roots.some(({ spanId }) => parents.size > 0 && !parents.has(spanId)) && 'The root is the parent of nothing.',
    [...parents].some((id) => ids.has(id) && id !== roots[0]?.spanId) && 'A stage is a parent.',
  ]
}

function spanFaults(span: Span, timeline: Timeline): readonly (string | false)[] {
  const start = BigInt(span.startTimeUnixNano)
  const end = BigInt(span.endTimeUnixNano)
  const [first, last] = windowOf(timeline)
  const id = span.attributes.find(({ key }) => key === 'otep.event_id')?.value.stringValue
  const isStage = span.parentSpanId !== undefined && span.name !== 'withdrawn'
  const events = isStage ? timeline.events.filter(({ event_id }) => event_id.toWellFormed() === id) : []
  return [
    end < start && `${span.name} ends before it starts.`,
    span.name !== 'withdrawn' &&
      (start < first || end > last) &&
      `${span.name} is not in the time of the journey, in nanoseconds.`,
    end >= 2n ** 63n && `${span.name} ends when 64 signed bits have ended.`,
    repeated(span.attributes) && `${span.name} has an attribute twice.`,
    span.events.some(({ attributes }) => repeated(attributes)) && `A remark on ${span.name} has an attribute twice.`,
    span.status.code !== 2 && span.status.message !== undefined && `${span.name} has a message and no error.`,
    isStage && events.length === 0 && `${span.name} is of no event.`,
    isStage && !events.some((one) => isWithin(start, one.occurred_at)) && `${span.name} does not start at its event.`,
    isStage && !events.some((one) => span.name === one.status_code.toWellFormed()) && `${span.name} is no such code.`,
  ]
}

/** Whether an instant is in the millisecond of a date-time, where back ends have that. */
function isWithin(instant: bigint, dateTime: string): boolean {
  const millisecond = BigInt(Math.max(0, Date.parse(dateTime))) * 1_000_000n
  if (millisecond >= 2n ** 63n) return instant === 2n ** 63n - 1n
  return instant >= millisecond && instant < millisecond + 1_000_000n
}

const windows = new WeakMap<Timeline, readonly [bigint, bigint]>()

/** From the first millisecond of a journey to the one after the last; what back ends do not have is moved in. */
function windowOf(timeline: Timeline): readonly [bigint, bigint] {
  const known = windows.get(timeline)
  if (known !== undefined) return known
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const { occurred_at } of [...timeline.events, ...(timeline.withdrawn_events ?? [])]) {
    first = Math.min(first, Math.max(0, Date.parse(occurred_at)))
    last = Math.max(last, Date.parse(occurred_at) + 1)
  }
  const latest = 2n ** 63n - 1n
  const start = BigInt(first) * 1_000_000n
  const window = [start < latest ? start : latest, BigInt(last) * 1_000_000n] as const
  windows.set(timeline, window)
  return window
}

function repeated(attributes: readonly KeyValue[]): boolean {
  return new Set(attributes.map(({ key }) => key)).size < attributes.length
}
