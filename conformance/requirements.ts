import { type Requirement, type RequirementId, requirements } from '../engine/index.ts'

/** A member of a document set to another value, by its path; `undefined` takes it away. */
type Change = readonly [path: readonly (string | number)[], value: unknown]

/** A requirement of the protocol, and the changes to a conforming document that break it (each by itself). */
interface Clause extends Requirement {
  readonly brokenBy: readonly Change[]
}

/** A document of level 2: it meets every requirement, with one external format. */
export const conforming = {
  otep_version: '0.1',
  profile: 'parcel',
  subject: { tracking_number: 'SR123456789', gs1_sscc: '106141412345678908' },
  current_status: 'delivered',
  delivered: true,
  events: [
    {
      event_id: 'a',
      occurred_at: '2026-06-10T08:00:00-04:00',
      status_code: 'received',
      phase: 'inbound',
      source: { type: 'node_scan' },
    },
    {
      event_id: 'b',
      occurred_at: '2026-06-10T09:00:00-04:00',
      status_code: 'out_for_delivery',
      location: { gln: '9521321000018' },
      source: { type: 'self_delivery' },
    },
    {
      event_id: 'c',
      occurred_at: '2026-06-10T11:30:00-04:00',
      status_code: 'delivered',
      source: { type: 'self_delivery' },
      pod: { recipient: 'J' },
    },
  ],
} as const

const first = ['events', 0] as const
const last = ['events', 2] as const

/** Total over the requirements, so that none can be added without a document that violates it. */
const brokenBy: Readonly<Record<RequirementId, readonly Change[]>> = {
  'otep-1-version': [
    [['otep_version'], undefined],
    [['otep_version'], '7.0'],
    [['otep_version'], 1],
    [[...first, 'otep_version'], '0.9'],
  ],
  'otep-1-profile': [
    [['profile'], undefined],
    [['profile'], 'cats'],
    [['profile'], 5],
  ],
  'otep-1-what': [
    [['subject'], undefined],
    [['subject'], {}],
    [['subject'], []],
    [['subject', 'gs1_sscc'], '106141412345678907'],
    [['subject', 'order_id'], '5'],
  ],
  'otep-1-when': [
    [[...first, 'occurred_at'], undefined],
    [[...first, 'occurred_at'], '2026-06-10T08:00:00'],
    [[...first, 'occurred_at'], '2026-02-30T08:00:00Z'],
    [[...first, 'occurred_at'], 1781000000],
  ],
  'otep-1-why': [
    [[...first, 'status_code'], undefined],
    [[...first, 'status_code'], 'RECEIVED'],
    [[...first, 'status_code'], 'x-'],
    [[...first, 'status_code'], 7],
  ],
  'otep-1-where': [
    [[...first, 'location'], 'Toronto'],
    [[...first, 'location'], { gln: '9521321000019' }],
    [[...first, 'location'], { latitude: 91 }],
    [[...first, 'location'], { planet: 'Mars' }],
  ],
  'otep-1-source': [
    [[...first, 'source'], { type: 'bogus' }],
    [[...first, 'source'], {}],
    [[...first, 'source'], 'me'],
  ],
  'otep-1-phase': [
    [[...first, 'phase'], 'transit'],
    [[...first, 'phase'], 3],
  ],
  'otep-1-events': [
    [['events'], 'none'],
    [['events'], {}],
  ],
  'otep-1-withdrawn': [
    [
      ['withdrawn_events'],
      [
        {
          event_id: 'd',
          occurred_at: '2026-06-10T08:10:00-04:00',
          status_code: 'received',
          source: { type: 'node_scan' },
        },
      ],
    ],
  ],
  'otep-1-event-id': [[[...last, 'event_id'], 'a']],
  'otep-1-transition': [[[...last, 'status_code'], 'out_for_pickup']],
  'otep-1-current-status': [
    [['current_status'], 'in_transit'],
    [['delivered'], false],
    [['delivered'], 'yes'],
  ],
  'otep-1-shape': [
    [['colour'], 'red'],
    [[...first, 'colour'], 'red'],
    [[...first], 'scan'],
    [[...last, 'pod'], { signature_url: 'javascript:alert(1)' }],
  ],
  'otep-1-visible': ['\u200b', '\u202a', '\u00ad', '\ufeff', '\u00a0', '\u{e0041}'].map((unseen) => [
    ['subject', 'tracking_number'],
    `SR123${unseen}456789`,
  ]),
  'otep-1-window': [
    [[...first, 'estimated_delivery_from'], '2026-06-10T14:00:00-04:00'],
    [
      ['events', 1],
      {
        ...conforming.events[1],
        estimated_delivery_from: '2026-06-10T16:00:00-04:00',
        estimated_delivery_at: '2026-06-10T14:00:00-04:00',
      },
    ],
  ],
  'otep-1-order': [[[...last, 'occurred_at'], '2026-06-10T08:30:00-04:00']],
  'otep-1-instant': [
    [
      last,
      {
        event_id: 'c',
        occurred_at: '2026-06-10T13:00:00Z',
        status_code: 'information_submitted',
        source: { type: 'node_scan' },
      },
    ],
  ],
  'otep-1-skipped': [
    [[...last, 'status_code'], 'return_to_sender'],
    [[...first, 'status_code'], 'in_transit'],
  ],
  'otep-1-announcement': [[['events', 1, 'status_code'], 'information_submitted']],
  'otep-1-terminal': [[[...first, 'status_code'], 'delivered']],
  'otep-1-past': [
    [[...first, 'occurred_at'], '1970-01-01T00:00:00Z'],
    [[...first, 'occurred_at'], '0001-01-01T00:00:00Z'],
  ],
  'otep-1-expected': [
    ...[
      ...['9999-12-31T00:00:00Z', '0001-01-01T00:00:00Z', '1900-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
      ...['1999-12-31T23:59:59-05:00', '2201-01-01T00:00:00+01:00'],
    ].map((time): Change => [[...first, 'estimated_delivery_at'], time]),
  ],
  'otep-1-present': [[[...last, 'occurred_at'], '2036-06-10T11:30:00-04:00']],
  'otep-1-provenance': [[[...first, 'source'], undefined]],
  'otep-1-proof': [[[...first, 'pod'], { recipient: 'J' }]],
  'otep-2-registered': [[['events', 1, 'status_code'], 'x-beamed']],
  'otep-2-projection': [],
}

/**
 * The list of the protocol's requirements, each with documents that violate it. Formats add the requirements of their
 * standards.
 */
export const clauses: readonly Clause[] = requirements.map((requirement) => ({
  ...requirement,
  brokenBy: brokenBy[requirement.id],
}))

/** A copy of a document with one change. */
export function changed(document: unknown, [path, value]: Change): unknown {
  const copy = structuredClone(document) as Record<string | number, unknown>
  const last = path.at(-1) as string | number
  const parent = path
    .slice(0, -1)
    .reduce<Record<string | number, unknown>>((node, member) => node[member] as Record<string | number, unknown>, copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}
