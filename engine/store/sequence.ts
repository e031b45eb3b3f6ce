import type { Context } from '../kernel/context.ts'
import type { Append } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'
import { retryOnConflict } from './execute.ts'

/** The next numbers of a sequence, and the append that takes them. */
export interface Numbers {
  readonly first: number
  /** Record it in one transaction with the entities that get the numbers, so that no number is lost or used twice. */
  readonly append: Append
}

/** Type of the event that takes a number. */
export const numberTaken = 'NumberTaken'

/**
 * The next numbers of a kind (`order`, `account`), counted from 1 across all businesses. A number is the length of the stream
 * that it is taken from.
 */
export async function nextNumbers(
  { store, randomId }: Pick<Context, 'store' | 'randomId'>,
  kind: string,
  count = 1,
): Promise<Numbers> {
  const stream: StreamName = `sequence-${kind}`
  const last = await store.last(stream)
  const metadata = { schemaVersion: 1 }
  const events = Array.from({ length: count }, () => ({ id: randomId(), type: numberTaken, data: {}, metadata }))
  return { first: (last?.revision ?? -1) + 2, append: { stream, events, expected: last?.revision ?? 'no-stream' } }
}

/** The most numbers that one append passes over. */
const maxPassed = 500

/** Passes over the numbers of a kind that were given as those of another kind before, so that none of them is given again. */
export async function passNumbersOf(context: Context, kind: string, other: string): Promise<void> {
  const given = (await context.store.last(`sequence-${other}`))?.revision ?? -1
  for (let isBehind = true; isBehind; )
    isBehind = await retryOnConflict(async () => {
      const taken = (await context.store.last(`sequence-${kind}`))?.revision ?? -1
      if (taken >= given) return false
      const { append } = await nextNumbers(context, kind, Math.min(maxPassed, given - taken))
      await context.store.appendMany([append])
      return true
    })
}
