import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { run } from '../adapters/cli/run.ts'
import { createEventstoreStorage } from '../adapters/eventstore/index.ts'
import { createParts } from '../adapters/main.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { backUp } from '../adapters/sqlite/facts/backup.ts'
import { restore } from '../adapters/sqlite/facts/restore.ts'
import { createSnapshotRows } from '../adapters/sqlite/models/snapshots.ts'
import {
  type Context,
  call,
  otepForget,
  otepIngest,
  readTimeline,
  type SnapshotRow,
  type Storage,
  summaryOf,
} from '../engine/index.ts'
import { startDouble } from './eventstore/double.ts'
import {
  contextOf,
  filesIn,
  lineOf,
  openNode,
  parcels,
  readTwice,
  snapshotsIn,
  streamOf,
} from './snapshots/node.test.fixture.ts'

const newSecret = () => randomBytes(32).toString('base64')
const child = join(import.meta.dirname, 'snapshots', 'writer.test.child.js')

/** Starts a writing process, and resolves `wrote` after this many calls. */
function startWriter(t: Test, directory: string, secret: string, seed: number, calls: number) {
  const writer = spawn(process.execPath, [child, directory, secret, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(writer, 'close')
  let written = 0
  const wrote = new Promise<void>((resolve, reject) => {
    writer.stdout.on('data', (text: Buffer) => {
      written += String(text).split('\n').length - 1
      if (written >= calls) resolve()
    })
    writer.once('exit', () => reject(new Error('The writer has ended by itself.')))
  })
  const kill = async () => {
    writer.kill('SIGKILL')
    await closed
  }
  t.teardown(kill)
  return { wrote, kill }
}

/** Waits until the snapshot of the first parcel is of this revision. */
async function untilKept(directory: string, revision: number) {
  while (snapshotsIn(directory).get(streamOf(0)) !== revision) await setTimeout(20)
}

/** A node on new files. */
function node(t: Test) {
  const [directory, secret] = [t.testdir(), newSecret()]
  const opened = openNode(directory, secret)
  t.teardown(opened.close)
  const context = contextOf(opened.parts)
  const ingest = (from: number, count: number, more = {}) => {
    const lines = Array.from({ length: count }, (_, index) => lineOf(0, from + index, more))
    return call(otepIngest, context, { document: { lines } })
  }
  return { directory, secret, context, ingest, close: opened.close, history: opened.store.history }
}

t.test(
  'given processes that write, erase and read, and are killed, when timelines are read, then each is that of its events',
  async (t) => {
    const [directory, secret] = [t.testdir(), newSecret()]
    const seed = Number(process.env.OTEP_TEST_SEED ?? randomInt(2 ** 31))
    t.comment(`OTEP_TEST_SEED=${seed} chooses the same calls again`)
    const { parts, close } = openNode(directory, secret)
    t.teardown(close)
    const context = contextOf(parts)
    await call(otepIngest, context, { document: { lines: [0, 1, 2, 3, 4].map((index) => lineOf(0, index)) } })
    let compared = 0
    const compareAll = async () => {
      for (let parcel = 0; parcel < parcels; parcel++) {
        const { read, due } = await readTwice(context, streamOf(parcel))
        if (JSON.stringify(read) !== JSON.stringify(due)) t.strictSame(read, due)
        if (due.revision >= 0) compared++
      }
    }
    for (let round = 0; round < 3; round++) {
      const writers = [0, 1].map((index) => startWriter(t, directory, secret, seed + 2 * round + index, 15))
      let areDone = false
      const done = Promise.all(writers.map(({ wrote }) => wrote)).finally(() => {
        areDone = true
      })
      // However fast they write: much is compared meanwhile, also with a snapshot of the parcel that nobody erases.
      const due = compared + 50
      while (!areDone || compared < due || !snapshotsIn(directory).has(streamOf(0))) {
        await compareAll()
        await setTimeout(5)
      }
      await done
      await Promise.all(writers.map(({ kill }) => kill()))
      await compareAll()
    }
    t.ok(compared > 150, `${compared} timelines were compared`)
  },
)

t.test('given a snapshot, when an older backup is put back and others follow, then it is not of them', async (t) => {
  const { directory, secret, context, ingest, close } = node(t)
  const { store } = filesIn(directory)
  const backup = join(directory, 'backup.db')
  await ingest(0, 5)
  await backUp(store, backup)
  await ingest(5, 5)
  await readTimeline(context, streamOf(0))
  await untilKept(directory, 9)
  await close()
  await restore(backup, store, { force: true })
  const again = openNode(directory, secret)
  t.teardown(again.close)
  const later = contextOf(again.parts)
  const lines = Array.from({ length: 5 }, (_, index) => lineOf(0, 20 + index))
  await call(otepIngest, later, { document: { lines } })
  const { read, due } = await readTwice(later, streamOf(0))
  t.strictSame(read, due)
  t.match(
    read.timeline.events.map(({ event_id }) => event_id),
    ['e-0', 'e-1', 'e-2', 'e-3', 'e-4', 'e-20', 'e-21', 'e-22', 'e-23', 'e-24'],
  )
})

t.test(
  'given a snapshot, when its timeline is forgotten by another process, then it is gone, and no text is left',
  async (t) => {
    const { directory, secret, context, ingest } = node(t)
    await ingest(0, 5)
    const told = JSON.stringify(await readTimeline(context, streamOf(0)))
    t.match(told, /Adaline/)
    await untilKept(directory, 4)
    const bytes = () => readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'))
    t.notMatch(bytes().join(), /Adaline/)
    const other = openNode(directory, secret)
    t.teardown(other.close)
    await call(otepForget, contextOf(other.parts), { tracking_number: 'SR0' })
    t.equal(snapshotsIn(directory).size, 0)
    t.notMatch(JSON.stringify(await readTimeline(context, streamOf(0))), /Adaline/)
    t.notMatch(bytes().join(), /Adaline/)
  },
)

t.test(
  'given a snapshot that says something else than its events, when the store is verified, then it is found, and gone',
  async (t) => {
    const { directory, secret, context, ingest, history } = node(t)
    await ingest(0, 5)
    const due = await readTimeline(context, streamOf(0))
    await untilKept(directory, 4)
    const rows = createSnapshotRows({ file: filesIn(directory).models, history: `otep.db ${history}` })
    t.teardown(rows.close)
    const row = rows.find(streamOf(0)) as SnapshotRow
    const state = { subjects: [{ tracking_number: 'SR0' }], subject: 0, entries: [] }
    rows.keep(streamOf(0), 1, async () => ({ ...row, isSealed: false, body: JSON.stringify(state) }))
    while (rows.find(streamOf(0))?.isSealed !== false) await setTimeout(20)
    t.match(await verify(directory, secret), { code: 1, out: /^snapshots: tracking-tracking_number:SR0: /m })
    t.match(await verify(directory, secret), { code: 0, out: /whole/ })
    t.strictSame(await readTimeline(context, streamOf(0)), due)
  },
)

t.test(
  'given a summary of a long timeline that says something else than its events, when the store is verified, then it is found, and gone',
  async (t) => {
    const { directory, secret, context, ingest, history } = node(t)
    for (let from = 0; from < 5_000; from += 1_000) await ingest(from, 1_000)
    const due = await summaryOf(context, streamOf(0))
    t.match(due, { events: 5_000 })
    await untilKept(directory, 4_999)
    const rows = createSnapshotRows({ file: filesIn(directory).models, history: `otep.db ${history}` })
    t.teardown(rows.close)
    const row = rows.find(streamOf(0)) as SnapshotRow
    const body = row.body.replace('"in_transit"', '"delivered"')
    t.not(body, row.body)
    rows.keep(streamOf(0), 1, async () => ({ ...row, body }))
    while (rows.find(streamOf(0))?.body !== body) await setTimeout(20)
    t.match(await verify(directory, secret), {
      code: 1,
      out: /^snapshots: tracking-tracking_number:SR0: its summary /m,
    })
    t.match(await verify(directory, secret), { code: 0, out: /whole/ })
    t.strictSame(await summaryOf(context, streamOf(0)), due)
  },
)

async function verify(directory: string, secret: string) {
  let out = ''
  const write = (text: string | Uint8Array) => {
    out += Buffer.from(text as string).toString()
    return true
  }
  const env = { OTEP_DATA_DIR: directory, OTEP_SECRET_KEY: secret }
  const stdin = Object.assign(Readable.from(['']), { isTTY: false })
  const streams = { stdin, stdout: { write }, stderr: { write, isTTY: false, columns: 80 } }
  return { code: await run(['verify'], { env, ...streams } as never), out }
}

interface NodeOnServer {
  readonly context: Context
  readonly directory: string
  readonly store: Storage
  readonly parts: ReturnType<typeof createParts>
}

t.test(
  'given nodes on EventStoreDB, when they write and erase, then each reads what is in the events, from snapshots of its own',
  async (t) => {
    const double = await startDouble()
    const secret = secretOf(newSecret())
    const directories = t.testdir({ 0: {}, 1: {} })
    const nodes = [0, 1].map((index) => {
      const store = createEventstoreStorage({ connectionString: double.connectionString, clock: Date.now })
      const directory = join(directories, String(index))
      const parts = createParts({
        store,
        publicView: 'full',
        secret,
        modelsFile: { file: filesIn(directory).models, name: 'esdb' },
      })
      return { context: contextOf(parts), directory, store, parts }
    }) as [NodeOnServer, NodeOnServer]
    t.teardown(async () => {
      for (const { parts } of nodes) await parts.models.close()
      for (const { store } of nodes) await store.close()
      await double.close()
    })
    const readAll = async () => {
      for (const { context } of nodes) {
        const { read, due } = await readTwice(context, streamOf(0))
        t.strictSame(read, due)
      }
    }
    const ingest = (by: 0 | 1, from: number, count: number, more = {}) => {
      const lines = Array.from({ length: count }, (_, index) => lineOf(0, from + index, more))
      return call(otepIngest, nodes[by].context, { document: { lines } })
    }
    await ingest(0, 0, 5)
    await readAll()
    for (const { directory } of nodes) await untilKept(directory, 4)
    await readAll()
    await ingest(1, 3, 4, { location: { name: 'Ghent' } })
    await readAll()
    await ingest(0, 2, 1, { withdrawn: { declared_at: '2026-06-12T00:00:00Z' } })
    await readAll()
    await call(otepForget, nodes[1].context, { tracking_number: 'SR0' })
    await readAll()
    t.notMatch(JSON.stringify(await readTimeline(nodes[0].context, streamOf(0))), /Adaline/)
    for (const { directory } of nodes) t.equal(snapshotsIn(directory).size, 0)
  },
)
