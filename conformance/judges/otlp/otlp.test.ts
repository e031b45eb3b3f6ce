import t from 'tap'
import type { Timeline, TimelineEvent } from '../../../engine/index.ts'
import { otlp } from '../../../projections/otlp/index.ts'
import type { Trace } from '../../../projections/otlp/schema.ts'
import type { Judged, ReadyJudge } from '../judge.ts'
import { judges } from './index.ts'

const target = { baseUrl: 'https://api.example', options: {} }

const common = { otep_version: '0.1', recorded_at: '2026-06-12T13:45:00.000Z' }

const journey: Timeline = {
  otep_version: '0.1',
  profile: 'parcel',
  subject: { tracking_number: "it's SR1", order_id: 9_007_199_254_740_991 },
  current_status: 'delivered',
  delivered: true,
  events: [
    { ...common, event_id: 'a', occurred_at: '1969-01-01T00:00:00Z', status_code: 'received', phase: 'inbound' },
    {
      ...common,
      event_id: 'b',
      occurred_at: '2026-06-10T09:30:00.123456789-04:00',
      status_code: 'delivery_failed',
      phase: 'exception',
      location: { address: { country: 'CA' }, longitude: -79.38, latitude: 43, name: 'Toronto "\u0000\ud800' },
      source: { type: 'node_scan', provider: 'acme', code: 'DF' },
      incident_reason: 'absent',
    },
    {
      ...common,
      event_id: 'c',
      occurred_at: '2026-06-11T09:30:00Z',
      status_code: 'delivered',
      phase: 'delivered',
      pod: { recipient: 'A', photo_urls: ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'] },
      synthesized: true,
    },
  ],
  withdrawn_events: [
    {
      ...common,
      event_id: 'd',
      occurred_at: '2026-06-10T09:30:00Z',
      status_code: 'cancelled',
      phase: 'exception',
      withdrawn: { declared_at: '2026-06-10T10:30:00.5Z', reason: 'a slip' },
    },
  ],
}

function judged(timeline: Timeline, change: (document: Trace) => unknown = () => undefined): Judged {
  const document = otlp.project(timeline, target)
  const changed = change(document)
  const text = typeof changed === 'string' ? changed : JSON.stringify(document)
  return { text, mediaType: 'application/json', timeline, target }
}

const [serializer, sdk, schema, rules] = judges as readonly [ReadyJudge, ReadyJudge, ReadyJudge, ReadyJudge]

t.test('given good documents, when they are judged, then nobody finds fault', async (t) => {
  const event = (over: Partial<TimelineEvent>): TimelineEvent => ({
    ...{
      ...common,
      event_id: 'a',
      occurred_at: '2026-06-10T00:00:00Z',
      status_code: 'x-lost',
      phase: 'x-experimental',
    },
    ...over,
  })
  const alone = { ...journey, delivered: false, current_status: 'x-lost' }
  const timelines: readonly Timeline[] = [
    journey,
    { ...journey, events: [] },
    { ...alone, events: [event({})] },
    { ...alone, profile: 'unheard of', events: [event({ status_code: 'a code', phase: 'unknown' })] },
    { ...alone, events: [event({ occurred_at: '9999-12-31T23:59:59Z' })] },
    { ...alone, events: ['.9', '.1', ''].map((part) => event({ occurred_at: `2026-06-10T00:00:00${part}Z` })) },
    { ...alone, events: ['5', '1'].map((part) => event({ occurred_at: `2026-06-10T00:00:00.00000000${part}Z` })) },
    { ...alone, events: Array.from({ length: 300 }, () => event({})) },
    { ...alone, events: [event({ description: 'x'.repeat(65_536) })], withdrawn_events: journey.events.map(withdrawn) },
  ]
  for (const timeline of timelines) {
    for (const judge of judges) t.same(await judge.judge(judged(timeline)), [], judge.name)
  }
})

function withdrawn(event: TimelineEvent): TimelineEvent {
  return { ...event, withdrawn: { declared_at: '2026-06-12T00:00:00Z' } }
}

t.test('given other kinds of documents, when a judge is run, then it does not accept them', async (t) => {
  for (const judge of judges) {
    t.equal(judge.format, 'otlp')
    t.equal(judge.open().here, judge.judge)
    t.ok(judge.takes(judged(journey)))
    t.notOk(judge.takes({ ...judged(journey), mediaType: 'application/xml' }))
  }
})

/** What may be wrong with a document, and who has to find it. */
const faults: readonly (readonly [string, readonly ReadyJudge[], (document: Trace) => unknown])[] = [
  ['an unknown key', [serializer, sdk, schema], (document) => Object.assign(spanOf(document), { colour: 'red' })],
  [
    'a key in snake case',
    [serializer, sdk, schema],
    ({ resourceSpans }) => JSON.stringify({ resource_spans: resourceSpans }),
  ],
  ['an id in base64', [schema], (document) => everySpan(document, { traceId: 'wA2pI3+nCY3YH84OFjhxKQ==' })],
  ['a trace id that is too short', [schema], (document) => everySpan(document, { traceId: 'c00da9237fe7098d' })],
  ['a span id that is too long', [schema], (document) => Object.assign(spanOf(document), { spanId: 'a'.repeat(32) })],
  ['a trace id of zeros', [schema, sdk], (document) => everySpan(document, { traceId: '0'.repeat(32) })],
  ['a span id of zeros', [schema], (document) => Object.assign(spanOf(document), { spanId: '0'.repeat(16) })],
  [
    'a kind by its name',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document), { kind: 'SPAN_KIND_INTERNAL' }),
  ],
  ['a kind that is none', [sdk, schema], (document) => Object.assign(spanOf(document), { kind: 6 })],
  ['another kind', [sdk], (document) => Object.assign(spanOf(document), { kind: 2 })],
  [
    'a status by its name',
    [sdk, schema],
    (document) => Object.assign(spanOf(document), { status: { code: 'STATUS_CODE_OK' } }),
  ],
  ['a status that is none', [sdk, schema], (document) => Object.assign(spanOf(document), { status: { code: 3 } })],
  [
    'a message without an error',
    [sdk, rules],
    (document) => Object.assign(spanOf(document), { status: { code: 0, message: 'm' } }),
  ],
  ['an incident that is none', [sdk], (document) => Object.assign(spanOf(document, 2), { status: { code: 0 } })],
  [
    'a time as a number',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document, 3), { endTimeUnixNano: 1_781_170_200 }),
  ],
  [
    'a time before 1970',
    [sdk, schema, rules],
    (document) => Object.assign(spanOf(document, 1), { startTimeUnixNano: '-5' }),
  ],
  [
    'a time with a leading zero',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document, 1), { startTimeUnixNano: '00' }),
  ],
  [
    'a time that is none',
    [serializer, sdk, schema, rules],
    (document) => Object.assign(spanOf(document, 1), { startTimeUnixNano: 'now' }),
  ],
  ['times in milliseconds', [sdk, rules], inMilliseconds],
  ['an end before the start', [sdk, rules], (document) => Object.assign(spanOf(document, 3), { endTimeUnixNano: '0' })],
  [
    'an end after the journey',
    [sdk, rules],
    (document) => Object.assign(spanOf(document, 3), { endTimeUnixNano: '1791170200000000000' }),
  ],
  [
    'an end beyond 64 signed bits',
    [sdk, rules],
    (document) => Object.assign(spanOf(document, 3), { endTimeUnixNano: '9223372036854775808' }),
  ],
  [
    'a span that lasts no time',
    [sdk],
    (document) => Object.assign(spanOf(document, 2), { endTimeUnixNano: spanOf(document, 2).startTimeUnixNano }),
  ],
  ['a span without a name', [schema, sdk, rules], (document) => Object.assign(spanOf(document, 2), { name: '' })],
  ['a span of another name', [sdk, rules], (document) => Object.assign(spanOf(document, 2), { name: 'picked_up' })],
  ['an id twice', [rules], (document) => Object.assign(spanOf(document, 2), { spanId: spanOf(document, 1).spanId })],
  [
    'a parent that is not there',
    [sdk, rules],
    (document) => Object.assign(spanOf(document, 2), { parentSpanId: 'a'.repeat(16) }),
  ],
  [
    'a span that is its own parent',
    [sdk, rules],
    (document) => Object.assign(spanOf(document, 2), { parentSpanId: spanOf(document, 2).spanId }),
  ],
  ['two roots', [sdk, rules], (document) => delete spanOf(document, 2).parentSpanId],
  ['two traces', [sdk, rules], (document) => Object.assign(spanOf(document, 2), { traceId: 'b'.repeat(32) })],
  ['an event without a span', [sdk, rules], (document) => listOf(document).splice(1, 2)],
  [
    'a span of nothing',
    [sdk, rules],
    (document) => listOf(document).push({ ...spanOf(document, 3), spanId: 'b'.repeat(16) }),
  ],
  [
    'an attribute twice',
    [serializer, sdk, rules],
    (document) => spanOf(document, 1).attributes.push({ key: 'otep.phase', value: { stringValue: '' } }),
  ],
  [
    'a withdrawal with an attribute twice',
    [serializer, sdk, rules],
    (document) => spanOf(document, 4).attributes.push({ key: 'otep.phase', value: { stringValue: '' } }),
  ],
  [
    'a resource with an attribute twice',
    [serializer, sdk, rules],
    (document) => resourceOf(document).push({ key: 'otep.profile', value: { stringValue: '' } }),
  ],
  [
    'an attribute without a name',
    [sdk, schema],
    (document) => Object.assign(spanOf(document, 1).attributes[0] ?? {}, { key: '' }),
  ],
  [
    'an attribute that was made up',
    [sdk],
    (document) => spanOf(document, 1).attributes.push({ key: 'otep.colour', value: { stringValue: '' } }),
  ],
  ['an attribute that was left out', [sdk], (document) => spanOf(document, 2).attributes.pop()],
  [
    'a value of no kind',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document, 1).attributes[0] ?? {}, { value: {} }),
  ],
  [
    'a value of two kinds',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document, 1).attributes[0]?.value ?? {}, { boolValue: true }),
  ],
  [
    'a bare value',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document, 1).attributes[0] ?? {}, { value: 'a' }),
  ],
  [
    'a value of null',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document, 1).attributes[0] ?? {}, { value: null }),
  ],
  [
    'an integer as a number',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document, 1).attributes[0] ?? {}, { value: { intValue: 5 } }),
  ],
  ['no service name', [sdk, rules], (document) => resourceOf(document).shift()],
  [
    'an empty service name',
    [sdk, rules],
    (document) => Object.assign(resourceOf(document)[0] ?? {}, { value: { stringValue: '' } }),
  ],
  ['no span of a withdrawal', [sdk], (document) => listOf(document).pop()],
  ['a withdrawal at another time', [sdk], (document) => Object.assign(spanOf(document, 4), { startTimeUnixNano: '0' })],
  [
    'flags that are reserved',
    [serializer, sdk, schema],
    (document) => Object.assign(spanOf(document), { flags: 1025 }),
  ],
  [
    'dropped attributes',
    [serializer, sdk],
    (document) => Object.assign(spanOf(document), { droppedAttributesCount: 1 }),
  ],
  ['no spans', [sdk, rules], () => '{"resourceSpans":[]}'],
  [
    'the spans of before 1.0',
    [serializer, sdk, schema, rules],
    ({ resourceSpans }) =>
      JSON.stringify({
        resourceSpans: resourceSpans.map(({ resource, scopeSpans }) => ({
          resource,
          instrumentationLibrarySpans: scopeSpans,
        })),
      }),
  ],
  ['a list', [serializer, sdk, schema, rules], () => '[]'],
]

