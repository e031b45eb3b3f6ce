import type { Calls } from './calls.ts'
import type { Call } from './codec.ts'
import type { Log } from './log.ts'
import { inParallel } from './parallel.ts'
import { eventsOf, lastBefore, type Part } from './parts.ts'

/**
 * Appends to several streams, or in several parts, as one: the positions of the last events by stream, or nothing where
 * a stream is elsewhere, and then nothing is recorded.
 */
export type Transact = (
  parts: readonly (readonly Part[])[],
  recordedAt: string,
) => Promise<ReadonlyMap<string, string> | undefined>

/**
 * All appends but one are intents, which nobody sees; where there is only one, there is none. The last, the decision, is appended when they stand, and makes
 * them seen; see `docs/explanation/decisions/transactions-on-eventstoredb.md`.
 */
export function createTransaction(log: Log, calls: Calls): Transact {
  const nameOf = (part: Part) => log.prefix + part.fresh.append.stream

  return async (parts, recordedAt) => {
    // A decision after parts of its own stream would be dearer to make void.
    const deciding = parts.findLast((own) => own.length === 1) ?? parts.at(-1) ?? []
    const decision = deciding.at(-1)
    if (decision === undefined) return new Map()
    const call = callOf(nameOf(decision), decision)
    const positions = new Map<string, string>()

    async function send(part: Part, own?: Call): Promise<boolean> {
      const position = await log.append(nameOf(part), eventsOf(part, log.prefix, recordedAt, own), lastBefore(part))
      if (position !== undefined) positions.set(part.fresh.append.stream, position)
      return position !== undefined
    }

    let isRefused = false
    await inParallel(parts, async (own) => {
      for (const part of own) {
        if (part === decision || isRefused) return
        if (!(await send(part, call))) isRefused = true
      }
    })
    if (isRefused) {
      if (positions.size > 0) await calls.voided(call)
      return undefined
    }
    if (!(await send(decision))) return undefined
    if (parts.flat().length > 1) calls.commit(call)
    return positions
  }
}

function callOf(stream: string, decision: Part): Call {
  const id = decision.fresh.append.events[decision.first]?.id ?? ''
  return { stream, revision: lastBefore(decision) + 1, id }
}
