import type { DueDelivery } from '../../node/deliveries.ts'
import { retryUntilAborted } from '../retry.ts'
import type { Lane } from './lane.ts'
import { paceOf } from './pace.ts'
import { retention } from './purge.ts'
import { type DispatcherState, scheduleAt, track } from './state.ts'

/** Deliveries of a disabled endpoint that are skipped at once. */
const skipBatch = 500

/** Claims more deliveries for a lane that runs low, if any are due. */
export function claimMore(state: DispatcherState, lane: Lane): void {
  const isFull = lane.claimed.size() > lane.batch / 2
  if (state.run.signal.aborted || lane.isClaiming || isFull || lane.dueAt > state.parts.clock()) return
  lane.isClaiming = true
  lane.dueAt = Number.POSITIVE_INFINITY
  track(state, claimNext(state, lane))
}

async function claimNext(state: DispatcherState, lane: Lane): Promise<void> {
  const { parts, run, limits, lanes, slots } = state
  const limit = lane.batch
  const { deliveries, nextAt } = await retryUntilAborted(run, 'deliveries cannot be claimed', () =>
    parts.repository.claim(lane.endpointId, parts.clock(), limit),
  )
  await limitLane(state, lane, deliveries[0])
  lane.isClaiming = false
  lanes.fill(lane, deliveries)
  const share = Math.floor(lane.address?.share.size ?? 0)
  if (lane.address?.isSlow === true) lane.batch = Math.max(share, limits.inFlight)
  else if (deliveries.length === limit) lane.batch = Math.min(2 * limit, Math.max(2 * share, limits.batch))
  if (nextAt !== undefined) scheduleAt(state, lane.endpointId, nextAt)
  slots.enqueue(lane, parts.clock())
  state.startDueAttempts()
  claimMore(state, lane)
  lanes.retire(lane)
}

/** Limits a lane as the owner of its endpoint says now. */
async function limitLane(
  { parts, run }: DispatcherState,
  lane: Lane,
  delivery: DueDelivery | undefined,
): Promise<void> {
  if (delivery === undefined) return
  const find = () => parts.endpointOf(delivery.owner, delivery.endpointId)
  const endpoint = await retryUntilAborted(run, 'the endpoint of a delivery cannot be looked up', find)
  // What is joined must not be sent by several attempts at once.
  lane.most = endpoint?.isJoined ? 1 : (endpoint?.inFlight ?? Number.POSITIVE_INFINITY)
  lane.pace = paceOf(endpoint?.perSecond, lane.pace, parts.clock())
}

/** Looks up which endpoints have deliveries waiting. */
export async function findDue(state: DispatcherState): Promise<void> {
  const { parts, run, lanes } = state
  const agenda = await retryUntilAborted(run, 'deliveries cannot be looked up', () => parts.repository.nextDueTimes())
  for (const { endpointId, dueAt } of agenda) {
    const lane = lanes.of(endpointId)
    scheduleAt(state, endpointId, dueAt)
    claimMore(state, lane)
  }
}

/** When an endpoint is disabled, skips all its waiting deliveries, whatever their due time. */
export async function skipAll({ parts: { repository }, run }: DispatcherState, lane: Lane, id: string): Promise<void> {
  const ids = [id]
  for (let next = lane.claimed.take(); next !== undefined; next = lane.claimed.take()) ids.push(next.id)
  while (ids.length > 0) {
    const batch = ids.splice(0)
    await retryUntilAborted(run, 'deliveries cannot be skipped', () => repository.skip(batch))
    const rest = await retryUntilAborted(run, 'deliveries cannot be claimed', () =>
      repository.claim(lane.endpointId, Number.MAX_SAFE_INTEGER, skipBatch),
    )
    ids.push(...rest.deliveries.map((delivery) => delivery.id))
  }
}

/** While an endpoint is off, its deliveries wait, but no longer than they would be kept. */
export async function rest({ parts, run }: DispatcherState, lane: Lane, delivery: DueDelivery): Promise<void> {
  const [old, waiting]: [string[], string[]] = [[], []]
  const end = parts.clock() - retention
  for (let next: DueDelivery | undefined = delivery; next !== undefined; next = lane.claimed.take())
    (Date.parse(next.occurredAt) < end ? old : waiting).push(next.id)
  const { repository } = parts
  if (old.length > 0) await retryUntilAborted(run, 'deliveries cannot be skipped', () => repository.skip(old))
  await retryUntilAborted(run, 'deliveries cannot be released', () => repository.release(waiting))
}

/** After an erasure, drops claimed deliveries about the erased subjects whose attempts have not started. */
export function dropForgotten(state: DispatcherState, subjects: ReadonlySet<string>): void {
  const { parts, run, lanes } = state
  for (const { claimed } of lanes.all()) {
    const ids = claimed.takeOut(({ subject }) => subjects.has(subject)).map(({ id }) => id)
    if (ids.length > 0)
      track(
        state,
        retryUntilAborted(run, 'deliveries cannot be skipped', () => parts.repository.skip(ids)),
      )
  }
}

/** Returns claimed deliveries whose attempts have not started, so that they wait again. */
export async function releaseClaims({ parts: { repository }, run, lanes }: DispatcherState): Promise<void> {
  const ids: string[] = []
  for (const { claimed } of lanes.all())
    for (let next = claimed.take(); next !== undefined; next = claimed.take()) ids.push(next.id)
  if (ids.length > 0)
    await retryUntilAborted(run, 'what was claimed waits for the next start', () => repository.release(ids))
}
