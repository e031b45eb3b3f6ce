import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Log } from '../node/log.ts'
import type { Watch, Work } from './instrument.ts'
import { loadExporter } from './journeys.ts'

/** A traced request. */
export interface TracedRequest {
  readonly traceId: string
  /** Runs the handler inside the trace. */
  run<Result>(handle: () => Result): Result
  /** Ends the span; without a status if the caller disconnected before there was one. */
  end(route: string, status: number | undefined): void
}

/** The spans of the server. */
export interface Tracing {
  readonly watch: Watch
  /** Starts the span of a request; `traceparent` as sent by the caller (W3C Trace Context, section 3.2). */
  begin(method: string, traceparent: string | undefined): TracedRequest
  /** Flushes spans, for two seconds at most. */
  close(): Promise<void>
}

/** Milliseconds to wait for the collector at each export, and once more at the end. */
const exportTimeout = 2_000

/**
 * Sends spans to a collector, configured by `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` and
 * `OTEL_EXPORTER_OTLP_HEADERS`. Spans that no collector accepts are lost. Throws if the exporter is not installed.
 */
export async function createTracing(url: string, scheme: string, version: string, log: Log): Promise<Tracing> {
  const { OTLPTraceExporter } = await loadExporter()
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeout })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'otep', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(complaining(exporter, log), { exportTimeoutMillis: exportTimeout })],
  })
  const tracer = provider.getTracer('otep', version)
  const contexts = new AsyncLocalStorage<Context>()
  return {
    begin(method, traceparent) {
      const attributes = { 'http.request.method': method, 'url.scheme': scheme }
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextOf(traceparent))
      return {
        traceId: span.spanContext().traceId,
        run: (handle) => contexts.run(trace.setSpan(ROOT_CONTEXT, span), handle),
        end: (route, status) => endRequest(span, method, route, status),
      }
    },
    watch(work) {
      const parent = contexts.getStore()
      if (parent === undefined) return () => {}
      const span = tracer.startSpan(nameOf(work), { kind: kindOf(work), attributes: attributesOf(work) }, parent)
      return ({ outcome, events }) => {
        if (events !== undefined) span.setAttribute('otep.events', events)
        if (outcome !== 'ok') failed(span, outcome)
        span.end()
      }
    },
    close: async () => {
      const impatient = new Promise((resolve) => setTimeout(resolve, exportTimeout).unref())
      await Promise.race([provider.shutdown().catch(() => {}), impatient])
      contexts.disable()
    },
  }
}

/** The context of a caller's `traceparent`; a malformed one is ignored. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] =
    /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** Ends a span with the attributes of the HTTP semantic conventions, without path and query. */
function endRequest(span: Span, method: string, route: string, status: number | undefined): void {
  span.updateName(`${method} ${route}`)
  span.setAttribute('http.route', route)
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (status === undefined || status >= 500) failed(span, status === undefined ? 'aborted' : String(status))
  span.end()
}

function failed(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function nameOf(work: Work): string {
  switch (work.kind) {
    case 'project':
      return `project ${work.format}`
    case 'attempt':
      return `attempt ${work.channel}`
    default:
      return `${work.kind} events`
  }
}

function kindOf({ kind }: Work): SpanKind {
  return kind === 'project' ? SpanKind.INTERNAL : SpanKind.CLIENT
}

function attributesOf(work: Work): Readonly<Record<string, string | number>> {
  switch (work.kind) {
    case 'append':
      return { 'otep.streams': work.streams, 'otep.events': work.events }
    case 'read':
      return {}
    case 'project':
      return { 'otep.format': work.format, 'otep.events': work.events }
    case 'attempt':
      return { 'otep.channel': work.channel }
    default:
      return work satisfies never
  }
}

/** Milliseconds between two log lines about an unreachable collector. */
const complaint = 60_000

function complaining(exporter: SpanExporter, log: Log): SpanExporter {
  let told = Number.NEGATIVE_INFINITY
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const now = performance.now()
        if (result.error !== undefined && now - told >= complaint) {
          told = now
          log.warn({ spans: spans.length, ...codeOf(result.error) }, 'spans cannot be sent')
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

function codeOf(error: Error & { readonly code?: unknown }): object {
  return { error: error.name, ...(error.code === undefined ? {} : { code: error.code }) }
}
