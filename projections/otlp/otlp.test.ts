import t from 'tap'
import * as v from 'valibot'
import { phaseOf, type Timeline, type TimelineEvent } from '../../engine/index.ts'
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
  return otlp.project(of, target).resourceSpans[0]?.scopeSpans[0]?.spans ?? []
}

function attributesOf(span: Pick<Span, 'attributes'> | undefined): Record<string, unknown> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

t.test('given an event, when it is projected, then the document is a root span with one span below', async (t) => {
  const both = {
    kind: 1,
    startTimeUnixNano: '1781098200000000000',
    endTimeUnixNano: '1781098200000000000',
  }
  const after = {
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: { code: 0 },
    links: [],
    droppedLinksCount: 0,
    flags: 257,
  }
  const root = {
    // SHA-256 of 'parcel', 'tracking_number' and 'SR1', a NUL between.
    traceId: 'c00da9237fe7098dd81fce0e16387129',
    spanId: '03fffa5bbd287ff1',
    name: 'parcel journey',
    ...both,
    attributes: [
      text('otep.subject.tracking_number', 'SR1'),
      text('otep.subject.order_id', '12345'),
      text('otep.current_status', 'picked_up'),
      { key: 'otep.delivered', value: { boolValue: false } },
      text('otep.timeline_url', 'https://api.example/api/v1/otep/trackings/SR1'),
    ],
    ...after,
  }
  const child = {
    traceId: 'c00da9237fe7098dd81fce0e16387129',
    spanId: 'a133783c0a675d34',
    parentSpanId: '03fffa5bbd287ff1',
    name: 'picked_up',
    ...both,
    attributes: [
      text('otep.event_id', 'e-1'),
      text('otep.version', '0.1'),
      text('otep.occurred_at', '2026-06-10T09:30:00-04:00'),
      text('otep.recorded_at', '2026-06-10T13:45:00.000Z'),
      text('otep.status_code', 'picked_up'),
      text('otep.phase', 'pickup'),
    ],
    ...after,
  }
  const expected = {
    resourceSpans: [
      {
        resource: {
          attributes: [
            text('service.name', 'otep.parcel'),
            text('otep.version', '0.1'),
            text('otep.profile', 'parcel'),
          ],
          droppedAttributesCount: 0,
        },
        scopeSpans: [{ scope: { name: 'otep-engine', version: '1' }, spans: [root, child] }],
      },
    ],
  }
  t.equal(JSON.stringify(otlp.project(timeline([event()]), target)), JSON.stringify(expected))
})

t.test('given no event in force, when it is projected, then the request is empty', async (t) => {
  const withdrawn = event({ withdrawn: { declared_at: '2026-06-11T00:00:00Z' } })
  t.same(otlp.project(timeline([]), target), { resourceSpans: [] })
  t.same(otlp.project(timeline([], { withdrawn_events: [withdrawn] }), target), { resourceSpans: [] })
})

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
  const [, span] = spansOf(timeline([full]))
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
  'given several events, when they are projected, then each span lasts until the next, the last no time',
  async (t) => {
    const spans = spansOf(
      timeline([
        event({ event_id: 'a', occurred_at: '2026-06-10T00:00:00Z' }),
        event({ event_id: 'b', occurred_at: '2026-06-10T02:00:01.5+02:00' }),
        event({ event_id: 'c', occurred_at: '2026-06-10T00:00:02.000000001Z' }),
      ]),
    )
    t.same(
      spans.map(({ startTimeUnixNano: start, endTimeUnixNano: end }) => [start, end]),
      [
        ['1781049600000000000', '1781049602000000001'],
        ['1781049600000000000', '1781049601500000000'],
        ['1781049601500000000', '1781049602000000001'],
        ['1781049602000000001', '1781049602000000001'],
      ],
    )
  },
)

