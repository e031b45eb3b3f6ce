import type { StoredEvent, TrackingEventRecorded } from './events.ts'
import { splitPersonal } from './personal.ts'

/** A stored event for tests and documentation; `over` sets the relevant members. */
export function sampleEvent(over: Partial<StoredEvent> = {}): StoredEvent {
  return {
    event_id: 'e-1',
    otep_version: '0.1',
    occurred_at: '2026-06-10T09:30:00-04:00',
    recorded_at: '2026-06-10T13:45:00.000Z',
    status_code: 'picked_up',
    source: { type: 'carrier_tracking', provider: 'acme' },
    ...over,
  }
}

/** The recorded event of `acme` about parcel SR1. */
export function sampleRecorded(over: Partial<StoredEvent> = {}): TrackingEventRecorded {
  const { rest: event, personal } = splitPersonal(sampleEvent(over))
  return {
    type: 'TrackingEventRecorded',
    data: {
      profile: 'parcel',
      subject: { tracking_number: 'SR1' },
      provider: 'acme',
      event,
      ...(personal && { personal }),
    },
  }
}

/** A complete journey of ten steps as ingest lines; `number` is its tracking number. */
export function sampleJourney(number: string): readonly Readonly<Record<string, unknown>>[] {
  const codes = [
    'information_submitted',
    'booking_confirmed',
    'awaiting_pickup',
    'out_for_pickup',
    'picked_up',
    'received',
    'in_transit',
    'package_outbound',
    'out_for_delivery',
    'delivered',
  ]
  return codes.map((status_code, index) => ({
    subject: { tracking_number: number },
    event_id: `${number}-${index}`,
    occurred_at: `2026-06-${String(10 + index).padStart(2, '0')}T09:30:00-04:00`,
    status_code,
    location: { name: `Depot ${index % 3}` },
    source: { type: 'carrier_tracking' },
  }))
}
