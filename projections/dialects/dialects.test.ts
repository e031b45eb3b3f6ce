import t from 'tap'
import { type Dialect, instantProblem, type Reading } from '../../engine/index.ts'
import { unregisteredCodes } from '../../profiles/index.ts'
import { parcel } from '../../profiles/parcel.ts'
import { easypostBack, easypostDetails, easypostStatuses } from './easypost.ts'
import { dialects } from './index.ts'
import { journeys } from './journeys.test.fixture.ts'
import { karrioStatuses } from './karrio.ts'
import { ship24Codes, ship24Milestones } from './ship24.ts'
import { shippoStatuses, shippoSubstatuses } from './shippo.ts'
import { track17Statuses, track17Substatuses } from './track17.ts'
import { trackingmoreStatuses, trackingmoreSubstatuses } from './trackingmore.ts'

const target = { baseUrl: 'https://otep.example', options: {} }
const dialect = (name: string) => dialects.find((one) => one.name === name) as Dialect
const read = (name: string, document: unknown) => dialect(name).parse?.(document, target) ?? []

/** What a reading says, in one line: its code, time and warnings. */
const said = ({ event, warnings = [], findings = [] }: Reading) => {
  const { status_code, occurred_at, incident_reason } = (event ?? {}) as Record<string, string>
  const codes = [...warnings, ...findings].map(({ path, code }) => `${path} ${code}`)
  return [status_code, occurred_at, incident_reason, ...codes].filter((word) => word !== undefined).join(' | ')
}

/** What is read of the journeys, in the order of each document. */
const readOf: Readonly<Record<string, readonly string[]>> = {
  easypost: [
    'information_submitted | 2026-06-10T08:00:00Z',
    'received | 2026-06-10T18:00:00Z',
    'package_outbound | 2026-06-11T06:00:00Z',
    'delivered | 2026-06-12T09:30:00Z',
  ],
  shippo: [
    'information_submitted | 2026-06-10T08:00:00Z',
    'picked_up | 2026-06-10T18:00:00Z',
    'package_outbound | 2026-06-11T06:00:00Z',
    'delivered | 2026-06-12T09:30:00Z',
  ],
  '17track': [
    'delivered | 2026-06-12T11:30:00+02:00',
    'in_transit | 2026-06-11T08:00:00+02:00 | data.track_info.tracking.providers[0].events[1].sub_status code_missing',
    'picked_up | 2026-06-10T20:00:00+02:00',
    'information_submitted | 2026-06-10T10:00:00+02:00',
  ],
  ship24: [
    'information_submitted | 2026-06-10T08:00:00-00:00 | trackings[0].events[0].occurrenceDatetime zone_assumed',
    'picked_up | 2026-06-10T18:00:00+02:00',
    'in_transit | 2026-06-11T06:00:00Z',
    'delivered | 2026-06-12T00:00:00-00:00 | trackings[0].events[3].occurrenceDatetime zone_assumed',
  ],
  trackingmore: [
    'in_transit | 2026-06-11T06:00:00-00:00 | data.origin_info.trackinfo[0].checkpoint_date zone_assumed',
    'arrival_scan | 2026-06-10T18:00:00-00:00 | data.origin_info.trackinfo[1].checkpoint_date zone_assumed',
    'information_submitted | 2026-06-10T08:00:00+08:00',
    'delivered | 2026-06-12T09:30:00-04:00',
  ],
  karrio: [
    'delivered | 2026-06-12T09:30:00-00:00 | data.events[0].date zone_assumed',
    'in_transit | 2026-06-11T06:00:00-00:00 | data.events[1].date zone_assumed',
    'picked_up | 2026-06-10T18:00:00-00:00 | data.events[2].date zone_assumed',
    'information_submitted | 2026-06-10T08:00:00-00:00 | data.events[3].date zone_assumed',
  ],
}

for (const [name, document] of Object.entries(journeys)) {
  t.test(
    `given a journey as ${name} tells it, when it is read, then each scan is an event of its parcel`,
    async (t) => {
      const readings = read(name, document)
      t.same(readings.map(said), readOf[name])
      for (const { subject, event } of readings) {
        t.same(subject, { tracking_number: 'SR1' })
        t.equal(instantProblem((event as { occurred_at: string }).occurred_at), undefined)
      }
      t.same(read(name, document), readings, 'read again, it has the same ids')
      const ids = new Set(readings.map(({ event }) => (event as { event_id: string }).event_id))
      t.equal(ids.size, 4, 'each with its own')
    },
  )

  t.test(`given what is no document of ${name}, when it is read, then nothing throws`, async (t) => {
    for (const odd of [null, 7, 'text', [], {}, { data: null }, { data: [null] }, { trackings: [7] }, { result: {} }])
      t.ok(read(name, odd).every(({ event }) => event === undefined))
  })
}

