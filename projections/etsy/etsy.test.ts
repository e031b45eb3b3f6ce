import t from 'tap'
import * as v from 'valibot'
import type { Subject, TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { answersOf, at, onlyOf, parcelOf } from '../shared/parcels.test.fixture.ts'
import { etsy } from './index.ts'

const answered = answersOf(etsy)

const target = { baseUrl: 'https://track.example', options: {} }

const acme = { source: { type: 'carrier_tracking', provider: 'La Poste' } }

const project = (events: readonly TimelineEvent[], current?: string, subject?: Subject) =>
  answered(parcelOf(events, current, subject), target)

t.test('given a delivered parcel, when it is projected, then the receipt is completed and shipped', async (t) => {
  t.same(project([at(7, 'awaiting_pickup'), at(8, 'picked_up', acme), at(15, 'delivered')]), {
    receipt_id: 77,
    status: 'completed',
    is_shipped: true,
    updated_timestamp: Date.parse('2026-06-10T13:30:00Z') / 1000,
    shipments: [
      {
        receipt_shipping_id: null,
        shipment_notification_timestamp: Date.parse('2026-06-10T06:30:00Z') / 1000,
        carrier_name: 'La Poste',
        tracking_code: 'TN 1',
      },
    ],
  })
})

t.test('given a parcel that is only announced, when it is projected, then nothing was shipped', async (t) => {
  t.match(project([at(7, 'information_submitted')]), { status: 'paid', is_shipped: false, shipments: [] })
})

t.test('given a return, when it is projected, then the receipt is completed and not refunded', async (t) => {
  t.match(project([at(8, 'delivered'), at(9, 'return_to_sender')]), { status: 'completed', is_shipped: true })
})

t.test('given a cancellation, when it is projected, then it cancels only what was not picked up', async (t) => {
  t.match(project([at(8, 'cancelled')]), { status: 'canceled', is_shipped: false, shipments: [] })
  t.match(project([at(7, 'in_transit'), at(8, 'cancelled')]), { status: 'completed', is_shipped: true })
})

t.test('given what the types do not take, when it is projected, then it is left out', async (t) => {
  const old = { occurred_at: '1999-12-31T23:59:59Z' }
  t.same(project([at(8, 'picked_up', old)], undefined, { order_id: 0 }), {
    status: 'completed',
    is_shipped: true,
    shipments: [{ receipt_shipping_id: null, carrier_name: 'other' }],
  })
})

t.test('given no events, when they are projected, then the receipt waits without times', async (t) => {
  t.same(project([]), { receipt_id: 77, status: 'paid', is_shipped: false, shipments: [] })
})

t.test('given any code, when its only event is projected, then the document is as the table says', async (t) => {
  for (const profile of profiles) {
    for (const [code, { fidelity, value }] of Object.entries(etsy.codes(profile))) {
      const document = answered(onlyOf(profile, code), target)
      t.ok(v.is(etsy.schema, document), code)
      t.equal(
        `${document.status}, ${document.is_shipped ? 'shipped' : 'not shipped'}`,
        fidelity === 'none' ? 'paid, not shipped' : value,
        code,
      )
    }
    t.same(
      Object.keys(etsy.codes(profile)).sort(),
      [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-*'].sort(),
    )
  }
})

t.test('given a parcel under way, when as=input is asked, then the tracking of the receipt is sent', async (t) => {
  const input = (events: readonly TimelineEvent[]) =>
    etsy.project(parcelOf(events), { ...target, options: { as: 'input', shop: '5', order: '88' } })
  t.same(input([at(8, 'picked_up')]), [
    {
      method: 'POST',
      path: '/v3/application/shops/5/receipts/88/tracking',
      body: { tracking_code: 'TN 1', carrier_name: 'other', send_bcc: false },
    },
  ])
  t.same(input([at(7, 'awaiting_pickup')]), [], 'nothing before the carrier has it')
})
