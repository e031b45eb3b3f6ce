import {
  becomeOverdue,
  type Caller,
  type Context,
  dueHandoffs,
  dueLockerDeliveries,
  expireHandoff,
  expireLockerDelivery,
  isoOf,
  waitingDeviceOrders,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, type Log } from '../node/log.ts'
import type { NodeModels } from '../node/models.ts'

/** The parts of an engine whose read models can be asked how far they are. */
export interface ClockParts extends ContextParts {
  readonly models: NodeModels
}

/** What a node lends to its clock. */
export interface ClockRun {
  /** Aborted when the node is about to stop; the store stays open until the promise is done. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Something that becomes another when its time has come, and nobody has to say so. */
interface Deadline {
  readonly name: string
  /** What is due before an instant (epoch milliseconds), with ids after `after`, in order of id. */
  readonly due: (
    parts: ContextParts,
    before: number,
    after: number,
    limit: number,
  ) => Promise<readonly { readonly id: number; readonly dueAt: number }[]>
  /** Records that the time has come; nothing where it has not, or where somebody was faster. */
  readonly pass: (context: Omit<Context, 'messages'>, id: number) => Promise<unknown>
}

/** THE LIST of deadlines. */
const deadlines: readonly Deadline[] = [
  { name: 'device order', due: waitingDeviceOrders, pass: becomeOverdue },
  { name: 'locker delivery', due: dueLockerDeliveries, pass: expireLockerDelivery },
  { name: 'handoff', due: dueHandoffs, pass: expireHandoff },
]

/** From one look to the next at most, in milliseconds: so late is noticed what was kept in between, or by another node. */
const longestPause = 30_000

/** So many are looked up at once. */
const pageSize = 200

/** From one look at models that are not built yet to the next, in milliseconds. */
const buildingPause = 1_000

const caller: Caller = { kind: 'operator', name: 'deadlines', scopes: [] }

/**
 * Lets deadlines pass: device orders become overdue, deliveries into lockers and offers of partners expire; until `signal` is
 * aborted. Every node does so: of several that notice the same at once, the first records it, and the others find
 * nothing left to do.
 */
export async function watchDeadlines(parts: ClockParts, { signal, log, wait }: ClockRun): Promise<void> {
  while (!signal.aborted && !(await areBuilt(parts.models))) await wait(buildingPause, signal)
  while (!signal.aborted) {
    const next = await lookAtAll(parts, signal, log)
    if (signal.aborted) return
    const pause = next === undefined ? longestPause : next - parts.clock()
    await wait(Math.min(longestPause, Math.max(1, pause)), signal)
  }
}

/** Whether what is due can be looked up; where that cannot be told, the look itself tells why. */
async function areBuilt(models: NodeModels): Promise<boolean> {
  const states = await models.state().catch(() => [])
  return states.every(({ wasCaughtUp }) => wasCaughtUp)
}

/** Goes through what is due now; answers the next deadline (epoch milliseconds), where one comes before the next look must. */
async function lookAtAll(parts: ContextParts, signal: AbortSignal, log: Log): Promise<number | undefined> {
  let next: number | undefined
  for (const deadline of deadlines) {
    const found = await look(deadline, parts, signal, log).catch((error: unknown) => {
      log.error(
        { of: deadline.name, ...errorFields(error) },
        'deadlines could not be looked at and are looked at again',
      )
      return undefined
    })
    next = found === undefined ? next : Math.min(next ?? found, found)
  }
  return next
}

async function look(
  deadline: Deadline,
  parts: ContextParts,
  signal: AbortSignal,
  log: Log,
): Promise<number | undefined> {
  const now = parts.clock()
  let next: number | undefined
  for (let after = 0; !signal.aborted; ) {
    const waiting = await deadline.due(parts, now + longestPause, after, pageSize)
    for (const { id, dueAt } of waiting) {
      if (dueAt > now) next = Math.min(next ?? dueAt, dueAt)
      else if (!signal.aborted) await pass(deadline, parts, id, log)
      after = id
    }
    if (waiting.length < pageSize) break
  }
  return next
}

/** One that fails does not keep the others waiting, and is tried at the next look. */
async function pass({ name, pass: record }: Deadline, parts: ContextParts, id: number, log: Log): Promise<void> {
  try {
    await record({ ...parts, caller, requestId: parts.randomId() }, id)
  } catch (error) {
    log.error({ of: name, id, at: isoOf(parts.clock()), ...errorFields(error) }, 'a deadline could not pass')
  }
}
