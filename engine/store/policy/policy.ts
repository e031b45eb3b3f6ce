import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventFilter, Storage } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { acquireLease, type HeldLease, isHeld, type Node, runWhileHeld } from './held-lease.ts'

/** What follows from events of one part of the business for another: it follows the one and commands the other. */
export interface Policy {
  /** Its lease has the same name. */
  readonly name: string
  readonly filter: EventFilter
  /** Whether a policy that never ran handles all that stands already, or only what comes after its first start. */
  readonly from: 'beginning' | 'end'
  /**
   * Does what follows from an event, within bounded time. It comes again after a failure, a crash or a pause, also at
   * another node, so what it does is named after the event (`deriveId`) and done once however often it is asked for.
   * `signal` is aborted when it is no longer this node's turn.
   */
  handle(event: RecordedEvent, signal: AbortSignal): Promise<void>
}

/** Something failed and is tried again. */
export interface PolicyFailure {
  readonly policy: string
  readonly error: unknown
  /** How often in a row. */
  readonly failures: number
  /** Of the event that could not be handled; absent where it was the store that failed. */
  readonly position?: string
}

/** A node that runs policies; `trouble` is told each failure, and must not throw. */
export interface PolicyNode extends Node {
  readonly onFailure: (trouble: PolicyFailure) => void
}

/** After so many milliseconds at most a failed event is tried again. */
const longestPause = 30_000

/**
 * Handles every event of a policy in order, at least once, at one node at a time; until `node.signal` is aborted. An
 * event that fails is tried again, ever more seldom, and no later one passes it: nothing is left out.
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

/** The type of the event that says where a policy began. */
export const policyBegan = 'PolicyBegan'

/** What the fact says that a policy began: the event it begins after, absent where none stood. */
interface PolicyBegan {
  readonly after?: { readonly stream: string; readonly revision: number }
}

/** Where a policy begins that never ran: the fact that it began is recorded once, and says the same to all nodes. */
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
 * A distributed store may put an event in a place before others that were seen already. What `readAll` gives last has no
 * such places before it, as the fact itself may have: so that is where the policy begins.
 */
async function begin(store: Storage, stream: StreamName, { name, filter }: Policy): Promise<RecordedEvent> {
  let data: PolicyBegan = {}
  for await (const last of store.readAll(undefined, filter))
    data = { after: { stream: last.stream, revision: last.revision } }
  const began = { id: deriveId('policy began', name), type: policyBegan, data, metadata: { schemaVersion: 1 } }
  await store.append(stream, [began], 'no-stream')
  // Another node may have been faster.
  const [first] = await store.read(stream, { limit: 1 })
  return first as RecordedEvent
}

/** Follows the events for as long as the turn lasts. */
async function followWhileHeld(
  store: Storage,
  policy: Policy,
  node: PolicyNode,
  turn: HeldLease,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    let position: string | undefined
    try {
      for await (const event of store.follow(turn.checkpoint, policy.filter, signal)) {
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
