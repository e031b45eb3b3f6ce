import { setImmediate } from 'node:timers/promises'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Storage } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import { createMemoryStore } from '../memory.ts'
import { type Node, startLife } from './life.ts'
import { type Policy, type PolicyFailure, type PolicyNode, runPolicy } from './policy.ts'

/** How long a holder may be silent in the tests, in milliseconds of their own time. */
export const ttl = 15_000

/** The name of the policy of the tests, which writes down each event once. */
export const policyName = 'copying'

/** A node of the tests, and what may happen to it. */
export interface Member {
  readonly name: string
  /** What it said of failures. */
  readonly troubles: PolicyFailure[]
  /** Lets nothing in or out for so many milliseconds; its clock goes on, or stops like that of a machine asleep. */
  pause(milliseconds: number, clock?: 'runs' | 'stands'): void
  /** Ends it as a power cut does: nothing is heard of it any more. */
  crash(): void
  /** Runs another policy on it, which does as the first. */
  also(policy: string): void
  /** Asks it to end. */
  stop(): Promise<void>
}

/** An event that a node began to handle. */
interface Start {
  readonly node: string
  readonly event: string
  /** Who held the lease at that moment. */
  readonly holder: string
  readonly at: number
}

/** How the nodes of a world are disturbed; chance comes from `random`. */
interface Disturbance {
  readonly random: () => number
  /** Part of the calls of the store that fail before they are done, and as many again after. */
  failing: number
  /** Longest way to the store or back, in milliseconds. */
  readonly delay: number
}

/** One store, nodes on it, and a time that passes when the test says so. */
export interface World {
  readonly store: Storage
  readonly starts: readonly Start[]
  /** Who holds the lease; empty where it was given back. */
  readonly holder: () => string
  /** Starts a node; `handle` is done before each event is written down. It may reach the store in its own way. */
  start(name: string, options?: Partial<Policy>, reached?: Storage): Member
  /** Lets so many milliseconds pass, and all that happens in them. */
  pass(milliseconds: number): Promise<void>
  /** Records new events; their ids. */
  record(count: number): Promise<readonly string[]>
  /** The ids of the events that were written down, in order. */
  copies(): Promise<readonly string[]>
}

interface Timer {
  readonly at: number
  readonly ring: () => void
}

/** A time that passes only when the test lets it, and then rings what is due. */
function createTime() {
  const timers = new Set<Timer>()
  let time = 1_000_000

  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const ring = () => {
        timers.delete(timer)
        signal?.removeEventListener('abort', ring)
        resolve()
      }
      const timer = { at: time + Math.max(0, milliseconds), ring }
      timers.add(timer)
      signal?.addEventListener('abort', ring)
      if (signal?.aborted === true) ring()
    })
  }

  async function pass(milliseconds: number): Promise<void> {
    const end = time + milliseconds
    for (;;) {
      await setImmediate()
      const next = [...timers].reduce<Timer | undefined>(
        (first, one) => (first && first.at <= one.at ? first : one),
        undefined,
      )
      if (next === undefined || next.at > end) break
      time = Math.max(time, next.at)
      next.ring()
    }
    time = end
  }

  return { now: () => time, sleep, pass }
}

const calm: Disturbance = { random: () => 0, failing: 0, delay: 0 }

