import t from 'tap'
import * as v from 'valibot'
import type { Subject, TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { answersOf, at, onlyOf, parcelOf } from '../shared/parcels.test.fixture.ts'
import { magento } from './index.ts'

const answered = answersOf(magento)

const target = { baseUrl: 'https://track.example', options: {} }

const acme = { source: { type: 'carrier_tracking', provider: 'DHL' } }

const project = (events: readonly TimelineEvent[], current?: string, subject?: Subject) =>
  answered(parcelOf(events, current, subject), target)

t.test('given a parcel under way, when it is projected, then the order is complete, with a track', async (t) => {
  t.same(project([at(7, 'out_for_pickup'), at(8, 'picked_up', acme), at(15, 'out_for_delivery')]), {
    order: { entity_id: 77, state: 'complete', status: 'complete', updated_at: '2026-06-10 13:30:00' },
    shipments: [
      {
        order_id: 77,
        created_at: '2026-06-10 06:30:00',
        tracks: [
          {
            order_id: 77,
            created_at: '2026-06-10 06:30:00',
            track_number: 'TN 1',
            title: 'DHL',
            carrier_code: 'dhl',
          },
        ],
      },
    ],
  })
})

t.test('given a carrier that the shop does not come with, when it is projected, then it is custom', async (t) => {
  const source = { type: 'self_delivery', provider: 'Colis & Cie' }
  const [named] = project([at(8, 'picked_up', { source })]).shipments
  t.match(named?.tracks, [{ title: 'Colis & Cie', carrier_code: 'custom' }])
  const [unnamed] = project([at(8, 'picked_up')]).shipments
  t.match(unnamed?.tracks, [{ title: 'other', carrier_code: 'custom' }])
})

t.test('given no number of a carrier, when it is projected, then the shipment has no track', async (t) => {
  const { shipments } = project([at(8, 'received')], undefined, { order_id: 5 })
  t.same(shipments, [{ order_id: 5, created_at: '2026-06-10 06:30:00', tracks: [] }])
})

t.test('given a return, when it is projected, then the order is complete and not closed', async (t) => {
  t.equal(project([at(8, 'delivered'), at(9, 'return_to_sender')]).order.state, 'complete')
})

t.test('given a cancellation, when it is projected, then it cancels only what was not picked up', async (t) => {
  t.match(project([at(8, 'cancelled')]), { order: { state: 'canceled', status: 'canceled' }, shipments: [] })
  t.equal(project([at(7, 'in_transit'), at(8, 'cancelled')]).order.state, 'complete')
})

t.test('given no events, when they are projected, then the order is in process without dates', async (t) => {
  t.same(project([], undefined, {}), { order: { state: 'processing', status: 'processing' }, shipments: [] })
})

t.test('given any code, when its only event is projected, then the document is as the table says', async (t) => {
  for (const profile of profiles) {
    for (const [code, { fidelity, value }] of Object.entries(magento.codes(profile))) {
      const document = answered(onlyOf(profile, code), target)
      t.ok(v.is(magento.schema, document), code)
      t.equal(document.order.state, fidelity === 'none' ? 'processing' : value, code)
    }
    t.same(
      Object.keys(magento.codes(profile)).sort(),
      [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-*'].sort(),
    )
  }
})

t.test('given a parcel under way, when as=input is asked, then the shipment of the order is sent', async (t) => {
  const input = (events: readonly TimelineEvent[], options: Readonly<Record<string, string>> = {}) =>
    magento.project(parcelOf(events), { ...target, options: { as: 'input', ...options } })
  const tracks = [{ track_number: 'TN 1', title: 'other', carrier_code: 'custom' }]
  t.same(input([at(8, 'picked_up')]), [
    { method: 'POST', path: '/rest/V1/order/{order_id}/ship', body: { notify: false, tracks } },
  ])
  t.same(input([at(8, 'picked_up')], { order: '3', items: '12:2' }), [
    {
      method: 'POST',
      path: '/rest/V1/order/3/ship',
      body: { items: [{ order_item_id: 12, qty: 2 }], notify: false, tracks },
    },
  ])
  t.same(input([at(7, 'awaiting_pickup')]), [], 'nothing before the carrier has it')
})
