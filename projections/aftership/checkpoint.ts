import {
  type Location,
  mapInSteps,
  nearestCode,
  type Profile,
  type Target,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import { places } from '../shared/identity.ts'
import { pointOf } from '../shared/place.ts'
import { profileOf, profilesOf } from '../shared/profile.ts'
import { bareUtcOf } from '../shared/shop-time.ts'
import {
  cached,
  cachedMembers,
  constant,
  list,
  type Members,
  number,
  object,
  plain,
  text,
  within,
} from '../shared/template/index.ts'
import { textOfCode } from './coded-place.ts'
import { type AftershipRow, addressOf, rowFor, type State } from './codes.ts'
import { countryOfAlpha2 } from './countries.ts'
import { hashBeside } from './own.ts'
import type { Checkpoint } from './schema.ts'

/** An optional text. AfterShip has no empty texts, so an empty one is left out. */
export function textOf(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

/** The carrier's time as reported; with the offset `-00:00` if it had none (RFC 3339, section 4.3). */
export function carrierTimeOf(dateTime: string): string {
  return dateTime.endsWith('-00:00') ? dateTime.slice(0, -6) : dateTime
}

/** The input of one checkpoint. */
export interface CheckpointInput {
  readonly profile: Profile
  /** Whether a reader assumes the profile where a document names none. */
  readonly isAssumed: boolean
  readonly event: TimelineEvent
  readonly row: AftershipRow
  /** The name of its provider, if it has the form of a courier code. */
  readonly slug: string | undefined
  /** When it was reported, in UTC: `2026-06-10T13:30:00+00:00`. */
  readonly createdAt: string
  /** Distinguishes it from the other checkpoints. */
  readonly hash: string
}

/** The inputs of all events. */
export function* checkpointInputs(timeline: Timeline, target: Target): Generator<void, readonly CheckpointInput[]> {
  const profile = profileOf(timeline, target)
  const isAssumed = profile === profilesOf(target)[0]
  const seen = new Set<string>()
  return yield* mapInSteps(timeline.events, (event) => {
    const slug = slugOf(event.source?.provider ?? '')
    return {
      profile,
      isAssumed,
      event,
      row: rowFor(profile, event.status_code),
      slug,
      createdAt: `${bareUtcOf(event.recorded_at)}+00:00`,
      hash: hashOf(event, slug, seen),
    }
  })
}

const slugOf = cached((provider: string) => (/^[a-z0-9-]+$/.test(provider) ? provider : undefined))

/** Two providers may use the same event id; a reader who drops repeated hashes must not drop either event. */
function hashOf({ event_id, source }: TimelineEvent, slug: string | undefined, seen: Set<string>): string {
  let hash = event_id
  while (seen.has(hash)) hash = hashBeside(slug, source?.provider, hash)
  seen.add(hash)
  return hash
}

type Place = Pick<
  Checkpoint,
  'location' | 'city' | 'state' | 'postal_code' | 'coordinate' | 'country_region' | 'country_region_name'
>
type CheckpointEvent = NonNullable<Checkpoint['events']>[number]

/** The event code and the reason. */
interface Coded {
  readonly code: string
  readonly reason: string | undefined
}

const checkpointEvent = object<Coded, CheckpointEvent>({
  code: text(({ code }) => code),
  reason: within(
    ({ reason }) => reason,
    object<string, NonNullable<CheckpointEvent['reason']>>({ code: text((reason) => reason) }),
  ),
})

type Point = NonNullable<ReturnType<typeof pointOf>>

const nowhere: Location = {}

/** The place of the event. `location` is the name of the place, or its code if it has no name. */
const place = cachedMembers<CheckpointInput, Location, Place>(
  ({ event }) => event.location ?? nowhere,
  {
    location: text(({ name, unlocode, gln }) => name || textOfCode(unlocode, gln)),
    city: text(({ address }) => textOf(address?.locality)),
    state: text(({ address }) => textOf(address?.region)),
    postal_code: text(({ address }) => textOf(address?.postal_code)),
    coordinate: within(
      pointOf,
      object<Point, NonNullable<Checkpoint['coordinate']>>({
        latitude: number(({ latitude }) => latitude),
        longitude: number(({ longitude }) => longitude),
      }),
    ),
    country_region: text(({ address }) => countryOfAlpha2(address?.country)?.alpha3),
    country_region_name: text(({ address }) => countryOfAlpha2(address?.country)?.name),
  },
  places,
)

const emptyState: Partial<State> = {}

/** The members of a state, for any object that contains one. */
export function stateMembers<Input>(get: (input: Input) => Partial<State> | undefined): Members<Input, Partial<State>> {
  return cachedMembers<Input, Partial<State>, Partial<State>>((input) => get(input) ?? emptyState, {
    tag: plain(({ tag }) => tag),
    subtag: text(({ subtag }) => subtag),
    subtag_message: text(({ subtag_message }) => subtag_message),
  })
}

/** One event as a checkpoint (Tracking API 2026-07, checkpoint). */
export const checkpoint = object<CheckpointInput, Checkpoint>({
  created_at: text(({ createdAt }) => createdAt),
  slug: text(({ slug }) => slug),
  checkpoint_time: text(({ event }) => carrierTimeOf(event.occurred_at)),
  ...place,
  message: text(({ event, profile }) =>
    textOf(event.description || (meaningOf(profile, event.status_code) ?? event.status_code)),
  ),
  ...stateMembers(({ row }) => row.state),
  raw_tag: text(({ event }) => event.source?.code || undefined),
  events: list(checkpointEvents, checkpointEvent),
  source: constant('carrier'),
  hash: text(({ hash }) => textOf(hash)),
})

/** The code and the reason of the event, unless the subtag already says them. */
function checkpointEvents({ row, profile, isAssumed, event }: CheckpointInput): readonly Coded[] | undefined {
  const reason = textOf(event.incident_reason)
  const isTold = row.fidelity === '=' && isAssumed
  // The row of another code, which this one is like, would be read back as that code.
  const code = nearestCode(profile, event.status_code) === event.status_code ? row.event : undefined
  if (isTold && code === undefined && reason === undefined) return undefined
  return [{ code: code ?? addressOf(profile.name, event.status_code), reason }]
}
