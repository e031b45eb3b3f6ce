import type * as Api from '@opentelemetry/api'
import type * as Sdk from '@opentelemetry/sdk-trace-base'
import { type Batch, runOf, writingOf } from '../../adapters/cli/bench/writing.ts'
import { otlp } from '../../projections/otlp/index.ts'
import type { Case, Settings } from '../harness.ts'

type Trace = ReturnType<typeof otlp.project>
type Span = Trace['resourceSpans'][number]['scopeSpans'][number]['spans'][number]
type Value = Span['attributes'][number]['value']

/** The measured parts of @opentelemetry/otlp-transformer. */
interface Transformer {
  readonly JsonTraceSerializer: {
    serializeRequest(spans: readonly Sdk.ReadableSpan[]): Uint8Array | undefined
  }
}

/** The arguments of a span in the SDK. */
interface Plan {
  readonly name: string
  readonly isRoot: boolean
  readonly start: Api.HrTime
  readonly end: Api.HrTime
  readonly attributes: Api.Attributes
  readonly status: Span['status']
}

/**
 * The same spans, started and ended in the OpenTelemetry SDK (1 + 10 for a journey of ten events) and written by its
 * serializer.
 */
export function otlpPeers(batch: Batch, peer: Settings['peer']): readonly Case[] {
  const record = createRecorder(peer)
  if (record === undefined) return []
  const journeys = batch.timelines.map((timeline) => plansOf(otlp.project(timeline, batch.target)))
  const name = `OpenTelemetry SDK and JsonTraceSerializer, ${batch.name}`
  return [{ name, reference: writingOf(batch), run: runOf(batch, journeys, record) }]
}

function createRecorder(peer: Settings['peer']): ((plans: readonly Plan[]) => unknown) | undefined {
  const api = peer<typeof Api>('@opentelemetry/api')
  const sdk = peer<typeof Sdk>('@opentelemetry/sdk-trace-base')
  const transformer = peer<Transformer>('@opentelemetry/otlp-transformer')
  if (api === undefined || sdk === undefined || transformer === undefined) return undefined
  const exporter = new sdk.InMemorySpanExporter()
  const spanLimits = { attributeCountLimit: 1_000, eventCountLimit: 100_000 }
  const provider = new sdk.BasicTracerProvider({ spanProcessors: [new sdk.SimpleSpanProcessor(exporter)], spanLimits })
  const tracer = provider.getTracer('otep-engine', '1')
  return (plans) => {
    let below = api.ROOT_CONTEXT
    const open = plans.map(({ name, start, attributes, status, isRoot }) => {
      const span = tracer.startSpan(name, { startTime: start, attributes }, below).setStatus(status)
      if (isRoot) below = api.trace.setSpan(api.ROOT_CONTEXT, span)
      return span
    })
    for (const [index, span] of open.entries()) span.end(plans[index]?.end)
    const bytes = transformer.JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans())
    if (exporter.getFinishedSpans().length !== plans.length) throw new Error('A span was not finished.')
    exporter.reset()
    return bytes
  }
}

function plansOf({ resourceSpans }: Trace): readonly Plan[] {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  return spans.map((span) => ({
    name: span.name,
    isRoot: span.parentSpanId === undefined,
    start: hrTime(span.startTimeUnixNano),
    end: hrTime(span.endTimeUnixNano),
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, nativeOf(value)])),
    status: span.status,
  }))
}

function hrTime(nanos: string): Api.HrTime {
  return [Number(BigInt(nanos) / 1_000_000_000n), Number(BigInt(nanos) % 1_000_000_000n)]
}

function nativeOf(value: Value): string | number | boolean | string[] {
  if ('stringValue' in value) return value.stringValue
  if ('arrayValue' in value) return value.arrayValue.values.map((item) => String(nativeOf(item)))
  const [only] = Object.values(value)
  return only as number | boolean
}
