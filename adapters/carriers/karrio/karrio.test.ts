import t, { type Test } from 'tap'
import { testWith } from '../../../conformance/judges/official.test.fixture.ts'
import { carrierSuite } from '../../../conformance/suites/index.ts'
import type {
  Carrier,
  CarrierAnswer,
  CarrierScan,
  CarrierWarnings,
  PickupRequest,
  Purchase,
  Shipment,
} from '../../../engine/index.ts'
import { karrio } from '../index.ts'
import { asking, httpFor, labelIn, purchaseAt } from '../servers.test.fixture.ts'
import { described } from './described.test.fixture.ts'
import { createKarrio, token } from './double.test.fixture.ts'

const ann = {
  name: 'Ann',
  street: '1 Main Street',
  locality: 'Toronto',
  region: 'ON',
  postal_code: 'M5V1A1',
  country: 'CA',
}
const shipment: Shipment = {
  from: { ...ann, name: 'Acme' },
  to: ann,
  parcels: [{ weight_grams: 800 }, { weight_grams: 1_200, length_cm: 30, width_cm: 20.5, height_cm: 10 }],
}

/** A Karrio, and what asks it. */
async function opened(
  t: Pick<Test, 'teardown'>,
  { allow, key = token }: { allow?: readonly string[]; key?: string } = {},
) {
  const server = await createKarrio(t)
  const credentials = { server_url: server.url, token: key }
  return { server, ...asking(karrio(httpFor(t, allow)) as Carrier, credentials, 'CAD') }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** A purchase at the cheapest rate. */
const purchaseOf = (made: Opened, over: Partial<Purchase> = {}) => purchaseAt(made, shipment, over)

t.test('Karrio', async (t) => {
  const servers: Opened['server'][] = []
  carrierSuite(
    (name, run) => t.test(name, run),
    async () => {
      const { server, carrier, credentials, clock } = await opened(t)
      servers.push(server)
      const unserved = { ...shipment, to: { ...ann, country: 'IS' } }
      return { carrier, credentials, shipment, unserved, clock: () => clock.now }
    },
  )
  testWith(t, { described }, 'given all these exchanges, when they are judged, then they are as described', (t) => {
    t.ok(servers.flatMap(({ requests }) => requests).length > 50)
    t.same(
      servers.flatMap(({ faults }) => faults),
      [],
    )
  })
})

t.test(
  'given rates, when they are read, then they are in hundredths, cheapest first, and tell service and days',
  async (t) => {
    const made = await opened(t)
    t.match(await made.asked('rate', shipment), {
      kind: 'answered',
      answer: {
        rates: [
          {
            service: 'ups_main.ups_standard',
            service_name: 'ups_main UPS_STANDARD',
            amount: '9.99',
            currency: 'CAD',
            transit_days: 3,
          },
          { service: 'post_main.canadapost_expedited_parcel', amount: '12.50' },
        ],
      },
    })
    t.match(made.server.requests[0]?.body, {
      parcels: [
        { weight: 800, weight_unit: 'G' },
        { weight: 1200, length: 30, width: 20.5, dimension_unit: 'CM' },
      ],
    })
    made.server.be.charge = 12.345
    t.match(await made.asked('rate', shipment), { kind: 'refused', refusal: { code: 'other' } })
  },
)

t.test('given an answer to a purchase that is lost, when it is asked again, then there is one label', async (t) => {
  for (const lost of ['POST /v1/shipments', '/purchase']) {
    const made = await opened(t)
    const purchase = await purchaseOf(made)
    made.server.fault = ({ method, path }, act) => {
      if (!`${method} ${path}`.endsWith(lost)) return undefined
      made.server.fault = undefined
      act()
      return 'hang up'
    }
    t.match(await made.asked('buy', purchase), { kind: 'failed', failure: 'broken' }, lost)
    const label = labelIn(await made.asked('buy', purchase))
    t.same(made.server.sold, [label.reference], lost)
    t.equal(made.server.shipments.size, 1, lost)
  }
})

t.test(
  'given a Karrio that still asks its carrier, when a purchase is asked again, then it is left alone for a time',
  async (t) => {
    const made = await opened(t)
    const purchase = await purchaseOf(made)
    made.server.fault = ({ path }) => (path.endsWith('/purchase') ? 'hang up' : undefined)
    t.match(await made.asked('buy', purchase), { kind: 'failed', failure: 'broken' })
    made.server.fault = undefined
    made.clock.now += 60_000
    t.match(await made.asked('buy', purchase), { kind: 'failed', failure: 'broken' })
    t.equal(made.server.requests.filter(({ path }) => path.endsWith('/purchase')).length, 1)
    made.clock.now += 300_000
    t.equal(labelIn(await made.asked('buy', purchase)).reference, 'shp_1')
  },
)

t.test(
  'given drafts that were made at once, when their purchase is asked again, then the one that is sold counts',
  async (t) => {
    const made = await opened(t)
    const purchase = await purchaseOf(made)
    const label = labelIn(await made.asked('buy', purchase))
    const { metadata, ...first } = made.server.shipments.get(label.reference) ?? {}
    const draft = {
      ...first,
      metadata,
      id: 'shp_0',
      status: 'draft',
      created_at: '2026-01-01T00:00:00Z',
      tracking_number: null,
    }
    made.server.shipments.set('shp_0', draft)
    t.same(labelIn(await made.asked('buy', purchase)), label)
  },
)

t.test(
  'given a carrier that takes another price than it said, when it is bought, then the label tells what was paid',
  async (t) => {
    const made = await opened(t)
    const purchase = await purchaseOf(made)
    made.server.be.taken = 10.49
    t.match(labelIn(await made.asked('buy', purchase)), { amount: '10.49', currency: 'CAD' })
    made.server.be.charge = 11
    t.match(await made.asked('buy', { ...purchase, key: 'k2' }), {
      kind: 'refused',
      refusal: { code: 'price_changed', message: 'The price is 11.00 CAD now.' },
    })
  },
)

t.test('given what goes wrong, when Karrio is asked, then each is an outcome of its own', async (t) => {
  const made = await opened(t)
  const purchase = await purchaseOf(made)
  const to = { ...ann, postal_code: 'H0H0H0' }
  const none = { kind: 'refused', refusal: { code: 'other', message: 'The account has no funds.' } }
  t.match(await made.asked('buy', { ...purchase, key: 'poor', to }), none)
  made.server.fault = () => ({ status: 200, text: '<html>a proxy</html>' })
  t.match(await made.asked('rate', shipment), { kind: 'failed', failure: 'wrong_answer' })
  made.server.fault = () => ({ status: 200, json: { rates: [{ carrier_id: 1 }] } })
  t.match(await made.asked('rate', shipment), { kind: 'failed', failure: 'wrong_answer' })
  made.server.fault = () => ({ status: 200, text: 'x'.repeat(5 * 1024 * 1024) })
  t.match(await made.asked('buy', purchase), { kind: 'failed', failure: 'broken' })
  made.server.fault = () => ({ status: 302, text: '', headers: { location: 'http://127.0.0.1:1/' } })
  t.match(await made.asked('rate', shipment), { kind: 'failed' })
  made.server.fault = () => 'hang'
  t.match(await made.asked('rate', shipment, 200), { kind: 'failed', failure: 'timed_out' })
  made.server.fault = undefined
  t.match(await (await opened(t, { key: 'another' })).asked('rate', shipment), {
    kind: 'refused',
    refusal: { code: 'wrong_credentials', message: 'Wrong key.' },
  })
  const street = 'x'.repeat(120)
  t.match(await made.asked('rate', { ...shipment, to: { ...ann, street } }), {
    kind: 'refused',
    refusal: { message: 'Too long for this carrier: to.street.' },
  })
  const flat = { ...ann, street: '1 Elm', street2: 'Apt 4' }
  t.match(await made.asked('rate', { ...shipment, to: flat }), { kind: 'answered' })
  t.match(made.server.requests.at(-1)?.body, { recipient: { address_line1: '1 Elm', address_line2: 'Apt 4' } })
  for (const lines of [{ street2: 'y'.repeat(51) }, { street: `${'x'.repeat(40)} ${'x'.repeat(20)}` }])
    t.match(await made.asked('rate', { ...shipment, to: { ...flat, ...lines } }), {
      refusal: { message: 'Too long for this carrier: to.street.' },
    })
})

t.test(
  'given a server that wants to be left alone, when it is asked, then it is asked again, but not to sell twice',
  async (t) => {
    const made = await opened(t)
    const purchase = await purchaseOf(made)
    let times = 0
    made.server.fault = () => (++times < 3 ? { status: 429, json: {}, headers: { 'retry-after': '0' } } : undefined)
    t.match(await made.asked('rate', shipment), { kind: 'answered' })
    times = 0
    made.server.fault = ({ path }) =>
      path.endsWith('/purchase') && ++times > 0 ? { status: 503, json: {} } : undefined
    t.match(await made.asked('buy', purchase), { kind: 'failed', failure: 'broken' })
    t.equal(times, 1)
  },
)

t.test('given a private address, when the operator does not allow it, then nothing is sent there', async (t) => {
  const made = await opened(t, { allow: [] })
  t.match(await made.asked('rate', shipment), { kind: 'failed', failure: 'broken' })
  t.same(made.server.requests, [])
})

interface Told {
  readonly events: readonly CarrierScan[]
  readonly warnings?: CarrierWarnings
}

/** What a Karrio whose tracker is so tells of the parcel of a label, now: 10:00 on 10 June 2026. */
async function toldBy(t: Test, tracker: object) {
  const made = await opened(t)
  const [tracking_number = ''] = labelIn(await made.asked('buy', await purchaseOf(made))).tracking_numbers
  const tell = (tracker: object) =>
    made.server.trackers.set(tracking_number, { ...made.server.trackers.get(tracking_number), ...tracker })
  tell(tracker)
  const ask = async () => {
    const outcome = await made.asked('track', { tracking_number })
    t.equal(outcome.kind, 'answered')
    return (outcome as { answer: CarrierAnswer<'track'> }).answer as Told
  }
  return { made, tracking_number, tell, ask, ...(await ask()) }
}

const scan = (day: number, time: string, status?: string, more: object = {}) => ({
  ...{ date: `2026-06-${String(day).padStart(2, '0')}`, time, code: 'C', description: 'Scan', location: 'Toronto' },
  ...(status !== undefined && { status }),
  ...more,
})

const shortOf = (events: readonly CarrierScan[]) =>
  events.map(({ occurred_at, status_code }) => `${occurred_at.slice(8, 16)} ${status_code}`)

t.test(
  'given events without a status, when Karrio tells of a parcel, then the latest has that of the parcel',
  async (t) => {
    const left = { code: 'DEP', description: 'Left' }
    const events = [scan(10, '02:05 AM', undefined, left), { date: '2026-06-09', time: '18:00' }]
    const { made, tracking_number, tell, ask, ...told } = await toldBy(t, { status: 'in_transit', events })
    t.match(told.events, [
      { status_code: 'in_transit', occurred_at: '2026-06-10T02:05:00.000Z', locality: 'Toronto', description: 'Left' },
    ])
    t.same(await ask(), { events: told.events })
    tell({ status: 'delivered', events: [{ date: '2026-06-10', time: '13:00' }] })
    t.match((await ask()).events, [
      { status_code: 'delivered', synthesized: true, occurred_at: '2026-06-10T10:00:00.000Z' },
    ])
    made.server.trackers.delete(tracking_number)
    t.same(await ask(), { events: [] }, 'that it is announced is nothing new')
    t.ok(made.server.trackers.has(tracking_number), 'a tracker is made')
    t.same(made.server.faults, [])
  },
)

t.test('given several events, when Karrio tells of them, then each has its own status and reason', async (t) => {
  const events = [
    scan(10, '13:00', 'delivered'),
    scan(10, '08:00', 'delivery_failed', { reason: 'consignee_not_home' }),
    scan(10, '07:00', 'out_for_delivery'),
    scan(9, '23:00', 'on_hold', { reason: 'weather_delay', description: 'Snow &amp; ice<br>in <b>Barrie</b>' }),
    scan(9, '11:00', 'in_transit'),
    { timestamp: '2026-06-09T10:30:00.000Z', status: 'in_transit', description: 'Sorted' },
    scan(9, '10:00', 'picked_up'),
    scan(8, '10:00', 'created'),
    scan(8, '09:00', 'pending'),
  ]
  const { ask, ...told } = await toldBy(t, { status: 'delivery_failed', events })
  t.same(shortOf(told.events), [
    ...['08T09:00 information_submitted', '09T10:00 picked_up', '09T10:30 in_transit', '09T11:00 in_transit'],
    ...['09T23:00 x-exception', '10T07:00 out_for_delivery', '10T08:00 delivery_failed'],
  ])
  t.match(told.events[4], { incident_reason: 'weather_delay', description: 'Snow & ice in Barrie' })
  t.match(told.events[6], { incident_reason: 'consignee_not_home' })
  t.equal(new Set(told.events.map(({ event_id }) => event_id)).size, told.events.length)
  t.same((await ask()).events, told.events, 'asked again, the same')
})

t.test('given a status that no event explains, when Karrio tells of it, then it is one event more', async (t) => {
  const moved = scan(10, '07:00', 'in_transit')
  const parcels: readonly (readonly [status: string, events: readonly object[], told: readonly string[]])[] = [
    ['picked_up', [], ['10T10:00 picked_up']],
    ['picked_up', [scan(9, '10:00', 'pending')], ['09T10:00 information_submitted', '09T10:00 picked_up']],
    ['out_for_delivery', [moved], ['10T07:00 in_transit', '10T07:00 out_for_delivery']],
    ['ready_for_pickup', [moved], ['10T07:00 in_transit', '10T07:00 x-available_for_pickup']],
    ['delivered', [moved], ['10T07:00 in_transit', '10T07:00 delivered']],
    ['return_to_sender', [moved], ['10T07:00 in_transit', '10T07:00 x-returning']],
    ['in_transit', [scan(10, '07:00', 'picked_up')], ['10T07:00 picked_up']],
    ['in_transit', [scan(9, '10:00', 'pending')], ['09T10:00 information_submitted', '09T10:00 in_transit']],
    ['pending', [moved], ['10T07:00 in_transit']],
    ['unknown', [moved], ['10T07:00 in_transit']],
    ['unknown', [], []],
  ]
  for (const [status, events, codes] of parcels)
    t.same(shortOf((await toldBy(t, { status, events })).events), codes, `${status} after ${events.length}`)
})

t.test(
  'given a parcel that goes back, when Karrio tells of it, then it is returned only when it is delivered',
  async (t) => {
    const back = [scan(8, '10:00', 'return_to_sender'), scan(9, '10:00', 'in_transit')]
    const going = await toldBy(t, { status: 'return_to_sender', events: back })
    t.same(shortOf(going.events), ['08T10:00 x-returning', '09T10:00 in_transit'])
    going.tell({ status: 'delivered', events: [...back, scan(10, '09:00', 'delivered')], info: { signed_by: 'Shop' } })
    const { events } = await going.ask()
    t.same(shortOf(events), ['08T10:00 x-returning', '09T10:00 in_transit', '10T09:00 return_to_sender'])
    t.equal(events[2]?.signed_by, 'Shop')
    t.equal(events[0]?.event_id, going.events[0]?.event_id)
  },
)

t.test(
  'given who signed and when a parcel is expected, when Karrio tells of it, then its last event has it',
  async (t) => {
    const events = [scan(9, '10:00', 'picked_up'), scan(10, '07:00', 'out_for_delivery')]
    const of = async (more: object) => {
      const told = await toldBy(t, { status: 'out_for_delivery', events, ...more })
      t.equal(told.events[0]?.estimated_delivery_at, undefined)
      const { estimated_delivery_at, estimated_delivery_from } = told.events.at(-1) ?? {}
      return [estimated_delivery_from, estimated_delivery_at, told.warnings].filter(Boolean)
    }
    t.same(await of({ estimated_delivery: '2026-06-11' }), ['2026-06-11T23:59:59-00:00'])
    const info = { expected_delivery: '2026-06-12', shipment_destination_country: 'JP' }
    t.same(await of({ info }), ['2026-06-12T23:59:59+09:00'])
    t.same(await of({ estimated_delivery: '2026-06-11 14:00 - 16:00', info }), [
      ...['2026-06-11T14:00:00+09:00', '2026-06-11T16:00:00+09:00'],
    ])
    const warned = (path: string, code: string, received?: string) => [[{ path, code, received: received ?? '' }]]
    t.same(await of({ estimated_delivery: 'Thursday' }), warned('estimated_delivery', 'not_a_date_time'))
    const none = { ...info, expected_delivery: '9999-12-31' }
    t.same(await of({ info: none }), warned('info.expected_delivery', 'no_date', '9999-12-31'))
    const delivered = { status: 'delivered', events: [...events, scan(10, '09:00', 'delivered')] }
    const { events: all } = await toldBy(t, {
      ...delivered,
      estimated_delivery: '2026-06-11',
      info: { signed_by: 'Zo&euml; <b>Lee</b>' },
    })
    t.same(
      all.map(({ signed_by, estimated_delivery_at }) => [signed_by, estimated_delivery_at]),
      [
        [undefined, undefined],
        [undefined, undefined],
        ['Zoë Lee', undefined],
      ],
    )
  },
)

t.test(
  'given labels of two carriers, when their day is closed, then each has a manifest under one reference',
  async (t) => {
    const made = await opened(t)
    const purchase = await purchaseOf(made)
    const reference = JSON.stringify(['post_main', 'canadapost_expedited_parcel'])
    const other = { ...purchase, key: 'k2', amount: '12.50', reference }
    const labels = [labelIn(await made.asked('buy', purchase)), labelIn(await made.asked('buy', other))]
    const closed = await made.asked('manifest', { labels })
    t.match(closed, { kind: 'answered', answer: { manifest: { reference: /^OTEP[0-9A-F]{20}$/ } } })
    t.same(await made.asked('manifest', { labels: [...labels].reverse() }), closed)
    t.same(
      made.server.manifests.map(({ carrier_name }) => carrier_name),
      ['ups', 'canadapost'],
    )
    t.same(made.server.faults, [])
  },
)

t.test(
  'given a parcel that has arrived, when its label is voided, then it is refused in the words of Karrio',
  async (t) => {
    const made = await opened(t)
    const { reference, tracking_numbers } = labelIn(await made.asked('buy', await purchaseOf(made)))
    made.server.shipments.set(reference, { ...made.server.shipments.get(reference), status: 'delivered' })
    const refusal = { code: 'too_late', message: 'The shipment is delivered.' }
    t.match(await made.asked('void', { reference, tracking_numbers }), { kind: 'refused', refusal })
    t.match(await made.asked('void', { reference: 'shp_9', tracking_numbers }), { refusal: { code: 'unknown_number' } })
  },
)

t.test('given a document elsewhere, when it is fetched, then the key is not sent there', async (t) => {
  const made = await opened(t)
  const elsewhere = await createKarrio(t)
  elsewhere.fault = () => ({ status: 200, text: '%PDF-' })
  const { reference, tracking_numbers } = labelIn(await made.asked('buy', await purchaseOf(made)))
  const document = { reference: `${elsewhere.url}/label.pdf`, media_type: 'application/pdf' } as const
  t.match(await made.asked('document', { reference, tracking_numbers, document }), { kind: 'answered' })
  t.equal(elsewhere.requests[0]?.headers.authorization, undefined)
})

/** A pickup of labels on the next day, between nine and five in Toronto. */
const pickupOf = (labels: PickupRequest['labels'], over: Partial<PickupRequest> = {}): PickupRequest => ({
  ...{ key: 'p1', asked_at: '2026-06-10T10:00:00.000Z', labels, place: { ...ann, phone: '+14165550100' } },
  ...{ ready_at: '2026-06-11T13:00:00.000Z', closes_at: '2026-06-11T21:00:00.000Z', time_zone: 'America/Toronto' },
  ...over,
})

t.test(
  'given labels, when they are picked up, then Karrio gets day and times of the place, and one driver comes',
  async (t) => {
    const made = await opened(t)
    const label = labelIn(await made.asked('buy', await purchaseOf(made)))
    const request = pickupOf([label], { instruction: 'Ring twice', location: 'Behind the front desk' })
    made.server.fault = ({ path }, act) => {
      if (!path.endsWith('/schedule')) return undefined
      act()
      return 'hang up'
    }
    t.same(await made.asked('pickup', request), { kind: 'failed', failure: 'broken' }, 'the answer is lost')
    made.server.fault = undefined
    const booked = {
      kind: 'answered',
      answer: {
        pickup: { reference: 'pck_1', confirmation_number: 'P1', charge: { amount: '3.50', currency: 'CAD' } },
      },
    }
    t.same(await made.asked('pickup', request), booked, 'and the pickup is found by its key')
    t.match(made.server.pickups, [
      {
        ...{ carrier_name: 'ups', pickup_date: '2026-06-11', ready_time: '09:00', closing_time: '17:00' },
        ...{ instruction: 'Ring twice', package_location: 'Behind the front desk' },
        address: { person_name: 'Ann', phone_number: '+14165550100', postal_code: 'M5V1A1' },
      },
    ])
    t.equal(made.server.pickups.length, 1)
  },
)

t.test(
  'given what Karrio cannot do, when it is to pick up or to call off, then it refuses with the reason',
  async (t) => {
    const made = await opened(t)
    const rates = await made.asked('rate', shipment)
    const [one, other] = rates.kind === 'answered' ? rates.answer.rates : []
    const buy = async (key: string, rate: typeof one) => {
      const { service = '', reference = '', amount = '0' } = rate ?? {}
      return labelIn(await made.asked('buy', await purchaseOf(made, { key, service, reference, amount })))
    }
    const [ups, post] = [await buy('k1', one), await buy('k2', other)]
    const ask = (labels: PickupRequest['labels'], over: Partial<PickupRequest> = {}) =>
      made.asked('pickup', pickupOf(labels, over))
    t.match(await ask([ups, post]), { refusal: { message: /one carrier, not of ups, canadapost/ } })
    t.match(await ask([ups], { instruction: 'x'.repeat(51) }), { refusal: { message: /instruction/ } })
    const place = { ...ann, phone: '+14165550100', postal_code: 'H0H0H0' }
    t.match(await ask([ups], { place }), { kind: 'refused', refusal: { message: /Nobody comes there/ } })
    t.equal(made.server.pickups.length, 0)
    t.match(await ask([ups], { instruction: 'be quick' }), { kind: 'answered' })
    t.match(await made.asked('cancelPickup', { reference: 'pck_1' }), {
      refusal: { code: 'too_late', message: 'The driver is on the way.' },
    })
    const locked = await opened(t, { key: 'wrong' })
    t.match(await locked.asked('pickup', pickupOf([ups])), { refusal: { code: 'wrong_credentials' } })
    t.match(await locked.asked('cancelPickup', { reference: 'pck_1' }), { refusal: { code: 'wrong_credentials' } })
    t.same(made.server.faults, [])
  },
)

const shirts = {
  ...{ description: 'Cotton shirts', quantity: 3, unit_value: '19.99', currency: 'CAD', weight_grams: 180 },
  ...{ hs_code: '610910', origin_country: 'PT', sku: 'S-1' },
}
const abroad: Shipment = {
  ...{ from: shipment.from, to: { ...ann, country: 'US', region: 'NY', postal_code: '10001' } },
  parcels: [{ weight_grams: 800 }],
  customs: {
    ...{ contents_type: 'merchandise', items: [shirts], incoterm: 'DDP', sender_eori: 'DE1234567' },
    ...{ ioss_number: 'IM2760000123', invoice_number: 'I-1', invoice_date: '2026-06-10', signer: 'Zoe Sender' },
    ...{ non_delivery: 'abandon', recipient_vat_number: 'US12' },
  },
}

t.test('given a shipment abroad, when it is quoted and bought, then Karrio gets what customs are told', async (t) => {
  const made = await opened(t)
  const bodies = () =>
    made.server.requests.flatMap(({ body }) => (body ? [body as Readonly<Record<string, unknown>>] : []))
  t.match(await made.asked('rate', abroad), { kind: 'answered' })
  t.notOk(
    bodies().some((body) => 'customs' in body),
    'a question about rates has no place for it',
  )
  const label = labelIn(await made.asked('buy', await purchaseAt(made, abroad, {})))
  t.match(
    bodies().find((body) => 'customs' in body),
    {
      recipient: { country_code: 'US', federal_tax_id: 'US12' },
      customs: {
        ...{ content_type: 'merchandise', commercial_invoice: true, incoterm: 'DDP', invoice: 'I-1' },
        ...{ invoice_date: '2026-06-10', signer: 'Zoe Sender', certify: true },
        commodities: [
          {
            ...{ description: 'Cotton shirts', quantity: 3, value_amount: 19.99, value_currency: 'CAD', sku: 'S-1' },
            ...{ weight: 180, weight_unit: 'G', hs_code: '610910', origin_country: 'PT' },
          },
        ],
        duty: { paid_by: 'sender', currency: 'CAD', declared_value: 59.97 },
        options: { eori_number: 'DE1234567', ioss: 'IM2760000123', non_delivery_option: 'abandon' },
      },
    },
  )
  t.match(label.customs_document, { kind: 'commercial_invoice', media_type: 'application/pdf' })
  const { customs_document: document, reference, tracking_numbers } = label
  if (document === undefined) return
  t.match(await made.asked('document', { reference, tracking_numbers, document }), { kind: 'answered' })
  const each: Shipment = {
    ...abroad,
    parcels: [{ weight_grams: 800, items: [shirts] }],
    customs: { contents_type: 'returned_goods' },
  }
  labelIn(await made.asked('buy', await purchaseAt(made, each, { key: 'k2' })))
  t.match(
    bodies().find(({ customs }) => (customs as { content_type?: string })?.content_type === 'return_merchandise'),
    {
      parcels: [{ items: [{ hs_code: '610910', quantity: 3 }] }],
      customs: { commodities: [{ quantity: 3 }], duty: { paid_by: 'recipient' }, signer: 'Acme' },
    },
  )
  t.same(made.server.faults, [], 'all of it is as described')
})
