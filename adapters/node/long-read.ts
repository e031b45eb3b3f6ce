import type { Context } from '../../engine/index.ts'
import type { FairQueue } from './fair-queue.ts'
import { requesterOf } from './limited.ts'

/** A read that may turn out to be long. */
export interface LongRead {
  /** The context in which it runs. */
  readonly context: Context
  /** Ends its turn, if it has one. */
  end(): void
}

/** Makes a read wait for a turn of its caller at its first pause; a short one never pauses. */
export function longRead(queue: FairQueue, context: Context): LongRead {
  let turn: Promise<() => void> | undefined
  return {
    context: {
      ...context,
      pause: async () => {
        turn ??= queue.turn(requesterOf(context))
        await turn
        await context.pause()
      },
    },
    end: () => {
      // A turn that was refused needs no end.
      turn?.then(
        (end) => end(),
        () => {},
      )
      turn = undefined
    },
  }
}
