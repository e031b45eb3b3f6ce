import { sourceTypes } from '../../engine/index.ts'

/** One ingest call: the events `from` to `to` (exclusive) of the feed, with its own request id. */
export interface Call {
  readonly id: string
  readonly from: number
  readonly to: number
}

const codes = [
  'information_submitted',
  'booking_confirmed',
  'awaiting_pickup',
  'out_for_pickup',
  'picked_up',
  'arrival_scan',
  'package_outbound',
  'in_transit',
  'out_for_delivery',
  'delivered',
]

/** Events of one timeline. */
export const timelineLength = codes.length

const blockParcels = 100
const blockLength = blockParcels * timelineLength
const start = Date.parse('2026-03-02T06:00:00Z')
const sizes = [10_000, 5_000, 2_000, 1_000, 1_000, 300, 300, 40, 40, 1]

/** Cuts a feed into calls of very different sizes, chosen by `random`. */
export function callsOf(total: number, random: () => number): readonly Call[] {
  const calls: Call[] = []
  for (let from = 0; from < total; ) {
    const size = sizes[Math.floor(random() * sizes.length)] ?? 1
    const to = Math.min(total, from + size)
    calls.push({ id: `call-${calls.length}`, from, to })
    from = to
  }
  return calls
}

/** How many events a call brings. */
export function sizeOf({ from, to }: Call): number {
  return to - from
}

/** The producer's id of an event of the feed. */
export function eventId(index: number): string {
  return `event-${index}`
}

/** The place in the feed of the event with this name. */
export function indexOf(id: string): number {
  return Number(id.slice('event-'.length))
}

/** The number of a parcel, of which every block of the feed has a hundred. */
export function trackingNumber(parcel: number): string {
  return `KT${String(parcel).padStart(8, '0')}`
}

/** The body of a call: one event with its subject a line. */
export function bodyOf({ from, to }: Call): string {
  return Array.from({ length: to - from }, (_, offset) => JSON.stringify(eventAt(from + offset))).join('\n')
}

/** The parcel of an event. Within a block the parcels advance side by side, so several calls add to a timeline. */
export function parcelOf(index: number): number {
  return Math.floor(index / blockLength) * blockParcels + (index % blockParcels)
}

/** How many parcels the first so many events of the feed are about. */
export function parcelsOf(events: number): number {
  return Math.floor(events / blockLength) * blockParcels + Math.min(events % blockLength, blockParcels)
}

function eventAt(index: number): object {
  const [age, parcel] = [Math.floor((index % blockLength) / blockParcels), parcelOf(index)]
  return {
    subject: { tracking_number: trackingNumber(parcel), order_id: 1_000_000 + parcel },
    event_id: eventId(index),
    occurred_at: new Date(start + (parcel % 1000) * 1000 + age * 7_200_000).toISOString(),
    status_code: codes[age],
    location: { name: `Depot ${parcel % 37}`, address: { locality: 'Hamburg', country: 'DE' } },
    source: { type: sourceTypes[age % 3] },
  }
}
