import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventFilter, Storage } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import { beatOf, createLook, expiry, giveBack, isHeld, type Node, renew, type Turn } from './turn.ts'

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
export interface Trouble {
  readonly policy: string
  readonly error: unknown
  /** How often in a row. */
  readonly failures: number
  /** Of the event that could not be handled; absent where it was the store that failed. */
  readonly position?: string
}

/** A node that runs policies; `trouble` is told each failure, and must not throw. */
export interface PolicyNode extends Node {
  readonly trouble: (trouble: Trouble) => void
}

/** After so many milliseconds at most a failed event is tried again. */
const longestPause = 30_000

/**
 * Handles every event of a policy in order, at least once, at one node at a time; until `node.signal` is aborted. An
 * event that fails is tried again, ever more seldom, and no later one passes it: nothing is left out.
 */
export async function runPolicy(store: Storage, policy: Policy, node: PolicyNode): Promise<void> {
  while (!node.signal.aborted) {
    const turn = await nextTurn(store, policy, node)
    if (turn !== undefined) await spend(store, policy, node, turn)
  }
}

/** Waits for the turn of this node; nothing where it is stopped before. */
async function nextTurn(store: Storage, policy: Policy, node: PolicyNode): Promise<Turn | undefined> {
  let look: (() => Promise<Turn | undefined>) | undefined
  for (let failures = 0; !node.signal.aborted; ) {
    try {
      look ??= createLook(store.leases, policy.name, node, await startOf(store, policy))
      const turn = await look()
      if (turn !== undefined) return turn
      failures = 0
    } catch (error) {
      node.trouble({ policy: policy.name, error, failures: ++failures })
    }
    await node.wait(beatOf(node), node.signal)
  }
  return undefined
}

/**
 * Where a policy begins that never ran. The end of the store is where the fact stands that it began: recorded once, it
 * has one place for all nodes, and what is recorded later lies behind it.
 */
async function startOf(store: Storage, { name, from }: Policy): Promise<string | undefined> {
  if (from === 'beginning') return undefined
  const began = { id: deriveId('policy began', name), type: 'PolicyBegan', data: {}, metadata: { schemaVersion: 1 } }
  return (await store.append(`policy-${name}`, [began], 'no-stream')).position
}

/** Follows the events for as long as the turn lasts; when the node stops, the next one may go on at once. */
async function spend(store: Storage, policy: Policy, node: PolicyNode, turn: Turn): Promise<void> {
  const failed = (error: unknown) => node.trouble({ policy: policy.name, error, failures: 1 })
  const over = new AbortController()
  const signal = AbortSignal.any([node.signal, over.signal])
  const parts = [
    followTurn(store, policy, node, turn, signal),
    renew(store.leases, turn, node, signal, failed),
    expiry(turn, node, signal),
  ]
  await Promise.all(parts.map((part) => part.finally(() => over.abort())))
  if (node.signal.aborted) await giveBack(store.leases, turn, node).catch(failed)
}

async function followTurn(
  store: Storage,
  policy: Policy,
  node: PolicyNode,
  turn: Turn,
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
      node.trouble({
        policy: policy.name,
        error,
        failures: ++failures,
        ...(position === undefined ? {} : { position }),
      })
      await node.wait(Math.min(longestPause, 100 * 2 ** (failures - 1)), signal)
    }
  }
}
