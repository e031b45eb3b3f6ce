import type { Members } from '../../engine/index.ts'

const start = Date.parse('2026-06-01T08:00:00Z')

/** An event, so many hours after the first of June. */
export function event(status_code: string, hours: number, more: Members = {}): Members {
  return {
    event_id: `e-${status_code}-${hours}`,
    occurred_at: new Date(start + hours * 3_600_000).toISOString(),
    status_code,
    location: { name: 'Hamburg', address: { locality: 'Hamburg', country: 'DE' } },
    ...more,
  }
}

/** A timeline document of a number. */
export function document(tracking_number: string, events: readonly Members[], subject: Members = {}): Members {
  return { subject: { tracking_number, ...subject }, events }
}

/** Five events from the label to the door. */
export const journey: readonly Members[] = [
  event('information_submitted', 0),
  event('picked_up', 4),
  event('arrival_scan', 9),
  event('out_for_delivery', 25),
  event('delivered', 30, { pod: { recipient: 'A. Muster', signed_at: '2026-06-02T14:00:00Z' } }),
]

/** The codes of events, in their order. */
export function codesOf({ events }: { readonly events: readonly Members[] }): readonly unknown[] {
  return events.map(({ status_code }) => status_code)
}
