import { isReturn, mainPhases, type Profile, phaseOf } from '../../../kernel/profile.ts'
import { instantOf } from '../../../kernel/time.ts'
import type { StoredEvent } from '../events.ts'
import { areApart, hoursToTravel, type Place, placeOf } from './places.ts'

/** Two providers that cannot have had one parcel, and the place of the event that shows it. */
export interface Contradiction {
  readonly providers: readonly [provider: string, other: string]
  readonly at: number
}

/** As much of an event as the judgement reads. */
type Judged = Pick<
  StoredEvent,
  'status_code' | 'occurred_at' | 'location' | 'source' | 'pod' | 'synthesized' | 'inherited_from'
>

/** A scan of a carrier: the parcel was there. */
interface Scan {
  readonly provider: string
  readonly code: string
  readonly phase: string
  /** Epoch milliseconds. */
  readonly time: number
  readonly place: Place | undefined
  readonly index: number
}

/** What is known of the journey that one provider reports. */
interface Journey {
  readonly first: Scan
  firstPlaced?: Scan
  lastPlaced?: Scan
  pickup?: Place
  /** Whether it brought the parcel to somebody's door, or has proof of it. */
  isAtDoor: boolean
  scans: number
  /** Absent once it has scanned the parcel again. */
  delivered?: Scan
}

/** What two providers say of one number. */
interface Pair {
  readonly providers: readonly [string, string]
  /** Who scanned last, of those scans that are far from the last one of the other. */
  side?: string
  changes: number
  /** The events that show a contradiction; `after` is of the provider that had delivered, and holds until that one scans again. */
  after?: { readonly by: string; readonly at: number }
  shown?: number
}

const hour = 3_600_000

/** Clocks and zones may be wrong by so much. */
const zones = 14 * hour

/** Where places say nothing, the scans of another provider may come so late after a delivery. */
const lateScans = 48 * hour

/** The same scan, reported by two. */
const sameScan = 5 * 60_000

/** A provider that repeats what another one said has done so by then. */
const repeatsWithin = 12 * hour

/** So many times the parcel would have gone back and forth; a handoff does so at most twice. */
const mostChanges = 3

/** More providers of one number are not looked at. */
const maxProviders = 20

const maxRecent = 100

/** What the judgement keeps: a little for each provider, however long the timeline is. */
interface Kept {
  readonly journeys: Map<string, Journey>
  readonly pairs: Map<string, Pair>
  /** Providers that take the parcel back. */
  readonly returning: Set<string>
  recent: Scan[]
}

/**
 * Looks for providers that report the journeys of two parcels, event by event in order of occurrence. The rule is in
 * docs/explanation/timeline-rules.md.
 */
export function createJudgement(profile: Profile) {
  const kept: Kept = { journeys: new Map(), pairs: new Map(), returning: new Set(), recent: [] }
  return {
    next: (event: Judged, index: number): void => {
      const scan = scanIn(event, index, profile)
      if (scan !== undefined)
        judge(kept, scan, { isReturn: isReturn(profile, scan.code), hasProof: event.pod !== undefined })
    },
    /** The contradictions in the events so far, in order of the events that show them. */
    found: (): readonly Contradiction[] => {
      const found: Contradiction[] = []
      for (const { providers, after, shown } of kept.pairs.values()) {
        const at = shown ?? after?.at
        if (at !== undefined) found.push({ providers, at })
      }
      return found.sort((one, other) => one.at - other.at)
    },
  }
}

function judge(kept: Kept, scan: Scan, { isReturn, hasProof }: { isReturn: boolean; hasProof: boolean }): void {
  const { journeys, returning } = kept
  const { provider } = scan
  if (returning.has(provider)) return
  if (isReturn) {
    // What goes back may go anywhere.
    returning.add(provider)
    return void goesFurther(kept, provider)
  }
  if (!journeys.has(provider) && journeys.size >= maxProviders) return
  if (isRepeated(kept, scan)) return
  kept.recent.push(scan)
  const own = continued(journeys.get(provider), scan, hasProof)
  journeys.set(provider, own)
  if (own.delivered === undefined) goesFurther(kept, provider)
  for (const [other, journey] of journeys)
    if (other !== provider) compare(scan, own, journey, pairOf(kept, other, provider))
}

function compare(scan: Scan, own: Journey, other: Journey, pair: Pair): void {
  const isImpossible = isTooFar(scan, other)
  if (goesBackAndForth(scan, other, pair) || isImpossible) pair.shown ??= scan.index
  const { delivered } = other
  if (delivered === undefined || isContinued(other, delivered, own)) return
  if (own.delivered === scan) {
    const apart = areApart(delivered.place, scan.place)
    if (apart === true) pair.shown ??= scan.index
    // What looked like another parcel was this one, reported late.
    if (apart === false && pair.after?.by === delivered.provider) delete pair.after
  } else if (goesOn(scan, delivered)) pair.after ??= { by: delivered.provider, at: scan.index }
}

