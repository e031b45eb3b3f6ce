import { readFileSync } from 'node:fs'
import t from 'tap'
import * as v from 'valibot'
import { projectFile } from '../../conformance/program/files.ts'
import {
  type Context,
  call,
  createMemoryModels,
  createMemoryStore,
  en,
  otepIngest,
  otepTracking,
  type Reading,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import { outside } from '../../engine/testing/context.ts'
import { parcel, profiles } from '../../profiles/index.ts'
import { otep } from '../otep/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { answersOf, parcelMappings } from '../shared/parcels.test.fixture.ts'
import { codes } from './codes.ts'
import { amazon } from './index.ts'

const answered = answersOf(amazon)

import { noPromise } from './schema.ts'
import { eventCodes, statuses } from './vocabulary.ts'

const target = { baseUrl: 'https://track.example', options: {} }

/** An event at an hour of 10 June 2026, four hours west of Greenwich. */
function at(hour: number, status_code: string, more: Partial<TimelineEvent> = {}): TimelineEvent {
  const time = `2026-06-10T${String(hour).padStart(2, '0')}:30:00-04:00`
  return {
    ...{ event_id: `e-${hour}`, otep_version: '0.1', occurred_at: time, recorded_at: time },
    ...{ status_code, phase: 'transit', ...more },
  }
}

/** A timeline of one event an hour, the last of which gives the status. */
function timeline(events: readonly TimelineEvent[], over: Partial<Timeline> = {}): Timeline {
  const current = events.at(-1)?.status_code
  return {
    ...{ otep_version: '0.1', profile: 'parcel', subject: { tracking_number: 'TBA 1' } },
    ...(current === undefined ? {} : { current_status: current }),
    ...{ delivered: current === 'delivered', events, ...over },
  }
}

const project = (events: readonly TimelineEvent[], over?: Partial<Timeline>) =>
  answered(timeline(events, over), target).payload
const inTurn = (...statusCodes: readonly string[]) => statusCodes.map((code, hour) => at(hour, code))
const historyOf = (...statusCodes: readonly string[]) =>
  project(inTurn(...statusCodes)).eventHistory.map(({ eventCode, shipmentType }) =>
    shipmentType === 'FORWARD' ? eventCode : `${eventCode}/R`,
  )
const statusOf = (...statusCodes: readonly string[]) => project(inTurn(...statusCodes)).summary.status
const parse = (document: unknown) => amazon.parse?.(document, target) ?? []
const eventsOf = (readings: readonly Reading[]) => readings.map(({ event }) => event as Record<string, unknown>)
const codesOf = (readings: readonly Reading[]) => eventsOf(readings).map((event) => event?.status_code)

/** The result of an answer with these events. */
const result = (eventHistory: unknown, over: object = {}) => ({
  ...{
    trackingId: 'TBA1',
    alternateLegTrackingId: 'null',
    eventHistory,
    promisedDeliveryDate: null,
    summary: null,
    ...over,
  },
})
const event = (eventCode: unknown, more: object = {}) => ({ eventCode, eventTime: '2026-06-10T09:30:00Z', ...more })

t.test('given a journey, when it is projected, then it is what Amazon answers', async (t) => {
  const address = { street: '1 Main St', locality: 'Toronto', region: 'ON', postal_code: 'M5V', country: 'CA' }
  const document = answered(
    timeline([
      at(8, 'picked_up', { location: { name: 'Depot', address }, estimated_delivery_at: '2026-06-12T18:00:00-04:00' }),
      at(9, 'in_transit', {
        estimated_delivery_at: '2026-06-13T18:00:00-04:00',
        location: { name: 'Hub', address: {} },
      }),
      at(12, 'delivered', { location: { address: { locality: '', country: 'CA' } }, pod: { recipient: 'J. Doe' } }),
    ]),
    target,
  )
  const expected = {
    payload: {
      trackingId: 'TBA 1',
      alternateLegTrackingId: '',
      eventHistory: [
        {
          eventCode: 'PickupDone',
          location: { stateOrRegion: 'ON', city: 'Toronto', countryCode: 'CA', postalCode: 'M5V' },
          ...{ eventTime: '2026-06-10T08:30:00-04:00', shipmentType: 'FORWARD' },
        },
        {
          ...{ eventCode: 'Delivered', location: { countryCode: 'CA' } },
          ...{ eventTime: '2026-06-10T12:30:00-04:00', shipmentType: 'FORWARD' },
        },
      ],
      promisedDeliveryDate: '2026-06-12T18:00:00-04:00',
      summary: { status: 'Delivered', trackingDetailCodes: { forward: ['Signed'], returns: [] } },
    },
  }
  t.equal(JSON.stringify(document), JSON.stringify(expected))
})

t.test('given no event, when it is projected, then what the model asks for is there and says nothing', async (t) => {
  t.same(project([]), {
    ...{ trackingId: 'TBA 1', alternateLegTrackingId: '', eventHistory: [], promisedDeliveryDate: noPromise },
    summary: { trackingDetailCodes: { forward: [], returns: [] } },
  })
})

t.test(
  'given a subject, when it is projected, then only a number of the parcel itself is its tracking id',
  async (t) => {
    const whole = { tracking_number: 'T', external_tracking_number: 'E', gs1_sscc: 'S', piece_id: 'P' }
    const { external_tracking_number, ...numbered } = whole
    const { tracking_number, ...coded } = numbered
    const table = [
      [whole, 'E'],
      [numbered, 'T'],
      [coded, 'S'],
      [{ piece_id: 'P', order_id: 7 }, 'P'],
      [{ order_id: 7, package_id: 8 }, ''],
      [{}, ''],
    ] as const
    for (const [subject, trackingId] of table) t.equal(project([], { subject }).trackingId, trackingId)
    const orphan = answered(timeline([at(8, 'picked_up')], { subject: { order_id: 7 } }), target)
    t.match(parse(orphan), [{ path: 'payload', warnings: [{ path: 'payload.trackingId', code: 'no_identifier' }] }])
    t.notOk('subject' in (parse(orphan)[0] ?? {}), 'it is of no parcel that has a number')
  },
)

t.test('given a status without a scan, when it is projected, then nobody saw the parcel stand ready', async (t) => {
  const { eventHistory, summary } = project([at(8, 'information_submitted', { synthesized: true })])
  t.same([eventHistory, summary.status], [[], 'PreTransit'])
  t.equal(project([at(8, 'awaiting_pickup', { synthesized: true })]).eventHistory.length, 1)
  t.equal(project([at(8, 'delivered', { synthesized: true })]).eventHistory.length, 1)
})

t.test('given an event of each code, when it is projected and read, then a kept code comes back', async (t) => {
  const all = { ...codes.parcel, ...codes.unregistered }
  for (const code of [...Object.keys(parcel.codes), ...Object.keys(unregisteredCodes), 'x-of-nobody']) {
    const document = answered(timeline([at(8, code)]), target)
    t.ok(v.is(amazon.schema, document), code)
    const { fidelity } = all[code as keyof typeof all] ?? codes.unregistered['x-*']
    const read = parse(document)
    if (fidelity === '=') t.same(codesOf(read), [code])
    if (fidelity === 'none')
      t.ok(
        read.every(({ event, status }) => event === undefined || status),
        code,
      )
  }
  const stay = answered(timeline([at(8, 'stored'), at(9, 'overdue')], { profile: 'storage' }), target)
  t.ok(v.is(amazon.schema, stay))
  t.equal(stay.payload.summary.status, 'AwaitingCustomerPickup')
  t.match(parse(stay), [{ event: { status_code: 'x-available_for_pickup' } }], 'its profile is unknown')
})

t.test(
  'given a cancellation, when the carrier has the parcel, then it is not its pick-up that is cancelled',
  async (t) => {
    t.same(historyOf('booking_confirmed', 'pickup_failed', 'cancelled'), ['ReadyForReceive', 'PickupCancelled'])
    t.equal(statusOf('booking_confirmed', 'pickup_failed', 'cancelled'), 'PickupCancelled')
    t.same(historyOf('picked_up', 'cancelled'), ['PickupDone', 'Undeliverable'])
    t.equal(statusOf('in_transit', 'cancelled'), 'Undeliverable')
  },
)

t.test('given a return, when it continues, then its events belong to the way back, and the status stays', async (t) => {
  t.same(historyOf('delivery_failed', 'return_to_sender', 'arrival_scan'), [
    'DeliveryAttempted',
    'Delivered/R',
    'ArrivedAtCarrierFacility/R',
  ])
  t.equal(statusOf('delivery_failed', 'return_to_sender', 'arrival_scan'), 'Undeliverable')
  t.same(historyOf('return_to_sender', 'delivered'), ['Delivered/R', 'Delivered'])
  t.same(historyOf('x-returning', 'arrival_scan', 'return_to_sender'), [
    ...['ReturnInitiated/R', 'ArrivedAtCarrierFacility/R', 'Delivered/R'],
  ])
  t.equal(statusOf('x-returning'), 'Undeliverable')
})

t.test('given a new delivery time, when the recipient did not request it, then no event claims so', async (t) => {
  const events = (reason: string) => [
    at(8, 'out_for_delivery'),
    at(9, 'delivery_rescheduled', { incident_reason: reason }),
  ]
  t.match(project(events('customer_requested')), {
    eventHistory: [{}, { eventCode: 'RecipientRequestedAlternateDeliveryTiming' }],
    summary: { status: 'InTransit' },
  })
  t.match(project(events('weather')), { eventHistory: { length: 1 }, summary: { status: 'InTransit' } })
})

t.test(
  'given events that are left out, when the last is one of them, then the summary still tells the truth',
  async (t) => {
    const table: readonly [readonly string[], string | undefined][] = [
      [['out_for_delivery', 'removed_from_route'], 'InTransit'],
      [['out_for_delivery', 'route_cancelled', 'x-delayed'], 'InTransit'],
      [['delivery_failed', 'route_cancelled'], 'DeliveryAttempted'],
      [['awaiting_pickup', 'in_transit'], 'InTransit'],
      [['picked_up', 'in_transit'], 'InTransit'],
      [['awaiting_pickup', 'pickup_failed'], 'PreTransit'],
      [['pickup_failed'], 'PreTransit'],
      [['in_transit'], 'InTransit'],
      [['x-delayed'], undefined],
      [['out_for_delivery', 'x-delayed'], 'OutForDelivery'],
      [['x-lost', 'in_transit'], 'InTransit'],
    ]
    for (const [statusCodes, status] of table) t.equal(statusOf(...statusCodes), status, statusCodes.join())
    const held = project(inTurn('delivered', 'in_transit'), { current_status: 'delivered' })
    t.equal(held.summary.status, 'Delivered')
  },
)

t.test('given a reason, when Amazon has a code for it, then it is a detail of the leg', async (t) => {
  const detailsOf = (code: string, more: Partial<TimelineEvent>) => {
    const { forward, returns } = project([at(8, code, more)]).summary.trackingDetailCodes
    return [...forward, ...returns.map((detail) => `${detail}/R`)]
  }
  const because = (incident_reason: string) => ({ incident_reason })
  t.same(detailsOf('delivery_failed', because('business_closed')), ['BusinessClosed'])
  t.same(detailsOf('delivery_failed', because('consignee_absent')), ['CustomerUnavailable'])
  t.same(detailsOf('delivery_failed', because('signed')), [], 'the code is one for deliveries')
  t.same(detailsOf('delivery_failed', because('constructor')), [])
  t.same(detailsOf('delivered', because('delivered_to_neighbor')), ['DeliveredToNeighbor'])
  t.same(detailsOf('delivered', { pod: { note: 'DeliveredWithOTP', recipient: 'J' } }), ['DeliveredWithOTP'])
  t.same(detailsOf('delivered', { pod: { photo_urls: [] } }), [])
  t.same(detailsOf('return_to_sender', because('address_incorrect')), ['AddressNotFound/R'])
  t.same(detailsOf('picked_up', because('damaged')), [])
})

t.test('given an answer that is none, when it is read, then it is refused where it is wrong', async (t) => {
  const refusals: readonly [unknown, string, string][] = [
    [null, '', 'wrong_type'],
    [[], '', 'wrong_type'],
    [{ payload: null }, 'payload', 'wrong_type'],
    [{}, 'trackingId', 'required'],
    [result([7]), 'eventHistory[0]', 'wrong_type'],
    [{ payload: result([event(null)]) }, 'payload.eventHistory[0].eventCode', 'required'],
  ]
  for (const [document, path, code] of refusals) t.match(parse(document), [{ findings: [{ path, code }] }])
  for (const summary of [null, 7, {}, { status: null }, { status: '' }])
    t.same(parse({ payload: result(null, { summary }) }), [{ path: 'payload' }], 'there is no news')
})

t.test(
  'given each event code, when it is read, then it is what the table says, with a warning where it is not exact',
  async (t) => {
    const read = (eventCode: string, shipmentType?: string) => {
      const readings = parse(result([event(eventCode, { shipmentType })]))
      const warnings = readings.flatMap((reading) => reading.warnings ?? [])
      return [...codesOf(readings), ...warnings.map(({ code }) => code)].join(' ')
    }
    t.same(
      eventCodes.map((code) => read(code)),
      [
        ...['awaiting_pickup', 'picked_up', 'package_outbound', 'arrival_scan', 'out_for_delivery', 'delivery_failed'],
        ...['delivered', 'x-available_for_pickup code_missing', 'rejected_by_recipient'],
        ...['x-undeliverable code_missing', 'x-lost code_missing', 'cancelled', 'x-returning code_missing'],
        'delivery_rescheduled',
      ],
    )
    t.equal(read('PackageReceivedByCarrier'), 'received')
    t.equal(read('Received'), 'x-amazon_received meaning_unknown', 'the receiver is unknown')
    t.equal(read('toString'), 'x-amazon_to_string meaning_unknown')
    t.equal(read('Delivered', 'RETURNS'), 'return_to_sender')
    t.equal(read('OutForDelivery', 'RETURNS'), 'x-returning code_missing')
    t.equal(read('Departed', 'RETURNS'), 'package_outbound')
  },
)

t.test(
  'given a code, when its event is projected, then the history and the summary say what the model has',
  async (t) => {
    const table = {
      information_submitted: '~ ReadyForReceive, PreTransit',
      booking_confirmed: '~ ReadyForReceive, PreTransit',
      awaiting_pickup: '= ReadyForReceive, PreTransit',
      out_for_pickup: 'none , PreTransit',
      picked_up: '= PickupDone, InTransit',
      pickup_failed: 'none , PreTransit',
      pickup_rescheduled: 'none , PreTransit',
      received: '~ ArrivedAtCarrierFacility, InTransit',
      arrival_scan: '= ArrivedAtCarrierFacility, InTransit',
      in_transit: 'none , InTransit',
      package_outbound: '= Departed, InTransit',
      removed_from_route: 'none , ',
      route_cancelled: 'none , ',
      out_for_delivery: '= OutForDelivery, OutForDelivery',
      delivered: '= Delivered, Delivered',
      delivery_failed: '= DeliveryAttempted, DeliveryAttempted',
      delivery_rescheduled: '~ RecipientRequestedAlternateDeliveryTiming, ',
      return_to_sender: '= Delivered/R, Undeliverable',
      rejected_by_recipient: '= Rejected, Rejected',
      cancelled: '~ PickupCancelled, PickupCancelled',
      'x-available_for_pickup': '= AvailableForPickup, AwaitingCustomerPickup',
      'x-customs_started': 'none , ',
      'x-customs_cleared': 'none , ',
      'x-customs_held': 'none , ',
      'x-delayed': 'none , ',
      'x-damaged': 'none , ',
      'x-lost': '= Lost, Lost',
      'x-disposed': 'none , ',
      'x-undeliverable': '= Undeliverable, Undeliverable',
      'x-returning': '~ ReturnInitiated/R, Undeliverable',
      'x-exception': 'none , ',
      'x-expired': 'none , ',
      'x-*': 'none , ',
    }
    const said = parcelMappings(amazon).map(([code, { fidelity }]) => {
      const one = code === 'x-*' ? 'x-unheard_of' : code
      const more = code === 'delivery_rescheduled' ? { incident_reason: 'recipient_requested' } : {}
      const { eventHistory, summary } = project([at(8, one, more)])
      const told = eventHistory.map(
        ({ eventCode, shipmentType }) => eventCode + (shipmentType === 'RETURNS' ? '/R' : ''),
      )
      return [code, `${fidelity} ${told.join()}, ${summary.status ?? ''}`]
    })
    t.same(Object.fromEntries(said), table)
  },
)

/** The rows, cell by cell, of a table on the page about foreign documents, and the text below it. */
function tableOfPage(heading: string): { readonly rows: readonly (readonly string[])[]; readonly below: string } {
  const page = readFileSync(projectFile('docs', 'explanation', 'reading-other-formats.md'), 'utf8')
  const [, from = ''] = page.split(`\n\n| ${heading}`)
  const [table = '', ...below] = from.split('\n\n')
  const rows = table.split('\n').slice(2)
  return {
    rows: rows.map((row) => row.split('|').slice(1, -1)).map((cells) => cells.map((cell) => cell.trim())),
    below: below.join('\n\n'),
  }
}

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

t.test('the table of event codes that people read says what an event is read as, on both legs', async (t) => {
  const saidOf = (eventCode: string, shipmentType: string) => {
    const readings = parse(result([event(eventCode, { shipmentType })]))
    const warnings = readings.flatMap((reading) => reading.warnings ?? []).map(({ code }) => code)
    const [read] = eventsOf(readings)
    return [read?.status_code, read?.incident_reason, ...warnings]
  }
  const { rows, below } = tableOfPage('`eventCode`')
  const [onTheWayBack = ''] = below.split('are read as')
  const wish = 'RecipientRequestedAlternateDeliveryTiming'
  const back = [...quoted(onTheWayBack).filter((word) => word !== 'RETURNS'), wish]
  t.equal(back.length, 4)
  const told: string[] = []
  for (const [name, cell = ''] of rows) {
    const [eventCode] = quoted(name)
    if (eventCode === undefined || name?.startsWith('any other')) continue
    const [code = '', ...more] = quoted(cell)
    const reason = cell.includes('reason `') ? more.at(-1) : undefined
    const isWarned = code.startsWith('x-') || cell.includes('with a warning')
    const forward = [code, reason, ...(isWarned ? ['code_missing'] : [])]
    t.same(saidOf(eventCode, 'FORWARD'), forward, eventCode)
    const returned = cell.includes('of the leg `RETURNS`') ? [more.at(-1), undefined] : forward
    const isBack = back.includes(eventCode)
    t.same(
      saidOf(eventCode, 'RETURNS'),
      isBack ? ['x-returning', undefined, 'code_missing'] : returned,
      `${eventCode}/R`,
    )
    told.push(eventCode)
  }
  t.same(told.sort(), [...eventCodes, 'PackageReceivedByCarrier'].sort())
})

t.test('the table of statuses that people read says what a status without an event is read as', async (t) => {
  const told: string[] = []
  for (const [name, cell] of tableOfPage('`summary.status`').rows) {
    const [status] = quoted(name)
    if (status === undefined) continue
    const [code = ''] = quoted(cell)
    const readings = parse(result([], { summary: { status } }))
    const warnings = readings.flatMap((reading) => reading.warnings ?? []).map((warning) => warning.code)
    t.same([...codesOf(readings), ...warnings], [code, code.startsWith('x-') ? 'code_missing' : 'code_decided'], status)
    told.push(status)
  }
  t.same(told.sort(), [...statuses].sort())
})

t.test('given a live answer with null for what is required, when it is read, then its events are there', async (t) => {
  const location = { city: 'Seattle', stateOrRegion: null, countryCode: 'US', postalCode: '' }
  const readings = parse({
    payload: result([event('PickupDone', { location })], { summary: { status: null, proofOfDelivery: {} } }),
  })
  t.same(readings, [
    {
      path: 'payload.eventHistory[0]',
      subject: { tracking_number: 'TBA1' },
      places: readings[0]?.places,
      event: {
        occurred_at: '2026-06-10T09:30:00Z',
        status_code: 'picked_up',
        location: { address: { locality: 'Seattle', country: 'US' } },
        source: { type: 'carrier_tracking', code: 'PickupDone' },
      },
      warnings: [],
    },
  ])
})

t.test('given details, when they are read, then they explain the event of the status', async (t) => {
  const details = (status: string, forward: unknown, returns: unknown = []) => ({
    summary: { status, trackingDetailCodes: { forward, returns } },
  })
  const history = [event('DeliveryAttempted'), event('OutForDelivery'), event('DeliveryAttempted')]
  t.same(
    eventsOf(parse(result(history, details('DeliveryAttempted', ['Unheard', 'BusinessClosed'])))).map(
      ({ incident_reason }) => incident_reason,
    ),
    [undefined, undefined, 'business_closed'],
  )
  t.match(eventsOf(parse(result([event('Delivered')], details('Delivered', ['DeliveredToPorch'])))), [
    { pod: { note: 'DeliveredToPorch' } },
  ])
  const returned = [event('Undeliverable'), event('ReturnInitiated', { shipmentType: 'RETURNS' })]
  t.match(eventsOf(parse(result(returned, details('Undeliverable', ['AddressNotFound'], ['Damaged'])))), [
    { incident_reason: 'address_not_found' },
    { incident_reason: 'damaged' },
  ])
  t.notOk(
    'incident_reason' in (eventsOf(parse(result([event('PickupDone')], details('InTransit', ['Damaged']))))[0] ?? {}),
  )
  t.match(eventsOf(parse(result([event('PickupDone')], { promisedDeliveryDate: '2026-06-12T18:00:00Z' }))), [
    { estimated_delivery_at: '2026-06-12T18:00:00Z' },
  ])
  const promised = (promisedDeliveryDate: unknown) => {
    const readings = parse({ payload: result([event('PickupDone')], { promisedDeliveryDate }) })
    const { estimated_delivery_at: at } = eventsOf(readings)[0] as { estimated_delivery_at?: string }
    return at ?? readings.flatMap(({ warnings = [] }) => warnings.map(({ path, code }) => `${path} ${code}`))
  }
  t.same(promised(noPromise), [])
  t.same(promised(null), [])
  t.equal(promised('2026-06-12'), '2026-06-12T23:59:59-00:00')
  t.equal(promised('2026-06-12T00:00:00Z'), '2026-06-12T23:59:59-00:00')
  t.same(promised(7), ['payload.promisedDeliveryDate not_a_date_time'])
  t.same(promised('soon'), ['payload.promisedDeliveryDate not_a_date_time'])
  t.same(promised('9999-12-31T23:59:59Z'), ['payload.promisedDeliveryDate no_date'])
  t.same(promised('0001-01-01T00:00:00Z'), ['payload.promisedDeliveryDate no_date'])
})

t.test('given a status that no event gives, when it is read, then it is a status of its own', async (t) => {
  const statusOnly = (status: string) => {
    const [reading, ...more] = parse(result([], { summary: { status } }))
    t.same([more, reading?.status, reading?.path], [[], true, 'summary'])
    t.notOk('occurred_at' in (reading?.event ?? {}), 'it counts from now')
    const [warning] = reading?.warnings ?? []
    return `${codesOf(reading === undefined ? [] : [reading])} ${warning?.code} ${warning?.path}`
  }
  t.same(statuses.map(statusOnly), [
    'information_submitted code_decided summary.status',
    'in_transit code_decided summary.status',
    'delivered code_decided summary.status',
    'x-lost code_missing summary.status',
    'out_for_delivery code_decided summary.status',
    'rejected_by_recipient code_decided summary.status',
    'x-undeliverable code_missing summary.status',
    'delivery_failed code_decided summary.status',
    'cancelled code_decided summary.status',
    'x-available_for_pickup code_missing summary.status',
  ])
  t.equal(statusOnly('Teleported'), 'x-amazon_teleported meaning_unknown summary.status')
  t.equal(statusOnly('constructor'), 'x-amazon_constructor meaning_unknown summary.status')
})

t.test('given a history and a status, when it is read, then the status is only reported if it is new', async (t) => {
  const readAs = (status: string, ...history: readonly object[]) =>
    codesOf(parse(result(history, { summary: { status } })).slice(history.length)).join()
  const [pickup, outForDelivery] = [event('PickupDone'), event('OutForDelivery', { eventTime: '2026-06-10T11:00:00Z' })]
  const backAgain = event('Delivered', { shipmentType: 'RETURNS', eventTime: '2026-06-12T11:00:00Z' })
  const table: readonly [news: string, status: string, ...history: object[]][] = [
    ['x-lost', 'Lost', pickup],
    ['delivered', 'Delivered', pickup],
    ['in_transit', 'InTransit', pickup, outForDelivery],
    ['out_for_delivery', 'OutForDelivery', pickup],
    ['', 'InTransit', pickup],
    ['', 'OutForDelivery', pickup, outForDelivery],
    ['', 'OutForDelivery', outForDelivery, pickup],
    ['', 'Delivered', pickup, event('Undeliverable'), backAgain],
    ['', 'PreTransit', pickup],
    ['delivered', 'Delivered', event('Delivered', { eventTime: '2026-06-10T11:00:00' })],
  ]
  for (const [news, status, ...history] of table) t.equal(readAs(status, ...history), news, status)
  const moved = event('Unheard', { eventTime: 7 })
  t.match(parse(result([outForDelivery, pickup, moved], { summary: { status: 'Lost' } }))[3], {
    event: { occurred_at: '2026-06-10T11:00:00.001Z', source: { code: 'Lost' } },
  })
  t.match(parse(result([event('PickupDone')], { trackingId: 'x'.repeat(101) })), [{ subject: { piece_id: /^x+$/ } }])
})

t.test('given a status alone, when there are a promise and details, then they are those of the status', async (t) => {
  const told = (status: string, forward: readonly string[], returns: readonly string[] = []) =>
    eventsOf(
      parse(
        result([], {
          ...{ promisedDeliveryDate: '2026-06-12T18:00:00Z' },
          summary: { status, trackingDetailCodes: { forward, returns } },
        }),
      ),
    )[0]
  t.match(told('Delivered', ['DeliveredToPorch']), {
    ...{ estimated_delivery_at: '2026-06-12T18:00:00Z', pod: { note: 'DeliveredToPorch' } },
  })
  t.equal(told('DeliveryAttempted', ['BusinessClosed'])?.incident_reason, 'business_closed')
  t.equal(told('Undeliverable', [], ['Damaged'])?.incident_reason, 'damaged')
  t.notOk('incident_reason' in (told('Lost', ['Damaged']) ?? {}))
})

function engine() {
  const store = createMemoryStore(() => Date.parse('2026-11-21T12:00:00Z'))
  const context: Context = {
    store,
    models: createMemoryModels(store),
    clock: () => Date.parse('2026-11-21T12:00:00Z'),
    randomId: () => crypto.randomUUID(),
    ...outside,
    profiles,
    formats: [otep, amazon],
    baseUrl: target.baseUrl,
    caller: { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] },
    messages: en,
    requestId: 'r',
  }
  const ingest = async (document: unknown, format = 'otep') =>
    (await call(otepIngest, context, { document, format })) as {
      data: { events: { path: string; outcome: string; errors?: object[]; warnings?: object[] }[] }
    }
  const read = async (format: string) =>
    (await call(otepTracking, context, { tracking_number: 'TBA1', format })) as { data: unknown }
  return { ingest, read }
}

