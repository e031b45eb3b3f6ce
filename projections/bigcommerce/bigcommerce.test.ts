import t from 'tap'
import * as v from 'valibot'
import type { Subject, TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { answersOf, at, onlyOf, parcelMappings, parcelOf } from '../shared/parcels.test.fixture.ts'
import { bigcommerce } from './index.ts'

const answered = answersOf(bigcommerce)

const target = { baseUrl: 'https://track.example', options: {} }

const acme = { source: { type: 'carrier_tracking', provider: 'Royal Mail' } }

const project = (events: readonly TimelineEvent[], current?: string, subject?: Subject) =>
  answered(parcelOf(events, current, subject), target)

t.test('given a delivered parcel, when it is projected, then the order is Completed, with a shipment', async (t) => {
  t.same(project([at(7, 'awaiting_pickup'), at(8, 'picked_up', acme), at(15, 'delivered')]), {
    order: {
      id: 77,
      status_id: 10,
      status: 'Completed',
      date_modified: 'Wed, 10 Jun 2026 13:30:00 +0000',
      date_shipped: 'Wed, 10 Jun 2026 06:30:00 +0000',
    },
    shipments: [
      {
        order_id: 77,
        date_created: 'Wed, 10 Jun 2026 06:30:00 +0000',
        tracking_number: 'TN 1',
        tracking_carrier: '',
        tracking_link: 'https://track.example/track/TN%201',
        shipping_provider: 'royalmail',
        shipping_provider_display_name: 'Royal Mail',
      },
    ],
  })
})

t.test('given a parcel that waits for its carrier, when it is projected, then it awaits shipment', async (t) => {
  t.same(project([at(7, 'awaiting_pickup')], undefined, { tracking_number: 'TN' }), {
    order: { status_id: 9, status: 'Awaiting Shipment', date_modified: 'Wed, 10 Jun 2026 05:30:00 +0000' },
    shipments: [],
  })
})

t.test('given a return after the delivery, when it is projected, then it is Shipped and not refunded', async (t) => {
  t.match(project([at(8, 'delivered'), at(9, 'return_to_sender')]).order, { status_id: 2, status: 'Shipped' })
})

t.test('given a cancellation, when it is projected, then it cancels only what was not picked up', async (t) => {
  t.equal(project([at(8, 'cancelled')]).order.status_id, 5)
  t.equal(project([at(7, 'received'), at(8, 'cancelled')]).order.status_id, 2)
})

t.test('given a number and a link that are too long, when they are projected, then they are left out', async (t) => {
  const [shipment] = project([at(8, 'picked_up')], undefined, { tracking_number: '€'.repeat(51) }).shipments
  t.notOk(shipment?.tracking_number)
  t.ok(shipment?.tracking_link)
  const [longer] = project([at(8, 'picked_up')], undefined, { tracking_number: '€'.repeat(99) }).shipments
  t.notOk(longer?.tracking_link)
})

t.test('given no events, when they are projected, then the order waits without dates', async (t) => {
  t.same(project([]), { order: { id: 77, status_id: 11, status: 'Awaiting Fulfillment' }, shipments: [] })
})

t.test('given a code, when it is published, then with the stage that it brings an order to', async (t) => {
  const said = parcelMappings(bigcommerce).map(([code, { fidelity, value }]) => [code, `${fidelity} ${value}`])
  t.same(Object.fromEntries(said), {
    information_submitted: '~ 11 Awaiting Fulfillment',
    booking_confirmed: '~ 11 Awaiting Fulfillment',
    awaiting_pickup: '~ 9 Awaiting Shipment',
    out_for_pickup: '~ 9 Awaiting Shipment',
    pickup_failed: '~ 9 Awaiting Shipment',
    pickup_rescheduled: '~ 9 Awaiting Shipment',
    picked_up: '~ 2 Shipped',
    received: '~ 2 Shipped',
    arrival_scan: '~ 2 Shipped',
    in_transit: '~ 2 Shipped',
    package_outbound: '~ 2 Shipped',
    removed_from_route: 'none ',
    route_cancelled: 'none ',
    out_for_delivery: '~ 2 Shipped',
    delivered: '~ 10 Completed',
    delivery_failed: '~ 2 Shipped',
    delivery_rescheduled: 'none ',
    return_to_sender: '~ 2 Shipped',
    rejected_by_recipient: '~ 2 Shipped',
    cancelled: '= 5 Cancelled',
    'x-available_for_pickup': '~ 2 Shipped',
    'x-customs_started': '~ 2 Shipped',
    'x-customs_cleared': '~ 2 Shipped',
    'x-customs_held': '~ 2 Shipped',
    'x-delayed': 'none ',
    'x-damaged': 'none ',
    'x-lost': 'none ',
    'x-disposed': 'none ',
    'x-undeliverable': 'none ',
    'x-returning': '~ 2 Shipped',
    'x-exception': 'none ',
    'x-expired': 'none ',
    'x-*': 'none ',
  })
})

t.test('given any code, when its only event is projected, then the document is as the table says', async (t) => {
  for (const profile of profiles) {
    for (const [code, { fidelity, value }] of Object.entries(bigcommerce.codes(profile))) {
      const document = answered(onlyOf(profile, code), target)
      t.ok(v.is(bigcommerce.schema, document), code)
      t.equal(
        `${document.order.status_id} ${document.order.status}`,
        fidelity === 'none' ? '11 Awaiting Fulfillment' : value,
        code,
      )
    }
    t.same(
      Object.keys(bigcommerce.codes(profile)).sort(),
      [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-*'].sort(),
    )
  }
})

t.test('given the address and the items of an order, when as=input is asked, then a shipment is sent', async (t) => {
  const input = (events: readonly TimelineEvent[], options: Readonly<Record<string, string>> = {}) =>
    bigcommerce.project(parcelOf(events), { ...target, options: { as: 'input', order: '118', ...options } })
  const known = { address: '9', items: '12:1,13:2' }
  const shipment = {
    method: 'POST',
    path: '/v2/orders/118/shipments',
    body: {
      order_address_id: 9,
      items: [
        { order_product_id: 12, quantity: 1 },
        { order_product_id: 13, quantity: 2 },
      ],
      tracking_number: 'TN 1',
      tracking_carrier: '',
      tracking_link: 'https://track.example/track/TN%201',
      shipping_provider: '',
    },
  }
  const status = (status_id: number) => ({ method: 'PUT', path: '/v2/orders/118', body: { status_id } })
  t.same(input([at(8, 'picked_up')], known), [shipment])
  t.same(input([at(8, 'picked_up'), at(15, 'delivered')], known), [shipment, status(10)])
  t.same(input([at(8, 'picked_up')]), [status(2)], 'without them, only the status')
  t.same(input([at(7, 'awaiting_pickup')], known), [], 'nothing before the carrier has it')
})
