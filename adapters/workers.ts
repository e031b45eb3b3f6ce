import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Config } from './node/config.ts'
import type { Log } from './node/log.ts'
import { numberVariable, type Told, topics } from './node/peers.ts'
import { createLog } from './telemetry/log.ts'

/** Milliseconds before a worker that ended by itself is started again: twice as long each time, up to `most`. */
const restartPause = { first: 500, most: 30_000 }

/** Milliseconds after which a worker counts as well, so that the next pause is the first one again. */
const wellAfter = 60_000

/** The processes that serve together. */
interface Workers {
  /** The address on which all of them listen. */
  readonly url: string
  /** Stops all of them, each as a server stops, and returns the exit code of the server. */
  stop(): Promise<number>
}

/**
 * Starts the processes of a server, which share its port: the first one, and the others once it listens, so that files
 * are created once. One that ends by itself is started again. Returns the exit code if the first one ends before it
 * listens.
 */
export async function startWorkers({
  workers: count,
  logLevel,
}: Pick<Config, 'workers' | 'logLevel'>): Promise<Workers | number> {
  cluster.setupPrimary({ args: process.argv.slice(2), serialization: 'advanced' })
  const log = createLog(logLevel)
  const crew = createCrew(log)
  const url = await crew.first()
  if (typeof url === 'number') {
    log.close()
    return url
  }
  for (let number = 2; number <= count; number++) crew.start(number)
  return {
    url,
    stop: async () => {
      const code = await crew.stop()
      log.close()
      return code
    },
  }
}

/** Starts, introduces and stops the processes. */
function createCrew(log: Log) {
  const workers = new Map<number, Worker>()
  const pauses = new Map<number, NodeJS.Timeout>()
  let isServing = false

  /** Hands a message to the one that it is for, or to all but the sender. */
  function tell(told: Told) {
    for (const [number, worker] of workers)
      if (number !== told.from && (told.to ?? number) === number && worker.isConnected()) worker.send(told, () => {})
  }

  /** Tells a new worker of the others, and the others of the new one. */
  function introduce(to: number) {
    for (const other of workers.keys()) if (other !== to) tell({ topic: topics.joined, content: other, from: 0, to })
    tell({ topic: topics.joined, content: to, from: to })
  }

  function start(number: number, pause = restartPause.first): Worker {
    const worker = cluster.fork({ [numberVariable]: String(number) })
    const startedAt = performance.now()
    workers.set(number, worker)
    worker.on('message', (told: Told) => (told.topic === topics.listening ? introduce(number) : tell(told)))
    worker.once('exit', (code, signal) => {
      workers.delete(number)
      tell({ topic: topics.left, content: number, from: number })
      if (!isServing) return
      const next = performance.now() - startedAt > wellAfter ? restartPause.first : pause
      log.error({ worker: number, code, signal, startsInMs: next }, 'a worker ended by itself')
      const again = () => start(number, Math.min(restartPause.most, next * 2))
      pauses.set(number, setTimeout(again, next))
    })
    return worker
  }

  /** Starts the first worker; returns the address on which it listens, or its exit code if it ends before. */
  async function first(): Promise<string | number> {
    const worker = start(1)
    const listening = new Promise<string>((resolve) => {
      worker.on('message', ({ topic, content }: Told) => topic === topics.listening && resolve(String(content)))
    })
    const result = await Promise.race([listening, exitOf(worker)])
    isServing = typeof result === 'string'
    return result
  }

  async function stop(): Promise<number> {
    isServing = false
    for (const timer of pauses.values()) clearTimeout(timer)
    const ends = [...workers.values()].map(exitOf)
    tell({ topic: topics.stop, content: null, from: 0 })
    return Math.max(0, ...(await Promise.all(ends)))
  }

  return { first, start, stop }
}

/** The exit code of a worker when it ends; 1 if it was killed. */
async function exitOf(worker: Worker): Promise<number> {
  const [code] = (await once(worker, 'exit')) as [number | null]
  return code ?? 1
}
