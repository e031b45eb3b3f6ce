import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import { projectFile } from '../../conformance/program/files.ts'
import {
  type Context,
  call,
  createMemoryModels,
  createMemoryStore,
  EngineError,
  en,
  type Members,
  otepIngest,
  otepTracking,
  type Reading,
  type Subject,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import { outside } from '../../engine/testing/context.ts'
import { parcel, profiles, storage } from '../../profiles/index.ts'
import { otep } from '../otep/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { parcelMappings } from '../shared/parcels.test.fixture.ts'
import { eventsBack, subtagsBack } from './back.ts'
import { codes, tags } from './codes.ts'
import { countryOfAlpha2, countryOfAlpha3 } from './countries.ts'
import { aftership } from './index.ts'

const target = { baseUrl: 'https://track.example', options: {} }

/** An event at an hour of 10 June 2026, four hours west of Greenwich. */
function at(hour: number, status_code: string, more: Partial<TimelineEvent> = {}): TimelineEvent {
  const time = `2026-06-10T${String(hour).padStart(2, '0')}:30:00`
  return {
    ...{ event_id: `e-${hour}`, otep_version: '0.1', occurred_at: `${time}-04:00`, recorded_at: `${time}.250-04:00` },
    ...{ status_code, phase: 'transit', ...more },
  }
}

function timeline(events: readonly TimelineEvent[], over: Partial<Timeline> = {}): Timeline {
  const current = events.at(-1)?.status_code
  return {
    ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'SR 1' } },
    ...(current === undefined ? {} : { current_status: current }),
    ...{ delivered: current === 'delivered', events, ...over },
  }
}

const project = (events: readonly TimelineEvent[], over?: Partial<Timeline>) =>
  aftership.project(timeline(events, over), target)
const trackingOf = (events: readonly TimelineEvent[], over?: Partial<Timeline>) => project(events, over).data
const parse = (document: unknown) => aftership.parse?.(document, target) ?? []
const eventsOf = (readings: readonly Reading[]) => readings.map(({ event }) => event as Record<string, unknown>)
const codesOf = (readings: readonly Reading[]) => eventsOf(readings).map((event) => event?.status_code)
const warningsOf = (readings: readonly Reading[]) =>
  readings.flatMap(({ warnings = [] }) => warnings.map(({ code, path }) => `${code} ${path}`))

/** What is read of one checkpoint of a bare tracking. */
const readOne = (checkpoint: object) =>
  parse({
    tracking_number: 'A1',
    checkpoints: [{ checkpoint_time: '2026-06-10T09:30:00-04:00', tag: 'InTransit', ...checkpoint }],
  })

const journey = [
  at(8, 'picked_up', {
    description: 'Taken over',
    estimated_delivery_at: '2026-06-12T18:00:00-04:00',
    source: { type: 'carrier_tracking', provider: 'acme', code: 'PU' },
    location: {
      ...{ name: 'Depot 1', latitude: 43.7, longitude: -79.4 },
      address: { locality: 'Toronto', region: 'ON', postal_code: 'M5V', country: 'CA' },
    },
  }),
  at(12, 'delivery_failed', { incident_reason: 'consignee_absent' }),
  at(15, 'delivered', {
    occurred_at: '2026-06-12T15:30:00-04:00',
    pod: { recipient: 'J. Doe', signature_url: 'https://p.example/s', photo_urls: ['https://p.example/1'] },
  }),
]
const journeySubject: Subject = { tracking_number: 'SR 1', gs1_sscc: '340123450000000000', order_id: 7 }

t.test('given a journey, when it is projected, then it is what AfterShip answers', async (t) => {
  const document = project(journey, { subject: journeySubject })
  const estimate = { type: 'specific', source: 'Carrier EDD', datetime: '2026-06-12T18:00:00-04:00' }
  const expected = {
    id: document.data.id,
    created_at: '2026-06-10T12:30:00+00:00',
    updated_at: '2026-06-10T19:30:00+00:00',
    tracking_number: 'SR 1',
    slug: 'acme',
    active: false,
    custom_fields: {
      ...{ otep_version: '0.1', otep_profile: 'parcel', tracking_number: 'SR 1' },
      ...{ gs1_sscc: '340123450000000000', order_id: 7, otep_first_estimate: 'e-8', otep_latest_estimate: 'e-8' },
      ...{ otep_proof: 'e-15', otep_signature: 'https://p.example/s' },
    },
    transit_time: 2,
    courier_estimated_delivery_date: { estimated_delivery_date: '2026-06-12T18:00:00-04:00' },
    order_id: '7',
    shipment_pickup_date: '2026-06-10T08:30:00-04:00',
    shipment_delivery_date: '2026-06-12T15:30:00-04:00',
    signed_by: 'J. Doe',
    source: 'api',
    ...{ tag: 'Delivered', subtag: 'Delivered_001', subtag_message: 'Delivered' },
    title: 'SR 1',
    checkpoints: [
      {
        created_at: '2026-06-10T12:30:00+00:00',
        slug: 'acme',
        checkpoint_time: '2026-06-10T08:30:00-04:00',
        ...{ location: 'Depot 1', city: 'Toronto', state: 'ON', postal_code: 'M5V' },
        coordinate: { latitude: 43.7, longitude: -79.4 },
        ...{ country_region: 'CAN', country_region_name: 'Canada', message: 'Taken over' },
        ...{ tag: 'InTransit', subtag: 'InTransit_002', subtag_message: 'Acceptance scan', raw_tag: 'PU' },
        ...{ events: [{ code: 'picked_up' }], source: 'carrier', hash: 'e-8' },
      },
      {
        created_at: '2026-06-10T16:30:00+00:00',
        checkpoint_time: '2026-06-10T12:30:00-04:00',
        message: 'The delivery was tried and did not succeed.',
        ...{ tag: 'AttemptFail', subtag: 'AttemptFail_001', subtag_message: 'Failed attempt' },
        events: [{ code: 'delivery_attempt_failed', reason: { code: 'consignee_absent' } }],
        ...{ source: 'carrier', hash: 'e-12' },
      },
      {
        created_at: '2026-06-10T19:30:00+00:00',
        checkpoint_time: '2026-06-12T15:30:00-04:00',
        message: 'The recipient has the parcel.',
        ...{ tag: 'Delivered', subtag: 'Delivered_001', subtag_message: 'Delivered' },
        ...{ source: 'carrier', hash: 'e-15' },
      },
    ],
    return_to_sender: false,
    courier_tracking_link: 'https://track.example/track/SR%201',
    first_attempted_at: '2026-06-10T12:30:00-04:00',
    first_estimated_delivery: estimate,
    latest_estimated_delivery: estimate,
    failed_delivery_attempts: 1,
    proof_of_delivery: [
      { type: 'image', url: 'https://p.example/s' },
      { type: 'image', url: 'https://p.example/1' },
    ],
  }
  t.equal(JSON.stringify(document), JSON.stringify({ meta: { code: 200 }, data: expected }))
  t.match(document.data.id, /^[0-9a-zA-Z_-]{1,128}$/)
  t.equal(document.data.id, trackingOf([], { subject: journeySubject }).id, 'the id is that of the parcel')
})

