/** A document of each system about one parcel: announced, picked up, on its way and delivered to Ann. */
export const journeys: Readonly<Record<string, unknown>> = {
  easypost: {
    object: 'Event',
    description: 'tracker.updated',
    result: {
      object: 'Tracker',
      tracking_code: 'SR1',
      status: 'delivered',
      status_detail: 'arrived_at_destination',
      signed_by: 'Ann',
      est_delivery_date: '2026-06-12T00:00:00Z',
      tracking_details: [
        ['pre_transit', 'label_created', '2026-06-10T08:00:00Z', 'Label created'],
        ['in_transit', 'received_at_origin_facility', '2026-06-10T18:00:00Z', 'Received'],
        ['in_transit', 'departed_facility', '2026-06-11T06:00:00Z', 'Departed'],
        ['delivered', 'arrived_at_destination', '2026-06-12T09:30:00Z', 'Left at <b>door</b>'],
      ].map(([status, status_detail, datetime, message]) => ({
        ...{ status, status_detail, datetime, message },
        tracking_location: { city: 'BOSTON', state: 'MA', country: 'US', zip: '02108' },
      })),
    },
  },
  shippo: {
    event: 'track_updated',
    test: false,
    data: {
      carrier: 'usps',
      tracking_number: 'SR1',
      eta: '2026-06-12T00:00:00Z',
      tracking_status: { status: 'DELIVERED', substatus: { code: 'delivered' }, status_date: '2026-06-12T09:30:00Z' },
      tracking_history: [
        ['PRE_TRANSIT', 'information_received', '2026-06-10T08:00:00Z'],
        ['TRANSIT', 'package_accepted', '2026-06-10T18:00:00Z'],
        ['TRANSIT', 'package_departed', '2026-06-11T06:00:00Z'],
        ['DELIVERED', 'delivered', '2026-06-12T09:30:00Z'],
      ].map(([status, code, status_date], index) => ({
        ...{ object_id: `s${index}`, status, status_date, substatus: { code, text: '', action_required: false } },
        ...{ status_details: 'Scan', location: { city: 'Boston', state: 'MA', zip: '02108', country: 'US' } },
      })),
    },
  },
  '17track': {
    event: 'TRACKING_UPDATED',
    data: {
      number: 'SR1',
      carrier: 3011,
      track_info: {
        latest_status: { status: 'Delivered', sub_status: 'Delivered_Other' },
        tracking: {
          providers: [
            {
              provider: { name: 'China Post' },
              events: [
                ['Delivered_Other', '2026-06-12T11:30:00+02:00'],
                ['InTransit_Departure', '2026-06-11T08:00:00+02:00'],
                ['InTransit_PickedUp', '2026-06-10T20:00:00+02:00'],
                ['InfoReceived', '2026-06-10T10:00:00+02:00'],
              ].map(([sub_status, time_iso]) => ({
                ...{ sub_status, time_iso, description: 'Scan', location: 'Lyon', stage: null },
                address: { country: 'FR', city: 'Lyon', coordinates: { latitude: '45.76', longitude: '4.84' } },
              })),
            },
          ],
        },
      },
    },
  },
  ship24: {
    trackings: [
      {
        metadata: { generatedAt: '2026-06-12T10:00:00Z' },
        tracker: { trackerId: 't1', trackingNumber: 'SR1' },
        shipment: { statusMilestone: 'delivered', delivery: { estimatedDeliveryDate: '2026-06-12', signedBy: 'Ann' } },
        events: [
          ['info_received', 'data_order_created', '2026-06-10T08:00:00'],
          ['in_transit', 'transit_handover', '2026-06-10T18:00:00+02:00'],
          ['in_transit', '', '2026-06-11T06:00:00Z'],
          ['delivered', 'delivery_delivered', '2026-06-12'],
        ].map(([statusMilestone, statusCode, occurrenceDatetime], index) => ({
          ...{ eventId: `e${index}`, trackingNumber: 'SR1', statusMilestone, statusCode, occurrenceDatetime },
          ...{ status: 'Scan', location: 'BOSTON, MA' },
        })),
      },
    ],
  },
  trackingmore: {
    code: 200,
    message: 'Success',
    data: {
      ...{ tracking_number: 'SR1', courier_code: 'usps', delivery_status: 'delivered', substatus: 'delivered001' },
      ...{ signed_by: 'Ann', scheduled_delivery_date: null },
      origin_info: {
        trackinfo: [
          ['transit', 'transit001', '2026-06-11 06:00:00'],
          ['transit', 'transit002', '2026-06-10 18:00'],
          ['inforeceived', 'inforeceived001', '2026-06-10T08:00:00+08:00'],
        ].map(([checkpoint_delivery_status, checkpoint_delivery_substatus, checkpoint_date]) => ({
          ...{ checkpoint_delivery_status, checkpoint_delivery_substatus, checkpoint_date },
          ...{ tracking_detail: 'Scan', location: 'Shenzhen', country_iso2: 'CN' },
        })),
      },
      destination_info: {
        trackinfo: [
          {
            checkpoint_date: '2026-06-12T09:30:00-04:00',
            checkpoint_delivery_status: 'delivered',
            checkpoint_delivery_substatus: 'delivered001',
            tracking_detail: 'Delivered',
          },
        ],
      },
    },
  },
  karrio: {
    event: 'tracker_updated',
    data: {
      ...{ carrier_name: 'ups', tracking_number: 'SR1', status: 'delivered', delivered: true },
      info: { signed_by: 'Ann', expected_delivery: '2026-06-12' },
      events: [
        ['delivered', '09:30 AM', '2026-06-12'],
        ['in_transit', '06:00', '2026-06-11'],
        ['picked_up', '06:00 PM', '2026-06-10'],
        ['pending', '08:00', '2026-06-10'],
      ].map(([status, time, date]) => ({
        status,
        time,
        date,
        description: 'Scan',
        location: 'Boston, MA',
        code: 'XX',
      })),
    },
  },
}