function pairOf({ pairs }: Kept, one: string, other: string): Pair {
  const providers = one < other ? ([one, other] as const) : ([other, one] as const)
  const key = providers.join('\0')
  const known = pairs.get(key) ?? { providers, changes: 0 }
  pairs.set(key, known)
  return known
}

/** Whether another provider has reported the same scan. */
function isRepeated(kept: Kept, { provider, code, time }: Scan): boolean {
  kept.recent = kept.recent.filter((one) => time - one.time <= sameScan).slice(-maxRecent)
  return kept.recent.some((one) => one.provider !== provider && one.code === code)
}

/** What a provider had delivered had not arrived. */
function goesFurther({ journeys, pairs }: Kept, provider: string): void {
  delete journeys.get(provider)?.delivered
  for (const pair of pairs.values()) if (pair.after?.by === provider) delete pair.after
}

/** The contradictions in events, in order of occurrence. */
export function contradictionsIn(events: readonly Judged[], profile: Profile): readonly Contradiction[] {
  const judgement = createJudgement(profile)
  for (const [index, event] of events.entries()) judgement.next(event, index)
  return judgement.found()
}

/** The scan that an event of a carrier is; undefined for announcements, exceptions, and what is only inferred. */
function scanIn(event: Judged, index: number, profile: Profile): Scan | undefined {
  const { source, status_code: code, synthesized, inherited_from } = event
  const provider = source?.provider
  if (provider === undefined || !isCarrier(source?.type) || synthesized === true || inherited_from !== undefined)
    return undefined
  const phase = phaseOf(profile, code) ?? ''
  const isPhysical = phase !== mainPhases[0] && profile.phases.includes(phase)
  if (!isPhysical && !isReturn(profile, code)) return undefined
  return { provider, code, phase, time: instantOf(event.occurred_at), place: placeOf(event.location), index }
}

function isCarrier(type: string | undefined): boolean {
  return type === 'carrier_tracking' || type === 'third_party_delivery'
}

function continued(known: Journey | undefined, scan: Scan, hasProof: boolean): Journey {
  const journey = known ?? { first: scan, isAtDoor: false, scans: 0 }
  journey.scans++
  journey.isAtDoor ||= hasProof || scan.phase === 'out_for_delivery'
  if (scan.place !== undefined) {
    journey.firstPlaced ??= scan
    journey.lastPlaced = scan
    if (scan.phase === 'pickup') journey.pickup ??= scan.place
  }
  if (scan.phase === 'delivered') journey.delivered = scan
  else delete journey.delivered
  return journey
}

/** Whether a parcel cannot have come from the last scan of another provider to this one. */
function isTooFar(scan: Scan, { lastPlaced }: Journey): boolean {
  if (lastPlaced === undefined || repeats(scan, lastPlaced)) return false
  const hours = hoursToTravel(lastPlaced.place, scan.place)
  return hours !== undefined && hours * hour > scan.time - lastPlaced.time
}

/** Whether the parcel would have gone back and forth between places that are far from each other. */
function goesBackAndForth(scan: Scan, { lastPlaced }: Journey, pair: Pair): boolean {
  if (lastPlaced === undefined || repeats(scan, lastPlaced)) return false
  const apart = areApart(lastPlaced.place, scan.place)
  if (apart === false) pair.changes = 0
  if (apart !== true || pair.side === scan.provider) return false
  pair.side = scan.provider
  return ++pair.changes > mostChanges
}

/** Whether a scan may be that of another provider, told later. */
function repeats(scan: Scan, before: Scan): boolean {
  return scan.code === before.code && scan.time - before.time <= repeatsWithin
}

/**
 * Whether a delivery was a handoff: the other provider began after it, where the parcel had been left; or what was delivered had
 * not been at a door, and the other provider did not pick the parcel up elsewhere.
 */
function isContinued({ scans, isAtDoor }: Journey, delivered: Scan, next: Journey): boolean {
  if (next.first.time < delivered.time - zones) return false
  if (areApart(delivered.place, next.firstPlaced?.place) === false) return true
  return scans > 1 && !isAtDoor && areApart(delivered.place, next.pickup) !== true
}

/** Whether a scan shows that the parcel was on its way when another one had been delivered. */
function goesOn(scan: Scan, delivered: Scan): boolean {
  const apart = areApart(delivered.place, scan.place)
  if (apart === false) return false
  return scan.time - delivered.time > (apart === true ? zones : lateScans)
}
