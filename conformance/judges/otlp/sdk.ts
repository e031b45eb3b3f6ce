import { type Attributes, type HrTime, ROOT_CONTEXT, type SpanStatus, TraceFlags, trace } from '@opentelemetry/api'
import { AlwaysOnSampler, BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import {
  isTerminal,
  type Subject,
  stepBetween,
  type Timeline,
  type TimelineEvent,
  versionsOf,
} from '../../../engine/index.ts'
import { profiles as builtIn } from '../../../profiles/index.ts'
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

/** What is copied from a span of the document. */
type Ids = Readonly<Record<'traceId' | 'spanId', string>> & { readonly parentSpanId?: string }

/** One span, as a program would start and end it. */
interface Plan {
  readonly service: string
  readonly name: string
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Attributes
  readonly status: SpanStatus
  readonly isRoot?: true
}

const unlimited = {
  attributeCountLimit: Number.POSITIVE_INFINITY,
  attributeValueLengthLimit: Number.POSITIVE_INFINITY,
  eventCountLimit: Number.POSITIVE_INFINITY,
  linkCountLimit: Number.POSITIVE_INFINITY,
  attributePerEventCountLimit: Number.POSITIVE_INFINITY,
  attributePerLinkCountLimit: Number.POSITIVE_INFINITY,
}

/** The spans of a journey, as the SDK has them. */
function exportedBy({ timeline, target }: Judged, ids: readonly Ids[]): ReadableSpan[] {
  const { profile, otep_version } = timeline
  const spans: ReadableSpan[] = []
  let next = 0
  const tracerOf = (service: string) =>
    new BasicTracerProvider({
      resource: resourceWith(texts({ 'service.name': service, 'otep.version': otep_version, 'otep.profile': profile })),
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
  const plans = plansOf(timeline, target.baseUrl)
  const { traceId = '', spanId: rootId = '', parentSpanId = rootId } = ids[0] ?? {}
  const parent = { traceId, spanId: plans[0]?.isRoot ? rootId : parentSpanId, traceFlags: TraceFlags.SAMPLED }
  for (const service of new Set(plans.map((plan) => plan.service))) {
    const tracer = tracerOf(service)
    for (const { name, start, end, attributes, status, isRoot } of plans.filter((plan) => plan.service === service)) {
      const below = isRoot ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
      const span = tracer.startSpan(name.toWellFormed(), { startTime: hrTime(start), attributes }, below)
      span.setStatus(status)
      span.end(hrTime(end))
    }
  }
  return spans
}

const profiles = new Map(builtIn.map((profile) => [profile.name, profile]))

function isEnd({ profile }: Timeline, { status_code }: TimelineEvent): boolean {
  const known = profiles.get(profile)
  return known !== undefined && isTerminal(known, status_code)
}

/** When an event was known: when it was recorded, or when it was no more than a day ahead. */
function knownAt({ recorded_at, occurred_at }: TimelineEvent): number {
  return Math.max(Date.parse(recorded_at), Date.parse(occurred_at) - 86_400_000)
}

/** The version of an event at a time. */
function atTime(event: TimelineEvent, time: number) {
  const versions = versionsOf(event) ?? []
  return versions.findLast(({ since }) => since !== undefined && Date.parse(since) <= time) ?? versions[0]
}

/** What a program that follows the journey would have sent by now. */
function plansOf(timeline: Timeline, baseUrl: string): readonly Plan[] {
  const { profile, events, withdrawn_events: withdrawn = [] } = timeline
  const platform = `otep.${profile}`
  const all = [...events, ...withdrawn]
  if (withdrawn.length > 0) all.sort((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at))
  const plans: Plan[] = []
  const own = all.filter(({ inherited_from }) => inherited_from === undefined)
  const over = Math.min(...own.filter((event) => isEnd(timeline, event)).map(knownAt))
  const known = own.filter((event) => knownAt(event) <= over)
  const rules = profiles.get(profile)
  const current = known
    .filter((event) => isEnd(timeline, event))
    .reduce<TimelineEvent | undefined>((last, next) => {
      const step = last && rules && stepBetween(rules, last.status_code, next.status_code)
      return last === undefined || step === 'planned' || step === 'skipped' ? next : last
    }, undefined)
  if (current !== undefined) {
    const [start = 0n, ...others] = inTime(...known.map(({ occurred_at }) => nanosecondsOf(occurred_at)))
    const { event = current, subject = timeline.subject } = atTime(current, over) ?? {}
    const delivered = event.phase === 'delivered'
    const status = statusOf(event)
    plans.push({
      ...{ service: platform, name: `${profile} journey`, isRoot: true },
      start,
      end: others.at(-1) ?? start,
      attributes: { ...journeyAttributes(subject, event, delivered, baseUrl), ...failure(status, event) },
      status: status.code === 0 && delivered ? { code: 1 } : status,
    })
  }
  for (const event of all.filter((one) => one.withdrawn === undefined || events.includes(one))) {
    const start = nanosecondsOf(event.occurred_at)
    const later = all.slice(all.indexOf(event) + 1)
    const first = Math.max(knownAt(event), Math.min(...later.map(knownAt)))
    const isOver = isEnd(timeline, event)
    const closer = isOver ? event : later.find((one) => knownAt(one) <= first)
    if (closer === undefined) continue
    const then = atTime(event, Math.max(knownAt(event), knownAt(closer)))?.event ?? event
    const [, end = start] = inTime(start, nanosecondsOf(closer.occurred_at))
    const status = statusOf(then)
    plans.push({
      ...{
        service: event.source?.provider ?? platform,
        name: event.status_code,
        start,
        end,
      },
      ...{ attributes: { ...eventAttributes(then), ...failure(status, then) }, status },
    })
  }
  for (const event of withdrawn) {
    const at = nanosecondsOf(event.withdrawn?.declared_at ?? '')
    plans.push({
      ...{ service: event.source?.provider ?? platform, name: 'withdrawn', start: at, end: at },
      ...{ attributes: eventAttributes(event), status: { code: 0 } },
    })
  }
  return plans
}

function inTime(...instants: readonly bigint[]): readonly bigint[] {
  return instants.toSorted((one, other) => Number(one - other))
}

function failure({ code }: SpanStatus, { status_code }: TimelineEvent): Attributes {
  return code === 2 ? texts({ 'error.type': status_code }) : {}
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

function journeyAttributes(
  subject: Subject,
  { status_code }: TimelineEvent,
  delivered: boolean,
  baseUrl: string,
): Attributes {
  const identifiers = Object.entries(subject).map(([kind, value]) => [`otep.subject.${kind}`, String(value)])
  return {
    ...texts({ ...Object.fromEntries(identifiers), 'otep.current_status': status_code }),
    'otep.delivered': delivered,
    'otep.timeline_url': `${baseUrl}/api/v1/otep/trackings/${segment(nameOf(subject).value)}`,
  }
}

/** Every member of an event under its own name, at any depth; of a place also under the common names. */
function eventAttributes({ otep_version, ...event }: TimelineEvent): Attributes {
  const { latitude, longitude, address: { locality, region = '', postal_code, country } = {} } = event.location ?? {}
  const code = country === undefined || region.includes('-') ? region : `${country}-${region}`
  const geo = {
    ...{ location: { lat: latitude, lon: longitude }, locality: { name: locality }, postal_code },
    ...{ country: { iso_code: country }, region: { iso_code: /^[A-Z]{2}-[A-Z\d]{1,3}$/.exec(code)?.[0] } },
  }
  return Object.fromEntries([...flat('otep', { version: otep_version, ...event }), ...flat('geo', geo)])
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
