import { type Attributes, type HrTime, ROOT_CONTEXT, type SpanStatus, trace } from '@opentelemetry/api'
import { AlwaysOnSampler, BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import type { Timeline, TimelineEvent } from '../../../engine/index.ts'
import { nameOf, segment } from '../../../projections/shared/subject.ts'
import { type Judged, readyJudge } from '../judge.ts'
import { difference, spansOf, type TraceRequest } from './document.ts'
import { resourceWith, serialized } from './serializer.ts'

/**
 * The journey is passed to the OpenTelemetry SDK as a program would do it, span by span, and its exporter writes the
 * trace. Only the ids are copied from the document, because they have no meaning; the order of attributes is ignored.
 */
export const sdkJudge = readyJudge({
  name: 'OpenTelemetry SDK',
  format: 'otlp',
  takes: ({ mediaType }) => mediaType === 'application/json',
  judge(judged) {
    try {
      const document: TraceRequest = JSON.parse(judged.text)
      const ids = spansOf(document)
      return difference(inOrder(document), inOrder(JSON.parse(serialized(exportedBy(judged, ids)))))
    } catch (error) {
      return [`It cannot be compared: ${error}.`]
    }
  },
})

type Id = Readonly<Record<'traceId' | 'spanId', string>>

const unlimited = {
  attributeCountLimit: Number.POSITIVE_INFINITY,
  attributeValueLengthLimit: Number.POSITIVE_INFINITY,
  eventCountLimit: Number.POSITIVE_INFINITY,
  linkCountLimit: Number.POSITIVE_INFINITY,
  attributePerEventCountLimit: Number.POSITIVE_INFINITY,
  attributePerLinkCountLimit: Number.POSITIVE_INFINITY,
}

/** The spans of a journey, as the SDK has them. */
function exportedBy({ timeline, target }: Judged, ids: readonly Id[]): ReadableSpan[] {
  const { profile, events, withdrawn_events = [] } = timeline
  const spans: ReadableSpan[] = []
  let next = 0
  const tracer = new BasicTracerProvider({
    resource: resourceWith(
      texts({ 'service.name': `otep.${profile}`, 'otep.version': timeline.otep_version, 'otep.profile': profile }),
    ),
    sampler: new AlwaysOnSampler(),
    spanLimits: unlimited,
    generalLimits: { attributeCountLimit: unlimited.attributeCountLimit },
    idGenerator: {
      generateTraceId: () => ids[0]?.traceId ?? '',
      generateSpanId: () => ids[next++]?.spanId ?? '',
    },
    spanProcessors: [
      {
        onStart: (span) => void spans.push(span),
        onEnd: () => undefined,
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
    ],
  }).getTracer('otep-engine', '1')
  const instants = events.map(({ occurred_at }) => nanosecondsOf(occurred_at))
  const inTime = instants.toSorted((one, other) => Number(one - other))
  const [first] = inTime
  const last = inTime.at(-1)
  if (first === undefined || last === undefined) return []
  const root = tracer.startSpan(`${profile} journey`.toWellFormed(), {
    startTime: hrTime(first),
    attributes: journeyAttributes(timeline, target.baseUrl),
  })
  for (const event of withdrawn_events) {
    root.addEvent('withdrawn', eventAttributes(event), hrTime(nanosecondsOf(event.withdrawn?.declared_at ?? '')))
  }
  for (const [index, event] of events.entries()) {
    const startTime = hrTime(instants[index] ?? 0n)
    const span = tracer.startSpan(
      event.status_code.toWellFormed(),
      { startTime, attributes: eventAttributes(event) },
      trace.setSpan(ROOT_CONTEXT, root),
    )
    span.setStatus(statusOf(event))
    const end = instants[index + 1] ?? 0n
    span.end(end > (instants[index] ?? 0n) ? hrTime(end) : startTime)
  }
  root.setStatus(journeyStatus(timeline))
  root.end(hrTime(last))
  return spans
}

const troubles = [
  'customs_held',
  'delayed',
  'damaged',
  'lost',
  'disposed',
  'undeliverable',
  'exception',
  'expired',
  'returning',
]
const unregisteredIncidents = new Set(troubles.map((trouble) => `x-${trouble}`))

function statusOf({ phase, incident_reason, description, status_code }: TimelineEvent): SpanStatus {
  const isTrouble = (phase === 'exception' && status_code !== 'exception_resolved') || phase === 'return'
  const isUnknownTrouble = phase === 'x-experimental' && incident_reason !== undefined
  const isIncident = isTrouble || isUnknownTrouble || unregisteredIncidents.has(status_code)
  return isIncident ? { code: 2, message: (incident_reason || description || status_code).toWellFormed() } : { code: 0 }
}

function journeyStatus({ events, current_status, delivered }: Timeline): SpanStatus {
  const current = events.findLast((event) => event.status_code === current_status)
  const status: SpanStatus = current === undefined ? { code: 0 } : statusOf(current)
  return status.code === 0 && delivered ? { code: 1 } : status
}

function journeyAttributes({ subject, current_status, delivered }: Timeline, baseUrl: string): Attributes {
  const identifiers = Object.entries(subject).map(([kind, value]) => [`otep.subject.${kind}`, String(value)])
  return {
    ...texts(Object.fromEntries(identifiers)),
    ...(current_status === undefined ? {} : texts({ 'otep.current_status': current_status })),
    'otep.delivered': delivered,
    'otep.timeline_url': `${baseUrl}/api/v1/otep/trackings/${segment(nameOf(subject).value)}`,
  }
}

/** Every member of an event under its own name, at any depth. */
function eventAttributes({ otep_version, ...event }: TimelineEvent): Attributes {
  return Object.fromEntries(flat('otep', { version: otep_version, ...event }))
}

function flat(path: string, value: unknown): readonly [string, Attributes[string]][] {
  if (value === undefined) return []
  if (typeof value === 'string') return [[path, value.toWellFormed()]]
  if (Array.isArray(value)) return [[path, value.map((text: string) => text.toWellFormed())]]
  if (typeof value === 'number' || typeof value === 'boolean') return [[path, value]]
  return Object.entries(value as object).flatMap(([name, member]) => flat(`${path}.${name}`, member))
}

function texts(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.toWellFormed()]))
}

/** As JSON with every list of attributes in the order of their keys. */
function inOrder(document: unknown): string {
  return JSON.stringify(document, (key, value) => {
    if (key !== 'attributes' || !Array.isArray(value)) return value
    return value.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  })
}

/** Within 1970 and the last nanosecond of 64 signed bits. */
function nanosecondsOf(dateTime: string): bigint {
  const fraction = /\.(\d+)/.exec(dateTime)?.[1] ?? ''
  const seconds = BigInt(Date.parse(dateTime.replace(/\.\d+/, ''))) / 1000n
  const nanos = seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))
  if (nanos < 0n) return 0n
  return nanos < 2n ** 63n ? nanos : 2n ** 63n - 1n
}

function hrTime(nanos: bigint): HrTime {
  return [Number(nanos / 1_000_000_000n), Number(nanos % 1_000_000_000n)]
}