t.test('given no event, when it is projected, then the tracking is pending', async (t) => {
  const { tag, subtag, checkpoints, active, ...rest } = trackingOf([])
  t.same({ tag, subtag, checkpoints, active }, { tag: 'Pending', subtag: 'Pending_001', checkpoints: [], active: true })
  t.notOk('created_at' in rest)
  t.notOk('tracking_number' in trackingOf([], { subject: {} }), 'there are no empty texts')
})

t.test('given an event of each code, when it is projected and read, then the code comes back', async (t) => {
  const all = [...Object.keys(parcel.codes), ...Object.keys(unregisteredCodes), 'x-of-nobody', 'x-:a\0"']
  for (const code of all) {
    const document = project([at(8, code)])
    t.ok(v.is(aftership.schema, document), code)
    t.same(codesOf(parse(document)), [code])
    const reason = project([at(8, code, { incident_reason: 'weather', source: { type: 'node_scan', code: 'W1' } })])
    t.match(eventsOf(parse(reason)), [{ status_code: code, incident_reason: 'weather', source: { code: 'W1' } }])
  }
  for (const [code, { fidelity, state }] of Object.entries(codes.parcel))
    if (fidelity === '=')
      t.same(codesOf(readOne({ ...state, events: project([at(8, code)]).data.checkpoints[0]?.events })), [code])
  for (const code of [...Object.keys(storage.codes), ...Object.keys(unregisteredCodes)]) {
    const stay = project([at(8, code)], { profile: 'storage' })
    t.ok(v.is(aftership.schema, stay))
    t.match(parse(stay), [{ profile: 'storage', event: { status_code: code } }])
  }
  const foreign = project([at(8, 'stored')], { profile: 'moving' })
  t.match(parse(foreign), [{ profile: 'moving', event: { status_code: 'stored' } }])
})

t.test('given a stay in a machine, when it is projected, then its proof is that of who collected it', async (t) => {
  const pod = { recipient: 'A.K.' }
  const tracking = trackingOf([at(8, 'stored'), at(9, 'overdue'), at(10, 'collected', { pod })], { profile: 'storage' })
  t.same(
    tracking.checkpoints.map(({ subtag }) => subtag),
    ['AvailableForPickup_001', 'Exception_008', 'Delivered_002'],
  )
  t.match(tracking, { signed_by: 'A.K.', subtag: 'Delivered_002' })
  t.ok(tracking.shipment_delivery_date)
})

t.test(
  'given an event that AfterShip has no word for, when it is last, then the tag is that of the one before',
  async (t) => {
    const tracking = trackingOf([at(8, 'out_for_delivery'), at(9, 'x-of-nobody')])
    t.equal(tracking.subtag, 'OutForDelivery_001')
    t.notOk('tag' in (tracking.checkpoints[1] ?? {}))
    t.notOk('tag' in trackingOf([at(9, 'x-of-nobody')]))
  },
)

t.test('given a return, when it is followed by other events, then the tracking stays returned', async (t) => {
  const events = [at(8, 'return_to_sender'), at(9, 'in_transit')]
  const tracking = trackingOf(events, { current_status: 'return_to_sender' })
  t.match(tracking, { return_to_sender: true, subtag: 'Exception_011', active: false })
  t.match(trackingOf([at(8, 'x-returning'), at(9, 'delivered')]), { return_to_sender: true, subtag: 'Delivered_001' })
  t.match(trackingOf([at(8, 'rejected_by_recipient')]), { return_to_sender: false, first_attempted_at: /08:30/ })
})

t.test('given two providers with the same event id, when they are projected, then their hashes differ', async (t) => {
  const source = (provider: string) => ({ type: 'carrier_tracking', provider })
  const { checkpoints } = trackingOf([
    at(8, 'received', { source: source('acme') }),
    at(9, 'received', { event_id: 'e-8', source: source('other co') }),
  ])
  t.equal(checkpoints[0]?.hash, 'e-8')
  t.match(checkpoints[1]?.hash, /^[0-9a-f-]{36}$/)
  t.equal(checkpoints[1]?.slug, undefined, 'a name that has not the form of a slug is none')
  const named = trackingOf([at(8, 'received'), at(9, 'received', { event_id: 'e-8', source: source('other') })])
  t.equal(named.checkpoints[1]?.hash, 'other:e-8')
})

t.test('given a place without a name, when it is projected, then its code replaces the name', async (t) => {
  const locationOf = (location: TimelineEvent['location']) =>
    trackingOf([at(8, 'received', location && { location })]).checkpoints[0]?.location
  t.equal(locationOf({ address: { street: '1 Main St', locality: 'X' } }), undefined)
  t.equal(locationOf({ unlocode: 'CATOR', gln: '4012345000009' }), 'UN/LOCODE CATOR')
  t.equal(locationOf({ gln: '4012345000009' }), 'GLN 4012345000009')
  t.equal(locationOf({ name: 'Hub', gln: '4012345000009' }), 'Hub')
  t.equal(locationOf({ name: '', address: { locality: '' } }), undefined)
  t.notOk(
    'country_region' in
      (trackingOf([at(8, 'received', { location: { address: { country: 'ZZ' } } })]).checkpoints[0] ?? {}),
  )
})

