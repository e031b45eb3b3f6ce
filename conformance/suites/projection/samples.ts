import {
  codeOf,
  givesWay,
  isoOf,
  type Profile,
  phaseOf,
  profileNamed,
  type Subject,
  type Target,
  type Timeline,
  type TimelineEvent,
} from '../../../engine/index.ts'
import { parcel, profiles } from '../../../profiles/index.ts'

/** The base address of the documents of the suite. */
export const baseUrl = 'https://otep.example'

/** A document without options. */
export const plainTarget: Target = { baseUrl, options: {} }

/** A subject with every identifier; its GS1 key has the prefix that is reserved for examples. */
export const wholeSubject: Subject = {
  tracking_number: 'SR260610041',
  external_tracking_number: 'XT-88/2041',
  gs1_sscc: '395212300004172605',
  piece_id: 'PIECE-0417',
  package_id: 70_000_001,
  order_id: 9_007_199_254_740_991,
}

/** Every optional member of an event. */
export const wholeMembers = {
  location: {
    name: 'Mississauga West depot',
    unlocode: 'CAMIS',
    gln: '9521230000116',
    latitude: 43.6352,
    longitude: -79.6781,
    address: {
      street: '40 Tannery Gate',
      locality: 'Mississauga',
      region: 'ON',
      postal_code: 'L5S 1T4',
      country: 'CA',
    },
  },
  source: { type: 'proof_of_delivery', provider: 'acme', code: 'DEL_OK' },
  incident_reason: 'consignee_absent',
  description: 'Handed to the recipient.',
  pod: {
    recipient: 'A.K.',
    signed_at: '2026-06-11T11:24:20-04:00',
    signature_url: 'https://example.com/proofs/signature.png',
    photo_urls: ['https://example.com/proofs/door-1.jpg', 'https://example.com/proofs/door-2.jpg'],
    note: 'Behind the green door.',
  },
  estimated_delivery_at: '2026-06-11T12:00:00-04:00',
  estimated_delivery_from: '2026-06-11T10:00:00-04:00',
  synthesized: true,
} satisfies Partial<TimelineEvent>

const start = Date.parse('2026-06-10T13:30:00Z')
const minute = 60_000

/** An event with only the required members, a minute after the previous index; `over` replaces members. */
export function event(index: number, over: Partial<TimelineEvent> = {}, profile: Profile = parcel): TimelineEvent {
  const at = start + index * minute
  const status_code = over.status_code ?? 'in_transit'
  return {
    event_id: `e-${index}`,
    otep_version: '0.1',
    occurred_at: `${isoOf(at - 240 * minute).slice(0, 19)}-04:00`,
    recorded_at: isoOf(at + minute),
    status_code,
    phase: phaseOf(profile, status_code) ?? 'unknown',
    ...over,
  }
}

/** A withdrawn event. */
export function withdrawnEvent(index: number, over: Partial<TimelineEvent> = {}): TimelineEvent {
  const withdrawn = { declared_at: '2026-06-12T08:00:00.5+02:00', reason: 'Scanned by mistake.' }
  return event(index, { withdrawn, ...over })
}

/** The timeline of some events, in order of occurrence. */
export function timeline(events: readonly TimelineEvent[], over: Partial<Timeline> = {}): Timeline {
  const profile = profileNamed(profiles, over.profile)
  const current = currentOf(events, profile)
  return {
    otep_version: '0.1',
    profile: profile.name,
    subject: { tracking_number: 'SR260610041' },
    ...(current === undefined ? {} : { current_status: current }),
    delivered: current !== undefined && codeOf(profile, current)?.phase === 'delivered',
    events,
    ...over,
  }
}

/** A timeline with every possible member. */
export const wholeTimeline: Timeline = timeline(
  [event(0, { status_code: 'picked_up', ...wholeMembers }), event(1, { status_code: 'delivered', ...wholeMembers })],
  { subject: wholeSubject, withdrawn_events: [withdrawnEvent(2, wholeMembers)] },
)

/** As many events, in circles. */
export function longTimeline(count: number): Timeline {
  const codes = Object.keys(parcel.codes)
  return timeline(
    Array.from({ length: count }, (_, index) =>
      event(index, {
        status_code: codes[index % codes.length] ?? 'in_transit',
        location: { name: `Depot ${index % 7}`, unlocode: 'CAMIS' },
        source: { type: 'node_scan', provider: 'acme', code: `S${index % 50}` },
      }),
    ),
  )
}

function currentOf(events: readonly TimelineEvent[], profile: Profile): string | undefined {
  let current: string | undefined
  for (const { status_code } of events) if (givesWay(profile, current, status_code)) current = status_code
  return current
}
