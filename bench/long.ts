import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openStore } from '../adapters/main.ts'
import { storeFrom } from '../adapters/node/config.ts'
import { type Child, startChild } from './child.ts'
import { streamOf, timelineIn } from './facts.ts'
import type { Prepared, Sample, Settings, Topic } from './harness.ts'
import { impersonal } from './impersonal.ts'
import { longHistory } from './length.ts'
import { requestOf } from './load.ts'
import { writtenIn } from './rows.ts'
import type { Role } from './server.ts'
import { trackingNumber, wholeTimelines } from './timelines.ts'

const events = 100_000

/** Events of one transaction while the store is prepared. */
const eventsAtOnce = 1_000

const pathOf = (parcel: number) => `/api/v1/otep/trackings/${trackingNumber(parcel)}`

/** The parcel with the long timeline, and one with a short one, which is read first. */
const [longOne, shortOne] = [0, 1]

const headers = { Accept: 'application/json; profile="urn:otep:format:epcis"', Connection: 'close' }

/** One timeline that is very long. */
export const long: Topic = {
  name: 'long',
  summary: 'one timeline of 100,000 events over HTTP as EPCIS, sent as it is made, against the whole document at once',
  unit: 'event',
  prepare,
}

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const count = Math.round(events * scale)
  const dataDir = join(directory, 'long')
  progress(`writing ${count.toLocaleString('en')} events`)
  await writeTimeline(dataDir, count)
  const reference = 'bare Hono route, the whole document'
  const cases = [
    { name: 'engine, as it is made', reference, run: () => reading({ kind: 'engine on a store', dataDir }, count) },
    { name: reference, run: () => reading({ kind: 'whole documents', dataDir }, count) },
  ]
  return { cases, notes: [note], close: async () => {} }
}

async function writeTimeline(dataDir: string, count: number): Promise<void> {
  const store = await openStore(storeFrom({ OTEP_DATA_DIR: dataDir }))
  const [appends = []] = await writtenIn([impersonal(wholeTimelines(2))])
  const stream = streamOf(longOne)
  await store.appendMany(appends.filter((append) => append.stream !== stream))
  const facts = longHistory(count, timelineIn(appends))
  for (let from = 0; from < count; from += eventsAtOnce)
    await store.append(stream, facts.slice(from, from + eventsAtOnce), from === 0 ? 'no-stream' : from - 1)
  await store.close()
}

/**
 * Reads the timeline from a fresh server, so that its memory is that of this one response. It has answered with a short one
 * before: what the first request of a process loads and compiles is not what a long timeline costs.
 */
async function reading(role: Role, count: number): Promise<Sample> {
  const server = await startChild(role)
  try {
    await readTo(server, shortOne)
    const cpuSeconds = await server.cpuSeconds()
    const idle = resetPeak(server)
    const others = asking(server)
    const { firstMs, seconds, bytes } = await readTo(server, longOne)
    const longest = await others.end()
    if (bytes < 100 * count) throw new Error(`The server answered ${bytes} bytes.`)
    const peak = memoryOf(server, 'VmHWM')
    const waits = { 'first byte ms': firstMs, 'others wait ms': longest }
    const figures = { ...waits, ...(idle === undefined ? {} : { 'peak MiB': (peak ?? 0) - idle }) }
    return { units: count, seconds, cpuSeconds: (await server.cpuSeconds()) - cpuSeconds, figures }
  } finally {
    await server.stop()
  }
}

/** Milliseconds between two small requests to the same server. */
const askEvery = 5

/** Sends one small request after another, over one connection; `end` returns the longest wait, in milliseconds. */
function asking({ port }: Child) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let [longest, isOver] = [0, false]
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const start = performance.now()
      const answered = (answer: IncomingMessage) =>
        answer.resume().once('end', () => {
          longest = Math.max(longest, performance.now() - start)
          resolve()
        })
      get({ host: '127.0.0.1', port, path: '/healthz', agent }, answered).once('error', reject)
    })
  const all = (async () => {
    for (; !isOver; await setTimeout(askEvery)) await ask()
  })()
  return {
    end: async () => {
      isOver = true
      await all
      agent.destroy()
      return longest
    },
  }
}

/**
 * Reads a response to its end and drops it, always into the same memory: garbage of this process would have to be
 * collected, and the others would wait for that and not for the server.
 */
function readTo({ port }: Child, parcel: number) {
  return new Promise<{ readonly firstMs: number; readonly seconds: number; readonly bytes: number }>(
    (resolve, reject) => {
      const start = performance.now()
      let firstMs = Number.NaN
      let bytes = 0
      const callback = (length: number, chunk: Uint8Array) => {
        if (bytes === 0) firstMs = performance.now() - start
        if (bytes === 0 && !/^HTTP\/1.1 200 /.test(Buffer.from(chunk.subarray(0, 16)).toString()))
          reject(new Error('The server did not answer 200.'))
        bytes += length
        return true
      }
      const socket = connect({ port, host: '127.0.0.1', onread: { buffer: received, callback } })
      socket.once('error', reject)
      socket.once('end', () => resolve({ firstMs, seconds: (performance.now() - start) / 1000, bytes }))
      socket.write(requestOf('GET', pathOf(parcel), headers))
    },
  )
}

/** What was received last. */
const received = Buffer.alloc(1 << 16)

/** Resets the peak, and returns the server's current memory in MiB; undefined if the system does not provide it. */
function resetPeak(server: Child): number | undefined {
  const reset = `/proc/${server.pid}/clear_refs`
  if (!existsSync(reset)) return undefined
  writeFileSync(reset, '5')
  return memoryOf(server, 'VmRSS')
}

function memoryOf({ pid }: Child, name: 'VmRSS' | 'VmHWM'): number | undefined {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return undefined
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8')) ?? []
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
}

const note =
  'Each run is of a server that has answered with one short timeline, on a store whose timelines another server has read. The peak is how far ' +
  'its memory grows above what it has before (Linux alone tells). The reference reads all facts and folds them before ' +
  'the first byte; the engine reads them while it sends the document, as fast as the reader takes it. Meanwhile another ' +
  'client asks for /healthz, a request after the other.'