t.test(
  'given delivery dates before those of pick-up, when it is projected, then there is no transit time',
  async (t) => {
    const early = at(15, 'delivered', { occurred_at: '2026-06-09T15:30:00-04:00' })
    t.notOk('transit_time' in trackingOf([early, at(16, 'picked_up')]))
  },
)

t.test('every country has two letters, three letters and a name', async (t) => {
  t.equal(countryOfAlpha3('DEU')?.alpha2, 'DE')
  t.same(countryOfAlpha2('CI'), { alpha2: 'CI', alpha3: 'CIV', name: "Côte d'Ivoire" })
  t.equal(countryOfAlpha2('VC')?.name, 'St. Vincent & Grenadines')
  t.equal(countryOfAlpha2(undefined), undefined)
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const all = letters.flatMap((one) => letters.flatMap((other) => countryOfAlpha2(one + other) ?? []))
  t.equal(all.length, 250)
  for (const country of all) {
    t.match(country, { alpha2: /^[A-Z]{2}$/, alpha3: /^[A-Z]{3}$/, name: /^\p{Lu}\S/u })
    t.equal(countryOfAlpha3(country.alpha3), country)
  }
})

t.test('given a tracking in each envelope, when it is read, then its events are found where they stand', async (t) => {
  const tracking = {
    tracking_number: 'A1',
    checkpoints: [{ checkpoint_time: '2026-06-10T09:30:00Z', tag: 'InTransit' }],
  }
  const pathsOf = (document: unknown) => parse(document).map(({ path }) => path)
  t.same(pathsOf({ meta: { code: 200 }, data: tracking }), ['data.checkpoints[0]'])
  t.same(pathsOf({ meta: { code: 200 }, data: { trackings: [tracking, tracking] } }), [
    'data.trackings[0].checkpoints[0]',
    'data.trackings[1].checkpoints[0]',
  ])
  t.same(pathsOf({ trackings: [tracking] }), ['trackings[0].checkpoints[0]'])
  t.same(pathsOf({ event: 'tracking_update', ts: 1, msg: tracking }), ['msg.checkpoints[0]'])
  t.same(pathsOf(tracking), ['checkpoints[0]'])
})

t.test('given what is no tracking, when it is read, then it is refused where it is wrong', async (t) => {
  const refusals: readonly [unknown, string, string][] = [
    [null, '', 'wrong_type'],
    ['x', '', 'wrong_type'],
    [[], '', 'wrong_type'],
    [{}, 'tracking_number', 'required'],
    [{ data: { tracking_number: null } }, 'data.tracking_number', 'required'],
    [{ data: { trackings: [null] } }, 'data.trackings[0]', 'wrong_type'],
    [{ tracking_number: 'A1', checkpoints: [7] }, 'checkpoints[0]', 'wrong_type'],
  ]
  for (const [document, path, code] of refusals) t.match(parse(document), [{ findings: [{ path, code }] }])
  t.same(parse({ tracking_number: 'A1' }), [{ path: '' }], 'a tracking without checkpoints is no news')
  t.same(parse({ tracking_number: 'A1', checkpoints: null }), [{ path: '' }])
  t.same(parse({ tracking_number: 'A1', checkpoints: [{ tag: 'Pending', subtag: 'Pending_003' }] }), [
    { path: 'checkpoints[0]' },
  ])
})

t.test(
  'given a foreign checkpoint, when it is read, then all its values are used, and null and blank ones count as missing',
  async (t) => {
    const [reading] = readOne({
      ...{ created_at: '2026-06-10T13:31:00+00:00', slug: 'fedex', location: null, city: 'New York', state: '' },
      ...{ postal_code: '10011', coordinate: { latitude: 40.7, longitude: null }, country_region: 'USA' },
      ...{ message: 'Arrived', subtag: 'InTransit_003', raw_tag: 'AR', source: 'carrier', hash: 'h1', new_member: {} },
    })
    t.match(reading, { path: 'checkpoints[0]', subject: { tracking_number: 'A1' }, warnings: [] })
    t.same(reading?.event, {
      event_id: 'h1',
      occurred_at: '2026-06-10T09:30:00-04:00',
      recorded_at: '2026-06-10T13:31:00+00:00',
      status_code: 'arrival_scan',
      location: {
        latitude: 40.7,
        address: { locality: 'New York', postal_code: '10011', country: 'US' },
      },
      source: { type: 'carrier_tracking', code: 'AR' },
      description: 'Arrived',
    })
  },
)

t.test('given a checkpoint of an older version, when it is read, then its old names are known', async (t) => {
  const readings = readOne({ zip: '10011', country_iso3: 'USA', created_at: '2026-06-10T13:31:00', message: 'In' })
  t.match(eventsOf(readings), [
    { recorded_at: '2026-06-10T13:31:00Z', location: { address: { postal_code: '10011', country: 'US' } } },
  ])
  const again = readOne({ city: 'New York', message: 'In' })
  t.equal(eventsOf(again)[0]?.event_id, eventsOf(readings)[0]?.event_id, 'the same scan with more is the same event')
  t.not(eventsOf(readOne({ message: 'Out' }))[0]?.event_id, eventsOf(readings)[0]?.event_id)
  t.equal(eventsOf(readOne({ created_at: 'yesterday' }))[0]?.recorded_at, undefined)
})

t.test('given a time without a zone, when it is read, then it is marked, and goes back as it came', async (t) => {
  const readings = readOne({ checkpoint_time: '2026-06-10T09:30:00', hash: 'h' })
  t.match(eventsOf(readings), [{ occurred_at: '2026-06-10T09:30:00-00:00' }])
  t.same(warningsOf(readings), ['zone_assumed checkpoints[0].checkpoint_time'])
  const back = trackingOf([at(9, 'picked_up', { occurred_at: '2026-06-10T09:30:00-00:00' })])
  t.equal(back.checkpoints[0]?.checkpoint_time, '2026-06-10T09:30:00')
  t.equal(back.shipment_pickup_date, '2026-06-10T09:30:00')
})