for (const [fault, finders, change] of faults) {
  t.test(`given ${fault}, when it is judged, then those who must do find it`, async (t) => {
    for (const judge of finders) t.not((await judge.judge(judged(journey, change))).length, 0, judge.name)
  })
}

t.test('given spans of nothing, when they are judged, then that is found', async (t) => {
  const text = judged(journey).text
  const nothing = { ...judged(journey), text, timeline: { ...journey, events: [], withdrawn_events: [] } }
  t.same(await rules.judge(nothing), ['There are spans of nothing.'])
  t.match(await sdk.judge(nothing), [/^At character 18 it has /])
})

/** The list with the root, all but one stage, and the withdrawal at its end. */
function listOf(document: Trace) {
  return document.resourceSpans[0]?.scopeSpans[0]?.spans ?? []
}

/** The root, the stages in their order, and the withdrawals. */
function spansOf(document: Trace) {
  const spans = document.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans[0]?.spans ?? [])
  const place = ({ name, parentSpanId, startTimeUnixNano }: (typeof spans)[number]) =>
    parentSpanId === undefined ? -1 : name === 'withdrawn' ? Number.POSITIVE_INFINITY : Number(startTimeUnixNano)
  return spans.toSorted((one, other) => place(one) - place(other))
}

function spanOf(document: Trace, index = 0) {
  const span = spansOf(document)[index]
  if (span === undefined) throw new RangeError('no such span')
  return span
}

function everySpan(document: Trace, over: object): void {
  for (const span of spansOf(document)) Object.assign(span, over)
}

function resourceOf(document: Trace) {
  return document.resourceSpans[0]?.resource.attributes ?? []
}

function inMilliseconds(document: Trace): void {
  for (const span of spansOf(document).slice(2)) {
    span.startTimeUnixNano = span.startTimeUnixNano.slice(0, -6)
    span.endTimeUnixNano = span.endTimeUnixNano.slice(0, -6)
  }
}
