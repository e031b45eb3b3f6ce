import t from 'tap'
import * as v from 'valibot'
import { phaseOf, type Timeline, type TimelineEvent, withVersions } from '../../engine/index.ts'
import { profiles, storage } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { nonZero, spanIdsOf } from './ids.ts'
import { otlp } from './index.ts'
import type { Span } from './schema.ts'

const target = { baseUrl: 'https://api.example', options: {} }

function event(over: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    event_id: 'e-1',
    otep_version: '0.1',
    occurred_at: '2026-06-10T09:30:00-04:00',
    recorded_at: '2026-06-10T13:45:00.000Z',
    status_code: 'picked_up',
    phase: 'pickup',
    ...over,
  }
}

function timeline(events: readonly TimelineEvent[], over: Partial<Timeline> = {}): Timeline {
  const current = events.at(-1)?.status_code
  return {
    otep_version: '0.1',
    profile: 'parcel',
    subject: { tracking_number: 'SR1', order_id: 12345 },
    ...(current === undefined ? {} : { current_status: current }),
    delivered: current === 'delivered',
    events,
    ...over,
  }
}

function spansOf(of: Timeline): readonly Span[] {
  return otlp
    .project(of, target)
    .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .toSorted((one, other) => Number(one.parentSpanId !== undefined) - Number(other.parentSpanId !== undefined))
}

/** The spans of stages and withdrawals by the ids of their events. */
function stageOf(of: Timeline, id: string): Span | undefined {
  return spansOf(of).find((span) => attributesOf(span)['otep.event_id'] === id)
}

function rootOf(of: Timeline): Span | undefined {
  return spansOf(of).find(({ parentSpanId }) => parentSpanId === undefined)
}

function attributesOf(span: Pick<Span, 'attributes'> | undefined): Record<string, unknown> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
}

const delivered: Partial<TimelineEvent> = { status_code: 'delivered', phase: 'delivered' }

/** An event that occurred and was recorded so many hours into a journey. */
function scan(event_id: string, hour: number, over: Partial<TimelineEvent> = {}, recorded = hour): TimelineEvent {
  const at = (hours: number) => new Date(Date.UTC(2026, 5, 10, hours)).toISOString()
  return event({ event_id, occurred_at: at(hour), recorded_at: at(recorded), ...over })
}