t.test('given an estimate without a zone, when it is read, then it is marked, and goes back as it came', async (t) => {
  const checkpoints = [{ checkpoint_time: '2026-06-10T09:30:00Z', tag: 'InTransit' }]
  const courier = { courier_estimated_delivery_date: { estimated_delivery_date: '2026-06-13T12:00:00' } }
  const latest = { latest_estimated_delivery: { source: 'Carrier EDD', datetime: '2026-06-14T12:00:00' } }
  const read = (more: object) => parse({ data: { tracking_number: 'A1', checkpoints, ...more } })
  t.match(eventsOf(read(courier)), [{ estimated_delivery_at: '2026-06-13T12:00:00-00:00' }])
  t.same(warningsOf(read(courier)), ['zone_assumed data.courier_estimated_delivery_date.estimated_delivery_date'])
  t.match(eventsOf(read({ ...courier, ...latest })), [{ estimated_delivery_at: '2026-06-14T12:00:00-00:00' }])
  t.same(warningsOf(read(latest)), ['zone_assumed data.latest_estimated_delivery.datetime'])
  const back = project([at(9, 'picked_up', { estimated_delivery_at: '2026-06-13T12:00:00-00:00' })])
  t.match(back.data, {
    ...{ latest_estimated_delivery: { datetime: '2026-06-13T12:00:00' } },
    ...courier,
  })
  t.match(eventsOf(parse(back)), [{ estimated_delivery_at: '2026-06-13T12:00:00-00:00' }])
})

t.test(
  'given a state, when it is read, then the code is what it says, with a warning where it is not exact',
  async (t) => {
    const table: readonly [checkpoint: object, code: string | undefined, warning?: string][] = [
      [{ subtag: 'InTransit_001' }, 'in_transit'],
      [{ subtag: undefined }, 'in_transit'],
      [{ subtag: 'InTransit_002' }, 'picked_up'],
      [{ subtag: 'InTransit_004' }, 'in_transit', 'code_missing'],
      [{ subtag: 'InTransit_005' }, 'x-customs_cleared', 'code_missing'],
      [{ subtag: 'InTransit_012' }, 'in_transit', 'meaning_unknown'],
      [{ subtag: 'Delivered_001' }, 'in_transit', 'code_missing'],
      [{ tag: 'Delivered', subtag: 'Delivered_002', events: [{ code: 'picked_up' }] }, 'delivered'],
      [{ tag: 'OutForDelivery', subtag: 'OutForDelivery_004' }, 'x-aftership_outfordelivery_004', 'code_missing'],
      [{ tag: 'Exception', subtag: 'Exception_010' }, 'x-returning', 'code_missing'],
      [{ tag: 'Exception', subtag: 'Exception_014' }, 'x-exception', 'meaning_unknown'],
      [{ tag: 'Exception', subtag: 'Exception_001', events: [{ code: 'carrier_pickup_failed' }] }, 'pickup_failed'],
      [
        { tag: 'AttemptFail', events: [{ code: 'rerouted' }, { code: 'redelivery_scheduled' }] },
        'delivery_rescheduled',
      ],
      [{ events: [null, 7, { code: {} }] }, 'in_transit'],
      [{ tag: 'Teleported to Mars', subtag: 'T_1' }, 'x-aftership_teleported_to_mars', 'meaning_unknown'],
      [{ tag: 'constructor', subtag: 'constructor' }, 'x-aftership_constructor', 'meaning_unknown'],
      [{ tag: null }, undefined],
      [{ tag: 7 }, undefined],
    ]
    for (const [checkpoint, code, warning] of table) {
      const readings = readOne(checkpoint)
      t.same(codesOf(readings), [code], JSON.stringify(checkpoint))
      t.same(warningsOf(readings), warning === undefined ? [] : [`${warning} checkpoints[0].tag`])
    }
    t.match(eventsOf(readOne({ tag: 'Exception', subtag: 'Exception_017' })), [{ incident_reason: 'weather' }])
    t.same(warningsOf(readOne({ country_region: 'XXX' })), ['not_taken checkpoints[0].country_region'])
    t.notOk(
      'source' in (eventsOf(readOne({ source: 'user' }))[0] ?? {}),
      'what a user entered is no report of a carrier',
    )
  },
)

t.test(
  'given a code, when its event is projected, then the checkpoint says what the standard has for it',
  async (t) => {
    const table = {
      information_submitted: '~ InfoReceived_001 Info received',
      booking_confirmed: '~ InfoReceived_001 Info received',
      awaiting_pickup: '~ InfoReceived_001 Info received',
      out_for_pickup: '~ InfoReceived_001 Info received',
      picked_up: '= InTransit_002 Acceptance scan + picked_up',
      pickup_failed: '~ Exception_001 Exception + carrier_pickup_failed',
      pickup_rescheduled: '~ InfoReceived_001 Info received',
      received: '~ InTransit_002 Acceptance scan',
      arrival_scan: '= InTransit_003 Arrival scan',
      in_transit: '= InTransit_001 In transit',
      package_outbound: '= InTransit_007 Departure scan',
      removed_from_route: '~ Exception_016 Delayed (processing issue)',
      route_cancelled: '~ Exception_016 Delayed (processing issue)',
      out_for_delivery: '= OutForDelivery_001 Out for delivery',
      delivered: '= Delivered_001 Delivered',
      delivery_failed: '= AttemptFail_001 Failed attempt + delivery_attempt_failed',
      delivery_rescheduled: '~ AttemptFail_001 Failed attempt + redelivery_scheduled',
      return_to_sender: '= Exception_011 Returned to sender + returned_to_sender',
      rejected_by_recipient: '= Exception_003 Customer refused delivery + rejected_by_customer',
      cancelled: '= Exception_020 Shipment cancelled + canceled',
      'x-available_for_pickup': '= AvailableForPickup_001 Available for pickup',
      'x-customs_started': '= InTransit_006 Customs clearance started',
      'x-customs_cleared': '= InTransit_005 Customs clearance completed',
      'x-customs_held': '= Exception_004 Delayed (customs clearance) + held_by_customs',
      'x-delayed': '~ Exception_005 Delayed (external factors)',
      'x-damaged': '= Exception_012 Shipment damaged + shipment_damaged',
      'x-lost': '= Exception_013 Shipment lost + shipment_lost',
      'x-disposed': '= Exception_021 Shipment disposed',
      'x-undeliverable': '~ Exception_001 Exception',
      'x-returning': '= Exception_010 Returning to sender',
      'x-exception': '= Exception_001 Exception',
      'x-expired': '= Expired_001 Expired',
      'x-*': 'none',
    }
    const said = parcelMappings(aftership).map(([code, { fidelity }]) => {
      const [checkpoint] = trackingOf([at(8, code === 'x-*' ? 'x-unheard_of' : code)]).checkpoints
      const { tag, subtag, subtag_message, events = [] } = checkpoint ?? {}
      t.equal(subtag?.split('_')[0], tag, code)
      const own = events.filter((event) => !event.code.startsWith('otep:')).map((event) => `+ ${event.code}`)
      return [code, [fidelity, subtag, subtag_message, ...own].filter((word) => word !== undefined).join(' ')]
    })
    t.same(Object.fromEntries(said), table)
  },
)

