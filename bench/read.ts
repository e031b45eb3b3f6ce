import { join } from 'node:path'
import { type Child, connections, startChild } from './child.ts'
import type { Case, Prepared, Settings, Topic } from './harness.ts'
import { requestOf } from './load.ts'
import { timelineLength, trackingNumber, wholeTimelines } from './timelines.ts'

const parcels = 2_000
const readsARound = 8_000
const path = '/api/v1/otep/trackings/'

/** Reads of timelines over HTTP, whole and unchanged, against a bare route that answers the same bytes. */
export const read: Topic = {
  name: 'read',
  summary: 'timeline reads over HTTP, whole and 304, against a bare Hono route that answers the same bytes',
  unit: 'request',
  prepare,
}

interface Page {
  readonly number: string
  readonly text: string
  readonly tag: string
}

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const numbers = Array.from({ length: Math.round(parcels * scale) }, (_, parcel) => trackingNumber(parcel))
  progress('starting servers')
  const dataDir = join(directory, 'read')
  const engine = await startChild({ kind: 'engine', dataDir, lines: wholeTimelines(numbers.length) })
  const pages = await pagesOf(engine, numbers)
  const bare = await startChild({ kind: 'bare', texts: pages.map(({ number, text }) => [number, text]) })
  await compare(pages, await pagesOf(bare, numbers))
  const reads = Math.round(readsARound * scale)
  const reference = 'bare Hono route, the same bytes'
  const cases = [
    { ...reading(engine, pages, reads, 200), name: 'engine, whole timeline', reference },
    { ...reading(engine, pages, reads, 304), name: 'engine, If-None-Match, 304', reference },
    { ...reading(bare, pages, reads, 200), name: reference },
  ]
  const bytes = Math.round(pages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / pages.length)
  const note =
    `${numbers.length} timelines of ${timelineLength} events, each read in turn, ${bytes} bytes an answer; ` +
    `${connections} connections from another process. CPU time is that of the server's process alone.`
  const close = async () => void (await Promise.all([engine.stop(), bare.stop()]))
  return { cases, notes: [note], close }
}

function reading(server: Child, pages: readonly Page[], reads: number, status: 200 | 304): Pick<Case, 'run'> {
  const requests = Array.from({ length: reads }, (_, index) => {
    const { number = '', tag = '' } = pages[index % pages.length] ?? {}
    return requestOf('GET', path + number, status === 304 ? { 'If-None-Match': tag } : {})
  })
  return { run: () => server.measure({ requests, status }) }
}

async function pagesOf({ port }: Child, numbers: readonly string[]): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (const number of numbers) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}${number}`)
    pages.push({ number, text: await answer.text(), tag: answer.headers.get('etag') ?? '' })
  }
  return pages
}

function compare(ours: readonly Page[], bare: readonly Page[]): void {
  for (const [index, { number, text }] of ours.entries()) {
    const { data } = JSON.parse(text) as { readonly data?: { readonly events: readonly unknown[] } }
    if (data?.events.length !== timelineLength) throw new Error(`${number} has not ${timelineLength} events.`)
    if (bare[index]?.text !== text) throw new Error(`The bare route answers other bytes for ${number}.`)
  }
}
