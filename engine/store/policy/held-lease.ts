import type { Lease, Leases } from '../../kernel/lease.ts'

/** A process that competes for leases. */
export interface Node {
  /** Unique among living nodes. */
  readonly name: string
  /** Aborted when the node is about to stop; the store stays open until the lease is released. */
  readonly signal: AbortSignal
  /** Monotonic clock in milliseconds. Only compared with itself: clocks of two machines differ. */
  readonly now: () => number
  /** Resolves after this many milliseconds, or when `signal` is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /**
   * A holder that has not renewed its lease for this many milliseconds has lost it. The same on all nodes; 15,000 if
   * absent.
   */
  readonly ttl?: number
}

/** A lease that this node holds. */
export interface HeldLease {
  readonly name: string
  /** As last written by this node. */
  lease: Lease
  /** Time on this node's clock until which no other node can take the lease. */
  until: number
  /** Position up to which the work is done; written with the next renewal. */
  checkpoint: string | undefined
  /** Whether a holder before did not release it, so that its work may have been cut off. */
  readonly isAfterLoss: boolean
}

/** How long a lease lasts without renewal. */
function ttlOf({ ttl = 15_000 }: Node): number {
  return ttl
}

/** Interval between checks of a lease; a stored checkpoint is at most this old. */
function renewalInterval(node: Node): number {
  return Math.min(1_000, ttlOf(node) / 3)
}

/** Whether this node certainly still holds the lease. */
export function isHeld(turn: HeldLease, { now }: Node): boolean {
  return now() < turn.until
}

/** The term of a lease that another node holds, and when this node first saw it. */
interface Sighting {
  readonly term: number
  readonly at: number
}

/**
 * Creates the function that tries to acquire the lease. The lease is free when it has no holder, when its term has
 * not grown for `ttl`, or when this node itself wrote it last. Work without a checkpoint begins after `start`.
 */
function createTryAcquire(
  leases: Leases,
  name: string,
  node: Node,
  start: string | undefined,
): () => Promise<HeldLease | undefined> {
  let seen: Sighting | undefined
  return async () => {
    const lease = await leases.read(name)
    const at = node.now()
    if (lease !== undefined && lease.holder !== '' && lease.holder !== node.name) {
      if (seen?.term !== lease.term) seen = { term: lease.term, at }
      if (at - seen.at < ttlOf(node)) return undefined
    }
    const known = lease ?? { holder: '', term: 0 }
    const isAfterLoss = known.holder !== ''
    const turn: HeldLease = { name, lease: known, until: at, checkpoint: known.checkpoint ?? start, isAfterLoss }
    return (await write(leases, turn, node, node.name)) ? turn : undefined
  }
}

/**
 * Renews the lease at least every third of `ttl`. Ends when another node has taken the lease or `signal` is aborted.
 * A failed write may have succeeded, so it is tried again.
 */
async function renew(
  leases: Leases,
  turn: HeldLease,
  node: Node,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  const interval = renewalInterval(node)
  for (;;) {
    // All leases of a node are looked at together, so that a store can write them together.
    await node.wait(interval - (node.now() % interval), signal)
    if (signal.aborted) return
    const isQuiet = turn.checkpoint === turn.lease.checkpoint
    if (isQuiet && turn.until - node.now() > (ttlOf(node) * 2) / 3) continue
    try {
      if (!(await write(leases, turn, node, node.name))) return
    } catch (error) {
      failed(error)
    }
  }
}

/** Ends when the lease has expired, even during a renewal, or when `signal` is aborted. */
async function expiry(turn: HeldLease, node: Node, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && isHeld(turn, node)) await node.wait(turn.until - node.now(), signal)
}

/** Lets another node take the lease at once. */
async function release(leases: Leases, turn: HeldLease, node: Node): Promise<void> {
  await write(leases, turn, node, '')
}

/**
 * The holder counts the lease from before the write, other nodes from after they saw it. So the holder gives up first
 * on any clock.
 */
async function write(leases: Leases, turn: HeldLease, node: Node, holder: string): Promise<boolean> {
  const { checkpoint } = turn
  const sent = node.now()
  const lease = { holder, term: turn.lease.term + 1, ...(checkpoint === undefined ? {} : { checkpoint }) }
  if (!(await leases.write(turn.name, lease))) return false
  turn.lease = lease
  turn.until = sent + ttlOf(node)
  return true
}

/** Called for each store failure, with the number of failures in a row. Must not throw. */
type Failed = (error: unknown, failures: number) => void

/** Waits for the lease; undefined if the node stops first. Work without a checkpoint begins after `start`. */
export async function acquireLease(
  leases: Leases,
  name: string,
  node: Node,
  start: () => Promise<string | undefined>,
  failed: Failed,
): Promise<HeldLease | undefined> {
  let tryAcquire: (() => Promise<HeldLease | undefined>) | undefined
  for (let failures = 0; !node.signal.aborted; ) {
    try {
      tryAcquire ??= createTryAcquire(leases, name, node, await start())
      const turn = await tryAcquire()
      if (turn !== undefined) return turn
      failures = 0
    } catch (error) {
      failed(error, ++failures)
    }
    await node.wait(renewalInterval(node), node.signal)
  }
  return undefined
}

/** Runs `work` while the lease is held or until it ends. Releases the lease when the node stops. */
export async function runWhileHeld(
  leases: Leases,
  turn: HeldLease,
  node: Node,
  work: (signal: AbortSignal) => Promise<void>,
  failed: Failed,
): Promise<void> {
  const once = (error: unknown) => failed(error, 1)
  const over = new AbortController()
  const signal = AbortSignal.any([node.signal, over.signal])
  const parts = [work(signal), renew(leases, turn, node, signal, once), expiry(turn, node, signal)]
  await Promise.all(parts.map((part) => part.finally(() => over.abort())))
  if (node.signal.aborted) await release(leases, turn, node).catch(once)
}

/**
 * Runs `work` on one node at a time until `node.signal` is aborted. `work` starts when this node holds the lease and
 * must end soon after its signal is aborted. It must not throw. It may set the lease's checkpoint for the next node.
 */
export async function runExclusively(
  leases: Leases,
  name: string,
  node: Node,
  work: (signal: AbortSignal, turn: Pick<HeldLease, 'checkpoint' | 'isAfterLoss'>) => Promise<void>,
  failed: Failed,
): Promise<void> {
  while (!node.signal.aborted) {
    const turn = await acquireLease(leases, name, node, async () => undefined, failed)
    if (turn !== undefined) await runWhileHeld(leases, turn, node, (signal) => work(signal, turn), failed)
  }
}
