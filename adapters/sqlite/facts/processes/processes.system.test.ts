import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import t, { type Test } from 'tap'
import type { RecordedEvent } from '../../../../engine/index.ts'
import { clock, contentOf, fact } from '../events.test.fixture.ts'
import { createSqliteStore } from '../index.ts'
import { openDatabase } from '../open.ts'
import { type Answered, finished, killedAfter, startMaker, startWriter } from './writers.test.fixture.ts'

/** `Map.groupBy`, which Node 20 does not have. */
function grouped(
  events: readonly RecordedEvent[],
  keyOf: (event: RecordedEvent) => string,
): ReadonlyMap<string, readonly RecordedEvent[]> {
  const groups = new Map<string, RecordedEvent[]>()
  for (const event of events) {
    const group = groups.get(keyOf(event)) ?? []
    groups.set(keyOf(event), group)
    group.push(event)
  }
  return groups
}

/** Asserts that no call is incomplete and that each stream counts its revisions from 0. */
function whole(t: Test, events: readonly RecordedEvent[]) {
  const calls = grouped(events, (event) => (event.data as Answered).call)
  const torn = events.filter(({ data }) => calls.get((data as Answered).call)?.length !== (data as Answered).of)
  t.same(torn, [], 'every call is there whole or not at all')
  for (const [stream, group] of grouped(events, (event) => event.stream)) {
    t.same(
      group.map((event) => event.revision),
      group.map((_, index) => index),
      `${stream} has no gap`,
    )
  }
}

t.test(
  'given a writer that is killed at any moment, when the file is opened again, then what it was told stands',
  async (t) => {
    const file = join(t.testdir(), 'events.db')
    const answered: Answered[] = []
    for (let round = 0; round < 4; round++) {
      answered.push(...(await killedAfter(file, 1 + Math.floor(Math.random() * 150))))
      const events = await contentOf(file)
      const calls = new Map(
        events.map((event) => [`${event.stream} ${event.revision} ${event.position}`, (event.data as Answered).call]),
      )
      const lost = answered.filter(({ call, answers }) =>
        answers.some(({ stream, revision, position }) => calls.get(`${stream} ${revision} ${position}`) !== call),
      )
      t.same(lost, [], 'nothing acknowledged is lost')
      whole(t, events)
      const database = openDatabase(file)
      t.same({ ...(database.prepare('PRAGMA quick_check').get() as object) }, { quick_check: 'ok' })
      database.close()
    }
  },
)

t.test('given two processes that begin and write one file at once, when both are done, then all stands', async (t) => {
  const file = join(t.testdir(), 'events.db')
  t.same(await Promise.all([finished(startWriter(file, '60')), finished(startWriter(file, '60'))]), [0, 0])
  const events = await contentOf(file)
  t.equal(new Set(events.map((event) => (event.data as Answered).call)).size, 120)
  whole(t, events)
})

t.test('given a follower, when another process writes, then its events come', async (t) => {
  const file = join(t.testdir(), 'events.db')
  const store = createSqliteStore({ file, clock })
  await store.append('shelf-1', [fact()], 'no-stream')
  const ending = finished(startWriter(file, '1'))
  // Like the socket of a server, because the store itself does not keep the process alive.
  const socket = setInterval(() => {}, 60_000)
  t.teardown(() => clearInterval(socket))
  const streams: string[] = []
  for await (const event of store.follow(undefined, {}, new AbortController().signal)) {
    streams.push(`${event.stream} ${event.revision}`)
    if (streams.length === 2) break
  }
  t.same(streams, ['shelf-1 0', 'shelf-1 1'])
  t.equal(await ending, 0)
  await store.close()
})

t.test(
  'given a file that another process is just making, when it is opened, then that is waited for and used',
  async (t) => {
    const directory = t.testdir()
    const model = openDatabase(join(directory, 'model.db'))
    const tables = model.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all() as readonly {
      readonly sql: string
    }[]
    model.close()
    const file = join(directory, 'events.db')
    const made = `INSERT INTO history VALUES ('1'); PRAGMA application_id = 0x4f544550; PRAGMA user_version = 2`
    const schema = `${tables.map(({ sql }) => sql).join(';')}; ${made}`
    const maker = startMaker(file, schema)
    await once(maker.stdout, 'data')
    const store = createSqliteStore({ file, clock })
    t.match(await store.append('shelf-1', [fact()], 'no-stream'), { revision: 0 })
    await store.close()
    t.equal(await finished(maker), 0)
  },
)

t.test(
  'given a process that may start no thread, when thousands of events are committed, then they stand',
  async (t) => {
    const file = join(t.testdir(), 'events.db')
    const store = new URL(`../index${extname(import.meta.filename)}`, import.meta.url)
    const program = `
    const { createSqliteStore } = await import('${store}')
    const { Worker } = await import('node:worker_threads')
    const { randomUUID } = await import('node:crypto')
    const store = createSqliteStore({ file: process.argv[1], clock: Date.now })
    const events = () => Array.from({ length: 2500 }, () => ({ id: randomUUID(), type: 'Packed', data: {}, metadata: { schemaVersion: 1 } }))
    for (const shelf of ['shelf-1', 'shelf-2']) await store.append(shelf, events(), 'no-stream')
    await store.close()
    try { new Worker('', { eval: true }) } catch ({ code }) { console.log(code) }`
    const node = Number.parseInt(process.versions.node, 10)
    const permission = node < 23 ? '--experimental-permission' : '--permission'
    const rights = [permission, '--allow-fs-read=*', '--allow-fs-write=*', '--allow-addons', '--no-warnings']
    const words = [...rights, '--input-type=module', '--eval', program, file]
    const run = spawnSync(process.execPath, words, { encoding: 'utf8' })
    t.match(run, { status: 0, stdout: /ERR_ACCESS_DENIED/ }, run.stderr)
    t.equal((await contentOf(file)).length, 5000)
  },
)
