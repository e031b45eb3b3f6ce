import {
  deriveId,
  identifiersOf,
  isTerminal,
  profileNamed,
  type Target,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { nameOf, segment } from '../shared/subject.ts'
import { carrierTimeOf, checkpointOf, slugOf, textOf } from './checkpoint.ts'
import { pending, type State } from './codes.ts'
import { hashBeside, type OwnFields } from './own.ts'
import type { AftershipDocument, Checkpoint, Tracking } from './schema.ts'

/** A timeline as AfterShip answers `GET /trackings/{id}` (Tracking API 2026-07). */
export function project(timeline: Timeline, { baseUrl, timeline: ofTimeline }: Target): AftershipDocument {
  const { profile, subject, events } = timeline
  const name = nameOf(subject)
  const checkpoints = checkpointsOf(timeline)
  const told = factsOf(events, checkpoints)
  const recorded = recordedBetween(checkpoints)
  const tracking = known<Tracking>({
    id: deriveId('aftership', profile, ...(ofTimeline === undefined ? [name.kind, name.value] : [ofTimeline])),
    created_at: recorded.first,
    updated_at: recorded.last,
    tracking_number: textOf(name.value),
    slug: told.slug,
    active: !isTerminal(profileNamed(profiles, profile), timeline.current_status ?? ''),
    custom_fields: customFieldsOf(timeline, told),
    transit_time: transitDays(told.pickedUp, told.delivered),
    courier_estimated_delivery_date: told.last && { estimated_delivery_date: told.last.estimate },
    order_id: subject.order_id === undefined ? undefined : String(subject.order_id),
    shipment_pickup_date: told.pickedUp && carrierTimeOf(told.pickedUp),
    shipment_delivery_date: told.delivered && carrierTimeOf(told.delivered),
    signed_by: textOf(told.proof?.pod.recipient),
    source: 'api',
    ...currentState(timeline, checkpoints),
    title: textOf(name.value),
    checkpoints,
    return_to_sender: checkpoints.some(({ subtag }) => subtag === 'Exception_010' || subtag === 'Exception_011'),
    courier_tracking_link: name.value === '' ? undefined : `${baseUrl}/track/${segment(name.value)}`,
    first_attempted_at: told.attempted && carrierTimeOf(told.attempted),
    first_estimated_delivery: estimateOf(told.first),
    latest_estimated_delivery: estimateOf(told.last),
    failed_delivery_attempts: told.failures,
    proof_of_delivery: picturesOf(told.proof?.pod),
  })
  return { meta: { code: 200 }, data: tracking }
}

/** Two providers may use the same event id; a reader who drops repeated hashes must not drop either event. */
function checkpointsOf({ profile, events }: Timeline): Checkpoint[] {
  const seen = new Set<string>()
  return events.map((event) => {
    let hash = event.event_id
    while (seen.has(hash)) hash = hashBeside(slugOf(event), event.source?.provider, hash)
    seen.add(hash)
    return checkpointOf(profile, event, hash)
  })
}

/** What the tracking says of itself beside its checkpoints. */
interface Facts {
  slug?: string | undefined
  pickedUp?: string
  attempted?: string
  delivered?: string
  failures: number
  first?: Estimate
  last?: Estimate
  proof?: { readonly pod: NonNullable<TimelineEvent['pod']>; readonly hash: string | undefined }
}

/** An estimate of delivery, and the hash of the checkpoint whose event gave it. */
interface Estimate {
  readonly estimate: string
  readonly hash: string | undefined
}

/** An attempt to deliver is one that failed, one that was refused, and one that succeeded. */
const attempts = new Set(['delivery_failed', 'rejected_by_recipient', 'delivered'])

function factsOf(events: readonly TimelineEvent[], checkpoints: readonly Checkpoint[]): Facts {
  const facts: Facts = { failures: 0 }
  for (const [index, event] of events.entries()) {
    const hash = checkpoints[index]?.hash
    const { status_code: code, occurred_at: at, estimated_delivery_at: estimate } = event
    facts.slug = slugOf(event) ?? facts.slug
    if (code === 'picked_up') facts.pickedUp ??= at
    if (code === 'delivery_failed') facts.failures++
    if (attempts.has(code)) facts.attempted ??= at
    if (code === 'delivered') {
      facts.delivered ??= at
      if (event.pod !== undefined) facts.proof = { pod: event.pod, hash }
    }
    if (estimate === undefined) continue
    facts.last = { estimate: carrierTimeOf(estimate), hash }
    facts.first ??= facts.last
  }
  return facts
}

/** When the first and the last report came in: texts of one form in one zone, which sort as they read. */
function recordedBetween(checkpoints: readonly Checkpoint[]): { first?: string; last?: string } {
  const between: { first?: string; last?: string } = {}
  for (const { created_at: at } of checkpoints) {
    if (between.first === undefined || at < between.first) between.first = at
    if (between.last === undefined || at > between.last) between.last = at
  }
  return between
}

/** The identifiers by their kinds, and whose the rest is, so that the document can be read back exactly. */
function customFieldsOf(
  { otep_version, profile, subject }: Timeline,
  { first, last, proof }: Facts,
): Tracking['custom_fields'] {
  const identifiers: Record<string, string | number> = {}
  for (const { kind } of identifiersOf(subject)) identifiers[kind] = subject[kind] as string | number
  const beside: OwnFields = {
    otep_first_estimate: first?.hash,
    otep_latest_estimate: last?.hash,
    otep_proof: proof?.hash,
    otep_signature: textOf(proof?.pod.signature_url),
  }
  return known<Tracking['custom_fields']>({ otep_version, otep_profile: profile, ...identifiers, ...beside })
}

/** The state of the event that gives the current status, or of the last one before it that AfterShip has a word for. */
function currentState({ events, current_status }: Timeline, checkpoints: readonly Checkpoint[]): Partial<State> {
  if (events.length === 0) return pending
  const current = events.findLastIndex(({ status_code }) => status_code === current_status)
  for (let index = current === -1 ? events.length - 1 : current; index >= 0; index--) {
    const { tag, subtag, subtag_message } = checkpoints[index] ?? {}
    if (tag !== undefined && subtag !== undefined && subtag_message !== undefined)
      return { tag, subtag, subtag_message }
  }
  return {}
}

/** Days from the date of pick-up to that of delivery, each as its own clock showed it. */
function transitDays(from: string | undefined, to: string | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined
  const days = (Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 86_400_000
  return days >= 0 ? days : undefined
}

function estimateOf(told: Estimate | undefined): Tracking['latest_estimated_delivery'] {
  return told && { type: 'specific', source: 'Carrier EDD', datetime: told.estimate }
}

/** The API knows proofs as images only. */
function picturesOf(pod: TimelineEvent['pod']): Tracking['proof_of_delivery'] {
  const urls = [pod?.signature_url, ...(pod?.photo_urls ?? [])].filter((url) => url !== undefined && url !== '')
  return urls.length === 0 ? undefined : urls.map((url) => ({ type: 'image', url: url as string }))
}

/** An object without the members that are not known. */
function known<Whole extends object>(
  members: {
    readonly [Member in keyof Whole]?: Whole[Member] | undefined
  },
): Whole {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Whole
}
