import { setTimeout as pause } from 'node:timers/promises'
import { type Append, type Appended, EngineError, isoOf, judgeAll } from '../../engine/index.ts'
import type { Calls } from './calls.ts'
import { type Prepared, prepare } from './codec.ts'
import { inParallel } from './connection.ts'
import { type Head, type Heads, keptIds } from './heads.ts'
import type { Log } from './log.ts'
import { createTransaction, type Fresh, partsOf } from './transaction.ts'

/** The writing half of the store. */
export interface Writer {
  /** Records the appends of one call, all or none. */
  append(appends: readonly Append[]): Promise<readonly Appended[]>
  /** Position of the last event that was appended here. */
  latest(): string | undefined
}

/** How long a call tries to be faster than the writers of other nodes, in milliseconds. */
const racingTime = 30_000

/** Makes the writer; `clock` gives epoch milliseconds. */
export function createWriter(log: Log, calls: Calls, heads: Heads, clock: () => number): Writer {
  const turn = createTurns()
  const transact = createTransaction(log, calls)
  let latest: string | undefined

  async function append(appends: readonly Append[]): Promise<readonly Appended[]> {
    const prepared = appends.map(prepare)
    const pass = await turn(prepared.map(({ stream }) => stream))
    try {
      const answers = await untilFirst(prepared, isoOf(clock()))
      for (const { position } of answers) if (latest === undefined || position > latest) latest = position
      return answers
    } finally {
      pass()
    }
  }

  /** Refused by the server means that somebody was faster: the call is judged again on what they did. */
  async function untilFirst(appends: readonly Prepared[], recordedAt: string): Promise<readonly Appended[]> {
    const end = performance.now() + racingTime
    for (let wait = 4; performance.now() < end; wait = Math.min(wait * 2, 500)) {
      const found = await inParallel(appends, (append) => headFor(append, wait === 4))
      const headsByName = new Map(appends.map(({ stream }, index) => [stream, found[index] as Head]))
      const judged = judgeAll(appends, (stream) => headsByName.get(stream) as Head)
      const fresh = judged.flatMap(({ append, head, verdict }) =>
        'at' in verdict ? [{ append, at: verdict.at, last: head.last, ids: head.ids }] : [],
      )
      const positions = await record(fresh, recordedAt)
      if (positions !== undefined) {
        return judged.map(({ append: { stream, events }, head, verdict }) =>
          'at' in verdict
            ? { stream, revision: verdict.at + events.length - 1, position: positions.get(stream) ?? '' }
            : { stream, revision: verdict.repeated, position: head.positionAt(verdict.repeated) },
        )
      }
      await pause(Math.random() * wait)
    }
    throw new EngineError('contention')
  }

  async function headFor(append: Append, isFirstTry: boolean): Promise<Head> {
    return (isFirstTry ? heads.recall(append) : undefined) ?? heads.read(append)
  }

  /** Positions of the last events by stream; nothing where a stream is elsewhere, and then nothing was recorded. */
  async function record(fresh: readonly Fresh[], recordedAt: string): Promise<ReadonlyMap<string, string> | undefined> {
    for (const { append } of fresh) heads.forget(log.prefix + append.stream)
    const positions = await transact(fresh.map(partsOf), recordedAt)
    if (positions === undefined) return undefined
    for (const { append, at, last, ids: before } of fresh) {
      const count = append.events.length
      const ids = [...before, ...append.events.map(({ id }) => id)].slice(-keptIds)
      heads.set(log.prefix + append.stream, { revision: at + count - 1, last: last + count, ids })
    }
    return positions
  }

  return { append, latest: () => latest }
}

/** Lets callers pass one at a time by name; a caller with several names waits for all of them. */
function createTurns(): (names: readonly string[]) => Promise<() => void> {
  const last = new Map<string, Promise<void>>()
  return async (names) => {
    const before = names.flatMap((name) => last.get(name) ?? [])
    let pass = () => {}
    const turn = new Promise<void>((resolve) => {
      pass = resolve
    })
    for (const name of names) last.set(name, turn)
    await Promise.all(before)
    return () => {
      for (const name of names) if (last.get(name) === turn) last.delete(name)
      pass()
    }
  }
}