/** The rows, cell by cell, of the table below this heading on the page about foreign documents. */
function rowsOfPage(heading: string): readonly (readonly string[])[] {
  const page = readFileSync(projectFile('docs', 'explanation', 'reading-other-formats.md'), 'utf8')
  const [, below = ''] = page.split(`\n\n| ${heading}`)
  const [table = ''] = below.split('\n\n')
  const rows = table.split('\n').slice(2)
  return rows.map((row) => row.split('|').slice(1, -1)).map((cells) => cells.map((cell) => cell.trim()))
}

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

/** Code and reason that a checkpoint is read as, and what is warned of. */
function saidOf(checkpoint: object): readonly unknown[] {
  const readings = readOne(checkpoint)
  const [event] = eventsOf(readings)
  return [event?.status_code, event?.incident_reason, ...warningsOf(readings).map((text) => text.split(' ')[0])]
}

const missingOf = (code = '', cell = '') => (code.startsWith('x-') || cell.includes(', less') ? ['code_missing'] : [])

t.test('the table of subtags that people read says what a checkpoint is read as', async (t) => {
  const told: string[] = []
  let tag = ''
  for (const [name = '', , cell = '', reasons] of rowsOfPage('tag, subtag')) {
    tag = /\*\*(\w+)\*\*/.exec(name)?.[1] ?? tag
    const isFirst = name.startsWith('**')
    const [from = '', to] = name.split('–')
    const numbers = to === undefined ? (name.match(/\d{3}/g) ?? []) : ['001', '002', '003', '004']
    if (to !== undefined) t.same([from.slice(-3), to], ['001', '004'])
    for (const [index, number] of numbers.entries()) {
      const subtag = `${tag}_${number}`
      const code = quoted(cell)[index] ?? quoted(cell)[0]
      const reason = quoted(reasons)[index]
      t.same(saidOf({ tag, subtag }), [code, reason, ...missingOf(code, cell)], subtag)
      if (isFirst && index === 0) t.same(saidOf({ tag, subtag: null }), [code, undefined, ...missingOf(code)], tag)
      told.push(subtag)
    }
  }
  t.same(told.sort(), Object.keys(subtagsBack).sort())
  t.same(
    [...new Set(told.map((subtag) => subtag.split('_')[0]))].sort(),
    tags.filter((one) => one !== 'Pending').sort(),
  )
  t.same(parse({ tracking_number: 'A1', checkpoints: [{ tag: 'Pending' }] }), [{ path: 'checkpoints[0]' }])
})

t.test('the table of event codes that people read says under which tags they count', async (t) => {
  const rows = rowsOfPage('`events[].code`')
  for (const [name, under = '', cell] of rows) {
    const [event] = quoted(name)
    const [code] = quoted(cell)
    for (const tag of tags.filter((one) => one !== 'Pending')) {
      const [read, , ...warnings] = saidOf({ tag, subtag: null, events: [{ code: event }] })
      const isUnder = under.split(', ').includes(tag)
      const alone = saidOf({ tag, subtag: null })[0]
      t.same([read, ...warnings], [isUnder ? code : alone, ...missingOf(String(read))], `${event}, ${tag}`)
    }
  }
  t.same(rows.flatMap(([name]) => quoted(name)).sort(), Object.keys(eventsBack).sort())
})

t.test('given a delivery after a return began, when it is read, then the sender has the parcel', async (t) => {
  const checkpoint = (time: string, tag: string, subtag: string) => ({
    checkpoint_time: `2026-06-${time}:00Z`,
    tag,
    subtag,
  })
  const returned = checkpoint('10T09:00', 'Exception', 'Exception_010')
  const delivered = checkpoint('12T09:00', 'Delivered', 'Delivered_001')
  const document = { tracking_number: 'A1', signed_by: 'Shop', checkpoints: [delivered, returned] }
  const readings = parse(document)
  t.same(codesOf(readings), ['return_to_sender', 'x-returning'])
  t.ok(warningsOf(readings).includes('code_decided checkpoints[0].tag'))
  t.notOk('pod' in (eventsOf(readings)[0] ?? {}))
  const earlier = { ...delivered, checkpoint_time: '2026-06-09T09:00:00Z' }
  t.same(codesOf(parse({ ...document, checkpoints: [earlier, returned] })), ['delivered', 'x-returning'])
})

