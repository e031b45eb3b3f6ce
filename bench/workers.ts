import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { connections, startChild } from './child.ts'
import type { Case, Prepared, Sample, Settings, Topic } from './harness.ts'
import { requestOf, send } from './load.ts'
import { programAt, startProgram } from './program.ts'
import { addressIn } from './start-up.ts'
import { eventLine, trackingNumber, wholeTimelines } from './timelines.ts'

/** Reads and writes of a server of one process and of one of two, on the machine of their client. */
export const workers: Topic = {
  name: 'workers',
  summary: 'otep serve with one and with two processes: timeline reads, and ingest of one event a call',
  unit: 'request',
  prepare,
}

const requestsARound = { hot: 4_000, cold: 500, post: 1_600 }

/** Numbers from here on are of parcels that only the calls of ingest name. */
const firstPosted = 1_000_000

async function prepare({ rounds, scale, directory, progress }: Settings): Promise<Prepared> {
  const of = (count: number) => Math.max(1, Math.round(count * scale))
  const sizes = { hot: of(requestsARound.hot), cold: of(requestsARound.cold), post: of(requestsARound.post) }
  const parcels = sizes.cold * (rounds + 1)
  const servers: Server[] = []
  const cases: Case[] = []
  for (const count of [1, 2]) {
    progress(`starting ${count === 1 ? 'one process' : 'two processes'}`)
    const dataDir = join(directory, `workers-${count}`)
    const writer = await startChild({ kind: 'engine', dataDir, lines: wholeTimelines(parcels) })
    await writer.stop()
    const server = await serve(dataDir, count)
    servers.push(server)
    const caseOf = (name: string, work: () => Promise<Sample>): Case => ({
      name: `${name}, ${count} ${count === 1 ? 'worker' : 'workers'}`,
      ...(count === 1 ? {} : { reference: `${name}, 1 worker` }),
      run: work,
    })
    const reader = (path: (index: number) => string, size: number) => {
      let at = 0
      return () => {
        const requests = Array.from({ length: size }, () => requestOf('GET', timelines + path(at++)))
        return server.measure(requests)
      }
    }
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${writer.key}` }
    let posted = firstPosted
    const post = () => {
      const lines = Array.from({ length: sizes.post }, () => eventLine(posted++, 0))
      return server.measure(lines.map((line) => requestOf('POST', '/api/v1/otep/ingest', headers, line)))
    }
    cases.push(
      caseOf(
        'timelines read again',
        reader((index) => trackingNumber(index % hotParcels), sizes.hot),
      ),
      caseOf(
        'timelines read for the first time',
        reader((index) => trackingNumber(index % parcels), sizes.cold),
      ),
      caseOf('POST of 1 event', post),
    )
  }
  return { cases, notes: [note()], close: async () => void (await Promise.all(servers.map((server) => server.stop()))) }
}

const timelines = '/api/v1/otep/trackings/'

/** Timelines that are read again and again. */
const hotParcels = 200

/** `otep serve` with some workers. */
interface Server {
  /** Sends requests and returns their cost at all processes of the server. */
  measure(requests: readonly Buffer[]): Promise<Sample>
  stop(): Promise<void>
}

async function serve(dataDir: string, count: number): Promise<Server> {
  const { stdout, stop, ended } = startProgram([
    ...[programAt('adapters', 'cli', 'main'), 'serve', '--workers', String(count), '--data-dir', dataDir],
    ...['--port', '0', '--host', '127.0.0.1', '--limits', 'off'],
  ])
  const url = await Promise.race([addressIn(stdout), ended.then(() => '')])
  const metric = async (name: string) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  }
  while ((await metric('otep_processes')) < count);
  const cpuSeconds = () => metric('process_cpu_seconds_total')
  return {
    measure: async (requests) => {
      const before = await cpuSeconds()
      const start = performance.now()
      await send({ port: Number(new URL(url).port), connections, requests, status: 200 })
      const seconds = (performance.now() - start) / 1000
      return { units: requests.length, seconds, cpuSeconds: (await cpuSeconds()) - before }
    },
    stop: async () => {
      stop()
      await ended
    },
  }
}

const note = () =>
  `Compare wall times: workers do not make a request cheaper. This machine has ${availableParallelism()} cores, and the client ` +
  'takes one of them, so a second worker can only show what it does on a machine with more. CPU time is that of all processes ' +
  'of the server, without the one that starts them.'
