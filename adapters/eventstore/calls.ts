import { setTimeout as pause } from 'node:timers/promises'
import { deriveId, type Held, type ReadRange, type RecordedEvent } from '../../engine/index.ts'
import { type Call, ownRecordOf, type ServerRecord, type StoredEvent } from './codec.ts'
import { inParallel } from './connection.ts'
import type { Log, Range } from './log.ts'
import { createLruCache } from './memory.ts'

/** Whether a call is committed. */
type Decide<Outcome extends boolean | undefined = boolean | undefined> = (call: Call) => Promise<Outcome>

/** Tracks calls over several appends; see `docs/explanation/decisions/transactions-on-eventstoredb.md`. */
export interface Calls {
  /** Whether a call is committed (`true`) or void (`false`); `undefined` while undecided. */
  readonly outcome: Decide
  /** The same, but waits for the decision: a call whose writer shows no sign of life for a while is made void. Concurrent waiters share one wait. */
  readonly settled: Decide<boolean>
  /** Forces a decision now and returns it. */
  readonly voided: Decide<boolean>
  /** Remembers a decision that the writer itself knows. */
  commit(call: Call): void
  /** How many of the events, from the first on, belong to no call or to one whose decision is remembered or among them. */
  decidedIn(events: readonly StoredEvent[]): number
  /** The events that the engine sees, in order, without those of void or undecided calls. */
  visible(events: readonly StoredEvent[], decide: Decide): Promise<readonly RecordedEvent[]>
  /** The remembered decisions. */
  held(): Held
}

/** The most bytes of remembered decisions. */
const most = 2 * 1024 * 1024
/** Void events written at once, and at most: no call of an engine has so many events in the stream of its decision. */
const voids = { atOnce: 1_000, most: 50_000 }
/** Events read at once when looking for a sign of life. */
const scanSize = 500

/** The decisions of calls, remembered. */
function createDecisions(log: Log) {
  const outcomes = createLruCache<boolean>('decisions', most, () => 0)

  const known = (call: Call) => outcomes.get(keyOf(call))

  function note(call: Call, isCommitted: boolean): boolean {
    outcomes.set(keyOf(call), isCommitted)
    return isCommitted
  }

  /** What stood there may have been deleted by others since; then the call counts, so that nothing acknowledged is lost. */
  function decide(call: Call, event: StoredEvent): boolean {
    return note(call, event.revision > call.revision || event.id === call.id)
  }

  async function lookUp(call: Call): Promise<boolean | undefined> {
    const decided = known(call)
    if (decided !== undefined) return decided
    const [event] = await log.read(call.stream, { from: call.revision, limit: 1 })
    return event && decide(call, event)
  }

  async function outcome(call: Call): Promise<boolean | undefined> {
    const found = await lookUp(call)
    if (found !== undefined) return found
    return (await log.isShut(call.stream)) ? note(call, true) : undefined
  }

  return { known, note, decide, lookUp, outcome, held: outcomes.held }
}

/** Creates the tracker; `patience` with a silent writer is in milliseconds, from when it is first missed. */
export function createCalls(log: Log, patience: number): Calls {
  const { known, note, decide, lookUp, outcome, held } = createDecisions(log)
  const settling = new Map<string, Promise<boolean>>()

  function settled(call: Call): Promise<boolean> {
    const key = keyOf(call)
    const waiting = settling.get(key) ?? untilDecided(call).finally(() => settling.delete(key))
    settling.set(key, waiting)
    return waiting
  }

  async function untilDecided(call: Call): Promise<boolean> {
    const isDecidedSoon = () => isDecided(call, lookUp, patience)
    if (await isDecidedSoon()) return voided(call)
    let seen = (await log.end())?.position
    while (!(await isDecidedSoon())) {
      const { isAlive, last } = await findSignOfLife(log, call, seen)
      if (!isAlive) break
      seen = last
    }
    return voided(call)
  }

  /** Writes something else in the place of the decision; the first one to write has decided. */
  async function voided(call: Call): Promise<boolean> {
    for (;;) {
      const decided = await outcome(call)
      if (decided !== undefined) return decided
      if (!(await putVoids(log, call))) return note(call, false)
    }
  }

  async function visible(events: readonly StoredEvent[], decideCall: Decide): Promise<readonly RecordedEvent[]> {
    const calls = callsOf(events)
    if (calls.length === 0) return events.flatMap(({ event }) => event ?? [])
    for (const [call, event] of decisionsAmong(events, calls)) decide(call, event)
    return committedOf(events, calls, decideCall)
  }

  function decidedIn(events: readonly StoredEvent[]): number {
    for (const [call, event] of decisionsAmong(events, callsOf(events))) decide(call, event)
    const open = events.findIndex(({ call }) => call !== undefined && known(call) === undefined)
    return open < 0 ? events.length : open
  }

  return { outcome, settled, voided, commit: (call) => void note(call, true), decidedIn, visible, held }
}

