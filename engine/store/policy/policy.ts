import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventFilter, Storage } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { acquireLease, type Competing, type HeldLease, isHeld, runWhileHeld } from './held-lease.ts'

/** A reaction of one domain to the events of another: it follows events and issues commands. */
export interface Policy {
  /** Also the name of its lease. */
  readonly name: string
  readonly filter: EventFilter
  /** Whether a new policy handles all existing events, or only those recorded after its first start. */
  readonly from: 'beginning' | 'end'
  /**
   * Reacts to an event within bounded time. The same event may come again after a failure, crash or pause, also on
   * another node; so derive ids from the event (`deriveId`) to keep the effect idempotent. `signal` is aborted when
   * the node loses the lease.
   */
  handle(event: RecordedEvent, signal: AbortSignal): Promise<void>
}

/** A failure that is retried. */
export interface PolicyFailure {
  readonly policy: string
  readonly error: unknown
  /** Number of failures in a row. */
  readonly failures: number
  /** Position of the event that failed; absent if the store failed. */
  readonly position?: string
}

/** A node that runs policies. `onFailure` is called for each failure and must not throw. */
export interface PolicyNode extends Competing {
  readonly onFailure: (trouble: PolicyFailure) => void
}

/** Longest pause in milliseconds before a failed event is retried. */
const longestPause = 30_000

/**
 * Handles every event of a policy in order, at least once and on one node at a time, until `node.signal` is aborted.
 * A failed event is retried with growing pauses, and later events wait for it: no event is skipped.
 */
export async function runPolicy(store: Storage, policy: Policy, node: PolicyNode): Promise<void> {
  const { leases } = store
  const failed = (error: unknown, failures: number) => node.onFailure({ policy: policy.name, error, failures })
  while (!node.signal.aborted) {
    const turn = await acquireLease(leases, policy.name, node, () => startPosition(store, policy), failed)
    if (turn === undefined) return
    await runWhileHeld(leases, turn, node, (signal) => followWhileHeld(store, policy, node, turn, signal), failed)
  }
}

/** Type of the event that records where a policy began. */
export const policyBegan = 'PolicyBegan'

/** The policy begins after this event; absent if there was none. */
interface PolicyBegan {
  readonly after?: { readonly stream: string; readonly revision: number }
}

/** The start position of a policy that has never run. It is recorded once, so all nodes get the same one. */
async function startPosition(store: Storage, policy: Policy): Promise<string | undefined> {
  if (policy.from === 'beginning') return undefined
  const stream: StreamName = `policy-${policy.name}`
  const [began = await begin(store, stream, policy)] = await store.read(stream, { limit: 1 })
  const { after } = began.data as PolicyBegan
  if (after === undefined) return undefined
  const [last] = await store.read(after.stream as StreamName, { from: after.revision, limit: 1 })
  return (last ?? began).position
}

/**
 * In a distributed store, an event may still get a position before events that were already read. This cannot happen
 * before the last event of `readAll`, but it can before the `PolicyBegan` event. So the policy begins after the
 * former.
 */
async function begin(store: Storage, stream: StreamName, { name, filter }: Policy): Promise<RecordedEvent> {
  let data: PolicyBegan = {}
  for await (const last of store.readAll(undefined, filter))
    data = { after: { stream: last.stream, revision: last.revision } }
  const began = { id: deriveId('policy began', name), type: policyBegan, data, metadata: { schemaVersion: 1 } }
  await store.append(stream, [began], 'no-stream')
  // Another node may have recorded it first.
  const [first] = await store.read(stream, { limit: 1 })
  return first as RecordedEvent
}

/** Handles events while the lease is held. */
async function followWhileHeld(
  store: Storage,
  policy: Policy,
  node: PolicyNode,
  turn: HeldLease,
  signal: AbortSignal,
): Promise<void> {
  const passed = (position: string) => {
    turn.checkpoint = position
  }
  for (let failures = 0; !signal.aborted; ) {
    let position: string | undefined
    try {
      for await (const event of store.follow(turn.checkpoint, { ...policy.filter, passed }, signal)) {
        if (!isHeld(turn, node)) return
        position = event.position
        await policy.handle(event, signal)
        turn.checkpoint = position
        position = undefined
        failures = 0
      }
      if (!signal.aborted) throw new EngineError('store_unavailable')
    } catch (error) {
      if (signal.aborted) return
      node.onFailure({
        policy: policy.name,
        error,
        failures: ++failures,
        ...(position === undefined ? {} : { position }),
      })
      await node.wait(Math.min(longestPause, 100 * 2 ** (failures - 1)), signal)
    }
  }
}
