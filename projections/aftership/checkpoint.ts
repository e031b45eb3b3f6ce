import { instantOf, isoOf, type Location, type TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { meaningOf, rowOf } from '../shared/codes.ts'
import { pointOf } from '../shared/place.ts'
import { textOfCode } from './coded-place.ts'
import { type AftershipRow, addressOf, codes } from './codes.ts'
import { countryOfAlpha2 } from './countries.ts'
import type { Checkpoint } from './schema.ts'

/** A text where there is one: AfterShip has no empty texts. */
export function textOf(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

/** A moment in UTC, in the form of `created_at`: `2026-06-10T13:30:00+00:00`. */
export function gmtOf(dateTime: string): string {
  if (dateTime.endsWith('Z') || dateTime.endsWith('+00:00')) return `${dateTime.slice(0, 19)}+00:00`
  return `${isoOf(instantOf(dateTime)).slice(0, -5)}+00:00`
}

/** A carrier's time as it was given; without an offset where none was (`-00:00`; RFC 3339, section 4.3). */
export function carrierTimeOf(dateTime: string): string {
  return dateTime.endsWith('-00:00') ? dateTime.slice(0, -6) : dateTime
}

/** A provider's name where it has the form of a courier code. */
export function slugOf({ source }: TimelineEvent): string | undefined {
  const provider = source?.provider
  return provider !== undefined && /^[a-z0-9-]+$/.test(provider) ? provider : undefined
}

type Writable<Whole> = { -readonly [Member in keyof Whole]: Whole[Member] }

/** One event as a checkpoint (Tracking API 2026-07, checkpoint); `hash` is what tells it from the others. */
export function checkpointOf(profile: string, event: TimelineEvent, hash: string): Checkpoint {
  const row = rowOf(codes, profile, event.status_code)
  const slug = slugOf(event)
  const events = eventsOf(row, profile, event)
  const message = event.description || (meaningOf(profile, event.status_code) ?? event.status_code)
  // Members are set one by one, in the order of the reference: a benchmark holds this against JSON.stringify.
  const checkpoint: Writable<Partial<Checkpoint>> = { created_at: gmtOf(event.recorded_at) }
  if (slug !== undefined) checkpoint.slug = slug
  checkpoint.checkpoint_time = carrierTimeOf(event.occurred_at)
  if (event.location !== undefined) addPlace(checkpoint, event.location)
  if (message !== '') checkpoint.message = message
  if (row.state !== undefined) {
    checkpoint.tag = row.state.tag
    checkpoint.subtag = row.state.subtag
    checkpoint.subtag_message = row.state.subtag_message
  }
  if (event.source?.code) checkpoint.raw_tag = event.source.code
  if (events !== undefined) checkpoint.events = events
  checkpoint.source = 'carrier'
  if (hash !== '') checkpoint.hash = hash
  return checkpoint as Checkpoint
}

/** `location` is the name of the place, or its code where it has none. */
function addPlace(checkpoint: Writable<Partial<Checkpoint>>, location: Location): void {
  const { locality, region, postal_code, country } = location.address ?? {}
  const name = location.name || textOfCode(location.unlocode, location.gln)
  const point = pointOf(location)
  const known = countryOfAlpha2(country)
  if (name) checkpoint.location = name
  if (locality) checkpoint.city = locality
  if (region) checkpoint.state = region
  if (postal_code) checkpoint.postal_code = postal_code
  if (point !== undefined) checkpoint.coordinate = point
  if (known === undefined) return
  checkpoint.country_region = known.alpha3
  checkpoint.country_region_name = known.name
}

/** The event's code and reason, where the subtag does not tell them. */
function eventsOf(row: AftershipRow, profile: string, event: TimelineEvent): Checkpoint['events'] {
  const reason = textOf(event.incident_reason)
  const isTold = row.fidelity === '=' && profile === profiles[0].name
  if (isTold && row.event === undefined && reason === undefined) return undefined
  const code = row.event ?? addressOf(profile, event.status_code)
  return [reason === undefined ? { code } : { code, reason: { code: reason } }]
}