t.test(
  'given a delivery that later turns out to be a return, when it is posted, then nothing is refused',
  async (t) => {
    const checkpoint = (time: string, tag: string, number: string, hash: string) => ({
      ...{ checkpoint_time: `2026-06-${time}:00:00Z`, created_at: `2026-06-${time}:30:00+00:00` },
      ...{ tag, subtag: `${tag}_${number}`, hash },
    })
    const pickedUp = checkpoint('10T09', 'InTransit', '002', 'h1')
    const returning = checkpoint('11T09', 'Exception', '010', 'h2')
    const delivered = checkpoint('12T09', 'Delivered', '001', 'h3')
    const posting = () => {
      const { ingest, read } = engine()
      const post = async (...checkpoints: readonly object[]) => {
        const { data } = await ingest({ tracking_number: 'SR1', checkpoints }, 'aftership')
        return data.events.map(({ outcome }) => outcome).join()
      }
      const status = async () => ((await read('otep')).data as Timeline).current_status
      return { post, status }
    }
    const late = posting()
    t.equal(await late.post(pickedUp, delivered), 'accepted,accepted')
    t.equal(await late.post(pickedUp, returning, delivered), 'duplicate,accepted,accepted')
    t.equal(await late.status(), 'return_to_sender')
    t.equal(await late.post(pickedUp, returning, delivered), 'duplicate,duplicate,duplicate')
    t.equal(await late.post(delivered), 'duplicate', 'alone it is what it was')

    const whole = posting()
    t.equal(await whole.post(pickedUp, returning, delivered), 'accepted,accepted,accepted')
    t.equal(await whole.post(delivered), 'accepted', 'alone it says that the parcel was delivered, to whomever')
    t.equal(await whole.post(delivered), 'duplicate')
    t.equal(await whole.status(), 'return_to_sender')
    t.equal(await whole.post(pickedUp, returning, delivered), 'duplicate,duplicate,duplicate')
    const [{ event }] = parse({ tracking_number: 'SR1', checkpoints: [{ ...delivered, hash: 7 }, returning] }) as [
      Reading,
    ]
    t.match(event, { event_id: 7, status_code: 'return_to_sender' }, 'an id of a wrong type is left to be refused')
  },
)

t.test('given proof and estimates of the tracking, when it is read, then they are those of their events', async (t) => {
  const checkpoint = (time: string, tag: string) => ({ checkpoint_time: `2026-06-${time}:00Z`, tag })
  const tracking = {
    tracking_number: 'A1',
    signed_by: 'J. Doe',
    proof_of_delivery: [{ type: 'image', url: 'https://p.example/1' }, { url: null }],
    courier_estimated_delivery_date: { estimated_delivery_date: '2026-06-13T12:00:00+02:00' },
    latest_estimated_delivery: { source: 'AfterShip EDD', datetime: '2026-06-14' },
    checkpoints: [checkpoint('12T09:00', 'Delivered'), checkpoint('10T09:00', 'InTransit')],
  }
  t.match(eventsOf(parse(tracking)), [
    {
      estimated_delivery_at: '2026-06-13T12:00:00+02:00',
      pod: { recipient: 'J. Doe', photo_urls: ['https://p.example/1'] },
    },
    { estimated_delivery_at: undefined, pod: undefined },
  ])
  const dateOnly = { ...tracking, courier_estimated_delivery_date: { estimated_delivery_date: '2026-06-13' } }
  t.match(eventsOf(parse(dateOnly))[0], { estimated_delivery_at: '2026-06-13T23:59:59-00:00' }, 'a day')
})

t.test(
  'given an expected day or window, when it is read, then it is one, and what cannot be read is a warning',
  async (t) => {
    const read = (more: object) => {
      const checkpoints = [{ checkpoint_time: '2026-06-10T09:00:00Z', tag: 'InTransit' }]
      const readings = parse({ tracking_number: 'A1', checkpoints, ...more })
      const { estimated_delivery_at: until, estimated_delivery_from: from } = (eventsOf(readings)[0] ?? {}) as Members
      return [from, until, ...warningsOf(readings)].filter(Boolean).join(' ')
    }
    const latest = (datetime: unknown, more: object = {}) => ({
      latest_estimated_delivery: { type: 'specific', source: 'Carrier EDD', datetime, ...more },
    })
    const path = 'latest_estimated_delivery'
    t.equal(read(latest('2026-12-04')), '2026-12-04T23:59:59-00:00')
    t.equal(read({ ...latest('2026-12-04'), destination_country_region: 'JPN' }), '2026-12-04T23:59:59+09:00')
    t.equal(read({ ...latest('2026-12-04'), destination_country_iso3: 'DEU' }), '2026-12-04T23:59:59+01:00')
    t.equal(read({ ...latest('2026-12-04'), destination_country_region: 'USA' }), '2026-12-04T23:59:59-00:00')
    t.equal(
      read({ latest_estimated_delivery: { datetime: '2026-12-04' } }),
      '2026-12-04T23:59:59-00:00',
      'of no source',
    )
    t.equal(read({ latest_estimated_delivery: { source: 'AfterShip EDD', datetime: '2026-12-04' } }), '', 'predicted')
    const range = { type: 'range', datetime_min: '2026-12-04', datetime_max: '2026-12-06' }
    t.equal(read(latest('2026-12-05', range)), '2026-12-04T00:00:00-00:00 2026-12-06T23:59:59-00:00')
    const hours = { datetime_min: '2026-12-04T14:00:00+01:00', datetime_max: '2026-12-04T16:00:00+01:00' }
    t.equal(read(latest(null, hours)), '2026-12-04T14:00:00+01:00 2026-12-04T16:00:00+01:00')
    t.equal(read(latest('next week')), `not_a_date_time ${path}.datetime`)
    t.equal(read(latest('2026-02-30')), `no_such_date ${path}.datetime`)
    t.equal(read(latest('9999-12-31T00:00:00Z')), `no_date ${path}.datetime`)
    t.equal(read(latest(null, { datetime_max: '1970-01-01' })), `no_date ${path}.datetime_max`)
    t.equal(
      read(latest(null, { ...hours, datetime_min: 'noon' })),
      `2026-12-04T16:00:00+01:00 not_a_date_time ${path}.datetime_min`,
    )
    const courier = { courier_estimated_delivery_date: { estimated_delivery_date: '2026-12-07' } }
    t.equal(read({ ...latest('soon'), ...courier }), `2026-12-07T23:59:59-00:00 not_a_date_time ${path}.datetime`)

    const expected = {
      estimated_delivery_from: '2026-12-04T14:00:00-00:00',
      estimated_delivery_at: '2026-12-04T16:00:00-00:00',
    }
    const written = project([at(9, 'picked_up', expected)])
    t.match(written, {
      data: {
        latest_estimated_delivery: {
          ...{ type: 'range', datetime: '2026-12-04T16:00:00' },
          ...{ datetime_min: '2026-12-04T14:00:00', datetime_max: '2026-12-04T16:00:00' },
        },
      },
    })
    t.match(eventsOf(parse(written)), [expected], 'and it comes back')
  },
)