/** The hours from the begin of the journey at which a span begins and ends. */
function hoursOf(span: Span | undefined): readonly number[] | undefined {
  const hour = (nanos: string) => (Number(nanos) / 1e6 - Date.UTC(2026, 5, 10)) / 3_600_000
  return span && [hour(span.startTimeUnixNano), hour(span.endTimeUnixNano)]
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

t.test(
  'given a journey that has ended, when it is projected, then it is a root span with one span below',
  async (t) => {
    const both = {
      kind: 1,
      startTimeUnixNano: '1781098200000000000',
      endTimeUnixNano: '1781098200000000000',
    }
    const after = (code: number) => ({
      droppedAttributesCount: 0,
      events: [],
      droppedEventsCount: 0,
      status: { code },
      links: [],
      droppedLinksCount: 0,
      flags: 257,
    })
    const root = {
      // SHA-256 of 'parcel', 'tracking_number' and 'SR1', a NUL between.
      traceId: 'c00da9237fe7098dd81fce0e16387129',
      spanId: '03fffa5bbd287ff1',
      name: 'parcel journey',
      ...both,
      attributes: [
        text('otep.subject.tracking_number', 'SR1'),
        text('otep.subject.order_id', '12345'),
        text('otep.current_status', 'delivered'),
        { key: 'otep.delivered', value: { boolValue: true } },
        text('otep.timeline_url', 'https://api.example/api/v1/otep/trackings/SR1'),
      ],
      ...after(1),
    }
    const child = {
      traceId: 'c00da9237fe7098dd81fce0e16387129',
      spanId: 'SPAN',
      parentSpanId: '03fffa5bbd287ff1',
      name: 'delivered',
      ...both,
      attributes: [
        text('otep.event_id', 'e-1'),
        text('otep.version', '0.1'),
        text('otep.occurred_at', '2026-06-10T09:30:00-04:00'),
        text('otep.recorded_at', '2026-06-10T13:45:00.000Z'),
        text('otep.status_code', 'delivered'),
        text('otep.phase', 'delivered'),
        text('otep.source.type', 'carrier_tracking'),
        text('otep.source.provider', 'acme'),
      ],
      ...after(0),
    }
    const of = (service: string, span: object) => ({
      resource: {
        attributes: [text('service.name', service), text('otep.version', '0.1'), text('otep.profile', 'parcel')],
        droppedAttributesCount: 0,
      },
      scopeSpans: [{ scope: { name: 'otep-engine', version: '1' }, spans: [span] }],
    })
    const source = { type: 'carrier_tracking', provider: 'acme' }
    const made = otlp.project(timeline([event({ ...delivered, source })]), target)
    const id = made.resourceSpans[1]?.scopeSpans[0]?.spans[0]?.spanId
    t.match(id, /^[\da-f]{16}$/)
    const expected = { resourceSpans: [of('otep.parcel', root), of('acme', { ...child, spanId: id })] }
    t.equal(JSON.stringify(made), JSON.stringify(expected))
  },
)

t.test('given a journey that goes on, when it is projected, then only what has ended is there', async (t) => {
  const withdrawn = event({ withdrawn: { declared_at: '2026-06-11T00:00:00Z' } })
  t.same(otlp.project(timeline([]), target), { resourceSpans: [] })
  t.same(otlp.project(timeline([event()]), target), { resourceSpans: [] })
  t.same(
    spansOf(timeline([scan('a', 0), scan('b', 2)])).map((span) => [span.name, hoursOf(span)]),
    [['picked_up', [0, 2]]],
  )
  t.same(
    spansOf(timeline([], { withdrawn_events: [withdrawn] })).map(({ name }) => name),
    ['withdrawn'],
  )
})

/** What is known of one journey as it goes on: late and early events, a withdrawal, an enrichment, an identifier. */
const history: readonly Timeline[] = [
  timeline([scan('a', 0)]),
  timeline([scan('a', 0), scan('c', 4)]),
  timeline([scan('a', 0), scan('b', 2, {}, 5), scan('c', 4)]),
  timeline([scan('a', 0), scan('b', 2, {}, 5), scan('c', 4), scan('d', 8, delivered)]),
  timeline([scan('0', -3, {}, 9), scan('a', 0), scan('b', 2, {}, 5), scan('c', 4), scan('d', 8, delivered)]),
  timeline([
    scan('0', -3, {}, 9),
    ...[scan('a', 0), scan('b', 2, {}, 5), scan('c', 4)].map((one) => learnt(one, '2026-06-11T00:00:00Z')),
    learnt(scan('d', 8, delivered), '2026-06-11T00:00:00Z'),
    scan('e', 28, { status_code: 'return_to_sender', phase: 'return' }),
  ]),
  timeline([scan('0', -3, {}, 9), scan('a', 0), scan('b', 2, {}, 5), scan('d', 8, delivered)], {
    withdrawn_events: [scan('c', 4, { withdrawn: { declared_at: '2026-06-12T00:00:00Z' } })],
  }),
]

/** An event of which more was learnt later, as is now known, and another number of its parcel. */
function learnt(one: TimelineEvent, since: string): TimelineEvent {
  const now = { ...one, description: 'At the door' }
  return withVersions(now, [
    { event: one, subject: { tracking_number: 'SR1', order_id: 12345 } },
    { event: now, subject: { tracking_number: 'SR1', piece_id: 'P' }, since },
  ])
}

t.test('given whatever becomes known of a journey, when it is projected again, then no span has changed', async (t) => {
  const seen = new Map<string, Span>()
  for (const of of history)
    for (const span of spansOf(of)) {
      t.same(span, seen.get(span.spanId) ?? span, span.name)
      seen.set(span.spanId, span)
    }
  const found = [...seen.values()].map((span) => [span.name, ...(hoursOf(span) ?? [])])
  t.same(
    found.toSorted((one, other) => String(one).localeCompare(String(other))),
    [
      ['delivered', 8, 8],
      ['parcel journey', 0, 8],
      ['picked_up', -3, 0],
      ['picked_up', 0, 4],
      ['picked_up', 2, 4],
      ['picked_up', 4, 8],
      ['return_to_sender', 28, 28],
      ['withdrawn', 48, 48],
    ],
  )
})

t.test(
  'given an event that is far ahead of the clock, when it begins to count, then no span has changed',
  async (t) => {
    const [a, b, ahead] = [scan('a', 0), scan('b', 10), scan('z', 240, {}, 1)]
    const before = stageOf(timeline([a, b], { future_events: [ahead] }), 'a')
    t.same(hoursOf(before), [0, 10])
    t.same(stageOf(timeline([a, b, ahead]), 'a'), before)
  },
)

t.test(
  'given what happened to a container, when it is projected, then the journey is as long as without',
  async (t) => {
    const inherited = scan('i', -5, { inherited_from: { gs1_sscc: '095060001343520009' } })
    const root = rootOf(timeline([inherited, scan('a', 0), scan('d', 8, delivered)]))
    t.same(hoursOf(root), [0, 8])
  },
)

t.test('given an event with every member, when it is projected, then each is an attribute of its span', async (t) => {
  const full = event({
    location: {
      name: 'Depot',
      unlocode: 'CATOR',
      gln: '9506000134352',
      latitude: 43,
      longitude: -79.38,
      address: { street: '1 Main St', locality: 'Toronto', region: 'ON', postal_code: 'M5V', country: 'CA' },
    },
    source: { type: 'carrier_tracking', provider: 'acme', code: 'PU' },
    incident_reason: 'address',
    description: 'Ring twice',
    pod: {
      recipient: 'A. Smith',
      signed_at: '2026-06-10T09:31:00-04:00',
      signature_url: 'https://cdn.example/s.png',
      photo_urls: ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'],
      note: 'Left at the door',
    },
    estimated_delivery_at: '2026-06-12T12:00:00Z',
    synthesized: true,
  })
  const span = stageOf(timeline([full, scan('z', 40)]), 'e-1')
  t.same(attributesOf(span), {
    'otep.event_id': 'e-1',
    'otep.version': '0.1',
    'otep.occurred_at': '2026-06-10T09:30:00-04:00',
    'otep.recorded_at': '2026-06-10T13:45:00.000Z',
    'otep.status_code': 'picked_up',
    'otep.phase': 'pickup',
    'otep.location.name': 'Depot',
    'otep.location.unlocode': 'CATOR',
    'otep.location.gln': '9506000134352',
    'otep.location.latitude': 43,
    'otep.location.longitude': -79.38,
    'otep.location.address.street': '1 Main St',
    'otep.location.address.locality': 'Toronto',
    'otep.location.address.region': 'ON',
    'otep.location.address.postal_code': 'M5V',
    'otep.location.address.country': 'CA',
    'geo.location.lat': 43,
    'geo.location.lon': -79.38,
    'geo.locality.name': 'Toronto',
    'geo.region.iso_code': 'CA-ON',
    'geo.postal_code': 'M5V',
    'geo.country.iso_code': 'CA',
    'otep.source.type': 'carrier_tracking',
    'otep.source.provider': 'acme',
    'otep.source.code': 'PU',
    'otep.incident_reason': 'address',
    'otep.description': 'Ring twice',
    'otep.pod.recipient': 'A. Smith',
    'otep.pod.signed_at': '2026-06-10T09:31:00-04:00',
    'otep.pod.signature_url': 'https://cdn.example/s.png',
    'otep.pod.photo_urls': {
      values: [{ stringValue: 'https://cdn.example/1.jpg' }, { stringValue: 'https://cdn.example/2.jpg' }],
    },
    'otep.pod.note': 'Left at the door',
    'otep.estimated_delivery_at': '2026-06-12T12:00:00Z',
    'otep.synthesized': true,
  })
  const latitude = span?.attributes.find(({ key }) => key === 'otep.location.latitude')
  t.same(latitude?.value, { doubleValue: 43 }, 'a coordinate of whole degrees is still a double')
})

t.test(
  'given events of one millisecond in another order, when projected, then no span ends before it starts',
  async (t) => {
    const spans = spansOf(
      timeline([
        event({ event_id: 'a', occurred_at: '2026-06-10T00:00:00.000000900Z' }),
        event({ event_id: 'b', occurred_at: '2026-06-10T00:00:00.000000100Z', ...delivered }),
      ]),
    )
    t.same(
      spans.map(({ startTimeUnixNano: start, endTimeUnixNano: end }) => [start, end]),
      [
        ['1781049600000000100', '1781049600000000900'],
        ['1781049600000000900', '1781049600000000900'],
        ['1781049600000000100', '1781049600000000100'],
      ],
    )
  },
)

t.test('given instants that no back end has, when they are projected, then they are moved to the bounds', async (t) => {
  const of = timeline([
    event({ event_id: 'a', occurred_at: '1969-12-31T23:59:59Z' }),
    event({ event_id: 'b', occurred_at: '9999-12-31T23:59:59Z', ...delivered }),
  ])
  t.equal(stageOf(of, 'a')?.startTimeUnixNano, '0')
  t.equal(stageOf(of, 'b')?.startTimeUnixNano, '9223372036854775807')
  t.equal(attributesOf(stageOf(of, 'a'))['otep.occurred_at'], '1969-12-31T23:59:59Z')
})

t.test('given incidents, when they are projected, then their spans are errors that say why', async (t) => {
  const spanOf = (over: Partial<TimelineEvent>) => stageOf(timeline([event(over), scan('z', 40)]), 'e-1')
  const statusOf = (over: Partial<TimelineEvent>) => spanOf(over)?.status
  const failed = { status_code: 'delivery_failed', phase: 'exception' }
  t.same(statusOf({}), { code: 0 })
  t.same(statusOf(failed), { code: 2, message: 'delivery_failed' })
  t.same(statusOf({ ...failed, description: 'Nobody home' }), { code: 2, message: 'Nobody home' })
  t.same(statusOf({ ...failed, description: 'x', incident_reason: 'absent' }), { code: 2, message: 'absent' })
  t.same(statusOf({ incident_reason: 'scratched' }), { code: 0 }, 'a reason beside a code that is no incident')
  t.equal(attributesOf(spanOf(failed))['error.type'], 'delivery_failed')
  t.notOk('error.type' in attributesOf(spanOf({})))
  t.same(statusOf({ ...delivered, incident_reason: 'late' }), { code: 0 })
  t.same(statusOf({ status_code: 'rejected_by_recipient', phase: 'return' }), {
    code: 2,
    message: 'rejected_by_recipient',
  })
  t.same(statusOf({ status_code: 'return_to_sender', phase: 'return' }), { code: 2, message: 'return_to_sender' })
  const unknown = { status_code: 'x-sunny', phase: 'x-experimental', incident_reason: 'scratched' }
  t.same(statusOf(unknown), { code: 2, message: 'scratched' }, 'a reason beside a code of unknown meaning')
  t.same(statusOf({ status_code: 'x-lost', phase: 'x-experimental' }), { code: 2, message: 'x-lost' })
  t.same(statusOf({ status_code: 'x-sunny', phase: 'x-experimental' }), { code: 0 })
  t.same(statusOf({ status_code: 'stuck', phase: 'exception' }), { code: 2, message: 'stuck' }, 'of another profile')
})

t.test(
  'given a problem in a locker that is solved, when it is projected, then only the problem is an error',
  async (t) => {
    const stay = ['stored', 'exception_opened', 'exception_resolved', 'collected'].map((status_code) =>
      event({ event_id: status_code, status_code, phase: phaseOf(storage, status_code) ?? '' }),
    )
    const spans = spansOf(timeline(stay, { profile: 'storage', current_status: 'collected', delivered: true }))
    t.same(
      spans.map(({ name, status }) => [name, status.code]),
      [
        ['storage journey', 1],
        ['stored', 0],
        ['exception_opened', 2],
        ['exception_resolved', 0],
        ['collected', 0],
      ],
    )
  },
)

t.test('given journeys, when they are projected, then the root has the status with which they ended', async (t) => {
  const end = event({ event_id: 'd', ...delivered })
  const refused = event({ event_id: 'r', status_code: 'rejected_by_recipient', phase: 'return' })
  const failed = event({ event_id: 'f', status_code: 'delivery_failed', phase: 'exception' })
  t.equal(rootOf(timeline([event(), failed])), undefined, 'a failed attempt is no end')
  t.same(rootOf(timeline([failed, end]))?.status, { code: 1 })
  t.same(rootOf(timeline([end, failed]))?.status, { code: 1 }, 'a terminal status holds')
  t.same(rootOf(timeline([refused]))?.status, { code: 2, message: 'rejected_by_recipient' })
  t.equal(attributesOf(rootOf(timeline([refused])))['error.type'], 'rejected_by_recipient')
})

t.test('given a withdrawn event, when it is projected, then the withdrawal is a separate span', async (t) => {
  const withdrawn = event({
    event_id: 'w',
    ...delivered,
    withdrawn: { declared_at: '2026-06-11T00:00:00Z', reason: 'scanned by mistake' },
  })
  const of = timeline([event()], { withdrawn_events: [withdrawn] })
  t.match(stageOf(of, 'w'), { name: 'withdrawn', startTimeUnixNano: '1781136000000000000', status: { code: 0 } })
  t.match(attributesOf(stageOf(of, 'w')), {
    'otep.event_id': 'w',
    'otep.status_code': 'delivered',
    'otep.withdrawn.declared_at': '2026-06-11T00:00:00Z',
    'otep.withdrawn.reason': 'scanned by mistake',
  })
})

t.test('given other journeys, when they are projected, then they are other traces', async (t) => {
  const traceOf = (over: Partial<Timeline>) => rootOf(timeline([event(delivered)], over))?.traceId
  const ids = [
    {},
    { subject: { tracking_number: 'SR2' } },
    { subject: { external_tracking_number: 'SR1' } },
    { profile: 'food' },
  ].map(traceOf)
  t.equal(new Set(ids).size, 4)
  t.equal(traceOf({ subject: { tracking_number: 'SR1', gs1_sscc: '095060001343520009' } }), ids[0])
})

t.test(
  'given event ids that repeat, or are empty, when they are projected, then span ids are still unique',
  async (t) => {
    const spans = spansOf(timeline([event({ event_id: '' }), event(), event(), event({ event_id: '' }), event()]))
    t.equal(new Set(spans.map(({ spanId }) => spanId)).size, 4)
  },
)

t.test('given ids of zeros alone, when they are given out, then they are not', async (t) => {
  t.equal(nonZero('0000'), '0001')
  t.equal(nonZero('0010'), '0010')
  t.match(spanIdsOf('a')('b'), /^[\da-f]{16}$/)
})

t.test(
  'given hostile texts, when they are projected, then the document is well-formed and is of its schema',
  async (t) => {
    for (const hostile of ['"\\\n', '\0', '\u202Eabc', '👩‍👩‍👧', '\uD800', 'é'.repeat(65_536)]) {
      const over = { event_id: hostile, status_code: `x-${hostile}`, incident_reason: hostile, description: hostile }
      const of = timeline([event(over), scan('z', 40)], { profile: hostile, subject: { tracking_number: hostile } })
      const document = otlp.project(of, target)
      t.ok(v.is(otlp.schema, document))
      t.ok(JSON.stringify(document) === JSON.stringify(otlp.project(structuredClone(of), target)))
      t.notMatch(JSON.stringify(document), /\\ud[89a-f]/)
    }
  },
)

t.test(
  'given every code, when it is projected, then the document is of its schema and says what is published',
  async (t) => {
    for (const profile of profiles) {
      const { name, codes } = profile
      for (const code of [...Object.keys(codes), ...Object.keys(unregisteredCodes), 'x-anything']) {
        const phase = Object.entries(codes).find(([one]) => one === code)?.[1].phase ?? 'x-experimental'
        const of = timeline([event({ status_code: code, phase }), scan('z', 40)], { profile: name })
        const { value } = otlp.codes(profile)[code] ?? otlp.codes(profile)['x-*'] ?? { value: '' }
        t.ok(v.is(otlp.schema, otlp.project(of, target)))
        t.equal(stageOf(of, 'e-1')?.name, code)
        t.equal(stageOf(of, 'e-1')?.status.code === 2, value.endsWith('ERROR'), code)
      }
    }
  },
)

t.test('given ten thousand events of one id, when they are projected, then every one has its span', async (t) => {
  const events = Array.from({ length: 10_000 }, () => event())
  t.equal(new Set(spansOf(timeline(events)).map(({ spanId }) => spanId)).size, 9_999)
})
