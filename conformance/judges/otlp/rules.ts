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
  if (timeline.events.length === 0) return [spans.length > 0 && 'There are spans of nothing.']
  const resources = document.resourceSpans.flatMap(({ resource }) => resource.attributes)
  return [
    !resources.some(({ key, value }) => key === 'service.name' && value.stringValue) && 'It has no service.name.',
    repeated(resources) && 'The resource has an attribute twice.',
    ...treeFaults(spans),
    ...spans.flatMap((span, index) => spanFaults(span, index, timeline)),
    spans.length !== timeline.events.length + 1 && `${spans.length} spans for ${timeline.events.length} events.`,
  ]
}

function treeFaults(spans: readonly Span[]): readonly (string | false)[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
  const orphans = spans.filter(({ parentSpanId, spanId }) => {
    return parentSpanId !== undefined && (!ids.has(parentSpanId) || parentSpanId === spanId)
  })
  return [
    ids.size < spans.length && 'Two spans have one id.',
    new Set(spans.map(({ traceId }) => traceId)).size > 1 && 'There is more than one trace.',
    roots.length !== 1 && `There are ${roots.length} roots.`,
    orphans.length > 0 && `${orphans.length} spans have no parent in the trace.`,
  ]
}

function spanFaults(span: Span, index: number, timeline: Timeline): readonly (string | false)[] {
  const start = BigInt(span.startTimeUnixNano)
  const end = BigInt(span.endTimeUnixNano)
  const [first, last] = windowOf(timeline)
  const event = span.parentSpanId === undefined ? undefined : timeline.events[index - 1]
  return [
    end < start && `${span.name} ends before it starts.`,
    (start < first || end > last) && `${span.name} is not in the time of the journey, in nanoseconds.`,
    end >= 2n ** 63n && `${span.name} ends when 64 signed bits have ended.`,
    repeated(span.attributes) && `${span.name} has an attribute twice.`,
    span.events.some(({ attributes }) => repeated(attributes)) && `A remark on ${span.name} has an attribute twice.`,
    span.status.code !== 2 && span.status.message !== undefined && `${span.name} has a message and no error.`,
    event !== undefined && !isWithin(start, event.occurred_at) && `${span.name} does not start at its event.`,
    event !== undefined && span.name !== event.status_code.toWellFormed() && `${span.name} is not named by its code.`,
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
  for (const { occurred_at } of timeline.events) {
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