t.test('given a status of the tracking, when no checkpoint explains it, then it is one event more', async (t) => {
  const moved = { checkpoint_time: '2026-06-10T09:00:00+02:00', tag: 'InTransit', subtag: 'InTransit_002' }
  const read = (tag: string, checkpoints: unknown, subtag?: string) =>
    parse({ tracking_number: 'A1', tag, checkpoints, ...(subtag && { subtag }) })
      .filter(({ event }) => event !== undefined)
      .map(({ status, event }) => {
        const { occurred_at = 'now', status_code } = event as Members
        return `${occurred_at} ${status_code}${status ? ' status' : ''}`
      })
  const picked = '2026-06-10T09:00:00+02:00 picked_up'
  const after = '2026-06-10T09:00:00.001+02:00'
  t.same(read('OutForDelivery', [moved]), [picked, `${after} out_for_delivery status`])
  t.same(read('Delivered', [moved], 'Delivered_005'), [picked, `${after} delivered status`])
  t.same(read('Exception', [moved], 'Exception_010'), [picked, `${after} x-returning status`])
  t.same(read('AttemptFail', [], 'AttemptFail_002'), ['now delivery_failed status'])
  t.same(read('AvailableForPickup', null), ['now x-available_for_pickup status'])
  for (const tag of ['InTransit', 'InfoReceived', 'Pending']) t.same(read(tag, [moved]), [picked], tag)
  for (const tag of ['InfoReceived', 'Pending']) t.same(read(tag, []), [], tag)
  const { ingest, read: show } = engine()
  for (const outcome of ['accepted', 'duplicate']) {
    const { data } = await ingest({ tracking_number: 'SR1', tag: 'Delivered', checkpoints: [moved] }, 'aftership')
    t.same(
      data.events.map(({ outcome }) => outcome),
      [outcome, outcome],
    )
  }
  t.match((await show('otep')).data, { current_status: 'delivered' })
})

t.test('given texts with markup, when they are read, then people can read them, and ids stay', async (t) => {
  const checkpoint = {
    ...{ checkpoint_time: '2026-06-10T09:00:00Z', tag: 'Delivered', message: 'Left at &quot;porch&quot;<br>a &lt; b' },
    ...{ location: 'K&ouml;ln &amp; Bonn', city: 'Saint-&Eacute;tienne', state: 'Pa&iacute;s Vasco' },
  }
  const read = (more: object = {}) =>
    eventsOf(parse({ tracking_number: 'A1', signed_by: 'M. O&#39;Neil', checkpoints: [checkpoint], ...more }))
  const [event] = read()
  t.match(event, {
    description: 'Left at "porch" a < b',
    location: { name: 'Köln & Bonn', address: { locality: 'Saint-Étienne', region: 'País Vasco' } },
    pod: { recipient: "M. O'Neil" },
  })
  const own = { otep_version: '0.1', tracking_number: 'A1' }
  t.match(read({ custom_fields: own })[0], { description: checkpoint.message }, 'our own texts are not decoded again')
  const [shorter] = eventsOf(parse({ tracking_number: 'A1', checkpoints: [{ ...checkpoint, city: null }] }))
  t.equal((shorter as Members).event_id, (event as Members).event_id)
})

t.test(
  'given a return that is announced as done, when the parcel moves on, then its sender does not have it yet',
  async (t) => {
    const checkpoint = (day: number, tag: string, number: string) => ({
      ...{ checkpoint_time: `2026-06-${day}T09:00:00Z`, created_at: `2026-06-${day}T09:30:00+00:00` },
      ...{ tag, subtag: `${tag}_${number}`, hash: `h${day}` },
    })
    const [returned, left] = [checkpoint(10, 'Exception', '011'), checkpoint(11, 'InTransit', '007')]
    const delivered = checkpoint(12, 'Delivered', '001')
    const of = (...checkpoints: readonly object[]) => codesOf(parse({ tracking_number: 'A1', checkpoints }))
    t.same(of(returned), ['return_to_sender'])
    t.same(of(returned, left), ['x-returning', 'package_outbound'])
    t.same(of(returned, left, delivered), ['x-returning', 'package_outbound', 'return_to_sender'])
    t.same(of(delivered, left, returned), ['return_to_sender', 'package_outbound', 'x-returning'])
    t.same(of(checkpoint(9, 'InTransit', '007'), returned, checkpoint(12, 'Exception', '001')), [
      'package_outbound',
      'return_to_sender',
      'x-exception',
    ])
  },
)

function engine(caller: Context['caller'] = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }) {
  const store = createMemoryStore(() => Date.parse('2026-11-21T12:00:00Z'))
  const context: Context = {
    store,
    models: createMemoryModels(store),
    clock: () => Date.parse('2026-11-21T12:00:00Z'),
    randomId: () => crypto.randomUUID(),
    ...outside,
    profiles,
    formats: [otep, aftership],
    baseUrl: target.baseUrl,
    caller,
    messages: en,
    requestId: 'r',
  }
  const ingest = async (document: unknown, format = 'otep') =>
    (await call(otepIngest, context, { document, format })) as {
      data: { events: { path: string; outcome: string; errors?: object[]; warnings?: object[] }[] }
    }
  const read = async (format: string) =>
    (await call(otepTracking, context, { tracking_number: 'SR1', format })) as { data: unknown }
  return { ingest, read }
}

