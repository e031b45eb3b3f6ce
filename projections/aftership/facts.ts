import { codeOf, nearestCode, type Profile, type TimelineEvent, visitInSteps } from '../../engine/index.ts'
import { type CheckpointInput, carrierTimeOf } from './checkpoint.ts'

/** The members of a tracking that summarise its checkpoints. */
export interface Facts {
  slug?: string | undefined
  /** When the first and the last report arrived. */
  created?: string
  updated?: string
  pickedUp?: string
  attempted?: string
  delivered?: string
  failures: number
  isReturned: boolean
  first?: Estimate
  last?: Estimate
  proof?: { readonly pod: NonNullable<TimelineEvent['pod']>; readonly hash: string }
}

/** An estimate of delivery, and the hash of the checkpoint whose event contained it. */
export interface Estimate {
  readonly estimate: string
  /** From when on, if it is a window. */
  readonly from?: string
  readonly hash: string
}

/** A delivery attempt is one that failed, was refused or succeeded. */
const attempts = new Set(['delivery_failed', 'rejected_by_recipient', 'delivered'])

/** An attempt needs a visit. Items that wait in a machine are near `delivered`, but there was no attempt. */
function isAttempt(profile: Profile, code: string): boolean {
  return attempts.has(nearestCode(profile, code)) && codeOf(profile, code)?.webhook.attempt !== undefined
}

/** Summarises the events of a timeline. */
export function* factsOf(checkpoints: readonly CheckpointInput[]): Generator<void, Facts> {
  const facts: Facts = { failures: 0, isReturned: false }
  yield* visitInSteps(checkpoints, (one) => {
    const { event, profile, slug, hash, row } = one
    const { status_code, occurred_at: at, estimated_delivery_at: estimate, estimated_delivery_from: from } = event
    const code = nearestCode(profile, status_code)
    facts.slug = slug ?? facts.slug
    recorded(facts, one)
    if (code === 'picked_up') facts.pickedUp ??= at
    if (code === 'delivery_failed') facts.failures++
    if (isAttempt(profile, status_code)) facts.attempted ??= at
    if (row.state?.tag === 'Delivered') {
      facts.delivered ??= at
      if (event.pod !== undefined) facts.proof = { pod: event.pod, hash }
    }
    facts.isReturned ||= row.state?.subtag === 'Exception_010' || row.state?.subtag === 'Exception_011'
    if (estimate === undefined) return
    facts.last = { estimate: carrierTimeOf(estimate), ...(from && { from: carrierTimeOf(from) }), hash }
    facts.first ??= facts.last
  })
  return facts
}

/** Texts of the same form and time zone sort chronologically. */
function recorded(facts: Facts, { createdAt: at }: CheckpointInput): void {
  if (facts.created === undefined || at < facts.created) facts.created = at
  if (facts.updated === undefined || at > facts.updated) facts.updated = at
}
