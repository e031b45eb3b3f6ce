import { type Policy, runPolicy, type Storage, type Trouble } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, errorLog, type Log } from '../node/log.ts'
import { approvalErasures } from './approval-erasures.ts'
import { deviceOrderTimelines } from './device-order-timelines.ts'
import { orderBatches } from './order-batches.ts'
import { orderTimelines } from './order-timelines.ts'

/** What makes a policy on the parts of this node. */
type MakePolicy = (parts: ContextParts, log: Log) => Policy

/** THE LIST of policies: what one part of the business follows of another. One that causes events stands before who follows those. */
const makers: readonly MakePolicy[] = [orderBatches, orderTimelines, deviceOrderTimelines, approvalErasures]

/** What a node lends to its policies. */
export interface PolicyRun {
  /** Aborted when the node is about to stop; the store stays open until the promise is done. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * Runs all policies, each at one node at a time, until `signal` is aborted; what is awaited then is that every turn was
 * given back. `store` is the one under `parts`, which has the leases.
 */
export async function startPolicies(
  parts: ContextParts,
  store: Storage,
  { signal, log, now, wait }: PolicyRun,
): Promise<void> {
  const name = parts.randomId()
  const trouble = ({ error, ...fields }: Trouble) => {
    const told = { ...fields, ...errorFields(error) }
    // A store that was replaced takes no turn back, and nobody has to know.
    if (signal.aborted) log.debug(told, 'a policy ended with a failure')
    else log.error(told, 'a policy failed and tries again')
  }
  const read: Storage = { ...parts.store, leases: store.leases, keys: store.keys }
  const node = { name, signal, now, wait, trouble }
  await Promise.all(makers.map((make) => runPolicy(read, make(parts, log), node)))
}

/** Does what follows from all events that stand, and ends: for tests and for a store that no server runs on. */
export async function runPoliciesOnce(parts: ContextParts, log: Log = errorLog): Promise<void> {
  const { signal } = new AbortController()
  for (const make of makers) {
    const policy = make(parts, log)
    for await (const event of parts.store.readAll(undefined, policy.filter)) await policy.handle(event, signal)
  }
}