t.test(
  'given our own document, when it is posted to another server, then that answers the same document',
  async (t) => {
    const journeys: readonly (readonly [string, object?])[][] = [
      [
        ['booking_confirmed'],
        ['out_for_pickup'],
        ['picked_up'],
        ['received'],
        ['in_transit'],
        ['out_for_delivery'],
        ['removed_from_route'],
      ],
      [
        ['picked_up'],
        ['delivery_failed', { incident_reason: 'no_access' }],
        ['return_to_sender', { incident_reason: 'damaged' }],
        ['arrival_scan'],
      ],
      [
        ['picked_up', { estimated_delivery_at: '2026-06-12T18:00:00Z' }],
        ['delivered', { pod: { recipient: 'J' } }],
        ['in_transit'],
      ],
      [['awaiting_pickup'], ['cancelled'], ['picked_up']],
      [['picked_up'], ['cancelled']],
      [['in_transit', { estimated_delivery_at: '2026-06-12T18:00:00Z' }]],
      [['pickup_failed'], ['x-delayed'], ['pickup_rescheduled']],
      [['out_for_delivery'], ['delivery_rescheduled', { incident_reason: 'recipient_requested' }]],
      [['x-returning'], ['out_for_delivery'], ['delivered']],
    ]
    for (const journey of journeys) {
      const events = journey.map(([status_code, more], hour) => ({
        ...{ occurred_at: `2026-06-10T0${hour}:30:00+05:30`, status_code, source: { type: 'node_scan' } },
        ...more,
      }))
      const [one, other] = [engine(), engine()]
      await one.ingest({ subject: { tracking_number: 'TBA1' }, events })
      const { data: document } = await one.read('amazon')
      const { data } = await other.ingest(document, 'amazon')
      t.same(
        data.events.filter(({ outcome }) => outcome !== 'accepted'),
        [],
      )
      t.same(JSON.stringify((await other.read('amazon')).data), JSON.stringify(document), journey.join())
      t.ok((await other.ingest(document, 'amazon')).data.events.every(({ outcome }) => outcome === 'duplicate'))
    }
  },
)

