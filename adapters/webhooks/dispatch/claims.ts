import { insist } from './insist.ts'
import type { Lane } from './lane.ts'
import { begin, expect, type Work } from './work.ts'

/** So many deliveries of an endpoint that is off are skipped at once. */
const skipBatch = 500

/** Claims for a lane that has little left, where something is due. */
export function refill(work: Work, lane: Lane): void {
  const isFull = lane.claimed.size() > lane.batch / 2
  if (work.run.signal.aborted || lane.isClaiming || isFull || lane.dueAt > work.parts.clock()) return
  lane.isClaiming = true
  lane.dueAt = Number.POSITIVE_INFINITY
  begin(work, claim(work, lane))
}

async function claim(work: Work, lane: Lane): Promise<void> {
  const { parts, run, limits, lanes, slots } = work
  const limit = lane.batch
  const { deliveries, nextAt } = await insist(run, 'deliveries cannot be claimed', () =>
    parts.book.claim(lane.endpointId, parts.clock(), limit),
  )
  lane.isClaiming = false
  lanes.fill(lane, deliveries)
  if (lane.address?.isSlow === true) lane.batch = limits.inFlight
  else if (deliveries.length === limit) lane.batch = Math.min(2 * limit, limits.batch)
  if (nextAt !== undefined) expect(work, lane, nextAt)
  slots.line(lane)
  work.go()
  refill(work, lane)
  lanes.retire(lane)
}

/** Looks in the book which endpoints have something waiting. */
export async function look(work: Work): Promise<void> {
  const { parts, run, lanes } = work
  const agenda = await insist(run, 'deliveries cannot be looked up', () => parts.book.agenda())
  for (const { endpointId, dueAt } of agenda) {
    const lane = lanes.of(endpointId)
    expect(work, lane, dueAt)
    refill(work, lane)
  }
}

/** Of an endpoint that is off nothing waits any longer, whenever it would have been due. */
export async function switchOff({ parts: { book }, run }: Work, lane: Lane, id: string): Promise<void> {
  const ids = [id]
  for (let next = lane.claimed.take(); next !== undefined; next = lane.claimed.take()) ids.push(next.id)
  while (ids.length > 0) {
    const batch = ids.splice(0)
    await insist(run, 'deliveries cannot be skipped', () => book.skip(batch))
    const rest = await insist(run, 'deliveries cannot be claimed', () =>
      book.claim(lane.endpointId, Number.MAX_SAFE_INTEGER, skipBatch),
    )
    ids.push(...rest.deliveries.map((delivery) => delivery.id))
  }
}

/** Of what was forgotten, nothing that was claimed and is not begun is sent. */
export function dropForgotten(work: Work, subjects: ReadonlySet<string>): void {
  const { parts, run, lanes } = work
  for (const { claimed } of lanes.all()) {
    const ids = claimed.takeOut(({ subject }) => subjects.has(subject)).map(({ id }) => id)
    if (ids.length > 0)
      begin(
        work,
        insist(run, 'deliveries cannot be skipped', () => parts.book.skip(ids)),
      )
  }
}

/** What was claimed and is not begun waits again. */
export async function giveBack({ parts: { book }, run, lanes }: Work): Promise<void> {
  const ids: string[] = []
  for (const { claimed } of lanes.all())
    for (let next = claimed.take(); next !== undefined; next = claimed.take()) ids.push(next.id)
  if (ids.length > 0) await insist(run, 'what was claimed waits for the next start', () => book.release(ids))
}