t.test(
  'given events of one millisecond in another order, when projected, then no span ends before it starts',
  async (t) => {
    const spans = spansOf(
      timeline([
        event({ event_id: 'a', occurred_at: '2026-06-10T00:00:00.000000900Z' }),
        event({ event_id: 'b', occurred_at: '2026-06-10T00:00:00.000000100Z' }),
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
  const [, early, late] = spansOf(
    timeline([
      event({ event_id: 'a', occurred_at: '1969-12-31T23:59:59Z' }),
      event({ event_id: 'b', occurred_at: '9999-12-31T23:59:59Z' }),
    ]),
  )
  t.equal(early?.startTimeUnixNano, '0')
  t.equal(late?.startTimeUnixNano, '9223372036854775807')
  t.equal(attributesOf(early)['otep.occurred_at'], '1969-12-31T23:59:59Z')
})

t.test('given incidents, when they are projected, then their spans are errors that say why', async (t) => {
  const statusOf = (over: Partial<TimelineEvent>) => spansOf(timeline([event(over)]))[1]?.status
  const failed = { status_code: 'delivery_failed', phase: 'exception' }
  t.same(statusOf({}), { code: 0 })
  t.same(statusOf(failed), { code: 2, message: 'delivery_failed' })
  t.same(statusOf({ ...failed, description: 'Nobody home' }), { code: 2, message: 'Nobody home' })
  t.same(statusOf({ ...failed, description: 'x', incident_reason: 'absent' }), { code: 2, message: 'absent' })
  t.same(statusOf({ incident_reason: 'scratched' }), { code: 0 }, 'a reason beside a code that is no incident')
  const delivered = { status_code: 'delivered', phase: 'delivered' }
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

t.test('given journeys, when they are projected, then the root has the current status', async (t) => {
  const delivered = event({ event_id: 'd', status_code: 'delivered', phase: 'delivered' })
  const failed = event({ event_id: 'f', status_code: 'delivery_failed', phase: 'exception' })
  const rootOf = (of: Timeline) => spansOf(of)[0]?.status
  t.same(rootOf(timeline([event(), failed])), { code: 2, message: 'delivery_failed' })
  t.same(rootOf(timeline([failed, event()])), { code: 0 })
  t.same(rootOf(timeline([failed, delivered])), { code: 1 })
  t.same(
    rootOf(timeline([delivered, failed], { current_status: 'delivered', delivered: true })),
    { code: 1 },
    'a terminal status holds',
  )
})

t.test('given a withdrawn event, when it is projected, then it is a remark on the root span', async (t) => {
  const withdrawn = event({
    event_id: 'w',
    status_code: 'delivered',
    withdrawn: { declared_at: '2026-06-11T00:00:00Z', reason: 'scanned by mistake' },
  })
  const [root, ...spans] = spansOf(timeline([event()], { withdrawn_events: [withdrawn] }))
  t.match(root?.events, [{ name: 'withdrawn', timeUnixNano: '1781136000000000000', droppedAttributesCount: 0 }])
  t.match(attributesOf(root?.events[0]), {
    'otep.event_id': 'w',
    'otep.status_code': 'delivered',
    'otep.withdrawn.declared_at': '2026-06-11T00:00:00Z',
    'otep.withdrawn.reason': 'scanned by mistake',
  })
  t.equal(spans.length, 1)
})

t.test('given the same journey, when more is known of it, then its ids stay', async (t) => {
  const [root, span] = spansOf(timeline([event()]))
  const later = event({ event_id: 'e-2', occurred_at: '2026-06-11T00:00:00Z' })
  const earlier = event({ event_id: 'e-0', occurred_at: '2026-06-09T00:00:00Z' })
  const subject = { tracking_number: 'SR1', gs1_sscc: '095060001343520009' }
  const [sameRoot, , sameSpan] = spansOf(timeline([earlier, event(), later], { subject }))
  t.equal(sameRoot?.traceId, root?.traceId)
  t.equal(sameRoot?.spanId, root?.spanId)
  t.equal(sameSpan?.spanId, span?.spanId)
  t.not(spansOf(timeline([event()], { subject: { tracking_number: 'SR2' } }))[0]?.traceId, root?.traceId)
  t.not(spansOf(timeline([event()], { subject: { external_tracking_number: 'SR1' } }))[0]?.traceId, root?.traceId)
  t.not(spansOf(timeline([event()], { profile: 'food' }))[0]?.traceId, root?.traceId)
})

t.test(
  'given event ids that repeat, or are empty, when they are projected, then span ids are still unique',
  async (t) => {
    const spans = spansOf(timeline([event({ event_id: '' }), event(), event(), event({ event_id: '' }), event()]))
    t.equal(new Set(spans.map(({ spanId }) => spanId)).size, 6)
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
      const of = timeline([event(over)], { profile: hostile, subject: { tracking_number: hostile } })
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
        const of = timeline([event({ status_code: code, phase })], { profile: name })
        const { value } = otlp.codes(profile)[code] ?? otlp.codes(profile)['x-*'] ?? { value: '' }
        t.ok(v.is(otlp.schema, otlp.project(of, target)))
        t.equal(spansOf(of)[1]?.name, code)
        t.equal(spansOf(of)[1]?.status.code === 2, value.endsWith('ERROR'), code)
      }
    }
  },
)

t.test('given ten thousand events of one id, when they are projected, then every one has its span', async (t) => {
  const events = Array.from({ length: 10_000 }, () => event())
  t.equal(new Set(spansOf(timeline(events)).map(({ spanId }) => spanId)).size, 10_001)
})