/** Makes a world that is disturbed as told. Its nodes may be silent for so long, or for as long as they find right. */
export function createWorld(disturbance = calm, silence: { readonly ttl?: number } = { ttl }): World {
  const { now, sleep, pass } = createTime()
  let members = 0
  const starts: Start[] = []
  const { store, holder } = watched(createMemoryStore(now))

  function start(name: string, options: Partial<Policy> = {}, reached = store): Member {
    const stopping = new AbortController()
    const troubles: PolicyFailure[] = []
    const offset = ++members * 7_777_777
    const gate = createGate(now, sleep)
    const far = distant(reached, gate.pass, sleep, disturbance)
    const run: Node = {
      signal: stopping.signal,
      // No two machines agree on the time.
      now: () => now() - gate.slept() + offset,
      wait: async (milliseconds, signal) => {
        await sleep(milliseconds, signal)
        await gate.pass()
      },
    }
    const onFailure = (trouble: PolicyFailure) => troubles.push(trouble)
    const failed = (error: unknown) => onFailure({ policy: 'life', error, failures: 1 })
    const node: PolicyNode = { ...run, onFailure, life: startLife(far.leases, { ...run, ...silence, name, failed }) }
    const policy: Policy = {
      name: policyName,
      filter: { category: 'source' },
      from: 'beginning',
      ...options,
      handle: async (event, signal) => {
        starts.push({ node: name, event: event.id, holder: holder(), at: now() })
        await options.handle?.(event, signal)
        await copy(far, event)
      },
    }
    const running = [runPolicy(far, policy, node), node.life.ended]
    return {
      name,
      troubles,
      pause: gate.pause,
      also: (policyName) => void running.push(runPolicy(far, { ...policy, name: policyName }, node)),
      crash: gate.close,
      stop: () => {
        stopping.abort()
        return Promise.all(running).then(() => {})
      },
    }
  }

  return {
    store,
    starts,
    holder,
    start,
    pass,
    record: createRecorder(store),
    copies: async () => (await store.read('copy-all')).map(({ data }) => (data as { readonly of: string }).of),
  }
}

/** Records events in three streams in turn. */
function createRecorder(store: Storage): World['record'] {
  let recorded = 0
  return async (count) => {
    const ids = Array.from({ length: count }, () => deriveId('source', String(recorded++)))
    const events = ids.map((id) => ({ id, type: 'SomethingHappened', data: {}, metadata: { schemaVersion: 1 } }))
    await store.append(`source-${recorded % 3}`, events, 'any')
    return ids
  }
}

/** The effect of the policy: named after its event, so that it is there once. */
async function copy(store: Storage, { id }: RecordedEvent): Promise<void> {
  const event = { id: deriveId(policyName, id), type: 'Copied', data: { of: id }, metadata: { schemaVersion: 1 } }
  await store.append('copy-all', [event], 'any')
}

/** A store, and who holds the lease that was written last. */
function watched(store: Storage): { readonly store: Storage; readonly holder: () => string } {
  let holder = ''
  const leases: Storage['leases'] = {
    read: store.leases.read,
    write: async (name, lease) => {
      const isWritten = await store.leases.write(name, lease)
      if (isWritten && name === policyName) holder = lease.holder
      return isWritten
    },
  }
  return { store: { ...store, leases }, holder: () => holder }
}

/** What a node has to pass at each step: open, shut for a while, or for ever. */
function createGate(now: () => number, sleep: (milliseconds: number) => Promise<void>) {
  let shutUntil = 0
  let isClosed = false
  const naps: { readonly from: number; readonly to: number }[] = []
  return {
    pass: async () => {
      while (now() < shutUntil) await sleep(shutUntil - now())
      if (isClosed) await new Promise(() => {})
    },
    pause: (milliseconds: number, clock: 'runs' | 'stands' = 'runs') => {
      const from = Math.max(now(), shutUntil)
      shutUntil = Math.max(shutUntil, now() + milliseconds)
      if (clock === 'stands' && shutUntil > from) naps.push({ from, to: shutUntil })
    },
    close: () => {
      isClosed = true
    },
    /** How long its clock has stood. */
    slept: () => naps.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(now(), to) - from), 0),
  }
}

/** The store as a node reaches it: late, through its gate, and not always. */
function distant(
  store: Storage,
  gate: () => Promise<void>,
  sleep: (milliseconds: number) => Promise<void>,
  disturbance: Disturbance,
): Storage {
  async function way(): Promise<void> {
    const { random, failing, delay } = disturbance
    if (delay > 0) await sleep(random() * delay)
    await gate()
    if (random() < failing) throw new EngineError('store_unavailable')
  }
  const reached =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await way()
      const result = await call(...args)
      await way()
      return result
    }
  return {
    ...store,
    append: reached(store.append),
    read: reached(store.read),
    leases: { read: reached(store.leases.read), write: reached(store.leases.write) },
    follow: async function* (after, filter, signal) {
      for await (const event of store.follow(after, filter, signal)) {
        await way()
        yield event
      }
    },
  }
}
