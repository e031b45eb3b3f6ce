/** A place on a parcel's route. */
interface Place {
  readonly name: string
  readonly unlocode: string
  readonly latitude: number
  readonly longitude: number
  readonly address: { readonly locality: string; readonly country: string }
}

/** The steps of a parcel without problems: hours after the start, code, kind of source, description. */
const steps = [
  [0, 'information_submitted', 'self_delivery', 'Shipment data received from the sender'],
  [2, 'booking_confirmed', 'self_delivery', 'Booking confirmed by the carrier'],
  [5, 'out_for_pickup', 'driver_trajectory', 'Driver on the way to the sender'],
  [7, 'picked_up', 'carrier_tracking', 'Parcel picked up at the dock of the sender'],
  [11, 'arrival_scan', 'node_scan', 'Arrival scan at the sorting centre'],
  [14, 'package_outbound', 'node_scan', 'Sorted and loaded for the line haul'],
  [38, 'in_transit', 'carrier_tracking', 'Departed from the hub'],
  [61, 'received', 'node_scan', 'Received by the delivery depot'],
  [68, 'out_for_delivery', 'driver_trajectory', 'On the vehicle for delivery'],
  [73, 'delivered', 'proof_of_delivery', 'Delivered to the recipient'],
] as const

const places: readonly Place[] = [
  place('Hamburg Sorting Centre', 'DEHAM', 53.5511, 9.9937, 'Hamburg', 'DE'),
  place('Rotterdam Gateway', 'NLRTM', 51.9225, 4.4792, 'Rotterdam', 'NL'),
  place('Lyon Depot Sud', 'FRLIO', 45.764, 4.8357, 'Lyon', 'FR'),
  place('Chicago Hub', 'USCHI', 41.8781, -87.6298, 'Chicago', 'US'),
  place('Yokohama 横浜', 'JPYOK', 35.4437, 139.638, 'Yokohama', 'JP'),
  place('São Paulo Leste', 'BRSAO', -23.5505, -46.6333, 'São Paulo', 'BR'),
]

const start = Date.parse('2026-03-02T00:00:00Z')
const hour = 3_600_000
const eastern = 8 * hour

/** Number of events of every timeline. */
export const timelineLength = steps.length

/** The tracking number of a parcel. */
export function trackingNumber(parcel: number): string {
  return `BN${String(parcel).padStart(9, '0')}DE`
}

/** The package id of a parcel. */
export function packageId(parcel: number): number {
  return 70_000_000 + parcel
}

/** An event with its subject as a line of NDJSON; about 470 bytes. */
export function eventLine(parcel: number, age: number): string {
  const [hours, status_code, type, description] = steps[age] ?? steps[0]
  const at = start + (parcel % 5_000) * 60_000 + hours * hour
  const pod = { recipient: 'M. Example', signed_at: local(at), signature_url: `https://pod.example/${parcel}.png` }
  return JSON.stringify({
    subject: { tracking_number: trackingNumber(parcel), package_id: packageId(parcel) },
    event_id: `ev-${String(parcel).padStart(9, '0')}-${age}`,
    occurred_at: local(at),
    recorded_at: new Date(at + 90_000).toISOString(),
    status_code,
    location: places[(parcel + age) % places.length],
    source: { type, code: `S${100 + age}` },
    description,
    ...(status_code === 'delivered' ? { pod } : {}),
  })
}

/** The complete timelines of the first parcels, one after the other. */
export function wholeTimelines(parcels: number): readonly string[] {
  return Array.from({ length: parcels * timelineLength }, (_, index) =>
    eventLine(Math.floor(index / timelineLength), index % timelineLength),
  )
}

function place(name: string, unlocode: string, latitude: number, longitude: number, locality: string, country: string) {
  return { name, unlocode, latitude, longitude, address: { locality, country } }
}

function local(at: number): string {
  return new Date(at + eastern).toISOString().replace('Z', '+08:00')
}