t.test(
  'given our own document, when it is posted to another server, then that answers the same document',
  async (t) => {
    const subject = { tracking_number: 'SR1', package_id: 3 }
    const source = { type: 'carrier_tracking' }
    const all = Object.keys(parcel.codes).filter((code) => !parcel.codes[code as keyof typeof parcel.codes].terminal)
    const events = [...all, 'x-of-nobody', 'delivered'].map((status_code, index) => ({
      ...{
        event_id: `e-${index}`,
        occurred_at: `2026-06-10T${String(index).padStart(2, '0')}:00:00+05:30`,
        status_code,
      },
      ...{ source, incident_reason: 'weather', recorded_at: '2026-06-11T00:00:00.123Z' },
      ...(index % 3 === 0 && { location: { name: 'Depot', address: { locality: 'Ulm', country: 'DE' } } }),
      ...(status_code === 'delivered' && { pod: { recipient: 'J. Doe', photo_urls: ['https://p.example/1'] } }),
      ...(index % 5 === 1 && { estimated_delivery_at: `2026-06-12T0${index % 9}:00:00Z` }),
    }))
    const [one, other] = [engine(), engine()]
    await one.ingest({ subject, events })
    const { data: document } = await one.read('aftership')
    const { data } = await other.ingest({ meta: { code: 200 }, data: (document as { data: object }).data }, 'aftership')
    t.same(
      data.events.filter(({ outcome }) => outcome !== 'accepted'),
      [],
    )
    t.same(JSON.stringify((await other.read('aftership')).data), JSON.stringify(document))
    const again = await other.ingest(document, 'aftership')
    t.ok(again.data.events.every(({ outcome }) => outcome === 'duplicate'))
  },
)

t.test('given our own document, when it is posted back to its server, then it tells nothing new', async (t) => {
  const source = { type: 'carrier_tracking', provider: 'acme' }
  const event = (hour: number, status_code: string, more: object = {}) => ({
    ...{ event_id: `e-${hour}`, occurred_at: `2026-06-10T0${hour}:00:00-04:00`, status_code, source, ...more },
  })
  const estimate = (day: number) => ({ estimated_delivery_at: `2026-06-${day}T18:00:00Z` })
  const pod = { recipient: 'J. Doe', signature_url: 'https://p.example/s', photo_urls: ['https://p.example/1'] }
  const journeys = {
    'estimates between others': [
      event(1, 'picked_up'),
      event(2, 'arrival_scan', estimate(12)),
      event(3, 'in_transit', estimate(13)),
      event(4, 'package_outbound', estimate(14)),
      event(5, 'arrival_scan'),
    ],
    'a signature and a picture': [event(1, 'delivered', { pod }), event(2, 'delivered')],
    'a signature alone': [event(1, 'delivered', { pod: { signature_url: 'https://p.example/s' } })],
    'a picture that is the signature too': [
      event(1, 'delivered', { pod: { ...pod, photo_urls: ['https://p.example/s'] } }),
    ],
    'places by their codes': [
      event(1, 'picked_up', { location: { unlocode: 'CATOR' } }),
      event(2, 'arrival_scan', { location: { gln: '4012345000009' } }),
      event(3, 'arrival_scan', { location: { address: { street: '1 Main St' } } }),
      event(4, 'arrival_scan', { location: { name: 'GLN 4012345000008' } }),
    ],
    'two providers with one id': ['acme', 'other'].map((provider) =>
      event(1, 'received', { source: { ...source, provider } }),
    ),
    'estimates without a zone': [event(1, 'picked_up', { estimated_delivery_at: '2026-06-12T18:00:00-00:00' })],
  }
  for (const [name, events] of Object.entries(journeys)) {
    const { ingest, read } = engine({ kind: 'operator', name: 'example', scopes: ['otep:ingest'] })
    await ingest({ subject: { tracking_number: 'SR1', order_id: 7 }, events })
    const { data: before } = await read('otep')
    t.match(before, { events: { length: events.length } }, name)
    const { data } = await ingest((await read('aftership')).data, 'aftership')
    t.same([...new Set(data.events.map(({ outcome }) => outcome))], ['duplicate'], name)
    t.same((await read('otep')).data, before, name)
  }
})

t.test('given a foreign document, when it is posted, then each checkpoint has its verdict at its place', async (t) => {
  const { ingest, read } = engine()
  const checkpoints = [
    { checkpoint_time: '2026-06-10T09:30:00', tag: 'InTransit', subtag: 'InTransit_002', hash: 'a', city: null },
    { checkpoint_time: '2026-06-11', tag: 'InTransit', subtag: 'InTransit_003', hash: 'b' },
    { checkpoint_time: '2026-06-11T09:30:00Z', hash: 'c' },
    { tag: 'Pending', subtag: 'Pending_001' },
    { checkpoint_time: '2026-06-12T09:30:00+02:00', tag: 'Delivered', subtag: 'Delivered_001', hash: 'd', city: 7 },
  ]
  const document = { event: 'tracking_update', msg: { tracking_number: 'SR1', checkpoints } }
  const { data } = await ingest(document, 'aftership')
  t.match(data.events, [
    { path: 'msg.checkpoints[0]', outcome: 'accepted', warnings: [{ code: 'zone_assumed' }] },
    { outcome: 'rejected', errors: [{ path: 'msg.checkpoints[1].checkpoint_time', code: 'not_a_date_time' }] },
    { outcome: 'rejected', errors: [{ path: 'msg.checkpoints[2].tag', code: 'required' }] },
    { path: 'msg.checkpoints[3]', outcome: 'ignored' },
    { outcome: 'rejected', errors: [{ path: 'msg.checkpoints[4].city', code: 'wrong_type' }] },
  ])
  t.match((await read('otep')).data, { current_status: 'picked_up', events: [{ source: { provider: 'acme' } }] })
})

t.test('given a tracking a line, when the lines are posted, then each checkpoint has its place in them', async (t) => {
  const { ingest, read } = engine()
  const tracking = (number: string, tag: string) => ({
    tracking_number: number,
    checkpoints: [{ checkpoint_time: '2026-06-10T09:30:00Z', tag, hash: number }],
  })
  const broken = new EngineError('malformed_json', { reason: 'x' })
  const { data } = await ingest(
    { lines: [tracking('SR1', 'Delivered'), broken, tracking('SR2', 'Lost?')] },
    'aftership',
  )
  t.match(data.events, [
    { path: 'lines[0].checkpoints[0]', outcome: 'accepted' },
    { path: 'lines[1]', outcome: 'rejected', errors: [{ path: 'lines[1]', code: 'malformed_json' }] },
    { path: 'lines[2].checkpoints[0]', warnings: [{ path: 'lines[2].checkpoints[0].tag' }] },
  ])
  t.match((await read('otep')).data, { current_status: 'delivered' })
})
