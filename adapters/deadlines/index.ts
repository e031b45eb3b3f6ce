import {
  askAgain,
  becomeOverdue,
  type Caller,
  type Context,
  dueAnswers,
  dueHandoffs,
  dueJobs,
  dueLabels,
  dueLockerDeliveries,
  dueManifests,
  dueNews,
  duePickups,
  duePutOff,
  en,
  endAnswerTime,
  expireHandoff,
  expireLockerDelivery,
  type FindDue,
  finishNews,
  forgetJob,
  isoOf,
  serveWaiting,
  waitedRules,
  waitingDeviceOrders,
  workOnLabel,
  workOnManifest,
  workOnPickup,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, type Log, quietAs } from '../node/log.ts'
import type { NodeModels } from '../node/models.ts'

/** The parts of an engine, with the state of its read models. */
export interface ClockParts extends ContextParts {
  readonly models: NodeModels
}

/** What the clock receives from its node. */
export interface ClockRun {
  /** Aborted when the node is about to stop; the store stays open until the promise resolves. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Something that changes its state when its time comes. */
interface Deadline {
  readonly name: string
  /** Items due before an instant (epoch milliseconds), with ids after `after`, in order of id. */
  readonly due: FindDue
  /** Records that the time has come; does nothing if it has not, or if another node was faster. */
  readonly passDeadline: (context: Context, id: number, signal: AbortSignal) => Promise<unknown>
  /** How many pass at once, where each may take long; one after the other if absent. */
  readonly atOnce?: number
}

/** THE LIST of deadlines. */
const deadlines: readonly Deadline[] = [
  { name: 'device order', due: waitingDeviceOrders, passDeadline: becomeOverdue },
  { name: 'locker delivery', due: dueLockerDeliveries, passDeadline: expireLockerDelivery },
  { name: 'handoff', due: dueHandoffs, passDeadline: expireHandoff },
  { name: 'rates of a job', due: dueJobs, passDeadline: forgetJob },
  { name: 'news of a timeline', due: dueNews, passDeadline: finishNews },
  { name: 'news that were put off', due: duePutOff, passDeadline: askAgain },
  { name: 'answer to an order', due: dueAnswers, passDeadline: endAnswerTime },
]

/** Pools in which orders wait for somebody: each of them is looked at, and there may be many. */
const pools: readonly Deadline[] = [{ name: 'pool of a rule', due: waitedRules, passDeadline: serveWaiting }]

/** Questions to carriers that are due: those that failed, and those of a process that has ended. Each may take long. */
const carrierWork: readonly Deadline[] = [
  { name: 'label', due: dueLabels, passDeadline: workOnLabel, atOnce: 20 },
  { name: 'manifest', due: dueManifests, passDeadline: workOnManifest, atOnce: 20 },
  { name: 'pickup', due: duePickups, passDeadline: workOnPickup, atOnce: 20 },
]

/** Longest milliseconds between two checks, and so the delay for items saved meanwhile or by another node. */
const longestPause = 30_000

/** Items per lookup. */
const pageSize = 200

/** Milliseconds between two checks while the read models are being built. */
const buildingPause = 1_000

const caller: Caller = { kind: 'operator', name: 'deadlines', scopes: [] }

/**
 * Passes deadlines until `signal` is aborted: device orders become overdue, locker deliveries and partner offers
 * expire, and drivers and contractors who do not answer lose an order. Every node does this; if several notice a deadline, the
 * first records it and the others find nothing left to do.
 */
export function watchDeadlines(parts: ClockParts, run: ClockRun): Promise<void> {
  return watch(deadlines, parts, run)
}

/** Asks carriers again until `signal` is aborted, as `watchDeadlines` does. Carriers are slow, so no deadline waits for them. */
export function askCarriersAgain(parts: ClockParts, run: ClockRun): Promise<void> {
  return watch(carrierWork, parts, run)
}

/** Offers orders in pools to who is there now until `signal` is aborted, as `watchDeadlines` does. No deadline waits for them. */
export function servePools(parts: ClockParts, run: ClockRun): Promise<void> {
  return watch(pools, parts, run)
}

async function watch(list: readonly Deadline[], parts: ClockParts, { signal, log, wait }: ClockRun): Promise<void> {
  await untilBuilt(parts, wait, signal)
  const note = createNote(log)
  while (!signal.aborted) {
    const next = await checkAll(list, parts, signal, log, note)
    if (signal.aborted) return
    const pause = next === undefined ? longestPause : next - parts.clock()
    await wait(Math.min(longestPause, Math.max(1, pause)), signal)
  }
}

/** Waits until the read models can be asked. */
export async function untilBuilt(
  { models }: Pick<ClockParts, 'models'>,
  wait: ClockRun['wait'],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !(await areBuilt(models))) await wait(buildingPause, signal)
}

/** Whether the read models are ready; on an error, the lookup itself will report it. */
async function areBuilt(models: NodeModels): Promise<boolean> {
  const states = await models.state().catch(() => [])
  return states.every(({ wasCaughtUp }) => wasCaughtUp)
}

/** Notes the failures of a check by the names of their deadlines; one line of the log for each change. */
type Note = (failures: ReadonlyMap<string, unknown>) => void

function createNote(log: Log): Note {
  let told: object | undefined
  return (failures) => {
    const [first] = failures.values()
    if (failures.size > 0 === (told !== undefined)) return
    if (told !== undefined) {
      log.info(quietAs(told), 'deadlines are looked at again')
      told = undefined
      return
    }
    told = { of: [...failures.keys()], ...errorFields(first) }
    log.warn(told, 'deadlines could not be looked at and are looked at again')
  }
}

/** Passes what is due now; returns the next deadline (epoch milliseconds) if it comes before the next check. */
async function checkAll(
  list: readonly Deadline[],
  parts: ContextParts,
  signal: AbortSignal,
  log: Log,
  note: Note,
): Promise<number | undefined> {
  const failures = new Map<string, unknown>()
  let next: number | undefined
  for (const deadline of list) {
    const found = await check(deadline, parts, signal, log).catch((error: unknown) => {
      failures.set(deadline.name, error)
      return undefined
    })
    next = found === undefined ? next : Math.min(next ?? found, found)
  }
  note(failures)
  return next
}

async function check(
  deadline: Deadline,
  parts: ContextParts,
  signal: AbortSignal,
  log: Log,
): Promise<number | undefined> {
  const now = parts.clock()
  let next: number | undefined
  for (let after = 0; !signal.aborted; ) {
    const waiting = await deadline.due(parts, now + longestPause, after, pageSize)
    const { atOnce = 1 } = deadline
    const passing: Promise<void>[] = []
    for (const { id, dueAt } of waiting) {
      if (dueAt > now) next = Math.min(next ?? dueAt, dueAt)
      else if (!signal.aborted) passing.push(pass(deadline, parts, { id, signal, log }))
      if (passing.length >= atOnce) await Promise.all(passing.splice(0))
      after = id
    }
    await Promise.all(passing)
    if (waiting.length < pageSize) break
  }
  return next
}

/** A failure does not hold up the others and is retried at the next check. */
async function pass(
  { name, passDeadline: record }: Deadline,
  parts: ContextParts,
  { id, signal, log }: Pick<ClockRun, 'signal' | 'log'> & { readonly id: number },
): Promise<void> {
  try {
    await record({ ...parts, caller, messages: en, requestId: parts.randomId() }, id, signal)
  } catch (error) {
    log.error({ of: name, id, at: isoOf(parts.clock()), ...errorFields(error) }, 'a deadline could not pass')
  }
}
