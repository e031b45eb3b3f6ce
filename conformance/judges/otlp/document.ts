/** An attribute in OTLP/JSON; `intValue` is decimal digits. */
export interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

/** Exactly one of these is there. */
export interface AnyValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string
  readonly doubleValue?: number
  readonly arrayValue?: { readonly values: readonly AnyValue[] }
}

/** A remark on a span. */
interface SpanEvent {
  readonly name: string
  readonly timeUnixNano: string
  readonly attributes: readonly KeyValue[]
}

/** A span, as far as documents of this project have one. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly events: readonly SpanEvent[]
  readonly status: { readonly code: number; readonly message?: string }
}

/** An `ExportTraceServiceRequest` (opentelemetry-proto, collector/trace/v1). */
export interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string }
      readonly spans: readonly Span[]
    }[]
  }[]
}

/** All spans of a request. */
export function spansOf({ resourceSpans }: TraceRequest): readonly Span[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

/** The first difference of two texts, as a sentence; empty if they are equal. */
export function difference(text: string, expected: string): readonly string[] {
  if (text === expected) return []
  let at = 0
  while (text[at] === expected[at]) at++
  const shown = (whole: string) => JSON.stringify(whole.slice(Math.max(0, at - 30), at + 40))
  return [`At character ${at} it has ${shown(text)}, where ${shown(expected)} is expected.`]
}
