import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { hostileBodies } from './hostile/bodies.ts'
import { program } from './program/files.ts'
import { addProvider } from './program/provider.ts'
import { type Server, startServer } from './program/server.ts'

/** Heaps in MiB, and bodies that are accepted there; a nightly run has larger ones. */
const heaps =
  process.env.OTEP_HOSTILE === 'whole'
    ? [
        { heap: 256, mebibytes: 3 },
        { heap: 1024, mebibytes: 10.5 },
        { heap: undefined, mebibytes: 15.9 },
      ]
    : [{ heap: 256, mebibytes: 3 }]

/** Callers, each with a key, who send at once. */
const callers = ['a', 'b', 'c', 'd']

/** What a request that is not recorded may be answered: it is too large, malformed or not valid, or comes too often. */
const refusals: readonly string[] = [
  ...['413 event_too_large', '413 too_many_values', '413 too_many_events', '413 too_many_members'],
  ...['400 malformed_xml', '422 nothing_accepted', '503 too_busy'],
]

for (const { heap, mebibytes } of heaps) {
  const place = heap === undefined ? 'the heap of Node' : `a heap of ${heap} MiB`
  t.test(
    `given ${place}, when hostile bodies come, four at once, then each is answered and the server goes on`,
    async (t) => {
      const dataDir = t.testdir({})
      const keys: string[] = []
      for (const name of callers) keys.push(await addProvider(name, ['--data-dir', dataDir]))
      const options = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
      const server = await startServer(program, dataDir, options)
      t.teardown(() => server.kill())
      for (const [name, { path, type, textOf }] of Object.entries(hostileBodies)) {
        const body = gzipSync(textOf(mebibytes * 1024 * 1024))
        const answers = await Promise.all(keys.map((key) => answerTo(server, path, key, type, body)))
        for (const answer of answers) t.ok(/^20\d /.test(answer) || refusals.includes(answer), `${name}: ${answer}`)
        t.comment(`${name}: ${[...new Set(answers)].join(', ')}${residentSince(server)}`)
      }
      const [key = ''] = keys
      const event = { status_code: 'in_transit', occurred_at: '2026-06-10T09:00:00Z' }
      const good = { profile: 'parcel', subject: { tracking_number: 'H1' }, events: [event] }
      const body = gzipSync(JSON.stringify(good))
      t.match(await answerTo(server, '/api/v1/otep/ingest', key, 'application/json', body), /^200 /)
      t.equal(await server.stop(), 0)
    },
  )
}

/** The most memory that a process has had since this was asked last, where the system tells it. */
function residentSince({ pid }: Server): string {
  const status = `/proc/${pid}/status`
  if (!existsSync(status)) return ''
  const [, kibibytes = ''] = /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8')) ?? []
  // The mark is set back (proc(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return `, ${Math.round(Number(kibibytes) / 1024)} MiB resident`
}

/** The status of an answer, and its code. */
async function answerTo({ port }: Server, path: string, key: string, type: string, body: Buffer): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type, 'Content-Encoding': 'gzip' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  const { code = '' } = (await response.json()) as { readonly code?: string }
  return `${response.status} ${code}`
}
