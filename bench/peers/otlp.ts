import { type Attributes, type HrTime, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { otlp } from '../../projections/otlp/index.ts'
import { type Batch, projectionOf, repeat, unitsOf } from '../formats/cases.ts'
import { type Case, measured } from '../harness.ts'

type Trace = ReturnType<typeof otlp.project>
type Span = Trace['resourceSpans'][number]['scopeSpans'][number]['spans'][number]
type Value = Span['attributes'][number]['value']

/** A span as the calls of the SDK take it. */
interface Plan {
  readonly name: string
  readonly isRoot: boolean
  readonly start: HrTime
  readonly end: HrTime
  readonly attributes: Attributes
  readonly status: Span['status']
}

/** The same spans, started and ended in the OpenTelemetry SDK (1 + 10 for a journey of ten events) and written by its serializer. */
export function otlpPeers(batch: Batch): readonly Case[] {
  const journeys = batch.timelines.map((timeline) => plansOf(otlp.project(timeline, batch.target)))
  const exporter = new InMemorySpanExporter()
  const limits = { attributeCountLimit: 1_000, eventCountLimit: 100_000 }
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)], spanLimits: limits })
  const tracer = provider.getTracer('otep-engine', '1')
  const record = (plans: readonly Plan[]) => {
    let below = ROOT_CONTEXT
    const open = plans.map(({ name, start, attributes, status, isRoot }) => {
      const span = tracer.startSpan(name, { startTime: start, attributes }, below).setStatus(status)
      if (isRoot) below = trace.setSpan(ROOT_CONTEXT, span)
      return span
    })
    for (const [index, span] of open.entries()) span.end(plans[index]?.end)
    const bytes = JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans())
    if (exporter.getFinishedSpans().length !== plans.length) throw new Error('A span was not finished.')
    exporter.reset()
    return bytes
  }
  return [
    {
      name: `OpenTelemetry SDK and JsonTraceSerializer, ${batch.name}`,
      reference: projectionOf(batch),
      run: () => measured(unitsOf(batch), () => repeat(batch.passes, journeys, record)),
    },
  ]
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

function hrTime(nanos: string): HrTime {
  return [Number(BigInt(nanos) / 1_000_000_000n), Number(BigInt(nanos) % 1_000_000_000n)]
}

function nativeOf(value: Value): string | number | boolean | string[] {
  if ('stringValue' in value) return value.stringValue
  if ('arrayValue' in value) return value.arrayValue.values.map((item) => String(nativeOf(item)))
  const [only] = Object.values(value)
  return only as number | boolean
}
