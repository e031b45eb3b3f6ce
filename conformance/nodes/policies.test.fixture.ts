import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Storage } from '../../engine/index.ts'

/** The term of a lease in milliseconds. */
const ttl = 1_500

/** The program of the child process of these tests. */
const child = join(import.meta.dirname, 'policy.test.child.js')

/** Processes that run the policy, one of which handles. */
interface Runners {
  /** Kills the one that has the turn, and starts another in its place. */
  killHolder(): Promise<void>
  /** Stops all; returns their exit codes. */
  stop(): Promise<readonly (number | null)[]>
  /** Kills the remaining ones. */
  close(): void
}

interface Runner {
  readonly process: ChildProcess
  /** Resolves once the process handles SIGTERM. */
  readonly listens: Promise<unknown>
}

/** Starts two processes on the store at an address, which is `store`. */
export function startRunners(address: string, store: Storage): Runners {
  const running = new Map<string, Runner>()
  let count = 0

  function start() {
    const name = `runner-${count++}`
    const args = [child, name, String(ttl)]
    const started = spawn(process.execPath, args, {
      env: { ...process.env, OTEP_STORE: address },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running.set(name, { process: started, listens: once(started.stdout, 'data') })
  }

  async function killHolder(): Promise<void> {
    for (;;) {
      const name = (await store.leases.read('copying'))?.holder ?? ''
      const holder = running.get(name)
      if (holder === undefined) {
        await setTimeout(20)
        continue
      }
      running.delete(name)
      const ended = once(holder.process, 'exit')
      holder.process.kill('SIGKILL')
      await ended
      start()
      return
    }
  }

  start()
  start()
  return {
    killHolder,
    stop: async () => {
      const ended = [...running.values()].map(({ process }) => once(process, 'exit'))
      for (const { process, listens } of running.values()) {
        // Before a signal has a handler, it kills a process at once.
        await listens
        process.kill('SIGTERM')
      }
      return (await Promise.all(ended)).map(([code]) => code as number | null)
    },
    close: () => {
      for (const { process } of running.values()) process.kill('SIGKILL')
    },
  }
}

/** Records so many events, one after the other with a moment between; their ids. */
export async function recordSlowly(store: Storage, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const id = randomUUID()
    await store.append(
      `source-${number % 3}`,
      [{ id, type: 'SomethingHappened', data: {}, metadata: { schemaVersion: 1 } }],
      'any',
    )
    ids.push(id)
    await setTimeout(2)
  }
  return ids
}

/** The recorded events in order, once there are `count` of them. */
export async function copiesIn(store: Storage, count: number): Promise<readonly string[]> {
  const copies: string[] = []
  for await (const { data } of store.follow(undefined, { stream: 'copy-all' }, AbortSignal.timeout(30_000))) {
    copies.push((data as { readonly of: string }).of)
    if (copies.length === count) break
  }
  return copies
}
