import { setTimeout as sleep } from 'node:timers/promises'

/** How a server refuses appends: its queues are full, a write took too long, or it is not ready. */
type Refusal = 'full' | 'timeout' | 'unavailable'

/** What can be made to go wrong. */
export interface Faults {
  /** The next `count` appends are committed, but never answered. */
  dropReplies(count: number): void
  /** The next `count` appends are neither committed nor answered. */
  loseAppends(count: number): void
  /** Delays every further call by this time before anything is done. */
  delay(milliseconds: number): void
  /** Every append from now on is refused; `undefined` ends that. */
  refuse(status: Refusal | undefined): void
  /** Ends all live subscriptions with an error, as a failing node does. */
  dropSubscriptions(): void
  /** Ends all calls that carry appends side by side; what they carry is committed all the same. */
  dropBatches(): void
  /** How far the callers' clocks are behind the server's, which checks the absolute deadlines of batch appends. */
  clockBehind(milliseconds: number): void
}

/** What the server was asked and what it sent. */
export interface Tally {
  /** A call begins; returns what ends it. */
  begin(call: string): () => void
  sent(): void
  /** The latest calls in order, such as `read $all`, `append box-1`, or `batches` for a call that carries appends. */
  calls(): readonly string[]
  /** How many calls began while no other was under way, live subscriptions apart: rounds of calls that waited for each other. */
  rounds(): number
  /** The number of events in answers and subscriptions. */
  events(): number
  /** A subscription of a reader looks at one more record, or tells how far it is. */
  looked(reader: string, what: keyof Looks): void
  /** The number of records at which subscriptions have looked, whether they were for them or not. */
  records(): number
  /** The same, and the checkpoints, by reader: the beginnings of the names of streams that it asks for. */
  readers(): ReadonlyMap<string, Looks>
}

/** What the server has done for a reader. */
interface Looks {
  records: number
  checkpoints: number
}

/** Most calls that are remembered. */
const maxRemembered = 10_000

function createTally(): Tally {
  let calls: string[] = []
  let events = 0
  const readers = new Map<string, Looks>()
  let underWay = 0
  let rounds = 0

  function begin(call: string) {
    if (calls.push(call) > maxRemembered) calls = calls.slice(maxRemembered / 2)
    if (call.startsWith('subscribe') || call === 'batches') return () => {}
    if (underWay++ === 0) rounds++
    return () => {
      underWay--
    }
  }

  return {
    begin,
    rounds: () => rounds,
    sent: () => {
      events += 1
    },
    calls: () => [...calls],
    events: () => events,
    looked: (reader, what) => {
      const looks = readers.get(reader) ?? { records: 0, checkpoints: 0 }
      looks[what] += 1
      readers.set(reader, looks)
    },
    records: () => [...readers.values()].reduce((sum, { records }) => sum + records, 0),
    readers: () => new Map(readers),
  }
}

/** Milliseconds that a real server takes for each kind of call, and for a thousand records that a subscription looks at. */
export interface Latency {
  readonly read: number
  readonly write: number
  readonly records?: number
}

/** The conditions that a server works under: its clock, and the faults as it meets them. */
export interface Conditions {
  readonly faults: Faults
  /** Subscriptions that are live, by how they are dropped. */
  readonly subscriptions: Set<() => void>
  /** Open calls that carry appends, by how they are dropped. */
  readonly batches: Set<() => void>
  readonly refusal: () => Refusal | undefined
  /** The server's clock, in milliseconds since 1970. */
  readonly now: () => number
  /** Resolves when the call may go on; `records` is for a thousand records that a subscription has looked at. */
  readonly ready: (call: keyof Latency) => Promise<void>
  readonly tally: Tally
  /** The outcome of the current append; counts it. */
  readonly nextAppend: () => 'lost' | 'unanswered' | 'well'
}

/** Fair conditions, until a fault is ordered. */
export function createConditions(latency: Latency = { read: 0, write: 0 }): Conditions {
  const subscriptions = new Set<() => void>()
  const batches = new Set<() => void>()
  const state = { replies: 0, appends: 0, delay: 0, behind: 0, refusal: undefined as Refusal | undefined }
  const faults: Faults = {
    dropReplies: (count) => {
      state.replies = count
    },
    loseAppends: (count) => {
      state.appends = count
    },
    delay: (milliseconds) => {
      state.delay = milliseconds
    },
    refuse: (status) => {
      state.refusal = status
    },
    dropSubscriptions: () => {
      for (const drop of [...subscriptions]) drop()
    },
    dropBatches: () => {
      for (const drop of [...batches]) drop()
    },
    clockBehind: (milliseconds) => {
      state.behind = milliseconds
    },
  }
  return {
    faults,
    subscriptions,
    batches,
    refusal: () => state.refusal,
    now: () => Date.now() + state.behind,
    ready: async (call) => {
      const wait = (call === 'records' ? 0 : state.delay) + (latency[call] ?? 0)
      if (wait > 0) await sleep(wait)
    },
    tally: createTally(),
    nextAppend: () => {
      if (state.appends-- > 0) return 'lost'
      state.appends = 0
      if (state.replies-- > 0) return 'unanswered'
      state.replies = 0
      return 'well'
    },
  }
}
