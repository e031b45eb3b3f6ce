import {
  deriveId,
  type Identifier,
  instantOf,
  isTerminal,
  type Subject,
  type Target,
  type Timeline,
} from '../../engine/index.ts'
import { profileOf } from '../shared/profile.ts'
import { nameOf, segment } from '../shared/subject.ts'
import {
  constant,
  documentsInSteps,
  flag,
  list,
  number,
  object,
  streamedList,
  text,
  within,
} from '../shared/template/index.ts'
import {
  type CheckpointInput,
  carrierTimeOf,
  checkpoint,
  checkpointInputs,
  stateMembers,
  textOf,
} from './checkpoint.ts'
import { pending, type State } from './codes.ts'
import { type Estimate, type Facts, factsOf } from './facts.ts'
import type { OwnFields } from './own.ts'
import type { AftershipDocument, Tracking } from './schema.ts'

/** The input of a document. */
interface TrackingInput {
  readonly timeline: Timeline
  readonly target: Target
  readonly name: Identifier
  readonly checkpoints: readonly CheckpointInput[]
  readonly facts: Facts
  readonly state: Partial<State>
}

type CustomFields = Readonly<
  Partial<Record<'otep_version' | 'otep_profile' | keyof Subject | keyof OwnFields, string | number>>
>
type Picture = NonNullable<Tracking['proof_of_delivery']>[number]

/**
 * The identifiers by kind, and the events that the summarised values belong to, so that the document can be read back
 * exactly.
 */
const customFields = object<TrackingInput, CustomFields>({
  otep_version: text(({ timeline }) => timeline.otep_version),
  otep_profile: text(({ timeline }) => timeline.profile),
  tracking_number: text(({ timeline }) => timeline.subject.tracking_number),
  external_tracking_number: text(({ timeline }) => timeline.subject.external_tracking_number),
  gs1_sscc: text(({ timeline }) => timeline.subject.gs1_sscc),
  piece_id: text(({ timeline }) => timeline.subject.piece_id),
  package_id: number(({ timeline }) => timeline.subject.package_id),
  order_id: number(({ timeline }) => timeline.subject.order_id),
  otep_first_estimate: text(({ facts }) => textOf(facts.first?.hash)),
  otep_latest_estimate: text(({ facts }) => textOf(facts.last?.hash)),
  otep_proof: text(({ facts }) => textOf(facts.proof?.hash)),
  otep_signature: text(({ facts }) => textOf(facts.proof?.pod.signature_url)),
})

const estimate = object<Estimate, NonNullable<Tracking['latest_estimated_delivery']>>({
  type: text(({ from }) => (from === undefined ? 'specific' : 'range')),
  source: constant('Carrier EDD'),
  datetime: text(({ estimate }) => estimate),
  datetime_min: text(({ from }) => from),
  datetime_max: text(({ estimate, from }) => from && estimate),
})

/** A parcel with its checkpoints (Tracking API 2026-07, tracking). */
const tracking = object<TrackingInput, Tracking>({
  id: text(idOf),
  created_at: text(({ facts }) => facts.created),
  updated_at: text(({ facts }) => facts.updated),
  tracking_number: text(({ name }) => textOf(name.value)),
  slug: text(({ facts }) => facts.slug),
  active: flag(({ timeline, target }) => !isTerminal(profileOf(timeline, target), timeline.current_status ?? '')),
  custom_fields: customFields,
  transit_time: number(({ facts }) => transitDays(facts.pickedUp, facts.delivered)),
  courier_estimated_delivery_date: within(
    ({ facts }) => facts.last,
    object<Estimate, NonNullable<Tracking['courier_estimated_delivery_date']>>({
      estimated_delivery_date: text(({ estimate }) => estimate),
    }),
  ),
  order_id: text(({ timeline }) => timeline.subject.order_id?.toString()),
  shipment_pickup_date: text(({ facts }) => facts.pickedUp && carrierTimeOf(facts.pickedUp)),
  shipment_delivery_date: text(({ facts }) => facts.delivered && carrierTimeOf(facts.delivered)),
  signed_by: text(({ facts }) => textOf(facts.proof?.pod.recipient)),
  source: constant('api'),
  ...stateMembers(({ state }) => state),
  title: text(({ name }) => textOf(name.value)),
  checkpoints: streamedList(({ checkpoints }) => checkpoints, checkpoint),
  return_to_sender: flag(({ facts }) => facts.isReturned),
  courier_tracking_link: text(({ name: { value }, target }) =>
    value === '' ? undefined : `${target.baseUrl}/track/${segment(value)}`,
  ),
  first_attempted_at: text(({ facts }) => facts.attempted && carrierTimeOf(facts.attempted)),
  first_estimated_delivery: within(({ facts }) => facts.first, estimate),
  latest_estimated_delivery: within(({ facts }) => facts.last, estimate),
  failed_delivery_attempts: number(({ facts }) => facts.failures),
  proof_of_delivery: list(picturesOf, object<string, Picture>({ type: constant('image'), url: text((url) => url) })),
})

/** A timeline as AfterShip's response to `GET /trackings/{id}` (Tracking API 2026-07). */
export const { project, steps, write, pieces } = documentsInSteps(
  trackingInput,
  object<TrackingInput, AftershipDocument>({ meta: constant({ code: 200 }), data: tracking }),
)

function* trackingInput(timeline: Timeline, target: Target): Generator<void, TrackingInput> {
  const checkpoints = yield* checkpointInputs(timeline, target)
  const name = nameOf(timeline.subject)
  return {
    timeline,
    target,
    name,
    checkpoints,
    facts: yield* factsOf(checkpoints),
    state: currentState(timeline, checkpoints),
  }
}

function idOf({ timeline: { profile }, target, name }: TrackingInput): string {
  return deriveId(
    'aftership',
    profile,
    ...(target.timeline === undefined ? [name.kind, name.value] : [target.timeline]),
  )
}

/**
 * The state of the event that gives the current status, or of the last event before it that AfterShip has a state for.
 */
function currentState({ current_status }: Timeline, checkpoints: readonly CheckpointInput[]): Partial<State> {
  if (checkpoints.length === 0) return pending
  const current = checkpoints.findLastIndex(({ event }) => event.status_code === current_status)
  const before = current === -1 ? checkpoints : checkpoints.slice(0, current + 1)
  return before.findLast(({ row }) => row.state !== undefined)?.row.state ?? {}
}

/** Days from the date of pick-up to the date of delivery, each in its local time. */
function transitDays(from: string | undefined, to: string | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined
  const days = dayOf(to) - dayOf(from)
  return days >= 0 ? days : undefined
}

function dayOf(dateTime: string): number {
  return instantOf(`${dateTime.slice(0, 10)}T00:00:00Z`) / 86_400_000
}

/** The API has proofs only as images. */
function picturesOf({ facts: { proof } }: TrackingInput): readonly string[] | undefined {
  const { signature_url, photo_urls = [] } = proof?.pod ?? {}
  const urls = [signature_url, ...photo_urls].filter((url): url is string => url !== undefined && url !== '')
  return urls.length === 0 ? undefined : urls
}
