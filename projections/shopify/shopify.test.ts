import t from 'tap'
import * as v from 'valibot'
import type { Subject, TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { answersOf, at, onlyOf, parcelMappings, parcelOf } from '../shared/parcels.test.fixture.ts'
import { shopify } from './index.ts'

const answered = answersOf(shopify)

const target = { baseUrl: 'https://track.example', options: {} }

const acme = { source: { type: 'carrier_tracking', provider: 'ACME Express' } }

const project = (events: readonly TimelineEvent[], current?: string, subject?: Subject) =>
  answered(parcelOf(events, current, subject), target)
const nodesOf = (events: readonly TimelineEvent[], current?: string) =>
  project(events, current).data.fulfillment.events.nodes
const statusOf = (document: ReturnType<typeof project>) => document.data.fulfillment.events.nodes[0]?.status ?? ''

t.test('given two events, when they are projected, then they are the events of a fulfilment', async (t) => {
  const address = { street: '1 rue X', locality: 'Lyon', region: 'ARA', postal_code: '69001', country: 'FR' }
  const document = project([
    at(8, 'picked_up', {
      ...acme,
      description: 'Collected.',
      location: { name: 'Hub', address, latitude: 45.7, longitude: 4.8 },
      estimated_delivery_at: '2026-06-11T18:00:00+02:00',
    }),
    at(15, 'delivered', { location: { name: 'Front door' } }),
  ])
  t.same(document, {
    data: {
      fulfillment: {
        trackingInfo: [{ company: 'ACME Express', number: 'TN 1', url: 'https://track.example/track/TN%201' }],
        estimatedDeliveryAt: '2026-06-11T18:00:00+02:00',
        deliveredAt: '2026-06-10T15:30:00+02:00',
        events: {
          nodes: [
            {
              id: document.data.fulfillment.events.nodes[0]?.id,
              status: 'CARRIER_PICKED_UP',
              happenedAt: '2026-06-10T08:30:00+02:00',
              createdAt: '2026-06-10T08:30:00.500+02:00',
              estimatedDeliveryAt: '2026-06-11T18:00:00+02:00',
              message: 'Collected.',
              address1: '1 rue X',
              city: 'Lyon',
              province: 'ARA',
              country: 'FR',
              zip: '69001',
              latitude: 45.7,
              longitude: 4.8,
            },
            {
              id: document.data.fulfillment.events.nodes[1]?.id,
              status: 'DELIVERED',
              happenedAt: '2026-06-10T15:30:00+02:00',
              createdAt: '2026-06-10T15:30:00.500+02:00',
              estimatedDeliveryAt: null,
              message: 'The recipient has the parcel.',
              address1: 'Front door',
              city: null,
              province: null,
              country: null,
              zip: null,
              latitude: null,
              longitude: null,
            },
          ],
        },
      },
    },
  })
})

t.test('given an event, when it is enriched, then its id stays, and no other event has it', async (t) => {
  const idOf = (event: TimelineEvent, subject?: Subject) =>
    project([event], undefined, subject).data.fulfillment.events.nodes[0]?.id
  const id = idOf(at(8, 'picked_up', acme))
  t.match(id, /^gid:\/\/shopify\/FulfillmentEvent\/\d+$/)
  t.equal(idOf(at(8, 'picked_up', { ...acme, description: 'Collected.', location: { name: 'Hub' } })), id)
  const others = [
    idOf(at(9, 'picked_up', acme)),
    idOf(at(8, 'in_transit', acme)),
    idOf(at(8, 'picked_up')),
    idOf(at(8, 'picked_up', acme), { tracking_number: 'TN 2' }),
  ]
  t.equal(new Set([id, ...others]).size, 5)
})

t.test('given a delivery after the return to the sender, when it is projected, then it is not DELIVERED', async (t) => {
  const document = project([at(8, 'return_to_sender'), at(9, 'delivered')], 'return_to_sender')
  t.same(
    document.data.fulfillment.events.nodes.map(({ status }) => status),
    ['FAILURE', 'FAILURE'],
  )
  t.equal(document.data.fulfillment.deliveredAt, null)
})

t.test(
  'given a return after the delivery, when it is projected, then both are written and it is not delivered',
  async (t) => {
    const document = project([at(8, 'delivered'), at(9, 'return_to_sender')])
    t.same(
      document.data.fulfillment.events.nodes.map(({ status }) => status),
      ['DELIVERED', 'FAILURE'],
    )
    t.equal(document.data.fulfillment.deliveredAt, null)
  },
)

t.test('given a code without a status, when it is projected, then its event is left out', async (t) => {
  t.same(
    nodesOf([at(8, 'picked_up'), at(9, 'x-mystery'), at(10, 'x-customs_held')]).map(({ status, message }) => [
      status,
      message,
    ]),
    [
      ['CARRIER_PICKED_UP', 'The carrier has the parcel.'],
      ['DELAYED', 'Customs hold the parcel.'],
    ],
  )
})

t.test('given an unknown profile, when it is projected, then its codes are not read as ours', async (t) => {
  const foreign = { ...parcelOf([at(8, 'picked_up')]), profile: 'unheard-of' }
  t.same(answered(foreign, target).data.fulfillment.events.nodes, [])
})

t.test('given no events and no identifier, when they are projected, then everything is null', async (t) => {
  t.same(project([], undefined, {}).data.fulfillment, {
    trackingInfo: [{ company: null, number: null, url: 'https://track.example/track/' }],
    estimatedDeliveryAt: null,
    deliveredAt: null,
    events: { nodes: [] },
  })
})

t.test('given a code, when it is published, then with the status that Shopify has for its meaning', async (t) => {
  const said = parcelMappings(shopify).map(([code, { fidelity, value }]) => [code, `${fidelity} ${value}`])
  t.same(Object.fromEntries(said), {
    information_submitted: '~ CONFIRMED',
    booking_confirmed: '= CONFIRMED',
    awaiting_pickup: '~ CONFIRMED',
    out_for_pickup: '~ CONFIRMED',
    picked_up: '= CARRIER_PICKED_UP',
    pickup_failed: '~ DELAYED',
    pickup_rescheduled: '~ DELAYED',
    received: '~ IN_TRANSIT',
    arrival_scan: '~ IN_TRANSIT',
    in_transit: '= IN_TRANSIT',
    package_outbound: '~ IN_TRANSIT',
    removed_from_route: '~ DELAYED',
    route_cancelled: '~ DELAYED',
    out_for_delivery: '= OUT_FOR_DELIVERY',
    delivered: '= DELIVERED',
    delivery_failed: '= ATTEMPTED_DELIVERY',
    delivery_rescheduled: '~ DELAYED',
    return_to_sender: '~ FAILURE',
    rejected_by_recipient: '~ FAILURE',
    cancelled: '~ FAILURE',
    'x-available_for_pickup': '= READY_FOR_PICKUP',
    'x-customs_started': '~ IN_TRANSIT',
    'x-customs_cleared': '~ IN_TRANSIT',
    'x-customs_held': '~ DELAYED',
    'x-delayed': '= DELAYED',
    'x-damaged': 'none ',
    'x-lost': '~ FAILURE',
    'x-disposed': '~ FAILURE',
    'x-undeliverable': '~ FAILURE',
    'x-returning': '~ FAILURE',
    'x-exception': 'none ',
    'x-expired': 'none ',
    'x-*': 'none ',
  })
})

t.test(
  'given a stay in a machine, when it is projected, then the buyer can fetch it and has it in the end',
  async (t) => {
    const stay = { ...parcelOf([at(8, 'stored'), at(9, 'overdue'), at(10, 'collected')]), profile: 'storage' }
    const { deliveredAt, events } = answered({ ...stay, delivered: true }, target).data.fulfillment
    t.same(
      events.nodes.map(({ status }) => status),
      ['READY_FOR_PICKUP', 'READY_FOR_PICKUP', 'DELIVERED'],
    )
    t.equal(deliveredAt, stay.events[2]?.occurred_at)
  },
)

t.test('given any code, when its only event is projected, then the document is as the table says', async (t) => {
  for (const profile of profiles) {
    for (const [code, { fidelity, value }] of Object.entries(shopify.codes(profile))) {
      const document = answered(onlyOf(profile, code), target)
      t.ok(v.is(shopify.schema, document), code)
      t.equal(statusOf(document), fidelity === 'none' ? '' : value, code)
    }
    t.same(
      Object.keys(shopify.codes(profile)).sort(),
      [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-*'].sort(),
    )
  }
})

t.test(
  'given a parcel that is delivered, when as=input is asked, then its fulfilment and its events are sent',
  async (t) => {
    const input = (events: readonly TimelineEvent[], options = {}) =>
      shopify.project(parcelOf(events), { ...target, options: { as: 'input', ...options } })
    const sent = input([at(7, 'information_submitted'), at(8, 'picked_up', acme), at(15, 'delivered')], {
      fulfillment_order: '9',
    })
    t.match(sent, [
      {
        method: 'POST',
        path: '/admin/api/2026-10/graphql.json',
        body: {
          variables: {
            fulfillment: {
              lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: 'gid://shopify/FulfillmentOrder/9' }],
              trackingInfo: { company: 'ACME Express', number: 'TN 1', url: 'https://track.example/track/TN%201' },
            },
          },
        },
      },
      { body: { variables: { fulfillmentEvent: { status: 'CONFIRMED' } } } },
      { body: { variables: { fulfillmentEvent: { status: 'CARRIER_PICKED_UP' } } } },
      {
        body: {
          variables: {
            fulfillmentEvent: {
              fulfillmentId: 'gid://shopify/Fulfillment/{fulfillment_id}',
              status: 'DELIVERED',
              happenedAt: '2026-06-10T15:30:00+02:00',
            },
          },
        },
      },
    ])
    t.same(input([at(7, 'information_submitted')]), [], 'nothing before the carrier has it')
    t.match(input([at(7, 'information_submitted')], { fulfillment: '5' }), [
      { body: { variables: { fulfillmentEvent: { fulfillmentId: 'gid://shopify/Fulfillment/5' } } } },
    ])
    const twins = [at(8, 'picked_up'), at(8, 'picked_up', { event_id: 'again' })]
    t.equal((input(twins, { fulfillment: '5' }) as readonly unknown[]).length, 1, 'twins are sent once')
  },
)
