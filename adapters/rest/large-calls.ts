import type { Context } from '../../engine/index.ts'
import { withinHeap } from '../http/memory.ts'
import type { FairQueue } from '../node/fair-queue.ts'
import { requesterOf } from '../node/limited.ts'

/** A larger part of the heap is not accepted: a body of events takes up to forty times its size while it is recorded. */
const heapPart = 96

/** The largest body in bytes of a call that may have so many, in this process. */
export function bodyWithinHeap(bytes: number): number {
  return withinHeap(bytes, heapPart)
}

/** Runs a call that may turn out to be large: if it does, it waits for a turn of its caller, and ends it at the end. */
export async function inTurn<Result>(
  queue: FairQueue,
  context: Context,
  run: (turn: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let end = () => {}
  try {
    return await run(async () => {
      end = await queue.turn(requesterOf(context))
    })
  } finally {
    end()
  }
}
