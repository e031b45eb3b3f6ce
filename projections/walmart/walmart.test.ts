import t from 'tap'
import * as v from 'valibot'
import type { Subject, TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { answersOf, at, onlyOf, parcelOf } from '../shared/parcels.test.fixture.ts'
import { walmart } from './index.ts'

const answered = answersOf(walmart)

const target = { baseUrl: 'https://track.example', options: {} }

const acme = { source: { type: 'carrier_tracking', provider: 'fedex' } }

const project = (events: readonly TimelineEvent[], current?: string, subject?: Subject) =>
  answered(parcelOf(events, current, subject), target).orderLines.orderLine
const statusOf = (events: readonly TimelineEvent[], current?: string) =>
  project(events, current)[0]?.orderLineStatuses.orderLineStatus[0].status

t.test('given a delivered parcel, when it is projected, then its line is Delivered under its number', async (t) => {
  const events = [at(7, 'information_submitted'), at(8, 'picked_up', acme), at(15, 'delivered', acme)]
  t.same(project(events), [
    {
      lineNumber: '1',
      item: { productName: '', sku: '' },
      charges: { charge: [] },
      orderLineQuantity: { unitOfMeasurement: 'EACH', amount: '1' },
      statusDate: Date.parse('2026-06-10T13:30:00Z'),
      orderLineStatuses: {
        orderLineStatus: [
          {
            status: 'Delivered',
            statusQuantity: { unitOfMeasurement: 'EACH', amount: '1' },
            trackingInfo: {
              shipDateTime: Date.parse('2026-06-10T06:30:00Z'),
              carrierName: { carrier: 'FedEx' },
              methodCode: 'Standard',
              trackingNumber: 'TN 1',
              trackingURL: 'https://track.example/track/TN%201',
            },
          },
        ],
      },
      sellerOrderId: '77',
    },
  ])
})

t.test('given a carrier that Walmart does not name, when it is projected, then it is another carrier', async (t) => {
  const own = at(8, 'picked_up', { source: { type: 'self_delivery', provider: 'ours' } })
  const other = at(9, 'in_transit', { source: { type: 'third_party_delivery', provider: 'Colis & Cie' } })
  const subject = { tracking_number: 'TN', external_tracking_number: 'EXT' }
  const status = project([own, other], undefined, subject)[0]?.orderLineStatuses.orderLineStatus[0]
  t.same(status?.trackingInfo?.carrierName, { otherCarrier: 'Colis & Cie' })
  t.equal(status?.trackingInfo?.trackingNumber, 'EXT', 'the number is of the same company as the name')
  t.equal(status?.trackingInfo?.trackingURL, 'https://track.example/track/TN')
  t.same(project([at(8, 'picked_up')])[0]?.orderLineStatuses.orderLineStatus[0].trackingInfo?.carrierName, {
    otherCarrier: 'other',
  })
})

t.test('given no number of a carrier, when it is projected, then there is no tracking', async (t) => {
  const [line] = project([at(8, 'picked_up')], undefined, { order_id: 5 })
  t.equal(line?.orderLineStatuses.orderLineStatus[0].status, 'Shipped')
  t.notOk(line?.orderLineStatuses.orderLineStatus[0].trackingInfo)
})

t.test(
  'given what happens on both sides of the pick-up, when it is projected, then only the pick-up ships',
  async (t) => {
    t.equal(statusOf([at(7, 'awaiting_pickup'), at(8, 'route_cancelled')]), 'Acknowledged')
    t.equal(statusOf([at(7, 'picked_up'), at(8, 'route_cancelled')]), 'Shipped')
  },
)

t.test('given a cancellation, when it is projected, then it cancels only what was not picked up', async (t) => {
  t.equal(statusOf([at(7, 'booking_confirmed'), at(8, 'cancelled')]), 'Cancelled')
  t.equal(statusOf([at(7, 'picked_up'), at(8, 'cancelled')]), 'Shipped')
  t.equal(statusOf([at(7, 'cancelled'), at(8, 'picked_up')], 'cancelled'), 'Shipped', 'the carrier has it all the same')
})

t.test('given a return after the delivery, when it is projected, then it is not delivered any more', async (t) => {
  const [line] = project([at(7, 'picked_up'), at(9, 'delivered'), at(12, 'return_to_sender')])
  t.equal(line?.orderLineStatuses.orderLineStatus[0].status, 'Shipped')
  t.equal(line?.statusDate, Date.parse('2026-06-10T10:30:00Z'), 'since the return')
})

t.test('given a late scan after the delivery, when it is projected, then it stays delivered', async (t) => {
  const [line] = project([at(9, 'delivered'), at(10, 'out_for_delivery')], 'delivered')
  t.equal(line?.orderLineStatuses.orderLineStatus[0].status, 'Delivered')
  t.equal(line?.statusDate, Date.parse('2026-06-10T07:30:00Z'))
})

t.test('given no events, when they are projected, then there is no line', async (t) => {
  t.same(project([]), [])
})

t.test('given a profile that nobody knows, when it is projected, then nothing is taken for shipped', async (t) => {
  const foreign = { ...parcelOf([at(8, 'picked_up')]), profile: 'unheard-of' }
  const [line] = answered(foreign, target).orderLines.orderLine
  t.equal(line?.orderLineStatuses.orderLineStatus[0].status, 'Acknowledged')
})

t.test('given any code, when its only event is projected, then the document is as the table says', async (t) => {
  for (const profile of profiles) {
    for (const [code, { fidelity, value }] of Object.entries(walmart.codes(profile))) {
      const document = answered(onlyOf(profile, code), target)
      t.ok(v.is(walmart.schema, document), code)
      t.equal(
        document.orderLines.orderLine[0]?.orderLineStatuses.orderLineStatus[0].status,
        fidelity === 'none' ? 'Acknowledged' : value,
        code,
      )
    }
    t.same(
      Object.keys(walmart.codes(profile)).sort(),
      [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-*'].sort(),
    )
  }
})

t.test('given a parcel under way, when as=input is asked, then the shipping of its lines is sent', async (t) => {
  const input = (events: readonly TimelineEvent[], options: Readonly<Record<string, string>> = {}) =>
    walmart.project(parcelOf(events), { ...target, options: { as: 'input', ...options } })
  const trackingInfo = {
    shipDateTime: Date.parse('2026-06-10T08:30:00+02:00'),
    carrierName: { otherCarrier: 'other' },
    methodCode: 'Standard',
    trackingNumber: 'TN 1',
    trackingURL: 'https://track.example/track/TN%201',
  }
  const line = (lineNumber: string, amount: string) => ({
    lineNumber,
    orderLineStatuses: {
      orderLineStatus: [{ status: 'Shipped', statusQuantity: { unitOfMeasurement: 'EACH', amount }, trackingInfo }],
    },
  })
  const sent = (path: string, orderLine: readonly object[]) => [
    { method: 'POST', path, body: { orderShipment: { orderLines: { orderLine } } } },
  ]
  t.same(input([at(8, 'picked_up')]), sent('/v3/orders/{purchase_order_id}/shipping', [line('1', '1')]))
  const known = { order: '179', items: '1:2,2:1' }
  t.same(input([at(8, 'picked_up')], known), sent('/v3/orders/179/shipping', [line('1', '2'), line('2', '1')]))
  t.same(input([at(7, 'awaiting_pickup')], known), [], 'nothing before the carrier has it')
})