/** The decision of a call is often in the same page. */
function decisionsAmong(events: readonly StoredEvent[], calls: readonly Call[]) {
  const places = new Map(events.map((event) => [`${event.stream}@${event.revision}`, event]))
  return calls.flatMap((call) => {
    const event = places.get(`${call.stream}@${call.revision}`)
    return event === undefined ? [] : [[call, event] as const]
  })
}

/** The distinct calls of the events. */
function callsOf(events: readonly StoredEvent[]): readonly Call[] {
  const calls = events.flatMap(({ call }) => (call === undefined ? [] : [[keyOf(call), call] as const]))
  return [...new Map(calls).values()]
}

async function committedOf(
  events: readonly StoredEvent[],
  calls: readonly Call[],
  decide: Decide,
): Promise<readonly RecordedEvent[]> {
  const outcomes = await inParallel(calls, decide)
  const committed = new Set(calls.filter((_, index) => outcomes[index] === true).map(keyOf))
  return events.flatMap(({ event, call }) =>
    event !== undefined && (call === undefined || committed.has(keyOf(call))) ? [event] : [],
  )
}

function keyOf({ stream, revision, id }: Call): string {
  return `${id}@${revision}@${stream}`
}

/** Whether a call is decided within so many milliseconds. */
async function isDecided(call: Call, lookUp: Decide, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  for (let wait = 5; ; wait = Math.min(wait * 2, 100)) {
    if ((await lookUp(call)) !== undefined) return true
    const left = end - performance.now()
    if (left <= 0) return false
    await pause(Math.min(wait, left))
  }
}

/** Whether a call has events after a position, and the position of the last event. */
async function findSignOfLife(log: Log, call: Call, seen: string | undefined) {
  let isAlive = false
  let last = seen
  for (;;) {
    const page = await log.readAll(last, scanSize)
    isAlive ||= page.some((event) => event.call !== undefined && keyOf(event.call) === keyOf(call))
    last = page.at(-1)?.position ?? last
    if (page.length < scanSize) return { isAlive, last }
  }
}

/** Appends void events up to the place of the decision; returns false if that is farther than any engine decides. */
async function putVoids(log: Log, { stream, revision }: Call): Promise<boolean> {
  const [last] = await log.read(stream, { limit: 1, backwards: true })
  const from = (last?.revision ?? -1) + 1
  const missing = revision + 1 - from
  if (missing > voids.most) return false
  if (missing > 0) await log.append(stream, voidsOf(stream, from, Math.min(missing, voids.atOnce)), from - 1)
  return true
}

/** The ids are derived, so that concurrent writers of void events write the same ones. */
function voidsOf(stream: string, from: number, count: number): readonly ServerRecord[] {
  return Array.from({ length: count }, (_, index) =>
    ownRecordOf('void', {}, deriveId('void', stream, String(from + index))),
  )
}

/** Part of a stream: the stored events, and those that the engine sees. */
export interface Page {
  readonly standing: readonly StoredEvent[]
  readonly visible: readonly RecordedEvent[]
  /** The last event of the stream, if the page reaches it. */
  readonly last: StoredEvent | undefined
}

/** Events per read. */
const pageSize = 500

/** Reads a stream in pages from a server revision, or from its beginning or end, to the other end. */
export async function* pagesOf(
  log: Log,
  calls: Calls,
  stream: string,
  { from, backwards = false, limit = pageSize, mustGoOn = false }: ReadRange & Pick<Range, 'mustGoOn'>,
  decide: Decide,
): AsyncGenerator<Page> {
  const size = Math.min(limit, pageSize)
  for (let next = from; ; ) {
    const range = { limit: size, backwards, mustGoOn, ...(next === undefined ? {} : { from: next }) }
    const standing = await log.read(stream, range)
    const end = standing.at(-1)
    if (end === undefined) return
    const isShort = standing.length < size
    const last = backwards ? (next === undefined ? standing[0] : undefined) : isShort ? end : undefined
    yield { standing, visible: await calls.visible(standing, decide), last }
    next = end.revision + (backwards ? -1 : 1)
    if (isShort || next < 0) return
  }
}
