import { becomeOverdue, type Caller, isoOf, waitingDeviceOrders } from '../../engine/index.ts'
import type { Parts } from '../door.ts'
import { errorFields, type Log } from '../log.ts'

/** What a node lends to its clock. */
export interface ClockRun {
  /** Aborted when the node is about to stop; the store stays open until the promise is done. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** From one look to the next at most, in milliseconds: so late is noticed what was stored in between, or by another node. */
const longestPause = 30_000

/** So many device orders are looked up at once. */
const pageSize = 200

const caller: Caller = { kind: 'operator', name: 'device-clock', scopes: [] }

/**
 * Lets device orders become overdue when their deadlines pass, until `signal` is aborted. Every node does so: of several
 * that notice the same at once, the first records it, and the others find nothing left to do.
 */
export async function runDeviceClock(parts: Parts, { signal, log, wait }: ClockRun): Promise<void> {
  while (!signal.aborted) {
    const next = await look(parts, signal, log).catch((error: unknown) => {
      log.error(errorFields(error), 'the clock of device orders failed and looks again')
      return undefined
    })
    if (signal.aborted) return
    const pause = next === undefined ? longestPause : next - parts.clock()
    await wait(Math.min(longestPause, Math.max(1, pause)), signal)
  }
}

/** Goes through what is due now; answers the next deadline (epoch milliseconds), where one comes before the next look must. */
async function look(parts: Parts, signal: AbortSignal, log: Log): Promise<number | undefined> {
  const now = parts.clock()
  let next: number | undefined
  for (let after = 0; !signal.aborted; ) {
    const waiting = await waitingDeviceOrders(parts, now + longestPause, after, pageSize)
    for (const { id, dueAt } of waiting) {
      if (dueAt > now) next = Math.min(next ?? dueAt, dueAt)
      else if (!signal.aborted) await pass(parts, id, log)
      after = id
    }
    if (waiting.length < pageSize) break
  }
  return next
}

/** One that fails does not keep the others waiting, and is tried at the next look. */
async function pass(parts: Parts, id: number, log: Log): Promise<void> {
  try {
    await becomeOverdue({ ...parts, caller, requestId: parts.randomId() }, id)
  } catch (error) {
    log.error({ order: id, at: isoOf(parts.clock()), ...errorFields(error) }, 'a device order could not become overdue')
  }
}
