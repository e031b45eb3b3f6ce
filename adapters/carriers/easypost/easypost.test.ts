import { createHmac } from 'node:crypto'
import EasyPostClient from '@easypost/api'
import t, { type Test } from 'tap'
import { carrierSuite } from '../../../conformance/suites/index.ts'
import type { Carrier, CarrierScan, CarrierWarnings, PickupRequest, Shipment } from '../../../engine/index.ts'
import { easypost } from '../index.ts'
import { asking, httpFor, labelIn, purchaseAt } from '../servers.test.fixture.ts'
import { apiKey, createEasyPost, detail } from './double.test.fixture.ts'

const ann = {
  name: 'Ann',
  street: '1 Main Street',
  locality: 'Boston',
  region: 'MA',
  postal_code: '02108',
  country: 'US',
}
const shipment: Shipment = {
  from: { ...ann, name: 'Acme' },
  to: ann,
  parcels: [{ weight_grams: 800, length_cm: 30, width_cm: 20.5, height_cm: 10 }],
}
const secret = 'a secrét of the webhook'

/** An EasyPost, and what asks it. */
async function opened(t: Pick<Test, 'teardown'>, api_key = apiKey) {
  const server = await createEasyPost(t)
  const credentials = { api_key, webhook_secret: secret }
  return { server, ...asking(easypost(httpFor(t), server.url) as Carrier, credentials, 'USD') }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** A purchase at one of the rates, the cheapest if no place is given. */
const purchaseOf = (made: Opened, key = 'k1', place = 0) => purchaseAt(made, shipment, { key }, place)

/** Their own library, whose types are those of another system of modules. */
const Client = EasyPostClient as unknown as new (
  key: string,
) => { readonly Utils: { validateWebhook(body: Uint8Array, headers: object, secret: string): object } }

t.test('EasyPost', async (t) => {
  const servers: Opened['server'][] = []
  carrierSuite(
    (name, run) => t.test(name, run),
    async () => {
      const { server, carrier, credentials, clock } = await opened(t)
      servers.push(server)
      const unserved = { ...shipment, to: { ...ann, country: 'AQ' } }
      return { carrier, credentials, shipment, unserved, currency: 'USD', clock: () => clock.now }
    },
  )
  t.test('given all these exchanges, when they are judged, then they are as described', async (t) => {
    t.ok(servers.flatMap(({ requests }) => requests).length > 40)
    t.same(
      servers.flatMap(({ faults }) => faults),
      [],
    )
  })
})

t.test(
  'given rates, when they are read, then they are exact, and the parcel was never said to be smaller',
  async (t) => {
    const made = await opened(t)
    t.match(await made.asked('rate', shipment), {
      kind: 'answered',
      answer: {
        rates: [
          { service: 'USPS.Priority', service_name: 'USPS Priority', amount: '7.58', currency: 'USD', transit_days: 2 },
          { service: 'FedEx.FEDEX_GROUND', amount: '11.10' },
        ],
      },
    })
    t.match(made.server.requests[0]?.body, {
      shipment: { parcel: { weight: 28.3, length: 11.82, width: 8.08, height: 3.94 } },
    })
    await made.asked('rate', { ...shipment, to: { ...ann, street: '1 Elm', street2: 'Apt 4' } })
    t.match(made.server.requests.at(-1)?.body, { shipment: { to_address: { street1: '1 Elm', street2: 'Apt 4' } } })
    made.server.be.rate = '7.585'
    t.match(await made.asked('rate', shipment), { kind: 'refused', refusal: { code: 'other' } })
    const two = { ...shipment, parcels: [{ weight_grams: 1 }, { weight_grams: 1 }] }
    t.match(await made.asked('rate', two), { kind: 'refused', refusal: { code: 'not_offered' } })
  },
)

t.test('given an answer to a purchase that is lost, when it is asked again, then there is one label', async (t) => {
  for (const lost of ['POST /shipments', '/buy']) {
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
    t.same(labelIn(await made.asked('buy', purchase)), label, lost)
  }
})

t.test(
  'given two shipments with one reference, when the other one was bought, then none is bought again',
  async (t) => {
    const made = await opened(t)
    const purchase = await purchaseOf(made)
    const label = labelIn(await made.asked('buy', purchase))
    for (const key of ['k2', 'k3', 'k4']) await made.asked('buy', { ...purchase, key })
    const { postage_label: _, tracking_code: __, ...bought } = made.server.shipments.get(label.reference) ?? {}
    // The reference leads to this one, which comes first.
    const both = [['shp_0', { ...bought, id: 'shp_0' }] as const, ...made.server.shipments]
    made.server.shipments.clear()
    for (const [id, one] of both) made.server.shipments.set(id, one)
    made.server.be.page = 2
    t.same(labelIn(await made.asked('buy', purchase)), label)
    t.equal(made.server.sold.length, 4)
  },
)

t.test(
  'given a carrier that takes another price than it said, when it is bought, then the label tells what was paid',
  async (t) => {
    const made = await opened(t)
    const purchase = await purchaseOf(made)
    made.server.be.taken = '8.01'
    t.match(labelIn(await made.asked('buy', purchase)), { amount: '8.01', currency: 'USD' })
    made.server.be.rate = '9.00'
    t.match(await made.asked('buy', { ...purchase, key: 'k2' }), {
      kind: 'refused',
      refusal: { code: 'price_changed', message: 'The price is 9.00 USD now.' },
    })
  },
)

t.test('given what goes wrong, when EasyPost is asked, then each is an outcome of its own', async (t) => {
  const made = await opened(t)
  const poor = await purchaseOf(made, 'poor-1')
  t.match(await made.asked('buy', poor), {
    kind: 'refused',
    refusal: { code: 'no_funds', message: 'Insufficient funds.' },
  })
  made.server.fault = () => ({ status: 200, text: '<html>a proxy</html>' })
  t.match(await made.asked('rate', shipment), { kind: 'failed', failure: 'wrong_answer' })
  made.server.fault = () => 'hang'
  t.match(await made.asked('rate', shipment, 200), { kind: 'failed', failure: 'timed_out' })
  let times = 0
  made.server.fault = () => (++times < 3 ? { status: 429, json: {}, headers: { 'retry-after': '0' } } : undefined)
  t.match(await made.asked('rate', shipment), { kind: 'answered' })
  times = 0
  made.server.fault = ({ path }) => (path.endsWith('/buy') && ++times > 0 ? { status: 503, json: {} } : undefined)
  t.match(await made.asked('buy', await purchaseOf(made)), { kind: 'failed', failure: 'broken' })
  t.equal(times, 1)
  t.match(await (await opened(t, 'EZAK-another')).asked('rate', shipment), {
    kind: 'refused',
    refusal: { code: 'wrong_credentials', message: 'This api key is no longer active.' },
  })
})

t.test('given labels of two carriers, when their day is closed, then each has a scan form, and only one', async (t) => {
  const made = await opened(t)
  const labels = [
    labelIn(await made.asked('buy', await purchaseOf(made, 'k1'))),
    labelIn(await made.asked('buy', await purchaseOf(made, 'k2', 1))),
  ]
  const closed = await made.asked('manifest', { labels })
  t.match(closed, { kind: 'answered', answer: { manifest: { reference: /^sf_\d sf_\d$/ } } })
  t.same(await made.asked('manifest', { labels: [...labels].reverse() }), closed)
})

t.test(
  'given a parcel that was used, when its label is voided, then it is refused in the words of EasyPost',
  async (t) => {
    const made = await opened(t)
    const { reference, tracking_numbers } = labelIn(await made.asked('buy', await purchaseOf(made)))
    made.server.shipments.set(reference, { ...made.server.shipments.get(reference), status: 'delivered' })
    const refusal = { code: 'too_late', message: 'The shipment was used.' }
    t.match(await made.asked('void', { reference, tracking_numbers }), { kind: 'refused', refusal })
  },
)

const details = [
  detail('pre_transit', 'label_created', '2026-06-10T09:00:00Z'),
  detail('delivered', 'arrived_at_destination', '2026-06-10T09:50:00Z', ''),
  detail('in_transit', 'arrived_at_facility', '2026-06-10T09:30:00Z'),
  detail('delivered', 'unknown', '2026-06-10T19:50:00Z'),
]
const told = [
  { status_code: 'information_submitted', occurred_at: '2026-06-10T09:00:00.000Z' },
  { status_code: 'arrival_scan', occurred_at: '2026-06-10T09:30:00.000Z', locality: 'Boston', country: 'US' },
  { status_code: 'delivered', occurred_at: '2026-06-10T09:50:00.000Z' },
]

t.test(
  'given a parcel, when EasyPost tells of it, then its events are in order, and none is of the future',
  async (t) => {
    const made = await opened(t)
    const [tracking_number = ''] = labelIn(await made.asked('buy', await purchaseOf(made))).tracking_numbers
    made.server.trackers.set(tracking_number, {
      object: 'Tracker',
      tracking_code: tracking_number,
      tracking_details: details,
    })
    const tracked = await made.asked('track', { tracking_number })
    t.match(tracked, { kind: 'answered', answer: { events: told } })
    t.match(tracked, { answer: { events: { length: 3 } } })
  },
)

t.test(
  'given what EasyPost sends, when it is signed as its own library expects, then it is taken, and else refused',
  async (t) => {
    const made = await opened(t)
    const tracker = { object: 'Tracker', tracking_code: 'EZ1', weight: 17.5, tracking_details: details }
    const body = Buffer.from(JSON.stringify({ object: 'Event', description: 'tracker.updated', result: tracker }))
    const sign = (text: Buffer, key = secret) =>
      `hmac-sha256-hex=${createHmac('sha256', key.normalize('NFKD')).update(text).digest('hex')}`
    const headers = { 'x-hmac-signature': sign(body) }
    const client = new Client(apiKey)
    t.match(
      client.Utils.validateWebhook(body, headers, secret),
      { result: { tracking_code: 'EZ1' } },
      'their library agrees',
    )
    t.match(await made.asked('receive', { body, headers }), {
      kind: 'answered',
      answer: { reports: [{ tracking_number: 'EZ1', events: told }] },
    })
    const refusal = { kind: 'refused', refusal: { code: 'wrong_credentials' } }
    t.match(await made.asked('receive', { body, headers: { 'x-hmac-signature': sign(body, 'another') } }), refusal)
    t.match(await made.asked('receive', { body: Buffer.concat([body, Buffer.from(' ')]), headers }), refusal)
    const batch = Buffer.from(
      JSON.stringify({ object: 'Event', description: 'batch.created', result: { object: 'Batch' } }),
    )
    const signed = { body: batch, headers: { 'x-hmac-signature': sign(batch) } }
    t.match(await made.asked('receive', signed), { kind: 'answered', answer: { reports: { length: 0 } } })
  },
)

/** What an EasyPost whose tracker is so tells by itself, now: 10:00 on 10 June 2026. */
async function toldBy(t: Test, tracker: object): Promise<{ events: CarrierScan[]; warnings?: CarrierWarnings }> {
  const made = await opened(t)
  const result = { object: 'Tracker', tracking_code: 'EZ1', tracking_details: [], ...tracker }
  const body = Buffer.from(JSON.stringify({ object: 'Event', description: 'tracker.updated', result }))
  const signature = createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')
  const headers = { 'x-hmac-signature': `hmac-sha256-hex=${signature}` }
  const outcome = await made.asked('receive', { body, headers })
  t.equal(outcome.kind, 'answered')
  const { reports } = outcome.kind === 'answered' && 'reports' in outcome.answer ? outcome.answer : { reports: [] }
  return reports[0] ?? { events: [] }
}

const codesOf = ({ events }: { readonly events: readonly CarrierScan[] }) =>
  events.map(({ status_code }) => status_code)

t.test(
  'given a parcel that goes back, when EasyPost tells of it, then it is returned only when its sender has it',
  async (t) => {
    const back = detail('return_to_sender', 'return', '2026-06-07T09:00:00Z')
    const left = detail('in_transit', 'departed_facility', '2026-06-08T09:00:00Z')
    const delivered = detail('delivered', 'arrived_at_destination', '2026-06-09T09:00:00Z')
    const of = async (...tracking_details: object[]) => codesOf(await toldBy(t, { tracking_details }))
    t.same(await of(back), ['x-returning'])
    t.same(await of(back, left), ['x-returning', 'package_outbound'])
    t.same(await of(back, left, delivered), ['x-returning', 'package_outbound', 'return_to_sender'])
    t.same(await of(delivered, left, back), ['x-returning', 'package_outbound', 'return_to_sender'], 'in any order')
    t.same(await of(left, detail('return_to_sender', 'arrived_at_destination', '2026-06-09T09:00:00Z')), [
      ...['package_outbound', 'return_to_sender'],
    ])
    t.same(await of(detail('in_transit', 'return', '2026-06-07T09:00:00Z'), left), ['x-returning', 'package_outbound'])
    t.same(await of(delivered, detail('return_to_sender', 'return', '2026-06-10T09:00:00Z')), [
      'delivered',
      'x-returning',
    ])
  },
)

t.test(
  'given a tracker, when EasyPost tells of it, then its status, its expected time and who signed are told',
  async (t) => {
    const left = detail('in_transit', 'departed_facility', '2026-06-09T09:00:00Z')
    const arrived = detail('in_transit', 'weather_delay', '2026-06-10T09:00:00Z')
    const tracking_details = [
      left,
      { ...arrived, message: 'Held: snow &amp; ice<br/>in K&ouml;ln, 5 &lt; 6 &#39;kg&#39;' },
    ]
    const expected = async (more: object) => {
      const { events, warnings = [] } = await toldBy(t, { status: 'in_transit', tracking_details, ...more })
      const [first, last] = events
      t.equal(first?.estimated_delivery_at, undefined)
      t.equal(events.length, 2)
      return last?.estimated_delivery_at ?? warnings
    }
    t.equal(await expected({ est_delivery_date: '2026-06-12T00:00:00Z' }), '2026-06-12T23:59:59-00:00', 'a day')
    t.equal(await expected({ est_delivery_date: '2026-06-12' }), '2026-06-12T23:59:59-00:00')
    t.equal(await expected({ est_delivery_date: '2026-06-12T15:30:00Z' }), '2026-06-12T15:30:00Z')
    const local = { est_delivery_date_local: '2026-06-12', est_delivery_time_local: '14:00:00' }
    const destination_tracking_location = { city: 'Osaka', country: 'JP' }
    t.equal(
      await expected({ carrier_detail: { ...local, destination_tracking_location } }),
      '2026-06-12T14:00:00+09:00',
    )
    t.equal(
      await expected({ carrier_detail: { ...local, est_delivery_time_local: null } }),
      '2026-06-12T23:59:59-00:00',
    )
    t.match(await expected({ est_delivery_date: 'soon' }), [{ path: 'est_delivery_date', code: 'not_a_date_time' }])
    t.match(await expected({ est_delivery_date: '1970-01-01T00:00:00Z' }), [
      { path: 'est_delivery_date', code: 'no_date' },
    ])
    t.match(
      (await toldBy(t, { est_delivery_date: '2026-06-12' })).warnings,
      [{ code: 'not_taken' }],
      'nothing can have it',
    )

    const { events } = await toldBy(t, { status: 'delivered', signed_by: 'J. O&#39;Neil', tracking_details })
    t.match(events[1], {
      status_code: 'x-delayed',
      incident_reason: 'weather',
      description: "Held: snow & ice in Köln, 5 < 6 'kg'",
    })
    t.match(events[2], { status_code: 'delivered', signed_by: "J. O'Neil", synthesized: true })
    t.same(codesOf(await toldBy(t, { status: 'available_for_pickup', tracking_details: [] })), [
      'x-available_for_pickup',
    ])
    t.same(codesOf(await toldBy(t, { status: 'unknown', tracking_details: [] })), [])
  },
)

/** A pickup of labels on the next day, between nine and five in Toronto. */
const pickupOf = (labels: PickupRequest['labels'], over: Partial<PickupRequest> = {}): PickupRequest => ({
  ...{ key: 'p1', asked_at: '2026-06-10T10:00:00.000Z', labels, place: { ...ann, phone: '+14165550100' } },
  ...{ ready_at: '2026-06-11T13:00:00.000Z', closes_at: '2026-06-11T21:00:00.000Z', time_zone: 'America/Toronto' },
  ...over,
})

t.test('given a label, when it is picked up, then the pickup is bought once, at the lowest rate', async (t) => {
  const made = await opened(t)
  const label = labelIn(await made.asked('buy', await purchaseOf(made)))
  const request = pickupOf([label], { instruction: 'Ring twice', location: 'Behind the front desk' })
  for (const end of ['/pickups', '/buy']) {
    made.server.fault = ({ method, path }, act) => {
      if (method !== 'POST' || !path.endsWith(end)) return undefined
      act()
      return 'hang up'
    }
    t.same(await made.asked('pickup', request), { kind: 'failed', failure: 'broken' }, `the answer of ${end} is lost`)
  }
  made.server.fault = undefined
  t.same(await made.asked('pickup', request), {
    kind: 'answered',
    answer: {
      pickup: {
        ...{ reference: 'pickup_1', confirmation_number: 'Cpickup_1' },
        charge: { amount: '4.25', currency: 'USD' },
      },
    },
  })
  t.equal(made.server.pickups.size, 1)
  t.match(made.server.pickups.get('pickup_1'), {
    ...{ reference: 'p1', instructions: 'Behind the front desk. Ring twice', min_datetime: request.ready_at },
  })
  t.same(made.server.faults, [])
})

t.test(
  'given what EasyPost cannot do, when it is to pick up or to call off, then it refuses with the reason',
  async (t) => {
    const made = await opened(t)
    const [one, other] = [
      labelIn(await made.asked('buy', await purchaseOf(made, 'k1'))),
      labelIn(await made.asked('buy', await purchaseOf(made, 'k2'))),
    ]
    const ask = (labels: PickupRequest['labels'], over: Partial<PickupRequest> = {}) =>
      made.asked('pickup', pickupOf(labels, over))
    t.match(await ask([one, other]), {
      kind: 'refused',
      refusal: { message: 'With EasyPost, a pickup is for one label.' },
    })
    const place = { ...ann, phone: '+16175550100', postal_code: '99999' }
    t.match(await ask([one], { place }), { refusal: { code: 'not_offered', message: 'USPS: Nobody comes there.' } })
    t.match(await ask([one], { key: 'p2', instruction: 'be quick' }), { kind: 'answered' })
    t.match(await made.asked('cancelPickup', { reference: 'pickup_2' }), {
      refusal: { code: 'too_late', message: 'The driver is on the way.' },
    })
    t.match(await made.asked('cancelPickup', { reference: 'pickup_9' }), { refusal: { code: 'unknown_number' } })
    const locked = await opened(t, 'wrong')
    t.match(await locked.asked('pickup', pickupOf([one])), { refusal: { code: 'wrong_credentials' } })
    t.match(await locked.asked('cancelPickup', { reference: 'pickup_2' }), { refusal: { code: 'wrong_credentials' } })
  },
)

const shirts = {
  ...{ description: 'Cotton shirts', quantity: 3, unit_value: '19.99', currency: 'USD', weight_grams: 180 },
  ...{ hs_code: '6109100012', origin_country: 'PT', sku: 'S-1' },
}
const abroad: Shipment = {
  ...shipment,
  to: { ...ann, country: 'DE', region: 'BE', postal_code: '10115' },
  customs: {
    ...{ contents_type: 'other', contents_explanation: 'Parts of an exhibition', items: [shirts], incoterm: 'DAP' },
    ...{ sender_eori: 'GB123456789000', sender_vat_number: 'GB123', ioss_number: 'IM2500000123' },
    ...{ recipient_eori: 'DE7654321', recipient_vat_number: 'DE9', invoice_number: 'I-1', non_delivery: 'abandon' },
  },
}

t.test('given a shipment abroad, when it is quoted and bought, then EasyPost gets what customs are told', async (t) => {
  const made = await opened(t)
  const asked = () => made.server.requests.at(-1)?.body as { readonly shipment: Readonly<Record<string, unknown>> }
  await made.asked('rate', abroad)
  t.match(asked(), {
    shipment: {
      options: { incoterm: 'DAP', invoice_number: 'I-1' },
      customs_info: {
        ...{ contents_type: 'other', contents_explanation: 'Parts of an exhibition', customs_certify: true },
        ...{ customs_signer: 'Acme', non_delivery_option: 'abandon', restriction_type: 'none' },
        eel_pfc: 'NOEEI 30.37(a)',
        customs_items: [
          {
            ...{ description: 'Cotton shirts', quantity: 3, value: 59.97, currency: 'USD', code: 'S-1' },
            ...{ weight: 19.047, hs_tariff_number: '6109100012', origin_country: 'PT' },
          },
        ],
      },
      tax_identifiers: [
        { entity: 'SENDER', tax_id: 'GB123456789000', tax_id_type: 'EORI', issuing_country: 'GB' },
        { entity: 'SENDER', tax_id: 'GB123', tax_id_type: 'VAT', issuing_country: 'US' },
        { entity: 'SENDER', tax_id: 'IM2500000123', tax_id_type: 'IOSS', issuing_country: 'FR' },
        { entity: 'RECEIVER', tax_id: 'DE7654321', tax_id_type: 'EORI', issuing_country: 'DE' },
        { entity: 'RECEIVER', tax_id: 'DE9', tax_id_type: 'VAT', issuing_country: 'DE' },
      ],
    },
  })
  const label = labelIn(await made.asked('buy', await purchaseAt(made, abroad, { key: 'k1' }, 0)))
  t.match(label.customs_document, { kind: 'commercial_invoice', media_type: 'application/pdf' })
  for (const [more, to, exemption] of [
    [{ unit_value: '833.33' }, abroad.to, 'NOEEI 30.37(a)'],
    [{ unit_value: '833.34' }, abroad.to, undefined],
    [{ currency: 'EUR' }, abroad.to, undefined],
    [{ unit_value: '9000' }, { ...ann, country: 'CA', region: 'ON', postal_code: 'M5V 1A1' }, 'NOEEI 30.36'],
  ] as const) {
    await made.asked('rate', { ...abroad, to, customs: { contents_type: 'gift', items: [{ ...shirts, ...more }] } })
    t.equal((asked().shipment.customs_info as { eel_pfc?: string }).eel_pfc, exemption, JSON.stringify(more))
  }
  const light = { ...shirts, quantity: 800, weight_grams: 1 }
  await made.asked('rate', { ...abroad, customs: { contents_type: 'gift', items: [light] } })
  t.match(asked().shipment, { customs_info: { customs_items: [{ weight: 28.219 }] }, parcel: { weight: 28.3 } })
  await made.asked('rate', shipment)
  t.notOk('customs_info' in asked().shipment)
  t.same(made.server.faults, [], 'all of it is as described')
})