t.test('given a status without history, when it is posted, then it is recorded once for each change', async (t) => {
  const { ingest, read } = engine()
  const post = async (status: string, history: readonly object[] = []) => {
    const { data } = await ingest({ payload: result(history, { summary: { status } }) }, 'amazon')
    return data.events.map(({ outcome }) => outcome)
  }
  t.same(await post('InTransit'), ['accepted'])
  t.same(await post('InTransit'), ['duplicate'])
  t.same(await post('Delivered'), ['accepted'])
  t.same(await post('Delivered'), ['duplicate'])
  const now = '2026-11-21T12:00:00.000Z'
  t.match((await read('otep')).data, {
    ...{ current_status: 'delivered', delivered: true },
    events: [
      { status_code: 'in_transit', occurred_at: now, synthesized: true },
      {
        status_code: 'delivered',
        occurred_at: now,
        synthesized: true,
        source: { provider: 'acme', code: 'Delivered' },
      },
    ],
  })
})

t.test('given a loss that no event tells, when it is posted twice, then the parcel is lost once', async (t) => {
  const { ingest, read } = engine()
  const document = { payload: result([event('PickupDone')], { summary: { status: 'Lost' } }) }
  const outcomes = async () => (await ingest(document, 'amazon')).data.events.map(({ outcome }) => outcome)
  t.same(await outcomes(), ['accepted', 'accepted'])
  t.same(await outcomes(), ['duplicate', 'duplicate'])
  t.match((await read('otep')).data, { current_status: 'x-lost', events: { length: 2 } })
})

