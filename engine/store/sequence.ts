import type { Context } from '../kernel/context.ts'
import type { Append } from '../kernel/event-store.ts'
import type { StreamName } from '../kernel/stream.ts'

/** Numbers that are the next of their kind, and the append that takes them. */
export interface Numbers {
  readonly first: number
  /** To be recorded in one transaction with what the numbers are for: then none is taken for nothing, and none twice. */
  readonly append: Append
}

/** The type of the event that takes a number. */
export const numberTaken = 'NumberTaken'

/** The next numbers of a kind (`order`, `account`), counted from 1 over all businesses. */
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
