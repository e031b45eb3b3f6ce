import t from 'tap'
import * as v from 'valibot'
import type { TimelineEvent } from '../../engine/index.ts'
import { at, parcelOf } from '../shared/parcels.test.fixture.ts'
import { osp } from './index.ts'

const target = { baseUrl: 'https://track.example', options: {} }
const project = (events: readonly TimelineEvent[], current?: string) => osp.project(parcelOf(events, current), target)

t.test(
  'given a delivered parcel, when it is projected, then it is a tracking with its newest event first',
  async (t) => {
    const address = { locality: 'Lyon', region: 'ARA', country: 'FR' }
    const document = project([
      at(8, 'picked_up', {
        source: { type: 'carrier_tracking', provider: 'acme', code: 'PU' },
        location: { address, latitude: 45.7, longitude: 4.8 },
        estimated_delivery_at: '2026-06-11T18:00:00+02:00',
      }),
      at(15, 'delivered', { description: 'Left at the door.', pod: { recipient: 'Ann' } }),
    ])
    t.same(document, {
      tracking_number: 'TN 1',
      carrier_name: 'acme',
      status: 'delivered',
      estimated_delivery: '2026-06-11',
      delivered: true,
      events: [
        {
          ...{ date: '2026-06-10', time: '15:30', timestamp: '2026-06-10T15:30:00+02:00' },
          ...{ description: 'Left at the door.', status: 'delivered' },
        },
        {
          ...{ date: '2026-06-10', time: '08:30', timestamp: '2026-06-10T08:30:00+02:00' },
          ...{ description: 'The carrier has the parcel.', status: 'in_transit', code: 'PU' },
          ...{ location: 'Lyon, ARA, FR', latitude: 45.7, longitude: 4.8 },
        },
      ],
      signed_by: 'Ann',
      info: { carrier_tracking_link: 'https://track.example/track/TN%201' },
    })
    t.ok(v.is(osp.schema, document))
    t.same(
      osp.events?.(document).map((event) => (event as { status: string }).status),
      ['in_transit', 'delivered'],
      'in the order of the timeline',
    )
  },
)

t.test('given a parcel without events, when it is projected, then it is pending, of no known carrier', async (t) => {
  t.match(project([]), { carrier_name: '', status: 'pending', delivered: false, events: [] })
})