t.test('given a refused status, when it is posted, then its findings have its path', async (t) => {
  const { data } = await engine().ingest({ payload: result([], { summary: { status: 'a\0b' } }) }, 'amazon')
  const errors = [{ path: 'payload.summary.status', code: 'control_character' }]
  t.match(data.events, [{ path: 'payload.summary', outcome: 'rejected', errors }])
  const first = await engine().ingest({ payload: result([], { summary: { status: 'OutForDelivery' } }) }, 'amazon')
  t.ok(
    first.data.events[0]?.warnings?.every((warning) => (warning as { path: string }).path === 'payload.summary.status'),
  )
})

t.test('given a foreign answer, when it is posted, then each event has its verdict at its place', async (t) => {
  const { ingest } = engine()
  const history = [
    event('PickupDone', { location: { city: 'x'.repeat(101) } }),
    event('Departed', { eventTime: '2026-06-10T10:30:00' }),
    event('Delivered', { eventTime: '2026-06-11T10:30:00Z' }),
  ]
  const { data } = await ingest({ payload: result(history) }, 'amazon')
  t.match(data.events, [
    { outcome: 'rejected', errors: [{ path: 'payload.eventHistory[0].location.city', code: 'too_long' }] },
    { outcome: 'rejected', errors: [{ path: 'payload.eventHistory[1].eventTime', code: 'offset_missing' }] },
    { path: 'payload.eventHistory[2]', outcome: 'accepted' },
  ])
})

t.test('given the items of an order, when as=input is asked, then its shipment is confirmed', async (t) => {
  const input = (events: readonly TimelineEvent[], options: Readonly<Record<string, string>> = {}) =>
    amazon.project(timeline(events), { ...target, options: { as: 'input', ...options } }) as readonly unknown[]
  const known = { order: '902-1', marketplace: 'ATVPDKIKX0DER', items: 'I1:2' }
  const [sent] = input([at(8, 'picked_up')], known)
  t.match(sent, {
    method: 'POST',
    path: '/orders/v0/orders/902-1/shipmentConfirmation',
    body: {
      marketplaceId: 'ATVPDKIKX0DER',
      packageDetail: { packageReferenceId: /^[1-9]\d*$/, orderItems: [{ orderItemId: 'I1', quantity: 2 }] },
    },
  })
  const [again] = input([at(8, 'picked_up'), at(9, 'in_transit')], known)
  t.same(again, sent, 'a package keeps its reference')
  t.same(input([at(8, 'picked_up')]), [], 'nothing without the items')
  t.same(input([at(7, 'awaiting_pickup')], known), [], 'nothing before the carrier has it')
})
