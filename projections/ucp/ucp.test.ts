import t from 'tap'
import * as v from 'valibot'
import type { TimelineEvent } from '../../engine/index.ts'
import { at, parcelOf } from '../shared/parcels.test.fixture.ts'
import { ucp } from './index.ts'

const target = { baseUrl: 'https://track.example', options: {} }
const project = (events: readonly TimelineEvent[], current?: string) => ucp.project(parcelOf(events, current), target)

t.test('given a delivered parcel, when it is projected, then it is an order that is fulfilled', async (t) => {
  const acme = { source: { type: 'carrier_tracking', provider: 'acme' } }
  const document = project([
    at(7, 'x-something', acme),
    at(8, 'picked_up', { ...acme, description: 'Collected.' }),
    at(15, 'delivered'),
  ])
  t.match(document, {
    permalink_url: 'https://track.example/track/TN%201',
    line_items: [{ id: 'parcel', quantity: { original: 1, total: 1, fulfilled: 1 }, status: 'fulfilled' }],
    adjustments: [],
    currency: 'XXX',
  })
  t.same(
    document.fulfillment.events.map(({ type, occurred_at, carrier, description }) => [
      type,
      occurred_at,
      carrier,
      description,
    ]),
    [
      ['shipped', '2026-06-10T08:30:00+02:00', 'acme', 'Collected.'],
      ['delivered', '2026-06-10T15:30:00+02:00', 'acme', 'The recipient has the parcel.'],
    ],
  )
  t.ok(v.is(ucp.schema, document))
})

t.test(
  'given a parcel that is cancelled or returned, then that is an adjustment, once, and its line is removed',
  async (t) => {
    for (const [code, type, event] of [
      ['cancelled', 'cancellation', 'canceled'],
      ['return_to_sender', 'return', 'returned_to_sender'],
    ] as const) {
      const document = project([at(8, 'picked_up'), at(15, code), at(16, code)], code)
      t.match(document, {
        line_items: [{ quantity: { original: 1, total: 0, fulfilled: 0 }, status: 'removed' }],
        adjustments: [{ type, status: 'completed', line_items: [{ id: 'parcel', quantity: -1 }] }],
      })
      t.equal(document.adjustments.length, 1)
      t.equal(document.fulfillment.events.at(-1)?.type, event)
    }
    const back = project([at(8, 'return_to_sender'), at(15, 'delivered')], 'return_to_sender')
    t.same(
      back.fulfillment.events.map(({ type }) => type),
      ['returned_to_sender', 'returned_to_sender'],
    )
  },
)
