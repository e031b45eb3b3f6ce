import { type HrTime, type SpanKind, TraceFlags } from '@opentelemetry/api'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { readyJudge } from '../judge.ts'
import { type AnyValue, difference, type KeyValue, type Span, type TraceRequest } from './document.ts'

/**
 * The document is read into spans of the SDK, and OpenTelemetry's own exporters write them: the same bytes as JSON, and
 * some as protobuf. Content that they would write differently, or not at all, is an error.
 */
export const serializerJudge = readyJudge({
  name: 'OpenTelemetry serializer',
  format: 'otlp',
  takes: ({ mediaType }) => mediaType === 'application/json',
  judge({ text }) {
    try {
      const spans = readableSpans(JSON.parse(text))
      const isWritten = spans.length === 0 || (ProtobufTraceSerializer.serializeRequest(spans)?.length ?? 0) > 0
      return isWritten ? difference(text, serialized(spans)) : ['It cannot be written as protobuf.']
    } catch (error) {
      return [`It cannot be read as spans: ${error}.`]
    }
  },
})

/**
 * Spans as the SDK's exporter writes them in JSON. It treats every whole number as an integer, which cannot be changed;
 * documents of this project only have doubles.
 */
export function serialized(spans: ReadableSpan[]): string {
  const text = new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans))
  return text.replaceAll('{"intValue":', '{"doubleValue":')
}

/** A resource of the SDK with only these attributes. */
export function resourceWith(attributes: ReadableSpan['attributes']): ReadableSpan['resource'] {
  const resource: ReadableSpan['resource'] = {
    attributes,
    merge: () => resource,
    getRawAttributes: () => Object.entries(attributes),
  }
  return resource
}

function readableSpans({ resourceSpans }: TraceRequest): ReadableSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const read = resourceWith(attributesOf(resource.attributes))
    return scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => readable(span, read, scope)))
  })
}

function readable(
  span: Span,
  resource: ReadableSpan['resource'],
  instrumentationScope: ReadableSpan['instrumentationScope'],
): ReadableSpan {
  const { traceId, spanId, parentSpanId } = span
  const contextOf = (id: string) => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED })
  return {
    name: span.name,
    kind: (span.kind - 1) satisfies SpanKind as SpanKind,
    spanContext: () => contextOf(spanId),
    ...(parentSpanId === undefined ? {} : { parentSpanContext: contextOf(parentSpanId) }),
    startTime: hrTime(span.startTimeUnixNano),
    endTime: hrTime(span.endTimeUnixNano),
    status: span.status,
    attributes: attributesOf(span.attributes),
    links: [],
    events: span.events.map(({ name, timeUnixNano, attributes }) => ({
      name,
      time: hrTime(timeUnixNano),
      attributes: attributesOf(attributes),
    })),
    duration: [0, 0],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function attributesOf(list: readonly KeyValue[]): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(list.map(({ key, value }) => [key, plainValue(value)]))
}

function plainValue({
  stringValue,
  boolValue,
  doubleValue,
  arrayValue,
}: AnyValue): string | number | boolean | string[] {
  if (arrayValue !== undefined) return arrayValue.values.map((value) => value.stringValue ?? '')
  const value = stringValue ?? boolValue ?? doubleValue
  if (value === undefined) throw new TypeError('an attribute has no value that documents of this project have')
  return value
}

function hrTime(nanos: string): HrTime {
  const value = BigInt(nanos)
  return [Number(value / 1_000_000_000n), Number(value % 1_000_000_000n)]
}
