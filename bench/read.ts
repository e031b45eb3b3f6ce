import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openModels } from '../adapters/sqlite/models/open.ts'
import { plainPath, type Ready } from './bare.ts'
import { type Child, connections, startChild } from './child.ts'
import type { Case, Prepared, Settings, Topic } from './harness.ts'
import { nextVisitor, ownHeaders, requestOf } from './load.ts'
import { timelineLength, trackingNumber, wholeTimelines } from './timelines.ts'

const parcels = 2_000
const readsARound = 8_000
const coldReadsARound = 2_000
const path = '/api/v1/otep/trackings/'

const commitsASecond = 50

/** Reads of timelines over HTTP, whole and unchanged, compared with a bare route that returns the same bytes. */
export const read: Topic = {
  name: 'read',
  summary: 'timeline reads over HTTP, hot, cold and 304, against node:http and a Hono route that answer the same bytes',
  unit: 'request',
  prepare,
}

async function prepare({ rounds, scale, directory, progress }: Settings): Promise<Prepared> {
  const hot = Math.round(parcels * scale)
  const part = Math.round(coldReadsARound * scale)
  const cold = part * (rounds + 2)
  const numbers = Array.from({ length: hot + cold }, (_, parcel) => trackingNumber(parcel))
  progress('starting servers')
  const dataDir = join(directory, 'read')
  const engine = await startChild({ kind: 'engine', dataDir, lines: wholeTimelines(numbers.length) })
  const pages = await pagesOf(engine, numbers.slice(0, hot))
  const restarted = await startChild({ kind: 'engine on a store', dataDir })
  await untilKept(dataDir, hot)
  await warmWithKept(restarted, numbers.slice(0, hot))
  await pagesOf(engine, numbers.slice(hot, hot + part))
  const bare = await startChild({ kind: 'bare', answers: pages })
  const node = await startChild({ kind: 'bare node:http', answers: pages })
  const besideDir = join(directory, 'read-beside')
  const beside = await startChild({ kind: 'engine', dataDir: besideDir, lines: wholeTimelines(hot) })
  const writer = await startChild({ kind: 'writer', dataDir: besideDir, perSecond: commitsASecond })
  for (const other of [bare, node]) compare(pages, await pagesOf(other, numbers.slice(0, hot)))
  const reads = Math.round(readsARound * scale)
  const reference = 'bare Hono route, the same bytes'
  const plain = 'bare Hono route, Content-Type alone'
  const floor = 'bare node:http'
  const cases = [
    { ...reading(engine, pages, reads, 200), name: 'engine, whole timeline', reference: [floor, reference, plain] },
    {
      ...reading(beside, pages, reads, 200),
      name: `engine, while another process commits ${commitsASecond} times a second`,
      reference: floor,
    },
    {
      ...readingOnce(engine, numbers.slice(hot + part), rounds + 1),
      name: 'engine, first read',
      reference: [floor, reference],
    },
    {
      ...readingOnce(restarted, numbers.slice(hot, -part), rounds + 1, (read) => untilKept(dataDir, hot + read)),
      name: 'engine, cold timeline',
      reference: [floor, reference],
    },
    {
      ...reading(engine, pages, reads, 304),
      name: 'engine, If-None-Match, 304',
      reference: `${floor}, If-None-Match, 304`,
    },
    { ...reading(node, pages, reads, 200), name: floor },
    { ...reading(node, pages, reads, 304), name: `${floor}, If-None-Match, 304` },
    { ...reading(bare, pages, reads, 200), name: reference },
    { ...reading(bare, pages, reads, 200, plainPath), name: plain },
  ]
  const bytes = Math.round(pages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / pages.length)
  const note =
    `${hot} timelines of ${timelineLength} events, each read in turn, ${bytes} bytes an answer. A first read finds no ` +
    `snapshot, of ${numbers.length} timelines in the store; a cold one is the next, by another process that has it in no ` +
    `memory, after its answer and its snapshot were written. ${connections} connections from another process, to servers that ` +
    "have answered about as often before they count. CPU time is that of the server's process alone. What is bare answers a ready text, with the headers of the engine's answer."
  const children = [engine, restarted, bare, node, beside, writer]
  const close = async () => void (await Promise.all(children.map((child) => child.stop())))
  return { cases, notes: [note], close }
}

function reading(
  server: Child,
  pages: readonly Ready[],
  reads: number,
  status: 200 | 304,
  from = path,
): Pick<Case, 'run'> {
  const requests = Array.from({ length: reads }, (_, index) => {
    const { number = '', headers = {} } = pages[index % pages.length] ?? {}
    return requestOf('GET', from + number, status === 304 ? { 'If-None-Match': headers.etag ?? '' } : {})
  })
  return { run: () => server.measure({ requests, status }) }
}

/**
 * Each number is read once, a part of them in each run; `ready` gets how many will have been read after that run. Every other
 * round is reversed, so a first read is a round before the cold one of the same number.
 */
function readingOnce(
  server: Child,
  numbers: readonly string[],
  runs: number,
  ready: (read: number) => Promise<void> = async () => {},
): Pick<Case, 'run'> {
  const parts = inParts(numbers, runs)
  let read = 0
  return {
    run: async () => {
      const part = parts.shift() ?? []
      read += part.length
      await ready(read)
      const requests = part.map((number) => requestOf('GET', path + number))
      return server.measure({ requests, status: 200 })
    },
  }
}

/**
 * Warms a server with as many cold reads as a bare one answers before it counts: answers are held in memory by address
 * and `Accept`, so under another `Accept` they are cold.
 */
async function warmWithKept(server: Child, numbers: readonly string[]): Promise<void> {
  for (const Accept of ['*/*', 'application/json', 'application/json, */*', '*/*;q=0.9', 'application/*'])
    await server.measure({
      requests: numbers.map((number) => requestOf('GET', path + number, { Accept })),
      status: 200,
    })
}

/** Waits until so many answers are kept, ten seconds at most: some are left out where there is no room or lock. */
async function untilKept(dataDir: string, answers: number): Promise<void> {
  const database = openModels(join(dataDir, 'models.db'))
  const kept = database.prepare('SELECT count(*) AS count FROM answers')
  for (let tries = 0; tries < 100; tries++) {
    if ((kept.get() as { readonly count: number }).count >= answers) break
    await setTimeout(100)
  }
  database.close()
}

function inParts<Item>(items: readonly Item[], count: number): (readonly Item[])[] {
  const size = items.length / count
  return Array.from({ length: count }, (_, part) => items.slice(part * size, (part + 1) * size))
}

async function pagesOf({ port }: Child, numbers: readonly string[]): Promise<readonly Ready[]> {
  const pages: Ready[] = []
  for (const number of numbers) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}${number}`, {
      headers: { 'X-Forwarded-For': nextVisitor() },
    })
    pages.push({ number, text: await answer.text(), headers: ownHeaders(answer.headers) })
  }
  return pages
}

function compare(ours: readonly Ready[], bare: readonly Ready[]): void {
  for (const [index, { number, text }] of ours.entries()) {
    const { data } = JSON.parse(text) as { readonly data?: { readonly events: readonly unknown[] } }
    if (data?.events.length !== timelineLength) throw new Error(`${number} has not ${timelineLength} events.`)
    if (bare[index]?.text !== text) throw new Error(`The bare route answers other bytes for ${number}.`)
  }
}
