import { setTimeout as pause } from 'node:timers/promises'
import { type Append, type Appended, decideAppends, EngineError, isoOf } from '../../engine/index.ts'
import type { Calls } from './calls.ts'
import { type Prepared, prepare } from './codec.ts'
import { inParallel } from './connection.ts'
import { hidden } from './errors.ts'
import type { Head, Heads } from './heads.ts'
import type { Log } from './log.ts'
import { createTransaction, endAfter, type Fresh, partsOf } from './transaction.ts'

/** The part of the store that writes. */
interface Writer {
  /** Records the appends of a call, all or none. */
  append(appends: readonly Append[]): Promise<readonly Appended[]>
}

/** The pause after so many refusals that a stream may be one that can never be written to. */
const longWait = 64

/** Milliseconds that a call competes with writers of other nodes. */
const contentionTimeout = 30_000

/** Creates the writer; `clock` returns epoch milliseconds. */
export function createWriter(log: Log, calls: Calls, heads: Heads, clock: () => number): Writer {
  const turn = createLocks()
  const transact = createTransaction(log, calls)

  async function append(appends: readonly Append[]): Promise<readonly Appended[]> {
    const prepared = appends.map(prepare)
    const turned = turn(prepared.map(({ stream }) => stream))
    const pass = turned instanceof Promise ? await turned : turned
    try {
      return await untilFirst(prepared, isoOf(clock()))
    } finally {
      pass()
    }
  }

  /** A refusal means that another writer was faster: the call is decided again. */
  async function untilFirst(appends: readonly Prepared[], recordedAt: string): Promise<readonly Appended[]> {
    const end = performance.now() + contentionTimeout
    for (let wait = 4; performance.now() < end; wait = Math.min(wait * 2, 500)) {
      const known = appends.map((append) => (wait === 4 ? heads.recall(append) : undefined))
      const found = known.includes(undefined) ? await headsFor(appends, known) : known
      const headsByName = new Map(appends.map(({ stream }, index) => [stream, found[index] as Head]))
      const decided = decideAppends(appends, (stream) => headsByName.get(stream) as Head)
      const fresh = decided.flatMap(({ append, head, decision }) =>
        'at' in decision ? [{ append, at: decision.at, last: head.last, ids: head.ids }] : [],
      )
      const positions = await record(fresh, recordedAt)
      if (positions !== undefined) {
        return decided.map(({ append: { stream, events }, head, decision }) =>
          'at' in decision
            ? { stream, revision: decision.at + events.length - 1, position: positions.get(stream) ?? '' }
            : { stream, revision: decision.repeated, position: head.positionAt(decision.repeated) },
        )
      }
      if (wait === longWait) await refuseShut(log, fresh)
      await pause(Math.random() * wait)
    }
    throw new EngineError('contention')
  }

  /** Reads the heads that are not known. */
  function headsFor(appends: readonly Append[], known: readonly (Head | undefined)[]): Promise<readonly Head[]> {
    return inParallel([...appends.entries()], async ([index, append]) => known[index] ?? heads.read(append))
  }

  /** Positions of the last events by stream; `undefined` if nothing was recorded. */
  async function record(fresh: readonly Fresh[], recordedAt: string): Promise<ReadonlyMap<string, string> | undefined> {
    for (const { append } of fresh) heads.forget(log.prefix + append.stream)
    const positions = await transact(fresh.map(partsOf), recordedAt)
    if (positions === undefined) return undefined
    for (const one of fresh) heads.set(log.prefix + one.append.stream, endAfter(one))
    return positions
  }

  return { append }
}

/** A stream whose events others have hidden looks new, and the server refuses what would begin it. */
async function refuseShut(log: Log, fresh: readonly Fresh[]): Promise<void> {
  for (const { append, last } of fresh) {
    if (last < 0 && (await log.isShut(log.prefix + append.stream))) throw hidden()
  }
}

/** A mutex by name; a caller with several names waits for all of them, if others have them. */
function createLocks(): (names: readonly string[]) => (() => void) | Promise<() => void> {
  const last = new Map<string, Promise<void>>()
  return (names) => {
    const before = names.flatMap((name) => last.get(name) ?? [])
    let pass = () => {}
    const turn = new Promise<void>((resolve) => {
      pass = resolve
    })
    for (const name of names) last.set(name, turn)
    const leave = () => {
      for (const name of names) if (last.get(name) === turn) last.delete(name)
      pass()
    }
    return before.length === 0 ? leave : Promise.all(before).then(() => leave)
  }
}
