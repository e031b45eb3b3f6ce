import { type Attributes, type HrTime, TraceFlags } from '@opentelemetry/api'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { JourneySpans, Journeys } from '../node/journeys.ts'
import { optional } from '../node/optional.ts'

type ResourceSpans = JourneySpans['resourceSpans'][number]
type Scope = ResourceSpans['scopeSpans'][number]['scope']
type Span = ResourceSpans['scopeSpans'][number]['spans'][number]
type KeyValue = Span['attributes'][number]

/** Milliseconds that a receiver has for one request and its repetitions. */
const timeoutMillis = 10_000

/**
 * Sends journeys with the exporter of OpenTelemetry, which takes its headers from `OTEL_EXPORTER_OTLP_HEADERS`. Throws if the
 * exporter is not installed.
 */
export async function openJourneys(url: string): Promise<Journeys> {
  const { OTLPTraceExporter } = await loadExporter()
  const exporter: SpanExporter = new OTLPTraceExporter({ url, timeoutMillis })
  return {
    send: (spans) =>
      new Promise((resolve, reject) => {
        exporter.export(readableSpans(spans), ({ error }) => {
          if (error === undefined) resolve(true)
          else if (isRefusal(error)) resolve(false)
          else reject(error)
        })
      }),
    close: () => exporter.shutdown(),
  }
}

/** Loads the exporter, for which an error says how to install it. */
export function loadExporter() {
  const name = '@opentelemetry/exporter-trace-otlp-http'
  return optional('Traces to a collector', name, () => import('@opentelemetry/exporter-trace-otlp-http'))
}

/** What a receiver answers to a request that it does not understand is answered to each repetition (OTLP, "Failures"). */
function isRefusal({ code }: Error & { readonly code?: unknown }): boolean {
  return code === 400
}

/** The spans of a document as the exporter takes them. */
function readableSpans({ resourceSpans }: JourneySpans): ReadableSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const shared = resourceFromAttributes(attributesOf(resource.attributes))
    return scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => readable(span, shared, scope)))
  })
}

function readable(span: Span, resource: Resource, instrumentationScope: Scope): ReadableSpan {
  const { traceId, spanId, parentSpanId, name, status } = span
  const [startTime, endTime] = [hrTime(span.startTimeUnixNano), hrTime(span.endTimeUnixNano)]
  const contextOf = (id: string) => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED })
  return {
    ...{ name, kind: span.kind - 1, status, startTime, endTime, duration: [0, 0], ended: true },
    ...{ resource, instrumentationScope, attributes: attributesOf(span.attributes), links: [], events: [] },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
    spanContext: () => contextOf(spanId),
    ...(parentSpanId === undefined ? {} : { parentSpanContext: contextOf(parentSpanId) }),
  }
}

function hrTime(nanos: string): HrTime {
  const all = BigInt(nanos)
  return [Number(all / 1_000_000_000n), Number(all % 1_000_000_000n)]
}

function attributesOf(all: readonly KeyValue[]): Attributes {
  return Object.fromEntries(all.map(({ key, value }) => [key, nativeOf(value)]))
}

function nativeOf(value: KeyValue['value']): string | boolean | number | string[] {
  if ('stringValue' in value) return value.stringValue
  if ('boolValue' in value) return value.boolValue
  return 'doubleValue' in value ? value.doubleValue : value.arrayValue.values.map(({ stringValue }) => stringValue)
}
