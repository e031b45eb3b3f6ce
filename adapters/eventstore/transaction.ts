import type { EventData } from '@eventstore/db-client'
import { deriveId } from '../../engine/index.ts'
import type { Calls } from './calls.ts'
import { type Call, dataOf, type Prepared } from './codec.ts'
import { inParallel } from './connection.ts'
import type { Log } from './log.ts'

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

/** An append whose events are to stand from revision `at`, after the server's revision `last`. */
export interface Fresh {
  readonly append: Prepared
  readonly at: number
  readonly last: number
  /** Ids of the events before, as far as they are known. */
  readonly ids: readonly string[]
}

/** What is sent at once: some events of an append, from number `first` on, before number `end`. */
interface Part {
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
function lastBefore({ fresh, first }: Part): number {
  return fresh.last + first
}

/** The events of a part as they are sent: under their own ids, or as those of a call, which must not be taken for them. */
function eventsOf({ fresh, first, end }: Part, prefix: string, recordedAt: string, call?: Call): readonly EventData[] {
  const engine = prefix === '' ? {} : { prefix }
  return fresh.append.events.slice(first, end).map((event, index) => {
    const mark = { revision: fresh.at + first + index, recordedAt: event.recordedAt ?? recordedAt, ...engine }
    if (call === undefined) return dataOf(event, event.id, mark)
    const id = deriveId('intent', event.id, call.stream, String(call.revision))
    return dataOf(event, id, { ...mark, id: event.id, call })
  })
}
