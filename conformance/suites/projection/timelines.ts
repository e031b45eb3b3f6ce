import type { Profile, Subject, Timeline } from '../../../engine/index.ts'
import { profiles } from '../../../profiles/index.ts'
import { unregisteredCodes } from '../../../projections/shared/codes.ts'
import { event, timeline, wholeMembers, wholeSubject, wholeTimeline, withdrawnEvent } from './samples.ts'
import { oddProse, oddTexts, refusedTexts, withTexts, withWholeTexts } from './texts.ts'

/** A timeline and what it is an example of. */
export interface Named {
  readonly name: string
  readonly timeline: Timeline
}

/**
 * Every code that a timeline may contain by its profile: the registered ones, those for foreign states, and an unknown
 * one.
 */
export const everyCode: readonly { readonly profile: Profile; readonly codes: readonly string[] }[] = profiles.map(
  (profile) => ({
    profile,
    codes: [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-never_seen', 'x-9.z-'],
  }),
)

/** Each code of each profile in its own timeline. */
export const codesAlone: readonly Named[] = everyCode.flatMap(({ profile, codes }) =>
  codes.map((code) => ({
    name: `${code} (${profile.name}) alone`,
    timeline: timeline([event(0, { status_code: code }, profile)], { profile: profile.name }),
  })),
)

/** In order of occurrence. */
const instants = [
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999+00:00',
  '1970-01-01T00:00:00Z',
  '2024-02-29T12:00:00.5+14:00',
  '2026-06-10T23:30:00.120+05:45',
  '2026-06-10T09:30:00.123456789-12:00',
  '2026-07-01T00:00:00-00:00',
  '2554-07-22T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
]

const acme = { type: 'carrier_tracking', provider: 'acme' }

/** One timeline for every code of every profile together. */
const allCodes: readonly Named[] = everyCode.map(({ profile, codes }) => ({
  name: `every code (${profile.name})`,
  timeline: timeline(
    codes.map((code, index) => event(index, { status_code: code, source: { ...acme, code: `C${index}` } }, profile)),
    { profile: profile.name },
  ),
}))

/** Subjects with only one identifier, and one whose piece is a URI. */
const subjects: readonly Named[] = Object.entries({ ...wholeSubject, uri: 'urn:epc:id:sgtin:9521141.012345.4711' }).map(
  ([kind, value]) => ({
    name: `a subject with its ${kind} alone`,
    timeline: timeline([event(0, { status_code: 'received' })], {
      subject: { [kind === 'uri' ? 'piece_id' : kind]: value } as Subject,
    }),
  }),
)

const { location, pod } = wholeMembers

/** Each optional member of an event by itself, and each part of the larger ones. */
const members: readonly Partial<ReturnType<typeof event>>[] = [
  ...Object.entries(wholeMembers).map(([name, value]) => ({ [name]: value })),
  ...Object.entries(location).map(([name, value]) => ({ location: { [name]: value } })),
  ...Object.entries(location.address).map(([name, value]) => ({ location: { address: { [name]: value } } })),
  ...Object.entries(pod).map(([name, value]) => ({ pod: { [name]: value } })),
  ...['self_delivery', 'third_party_delivery', 'exception', 'node_scan'].map((type) => ({ source: { type } })),
  { location: {} },
  { location: { address: {} } },
  { location: { latitude: 0, longitude: -0 } },
  { location: { latitude: -90, longitude: 180 } },
  { location: { latitude: 1e-7, longitude: -179.99999999999997 } },
  { pod: {} },
  { pod: { photo_urls: [] } },
  { synthesized: false },
  { pod: { signature_url: `https://example.com/%zz?"<>'&[]{}|` } },
]

/** Timelines as the engine produces them, a few for each possible kind of error. */
export const timelines: readonly Named[] = [
  { name: 'no event', timeline: timeline([]) },
  { name: 'one event', timeline: timeline([event(0, { status_code: 'information_submitted' })]) },
  { name: 'every member', timeline: wholeTimeline },
  { name: 'each member alone', timeline: timeline(members.map((member, index) => event(index, member))) },
  ...allCodes,
  ...subjects,
  {
    name: 'extreme instants',
    timeline: timeline(
      instants.map((instant, index) => event(index, { occurred_at: instant, recorded_at: instant, source: acme })),
    ),
  },
  {
    name: 'one id and one instant from two providers',
    timeline: timeline(
      ['acme', 'other', 'third'].map((provider, index) =>
        event(0, { status_code: index === 2 ? 'received' : 'picked_up', source: { ...acme, provider } }),
      ),
    ),
  },
  {
    name: 'withdrawn events between others',
    timeline: timeline(
      [event(0, { status_code: 'picked_up', source: acme }), event(5, { status_code: 'delivered', source: acme })],
      {
        withdrawn_events: [
          withdrawnEvent(3, { status_code: 'returned', source: acme }),
          withdrawnEvent(4, { withdrawn: { declared_at: '2026-06-12T08:00:00Z' }, source: acme }),
        ],
      },
    ),
  },
  { name: 'withdrawn events alone', timeline: timeline([], { withdrawn_events: [withdrawnEvent(0)] }) },
  ...[...oddTexts, ...oddProse].map((text, index) => ({ name: `odd text ${index}`, timeline: withTexts(text) })),
]

/** Timelines that the engine would not produce, but a projection has to survive. */
export const strangeTimelines: readonly Named[] = [
  { name: 'a subject without identifiers', timeline: timeline([event(0)], { subject: {} }) },
  ...['no-such-profile', '__proto__', 'constructor'].map((profile) => ({
    name: `profile ${profile}`,
    timeline: timeline([event(0), event(1, { status_code: 'x-damaged' })], { profile }),
  })),
  ...['nothing_known', '__proto__', 'constructor', 'toString', 'x-__proto__', 'x-', 'x-*', ''].map((code) => ({
    name: `code ${JSON.stringify(code)}`,
    timeline: timeline([event(0, { status_code: code })]),
  })),
  ...['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'].map((instant) => ({
    name: `an instant whose year in UTC has not four digits: ${instant}`,
    timeline: timeline([event(0, { occurred_at: instant, recorded_at: instant })]),
  })),
  ...refusedTexts.map((text, index) => ({ name: `refused text ${index}`, timeline: withWholeTexts(text) })),
]