t.test(
  'given texts for people, when they are read, then they have no markup; the signer is of the delivery',
  async (t) => {
    const last = read('easypost', journeys.easypost).at(-1)?.event as Record<string, unknown>
    t.match(last, {
      description: 'Left at door',
      pod: { recipient: 'Ann' },
      location: { address: { locality: 'BOSTON', region: 'MA', postal_code: '02108', country: 'US' } },
      estimated_delivery_at: '2026-06-12T23:59:59-00:00',
    })
    const [first] = read('17track', journeys['17track'])
    t.match(first?.event, { location: { name: 'Lyon', latitude: 45.76, longitude: 4.84, address: { country: 'FR' } } })
  },
)

/** Every table, and where a row of it is used. */
const tables = {
  ...{ easypostStatuses, easypostDetails, shippoStatuses, shippoSubstatuses, track17Statuses, track17Substatuses },
  ...{ ship24Milestones, ship24Codes, trackingmoreStatuses, trackingmoreSubstatuses, karrioStatuses },
}

t.test(
  'given the tables, when their rows are looked at, then each has a code that a profile or the list knows',
  async (t) => {
    const known = new Set([...Object.keys(parcel.codes), ...Object.keys(unregisteredCodes)])
    for (const [name, table] of Object.entries(tables))
      for (const [word, row] of Object.entries(table))
        if (typeof row === 'object') t.ok(known.has(row.code), `${name} ${word}`)
    const sizes = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, Object.keys(table).length]))
    t.same(sizes, {
      ...{ easypostStatuses: 10, easypostDetails: 28, shippoStatuses: 6, shippoSubstatuses: 27 },
      ...{ track17Statuses: 9, track17Substatuses: 30, ship24Milestones: 8, ship24Codes: 20 },
      ...{ trackingmoreStatuses: 9, trackingmoreSubstatuses: 29, karrioStatuses: 12 },
    })
  },
)

t.test('given a word that no table has, when it is read, then it is a free code, and reported', async (t) => {
  const odd = (name: string, tracking: object) => read(name, tracking).map(said)
  const at = '2026-06-10T08:00:00Z'
  t.same(
    odd('ship24', {
      tracker: { trackingNumber: 'SR1' },
      events: [{ statusMilestone: 'Drone landed', occurrenceDatetime: at }],
    }),
    [`x-ship24_drone_landed | ${at} | events[0].statusMilestone meaning_unknown`],
  )
  const later = { statusMilestone: 'in_transit', statusCode: 'transit_by_drone', occurrenceDatetime: at }
  t.same(odd('ship24', { tracker: { trackingNumber: 'SR1' }, events: [later] }), [
    `in_transit | ${at} | events[0].statusMilestone code_missing`,
  ])
  t.same(
    odd('karrio', { tracking_number: 'SR1', events: [{ date: '2026-06-10', code: 'DEP', description: 'Gone' }] }),
    ['x-karrio_dep | 2026-06-10T00:00:00-00:00 | events[0].date zone_assumed | events[0].code meaning_unknown'],
  )
  t.same(odd('trackingmore', { tracking_number: 'SR1', delivery_status: 'transit', substatus: 'notfound001' }), [
    'in_transit | delivery_status code_missing',
  ])
})

t.test('given a parcel that goes back, when a delivery follows, then it is back at its sender', async (t) => {
  const details = [
    ['in_transit', 'refused', '2026-06-10T08:00:00Z'],
    ['return_to_sender', 'unknown', '2026-06-11T08:00:00Z'],
    ['delivered', 'unknown', '2026-06-12T08:00:00Z'],
  ].map(([status, status_detail, datetime]) => ({ status, status_detail, datetime }))
  const codes = (tracking_details: readonly object[]) =>
    read('easypost', { tracking_code: 'SR1', tracking_details }).map(
      ({ event }) => (event as { status_code: string }).status_code,
    )
  t.same(codes(details), ['rejected_by_recipient', 'x-returning', 'return_to_sender'])
  t.same(codes(details.slice(0, 2)), ['rejected_by_recipient', 'x-returning'])
  t.same(easypostBack('delivered', 'missorted'), { code: 'delivered', exact: true, reason: 'missorted' })
})

t.test(
  'given a state that no scan explains, when it is read, then it is a status a moment after the last scan',
  async (t) => {
    const events = [{ statusMilestone: 'in_transit', occurrenceDatetime: '2026-06-10T08:00:00+02:00' }]
    const [, status] = read('ship24', {
      tracker: { trackingNumber: 'SR1' },
      shipment: { statusMilestone: 'exception' },
      events,
    })
    t.match(status, {
      status: true,
      event: { status_code: 'x-exception', occurred_at: '2026-06-10T08:00:00.001+02:00' },
    })
    const alone = read('ship24', { tracker: { trackingNumber: 'SR1' }, shipment: { statusMilestone: 'delivered' } })
    t.match(alone, [{ status: true, event: { status_code: 'delivered', occurred_at: undefined } }])
  },
)
