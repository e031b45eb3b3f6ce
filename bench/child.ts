import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import type { Sample } from './harness.ts'
import { type Load, send } from './load.ts'
import type { Question, Reply, Role, Usage } from './server.ts'

/** A server in its own process, so that its CPU time is measured separately. */
export interface Child {
  readonly port: number
  /** A provider's key, if the server requires one. */
  readonly key: string
  readonly pid: number
  /** CPU time of the server so far. */
  cpuSeconds(): Promise<number>
  /** Its memory, in bytes. */
  memory(): Promise<Pick<Usage, 'rss' | 'heapUsed'>>
  /** Sends a load and returns its cost at the server. */
  measure(load: Pick<Load, 'requests' | 'status'>): Promise<Sample>
  /** Whether its process has ended. */
  hasEnded(): boolean
  stop(): Promise<void>
}

/** Concurrent connections. */
export const connections = 32

/** Starts a server in a role, with options of Node, and waits until it listens. */
export async function startChild(role: Role, execArgv: readonly string[] = process.execArgv): Promise<Child> {
  // Nobody reads the log, except for errors.
  const log = role.kind === 'greeting' ? 'ignore' : 'inherit'
  const child = fork(join(import.meta.dirname, `server${extname(import.meta.filename)}`), {
    execArgv: [...execArgv],
    stdio: ['ignore', 'inherit', log, 'ipc'],
  })
  const ended = once(child, 'exit')

  async function ask(question: Question): Promise<Reply> {
    child.send(question)
    const outcome = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
    if (outcome === undefined) throw new Error(`The ${role.kind} server has ended.`)
    return outcome[0] as Reply
  }

  async function usage(): Promise<Usage> {
    const reply = await ask({ ask: 'usage' })
    return 'cpuSeconds' in reply ? reply : { cpuSeconds: Number.NaN, rss: Number.NaN, heapUsed: Number.NaN }
  }

  const cpuSeconds = async () => (await usage()).cpuSeconds

  const reply = await ask({ role })
  const { port, key } = 'port' in reply ? reply : { port: 0, key: '' }
  return {
    port,
    key,
    pid: child.pid ?? 0,
    cpuSeconds,
    memory: usage,
    measure: async ({ requests, status }) => {
      const before = await cpuSeconds()
      const start = performance.now()
      const rest = keepAwake()
      await send({ port, connections, requests, status }).finally(rest)
      const seconds = (performance.now() - start) / 1000
      return { units: requests.length, seconds, cpuSeconds: (await cpuSeconds()) - before }
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * Keeps this process from sleeping until the returned function is called. A server pays for waking the client that its
 * answer goes to, which in a virtual machine is as much as a small answer; one that is faster than the client never does.
 */
function keepAwake(): () => void {
  let isAwake = true
  const turn = () => void (isAwake && setImmediate(turn))
  turn()
  return () => {
    isAwake = false
  }
}

/** The cost at a server of requests over so many connections, while the caller may sleep. */
export async function sampleOf(child: Child, requests: readonly Buffer[], connections: number): Promise<Sample> {
  const [before, start] = [await child.cpuSeconds(), performance.now()]
  await send({ port: child.port, connections, requests, status: 200 })
  const seconds = (performance.now() - start) / 1000
  return { units: requests.length, seconds, cpuSeconds: (await child.cpuSeconds()) - before }
}
