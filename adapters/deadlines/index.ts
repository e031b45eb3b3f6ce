import { type Caller, type Deadline, domains, en, isoOf } from '../../engine/index.ts'
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

/** How many questions to carriers are asked at once, since each may take long; anything else passes one after the other. */
const carriersAtOnce = 20

/** Milliseconds between two looks at a deadline, where it does not say less, and so the delay for items saved meanwhile. */
const usualPause = 30_000

/** Items per lookup. */
const pageSize = 200

/** Milliseconds between two checks while the read models are being built. */
const buildingPause = 1_000

const caller: Caller = { kind: 'operator', name: 'deadlines', scopes: [] }

/**
 * Passes deadlines of all domains until `signal` is aborted: device orders become overdue, offers expire, drivers who do not
 * answer lose an order. `apart` names those that may take long, which nothing else waits for. Every node does this; if several
 * notice a deadline, the first records it and the others find nothing left to do.
 */
export async function watchDeadlines(
  parts: ClockParts,
  { signal, log, wait }: ClockRun,
  apart?: Deadline['apart'],
): Promise<void> {
  const list = domains.flatMap(({ deadlines = [] }) => deadlines.filter((one) => one.apart === apart))
  await untilBuilt(parts, wait, signal)
  const note = createNote(log)
  const run: Run = { signal, log, putOff: new Map(), next: new Map(), failures: new Map() }
  while (!signal.aborted) {
    const next = await checkAll(list, parts, run)
    note(run.failures)
    if (signal.aborted) return
    await wait(Math.min(usualPause, Math.max(1, next - parts.clock())), signal)
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

/** A run of the clock. */
interface Run extends Pick<ClockRun, 'signal' | 'log'> {
  /** What could not pass, and when it is tried again (epoch milliseconds). */
  readonly putOff: Map<string, number>
  /** When each deadline is looked at again (epoch milliseconds). */
  readonly next: Map<Deadline, number>
  /** Why deadlines could not be looked at, by their names. */
  readonly failures: Map<string, unknown>
}

/** Milliseconds until what could not pass is tried again. */
const afterFailure = 30_000

/** Passes what is due now; returns when there is something to look at again (epoch milliseconds). */
async function checkAll(list: readonly Deadline[], parts: ContextParts, run: Run): Promise<number> {
  for (const [item, until] of run.putOff) if (until <= parts.clock()) run.putOff.delete(item)
  for (const deadline of list) {
    const now = parts.clock()
    if ((run.next.get(deadline) ?? 0) > now) continue
    const { name, within = usualPause } = deadline
    try {
      const found = await check(deadline, parts, run)
      run.next.set(deadline, Math.min(found ?? now + within, now + within))
      run.failures.delete(name)
    } catch (error) {
      run.next.set(deadline, now + within)
      run.failures.set(name, error)
    }
  }
  return Math.min(...list.map((one) => run.next.get(one) ?? 0))
}

async function check(deadline: Deadline, parts: ContextParts, run: Run): Promise<number | undefined> {
  const { signal, putOff } = run
  const { within = usualPause } = deadline
  const now = parts.clock()
  let next: number | undefined
  for (let after = 0; !signal.aborted; ) {
    const waiting = await deadline.due(parts, now + within, after, pageSize)
    const atOnce = deadline.apart === 'carriers' ? carriersAtOnce : 1
    const passing: Promise<void>[] = []
    for (const { id, dueAt } of waiting) {
      if (dueAt > now) next = Math.min(next ?? dueAt, dueAt)
      else if (!signal.aborted && !putOff.has(itemOf(deadline, id))) passing.push(pass(deadline, parts, id, run))
      if (passing.length >= atOnce) await Promise.all(passing.splice(0))
      after = id
    }
    await Promise.all(passing)
    if (waiting.length < pageSize) break
  }
  return next
}

function itemOf({ name }: Deadline, id: number): string {
  return `${name} ${id}`
}

/** A failure does not hold up the others, and is tried again later. */
async function pass(deadline: Deadline, parts: ContextParts, id: number, { signal, log, putOff }: Run): Promise<void> {
  const { name, pass: record } = deadline
  try {
    await record({ ...parts, caller, messages: en, requestId: parts.randomId() }, id, signal)
  } catch (error) {
    putOff.set(itemOf(deadline, id), parts.clock() + afterFailure)
    log.error({ of: name, id, at: isoOf(parts.clock()), ...errorFields(error) }, 'a deadline could not pass')
  }
}
