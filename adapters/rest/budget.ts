import { EngineError } from '../../engine/index.ts'
import { withinHeap } from '../http/memory.ts'
import { createTally, type Tally } from '../node/tally.ts'

const mebibyte = 1024 * 1024

/** Bytes of large bodies in flight, of all callers and of each. */
interface Budget {
  bytes: number
  readonly limit: number
  readonly ofCaller: Tally
}

/**
 * Bytes of large bodies in flight over all requests of the process. Public and authenticated callers have separate
 * budgets, so that one cannot block the other.
 */
export const inFlight = {
  open: budgetOf(withinHeap(64 * mebibyte, 8)),
  known: budgetOf(withinHeap(128 * mebibyte, 4)),
}

function budgetOf(limit: number): Budget {
  return { bytes: 0, limit, ofCaller: createTally() }
}

/** The bytes that one body has taken from its budget; none after release. */
export interface CountedBody {
  readonly caller: string
  bytes: number
  isReleased: boolean
}

/** A body of a caller that has taken nothing yet. */
export function countBody(caller: string): CountedBody {
  return { caller, bytes: 0, isReleased: false }
}

/** Gives back what a body has taken. */
export function release(counted: CountedBody, budget: Budget): void {
  take(budget, counted, -counted.bytes)
  counted.isReleased = true
}

/** Takes bytes from a budget, or gives them back; returns those that the caller has taken. */
function take(budget: Budget, counted: CountedBody, bytes: number): number {
  counted.bytes += bytes
  budget.bytes += bytes
  return budget.ofCaller.add(counted.caller, bytes)
}

/** Counts bytes against the budget; throws `too_busy` when it is exhausted, or half of it is taken by one caller. */
export async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  counted: CountedBody,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (counted.isReleased) {
      yield chunk
      continue
    }
    const own = take(budget, counted, chunk.byteLength)
    if (budget.bytes > budget.limit || own > budget.limit / 2) throw new EngineError('too_busy')
    yield chunk
  }
}
