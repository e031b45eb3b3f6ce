import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Child, startChild } from '../child.ts'
import type { Case, Prepared, Sample, Settings, Topic } from '../harness.ts'
import { trackingNumber } from '../timelines.ts'
import { loads } from './loads.ts'
import type { Order, Report } from './sender.ts'
import { beginReading } from './victim.ts'

/** Milliseconds of reading before and after a load. */
const around = 200

const path = `/api/v1/otep/trackings/${trackingNumber(0)}`

/** The end of the names of cases with a small heap. */
export const smallHeap = ', heap of 128 MiB'

/** The heaps of the servers: that of Node, and a small one. */
const heaps = [
  { name: '', execArgv: [] },
  { name: smallHeap, execArgv: ['--max-old-space-size=128', '--max-semi-space-size=8'] },
]

/** The names of all cases. */
export const fairnessCases: readonly string[] = heaps.flatMap((heap) => loads.map(({ name }) => name + heap.name))

/** Reads of others while a hostile or large request is worked on. */
export const fairness: Topic = {
  name: 'fairness',
  summary: 'reads of a timeline, 50 a second, beside one hostile or large request after the other',
  unit: 'read',
  maxRounds: 1,
  prepare,
}

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const served = heaps.map(({ name, execArgv }, index) => {
    const begin = () => progress(`filling a store${name}`)
    return { name, ...serving({ dataDir: join(directory, `fairness-${index}`), execArgv, scale, begin }) }
  })
  const cases = served.flatMap(({ name: heap, beside }) =>
    loads.map(({ name }): Case => ({ name: name + heap, run: () => beside(name) })),
  )
  const close = async () => {
    for (const one of served) await one.close()
  }
  return { cases, notes: [note], close }
}

/** The settings of a server under load. */
interface ServedSettings {
  readonly dataDir: string
  readonly execArgv: readonly string[]
  readonly scale: number
  /** Called before its store is filled. */
  begin(): void
}

/** Reads from a server, which is started and filled for the first load, while a load is on. */
function serving({ dataDir, execArgv, scale, begin }: ServedSettings) {
  let server: Child | undefined
  const place = { key: '', run: 0, scale, long: 'LONG-1' }

  async function started(): Promise<Child> {
    if (server?.hasEnded() === false) return server
    if (place.key === '') await fill()
    server = await startChild({ kind: 'engine on a store', dataDir }, execArgv)
    return server
  }

  /** By a server with room, because filling the store is no load. */
  async function fill(): Promise<void> {
    begin()
    const filling = await startChild({ kind: 'engine', dataDir, lines: [] }, [])
    place.key = filling.key
    const sender = await startSender({ port: filling.port, place })
    const made = await sender.send().finally(sender.stop)
    await filling.stop()
    if (Object.keys(made).join() !== '200') throw new Error(`The store was not filled: ${JSON.stringify(made)}`)
  }

  async function beside(load: string): Promise<Sample> {
    const own = await started()
    place.run++
    const sender = await startSender({ port: own.port, place, load })
    try {
      return await readBeside(own, sender)
    } catch (error) {
      // The end of a connection is known before the end of the process.
      if (!own.hasEnded()) await setTimeout(1000)
      if (!own.hasEnded()) throw error
      return { units: 0, seconds: 0, cpuSeconds: 0, figures: { ...figuresOf([]), deaths: 1 } }
    } finally {
      sender.stop()
    }
  }

  async function readBeside(own: Child, sender: Sender): Promise<Sample> {
    const cpuSeconds = await own.cpuSeconds()
    const victim = await beginReading(own.port, path)
    const start = performance.now()
    try {
      await setTimeout(around * scale)
      await sender.send()
      await setTimeout(around * scale)
    } finally {
      await victim.stop()
    }
    const seconds = (performance.now() - start) / 1000
    const { latencies, failure } = await victim.stop()
    if (failure !== undefined) throw failure
    const used = (await own.cpuSeconds()) - cpuSeconds
    return { units: latencies.length, seconds, cpuSeconds: used, figures: { ...figuresOf(latencies), deaths: 0 } }
  }

  return { beside, close: async () => server?.stop() }
}

function figuresOf(sorted: readonly number[]) {
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'max ms': at(1) }
}

/** A process that sends a load. */
interface Sender {
  send(): Promise<Report>
  stop(): void
}

/** Starts the process that sends a load, and waits until its requests are made. */
async function startSender(order: Order): Promise<Sender> {
  const file = join(import.meta.dirname, `sender${extname(import.meta.filename)}`)
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(() => {
    throw new Error('The sender has ended.')
  })
  ended.catch(() => {})
  const told = () => Promise.race([once(child, 'message').then(([message]) => message as Report), ended])
  child.send(order)
  await told()
  return {
    send: async () => {
      child.send('go')
      return told()
    },
    stop: () => void child.kill(),
  }
}

const note =
  'The server, the reader and the sender of the load are three processes. A read counts from the moment at which it was ' +
  'due, so the maximum is how long the server has served nobody. Only the requests of a load vary: one call with a key, ' +
  'or four from as many addresses. A death is an end of the process.'
