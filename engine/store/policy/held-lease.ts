import type { Lease, Leases } from '../../kernel/lease.ts'
import type { Life, Node, Span } from './life.ts'

/** A node that competes for leases. */
export interface Competing extends Node {
  readonly life: Life
}

/** A lease that this node holds. */
export interface HeldLease {
  readonly name: string
  /** As last written by this node. */
  lease: Lease
  /** The time in which no other node can take the lease. */
  readonly span: Span
  /** Position up to which the work is done; written with the next renewal. */
  checkpoint: string | undefined
  /** Whether a holder before did not release it, so that its work may have been cut off. */
  readonly isAfterLoss: boolean
}

/** Whether this node certainly still holds the lease. */
export function isHeld({ span }: HeldLease, { now }: Competing): boolean {
  return now() < span.until
}

/** What was seen of a lease that another node holds and of that node, and when it was first seen. */
interface Sighting {
  readonly sign: string
  readonly at: number
}

/**
 * Creates the function that tries to acquire the lease. The lease is free when it has no holder, when nothing new was seen
 * of its holder for as long as that has told, or when this node itself wrote it last. Work without a checkpoint begins after
 * `start`.
 */
function createTryAcquire(
  leases: Leases,
  name: string,
  { life, now }: Competing,
  start: string | undefined,
): () => Promise<HeldLease | undefined> {
  let seen: Sighting | undefined
  return async () => {
    const begun = now()
    const lease = await leases.read(name)
    if (lease !== undefined && lease.holder !== '' && lease.holder !== life.name) {
      const { at, signOf } = await life.look()
      const { text, ttl } = signOf(lease.holder)
      const sign = `${lease.term} ${text}`
      if (seen?.sign !== sign) seen = { sign, at: now() }
      if (Math.min(at, begun) - seen.at < ttl) return undefined
    }
    const span = life.span()
    if (span === undefined) return undefined
    const known = lease ?? { holder: '', term: 0 }
    const isAfterLoss = known.holder !== ''
    const turn: HeldLease = { name, lease: known, span, checkpoint: known.checkpoint ?? start, isAfterLoss }
    return (await write(leases, turn, life.name)) ? turn : undefined
  }
}

/**
 * Writes the checkpoint again and again, where it has moved. Ends when another node has taken the lease or `signal` is
 * aborted. A failed write may have succeeded, so it is tried again.
 */
async function keepCheckpoint(
  leases: Leases,
  turn: HeldLease,
  { life, now, wait }: Competing,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    // All leases of a node are looked at together, so that a store can write them together.
    await wait(life.beat - (now() % life.beat), signal)
    if (signal.aborted) return
    if (turn.checkpoint === turn.lease.checkpoint) continue
    try {
      if (!(await write(leases, turn, life.name))) return
    } catch (error) {
      failed(error)
    }
  }
}

/** Ends when the lease has expired, or when `signal` is aborted. */
async function expiry(turn: HeldLease, node: Competing, signal: AbortSignal): Promise<void> {
  const { life, now, wait } = node
  while (!signal.aborted && isHeld(turn, node)) await wait(Math.min(life.beat, turn.span.until - now()), signal)
}

async function write(leases: Leases, turn: HeldLease, holder: string): Promise<boolean> {
  const { checkpoint } = turn
  const lease = { holder, term: turn.lease.term + 1, ...(checkpoint === undefined ? {} : { checkpoint }) }
  if (!(await leases.write(turn.name, lease))) return false
  turn.lease = lease
  return true
}

/** Called for each store failure, with the number of failures in a row. Must not throw. */
type Failed = (error: unknown, failures: number) => void

/** Waits for the lease; undefined if the node stops first. Work without a checkpoint begins after `start`. */
export async function acquireLease(
  leases: Leases,
  name: string,
  node: Competing,
  start: () => Promise<string | undefined>,
  failed: Failed,
): Promise<HeldLease | undefined> {
  let tryAcquire: (() => Promise<HeldLease | undefined>) | undefined
  await node.life.begun
  for (let failures = 0; !node.signal.aborted; ) {
    try {
      tryAcquire ??= createTryAcquire(leases, name, node, await start())
      const turn = await tryAcquire()
      if (turn !== undefined) return turn
      failures = 0
    } catch (error) {
      failed(error, ++failures)
    }
    await node.wait(node.life.beat, node.signal)
  }
  return undefined
}

/** Runs `work` while the lease is held or until it ends. Releases the lease when the node stops. */
export async function runWhileHeld(
  leases: Leases,
  turn: HeldLease,
  node: Competing,
  work: (signal: AbortSignal) => Promise<void>,
  failed: Failed,
): Promise<void> {
  const once = (error: unknown) => failed(error, 1)
  const over = new AbortController()
  const signal = AbortSignal.any([node.signal, over.signal])
  const parts = [work(signal), keepCheckpoint(leases, turn, node, signal, once), expiry(turn, node, signal)]
  await Promise.all(parts.map((part) => part.finally(() => over.abort())))
  // Without a holder, another node can take it at once.
  if (node.signal.aborted) await write(leases, turn, '').catch(once)
}

/**
 * Runs `work` on one node at a time until `node.signal` is aborted. `work` starts when this node holds the lease and
 * must end soon after its signal is aborted. It must not throw. It may set the lease's checkpoint for the next node.
 */
export async function runExclusively(
  leases: Leases,
  name: string,
  node: Competing,
  work: (signal: AbortSignal, turn: Pick<HeldLease, 'checkpoint' | 'isAfterLoss'>) => Promise<void>,
  failed: Failed,
): Promise<void> {
  while (!node.signal.aborted) {
    const turn = await acquireLease(leases, name, node, async () => undefined, failed)
    if (turn !== undefined) await runWhileHeld(leases, turn, node, (signal) => work(signal, turn), failed)
  }
}
