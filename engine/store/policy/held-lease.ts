import type { Lease, Leases } from '../../kernel/lease.ts'

/** A process that may have a turn, and what it lends of its time. */
export interface Node {
  /** No two living nodes share a name. */
  readonly name: string
  /** Aborted when the node is about to stop; the store stays open until the turn is given back. */
  readonly signal: AbortSignal
  /** Milliseconds of a clock that nobody sets. It is compared with itself alone: clocks of two machines differ. */
  readonly now: () => number
  /** Resolves after so many milliseconds, or once `signal` is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** A holder that is silent for so many milliseconds has lost its turn; the same at all nodes, 15,000 if absent. */
  readonly ttl?: number
}

/** The turn of this node under a lease. */
export interface HeldLease {
  readonly name: string
  /** As this node wrote it last. */
  lease: Lease
  /** By the clock of this node: nobody else can have the turn before. */
  until: number
  /** Position up to which the work is done; it is written with the next renewal. */
  checkpoint: string | undefined
}

/** How long a holder may be silent. */
function ttlOf({ ttl = 15_000 }: Node): number {
  return ttl
}

/** How long from one look at a lease to the next: a checkpoint is at most so old. */
function renewalInterval(node: Node): number {
  return Math.min(1_000, ttlOf(node) / 3)
}

/** Whether the turn is certainly still this node's. */
export function isHeld(turn: HeldLease, { now }: Node): boolean {
  return now() < turn.until
}

/** What a node has seen of a lease that another one holds: the term, and when it saw that first. */
interface Sighting {
  readonly term: number
  readonly at: number
}

/**
 * Makes the look at a lease: it answers a turn where it could take one. It is there for the taking when nobody has it,
 * when its term has not grown for `ttl`, and when it is this node's own, written in a turn whose end came first.
 * Work that was never begun begins after `start`.
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
    const turn: HeldLease = { name, lease: known, until: at, checkpoint: known.checkpoint ?? start }
    return (await write(leases, turn, node, node.name)) ? turn : undefined
  }
}

/**
 * Renews the turn while work goes on, and at least at every third of `ttl`; ends when the turn has passed to another
 * node or `signal` is aborted. What a failed write did is not known, so that it is tried again.
 */
async function renew(
  leases: Leases,
  turn: HeldLease,
  node: Node,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await node.wait(renewalInterval(node), signal)
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

/** Ends when the turn has run out, however long a renewal is under way, or `signal` is aborted. */
async function expiry(turn: HeldLease, node: Node, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && isHeld(turn, node)) await node.wait(turn.until - node.now(), signal)
}

/** Lets another node go on at once. */
async function release(leases: Leases, turn: HeldLease, node: Node): Promise<void> {
  await write(leases, turn, node, '')
}

/**
 * The time of the turn is counted from before the write was sent, and that of a watcher from after it was seen: so the
 * holder gives up first, by whichever clock.
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

/** Told each failure of the store, and how often in a row it failed; must not throw. */
type Failed = (error: unknown, failures: number) => void

/** Waits for the turn of this node; nothing where it is stopped before. Work that was never begun begins after `start`. */
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

/** Works for as long as the turn lasts, or until the work ends; when the node stops, the next one may go on at once. */
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
 * Does a work at one node at a time, until `node.signal` is aborted: `work` begins when it is this node's turn, and ends
 * soon after its signal is aborted. It must not throw, and may set the checkpoint of its turn for the next node.
 */
export async function runExclusively(
  leases: Leases,
  name: string,
  node: Node,
  work: (signal: AbortSignal, turn: Pick<HeldLease, 'checkpoint'>) => Promise<void>,
  failed: Failed,
): Promise<void> {
  while (!node.signal.aborted) {
    const turn = await acquireLease(leases, name, node, async () => undefined, failed)
    if (turn !== undefined) await runWhileHeld(leases, turn, node, (signal) => work(signal, turn), failed)
  }
}
