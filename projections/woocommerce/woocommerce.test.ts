import t from 'tap'
import * as v from 'valibot'
import type { Subject, TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { answersOf, at, onlyOf, parcelOf } from '../shared/parcels.test.fixture.ts'
import { woocommerce } from './index.ts'

const answered = answersOf(woocommerce)

const target = { baseUrl: 'https://track.example', options: {} }

const acme = { source: { type: 'carrier_tracking', provider: 'USPS' } }

const project = (events: readonly TimelineEvent[], current?: string, subject?: Subject) =>
  answered(parcelOf(events, current, subject), target)

t.test('given a parcel under way, when it is projected, then the order is completed and can be tracked', async (t) => {
  t.same(project([at(7, 'awaiting_pickup'), at(0, 'picked_up', acme), at(15, 'in_transit')]), {
    order: {
      id: 77,
      status: 'completed',
      date_modified_gmt: '2026-06-10T13:30:00',
      date_completed_gmt: '2026-06-09T22:30:00',
    },
    shipment_trackings: [
      {
        tracking_id: 'f84db11f5989a5b44d250cc7fd7b4f62',
        tracking_provider: 'USPS',
        tracking_link: 'https://track.example/track/TN%201',
        tracking_number: 'TN 1',
        date_shipped: '2026-06-10',
      },
    ],
  })
})

t.test('given another number or carrier, when it is projected, then the tracking has another id', async (t) => {
  const idOf = (events: readonly TimelineEvent[], subject?: Subject) =>
    project(events, undefined, subject).shipment_trackings[0]?.tracking_id
  const ids = [
    idOf([at(8, 'picked_up')]),
    idOf([at(8, 'picked_up', acme)]),
    idOf([at(8, 'picked_up')], { tracking_number: 'TN' }),
  ]
  t.equal(new Set(ids).size, 3)
  t.equal(idOf([at(8, 'picked_up'), at(9, 'in_transit')]), ids[0], 'and the same for the same')
})

t.test('given no number of a carrier, when it is projected, then there is nothing to track', async (t) => {
  t.same(project([at(8, 'received')], undefined, { order_id: 5 }).shipment_trackings, [])
})

t.test('given a return, when it is projected, then the order is completed and not refunded', async (t) => {
  t.equal(project([at(8, 'delivered'), at(9, 'return_to_sender')]).order.status, 'completed')
})

t.test(
  'given a parcel to collect, when it is projected, then it was shipped and does not wait in the shop',
  async (t) => {
    t.equal(project([at(8, 'x-available_for_pickup')]).order.status, 'completed')
  },
)

t.test('given a cancellation, when it is projected, then it cancels only what was not picked up', async (t) => {
  t.match(project([at(8, 'cancelled')]), { order: { status: 'cancelled' }, shipment_trackings: [] })
  t.equal(project([at(7, 'in_transit'), at(8, 'cancelled')]).order.status, 'completed')
})

t.test('given no events, when they are projected, then the order is in process without dates', async (t) => {
  t.same(project([]), {
    order: { id: 77, status: 'processing', date_modified_gmt: null, date_completed_gmt: null },
    shipment_trackings: [],
  })
})

t.test('given any code, when its only event is projected, then the document is as the table says', async (t) => {
  for (const profile of profiles) {
    for (const [code, { fidelity, value }] of Object.entries(woocommerce.codes(profile))) {
      const document = answered(onlyOf(profile, code), target)
      t.ok(v.is(woocommerce.schema, document), code)
      t.equal(document.order.status, fidelity === 'none' ? 'processing' : value, code)
    }
    t.same(
      Object.keys(woocommerce.codes(profile)).sort(),
      [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-*'].sort(),
    )
  }
})

t.test('given a parcel under way, when as=input is asked, then a tracking and the status are sent', async (t) => {
  const input = (events: readonly TimelineEvent[]) =>
    woocommerce.project(parcelOf(events), { ...target, options: { as: 'input', order: '727' } })
  t.same(input([at(0, 'picked_up', acme)]), [
    {
      method: 'POST',
      path: '/wp-json/wc-shipment-tracking/v3/orders/727/shipment-trackings',
      body: {
        custom_tracking_provider: 'USPS',
        custom_tracking_link: 'https://track.example/track/TN%201',
        tracking_number: 'TN 1',
        date_shipped: '2026-06-10',
      },
    },
    { method: 'PUT', path: '/wp-json/wc/v3/orders/727', body: { status: 'completed' } },
  ])
  t.same(input([at(7, 'awaiting_pickup')]), [], 'nothing before the carrier has it')
  t.same(input([at(7, 'cancelled')]), [], 'nothing of a cancellation, which is no refund')
})
