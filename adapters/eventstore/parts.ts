import type { EventData } from '@eventstore/db-client'
import { deriveId } from '../../engine/index.ts'
import { type Call, dataOf, type Prepared } from './codec.ts'

/** An append whose events are to stand from revision `at`, after the server's revision `last`. */
export interface Fresh {
  readonly append: Prepared
  readonly at: number
  readonly last: number
  /** Ids of the events before, as far as they are known. */
  readonly ids: readonly string[]
}

/** What is sent at once: some events of an append, from number `first` on, before number `end`. */
export interface Part {
  readonly fresh: Fresh
  readonly first: number
  readonly end: number
}

/** Bytes that are sent at once. A server takes 1 MiB, and what the mark and the type add is not counted here. */
const maxBytes = 512 * 1024

/** An append in parts that the server takes; an event that is too large by itself is a part of its own. */
export function partsOf(fresh: Fresh): readonly Part[] {
  const parts: Part[] = []
  let first = 0
  let bytes = 0
  for (const [index, size] of fresh.append.sizes.entries()) {
    if (index > first && bytes + size > maxBytes) {
      parts.push({ fresh, first, end: index })
      first = index
      bytes = 0
    }
    bytes += size
  }
  return [...parts, { fresh, first, end: fresh.append.sizes.length }]
}

/** The server's revision after which a part is to stand. */
export function lastBefore({ fresh, first }: Part): number {
  return fresh.last + first
}

/** The events of a part as they are sent: under their own ids, or as those of a call, which must not be taken for them. */
export function eventsOf(
  { fresh, first, end }: Part,
  prefix: string,
  recordedAt: string,
  call?: Call,
): readonly EventData[] {
  const engine = prefix === '' ? {} : { prefix }
  return fresh.append.events.slice(first, end).map((event, index) => {
    const mark = { revision: fresh.at + first + index, recordedAt: event.recordedAt ?? recordedAt, ...engine }
    if (call === undefined) return dataOf(event, event.id, mark)
    const id = deriveId('intent', event.id, call.stream, String(call.revision))
    return dataOf(event, id, { ...mark, id: event.id, call })
  })
}
