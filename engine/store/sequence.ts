import type { Context } from '../kernel/context.ts'
import type { Append } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'

/** The next numbers of a sequence, and the append that takes them. */
export interface Numbers {
  readonly first: number
  /** Record it in one transaction with the entities that get the numbers, so that no number is lost or used twice. */
  readonly append: Append
}

/** Type of the event that takes a number. */
export const numberTaken = 'NumberTaken'

/** The next numbers of a kind (`order`, `account`), counted from 1 across all businesses. */
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
