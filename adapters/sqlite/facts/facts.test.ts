import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { isEngineError, type Storage } from '../../../engine/index.ts'
import { runs } from '../../../engine/testing/runs.test.fixture.ts'
import { countEachPause } from '../../http/pause.test.fixture.ts'
import { type Connection, chooseDriver } from '../database.ts'
import { backUp } from './backup.ts'
import { createReadOnlyStore } from './copy.ts'
import { createDamages } from './damages.ts'
import { clock, collect, contentOf, fact, facts } from './events.test.fixture.ts'
import { createHeads } from './heads.ts'
import { createSqliteStore, storeOn } from './index.ts'
import { createLogMover } from './log-mover.ts'
import { openDatabase } from './open.ts'
import { restore } from './restore.ts'
import { scrub } from './scrub.ts'

/** Transactions in the write-ahead log: frames that carry the size of the database after a commit. */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const pageSize = log.readUInt32BE(8)
  let commits = 0
  for (let frame = 32; frame + 24 + pageSize <= log.length; frame += 24 + pageSize) {
    if (log.readUInt32BE(frame + 4) !== 0) commits += 1
  }
  return commits
}

t.test(
  'given a log that was cut or damaged, when the file is opened, then it ends where some call ended',
  async (t) => {
    const directory = t.testdir()
    const file = join(directory, 'events.db')
    const store = createSqliteStore({ file, clock })
    for (let call = 0; call < 30; call++) {
      await store.append(
        `shelf-${call % 4}`,
        Array.from({ length: 3 }, () => fact({ call, of: 3 })),
        'any',
      )
    }
    const [data, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
    const complete = await collect(store.readAll())
    await store.close()
    let run = 0
    const damage = fc.record({ at: fc.nat(log.length - 1), isCut: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, isCut }) => {
        const copy = join(directory, `copy-${run++}.db`)
        writeFileSync(copy, data)
        writeFileSync(
          `${copy}-wal`,
          log.map((byte, index) => (!isCut && index === at ? byte ^ 0x40 : byte)),
        )
        if (isCut) truncateSync(`${copy}-wal`, at)
        const events = await contentOf(copy)
        t.same(events, complete.slice(0, events.length))
        return events.length % 3 === 0 && t.passing()
      }),
      { numRuns: runs(t, 3) },
    )
  },
)

t.test('given any file, when it is opened, then every commit waits for the disk', async (t) => {
  const file = join(t.testdir(), 'events.db')
  for (const state of ['made', 'opened again']) {
    const database = openDatabase(file)
    const pragmas = ['journal_mode', 'synchronous', 'busy_timeout', 'wal_autocheckpoint', 'cache_size', 'foreign_keys']
    const values = pragmas.map((pragma) => Object.values(database.prepare(`PRAGMA ${pragma}`).get() as object)[0])
    t.same(values, ['wal', 2, 5000, 32_768, -65_536, 1], state)
    database.close()
  }
})

t.test('given thousands of events, when they are committed, then a thread moves the log into the file', async (t) => {
  const file = join(t.testdir(), 'events.db')
  const store = createSqliteStore({ file, clock })
  for (let call = 0; call < 10; call++) await store.append(`shelf-${call}`, facts(250), 'no-stream')
  // Without the thread, the log has to be many times as long before a commit moves it.
  const isMoved = () => statSync(file).size > 200_000
  for (let tries = 0; tries < 500 && !isMoved(); tries++) await setTimeout(20)
  t.ok(isMoved())
  t.same((await store.read('shelf-9')).length, 250)
  await store.close()
  t.equal(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0, 'the thread does not hold on to it')
})

t.test('given a file that cannot be opened, when its log is to be moved, then nobody is disturbed', async (t) => {
  const mover = createLogMover(join(t.testdir(), 'missing', 'events.db'), () => true)
  for (let tries = 0; tries < 3; tries++) mover.noteCommit(5_000)
  await mover.stop()
  mover.noteCommit(5_000)
  await t.resolves(mover.stop())
})

t.test('given a file that was deleted, when its log is to be moved, then no new file is made', async (t) => {
  const file = join(t.testdir(), 'events.db')
  const store = createSqliteStore({ file, clock })
  rmSync(file)
  await Promise.allSettled([1, 2].map((call) => store.append(`shelf-${call}`, facts(1_500), 'no-stream')))
  await store.close()
  t.notOk(existsSync(file))
})

t.test('given many appends in one turn, when they are recorded, then they share one transaction', async (t) => {
  const file = join(t.testdir(), 'events.db')
  const store = createSqliteStore({ file, clock })
  await store.append('shelf-1', [fact()], 'no-stream')
  const before = commitsIn(file)
  await Promise.all(Array.from({ length: 200 }, (_, index) => store.append(`box-${index}`, facts(2), 'no-stream')))
  t.equal(commitsIn(file) - before, 1)
  for (let turn = 0; turn < 3; turn++) await store.append('shelf-1', [fact()], 'any')
  t.equal(commitsIn(file) - before, 4, 'one after another, each has its own')
  const group = [0, 'no-stream', 3, 4, 3].map((expected) => store.append('shelf-1', [fact()], expected as number))
  t.same(
    (await Promise.allSettled(group)).map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled', 'fulfilled', 'rejected'],
  )
  t.equal(
    commitsIn(file) - before,
    5,
    'each is judged by what stands after those before it, and a refused one spoils nothing',
  )
  await store.close()
})

t.test('given two connections to a file, when each appends in turn, then the other sees it at once', async (t) => {
  const file = join(t.testdir(), 'events.db')
  const stores = [createSqliteStore({ file, clock }), createSqliteStore({ file, clock })]
  for (let revision = 0; revision < 20; revision++) {
    const event = fact()
    await stores[revision % 3 === 0 ? 0 : 1]?.append('shelf-1', [event], revision === 0 ? 'no-stream' : revision - 1)
    for (const store of stores) {
      t.match(await store.last('shelf-1'), { revision, id: event.id })
      t.equal((await store.read('shelf-1', { from: revision })).at(-1)?.position, await store.latest())
    }
  }
  for (const store of stores) await store.close()
})

t.test(
  'given an event of another process, when the feed has told it, then a read of its stream in the same turn has it',
  async (t) => {
    const file = join(t.testdir(), 'events.db')
    const [store, other] = [createSqliteStore({ file, clock }), createSqliteStore({ file, clock })] as const
    await other.append('shelf-1', [fact()], 'no-stream')
    for (let revision = 1; revision < 20; revision++) {
      const after = await store.latest()
      // The end of the stream is looked up in the turn of the commit, and before it.
      const known = new Promise((resolve) => globalThis.setImmediate(() => resolve(store.last('shelf-1'))))
      await Promise.all([known, other.append('shelf-1', [fact()], revision - 1)])
      for await (const event of store.readAll(after)) {
        t.equal(event.revision, revision)
        t.equal((await store.read('shelf-1', { from: revision })).length, 1)
        t.equal((await store.last('shelf-1'))?.revision, revision)
      }
      await setImmediate()
    }
    for (const one of [store, other]) await one.close()
  },
)

t.test(
  'given known ends, when another connection commits, then only those of streams that grew are dropped',
  async (t) => {
    const file = join(t.testdir(), 'events.db')
    const other = createSqliteStore({ file, clock })
    const database = openDatabase(file)
    const heads = createHeads(database)
    const names = ['shelf-1', 'shelf-2', 'shelf-3'] as const
    const known = () => names.filter((name) => heads.find(name) !== undefined)
    for (const name of names) await other.append(name, [fact()], 'no-stream')
    heads.refresh()
    for (const [index, name] of names.entries()) heads.keep(name, { sid: index + 1, revision: 0, id: 'any' })
    await other.append('shelf-2', facts(2), 0)
    heads.refresh()
    t.same(known(), ['shelf-1', 'shelf-3'])
    await other.keys.add('a', 'b')
    heads.refresh()
    t.same(known(), ['shelf-1', 'shelf-3'], 'a commit without events drops nothing')
    await other.appendMany(
      Array.from({ length: 1_100 }, (_, index) => ({
        stream: `box-${index}` as const,
        events: [fact()],
        expected: 'no-stream' as const,
      })),
    )
    heads.refresh()
    t.same(known(), [], 'a commit of very many streams drops all')
    await other.close()
    database.close()
  },
)

t.test('given a stream that a process never used, then it knows without waiting where the stream ends', async (t) => {
  const file = join(t.testdir(), 'events.db')
  const other = createSqliteStore({ file, clock })
  await other.append('shelf-1', facts(3), 'no-stream')
  const store = createSqliteStore({ file, clock })
  t.same([store.knownRevision?.('shelf-1'), store.knownRevision?.('shelf-2')], [2, -1])
  await other.append('shelf-1', [fact()], 2)
  await other.append('shelf-2', [fact()], 'no-stream')
  await setImmediate()
  t.same([store.knownRevision?.('shelf-1'), store.knownRevision?.('shelf-2')], [3, 0])
  await store.close()
  t.equal(store.knownRevision?.('shelf-1'), undefined, 'a closed store has nothing to tell')
  await other.close()
})

t.test('given two processes, when one appends, then both know which streams have grown, and no others', async (t) => {
  const file = join(t.testdir(), 'events.db')
  const stores = [createSqliteStore({ file, clock }), createSqliteStore({ file, clock })] as const
  const names = ['shelf-1', 'shelf-2', 'shelf-3'] as const
  const counts = () => stores.map(({ growth }) => growth?.count() ?? -1)
  const grown = (since: readonly number[]) =>
    stores.map(({ growth }, index) => names.filter((name) => growth?.hasGrown([name], since[index] ?? -1)))
  await stores[0].append('shelf-1', facts(2), 'no-stream')
  await setImmediate()
  const first = counts()
  t.same(grown(first), [[], []])
  for (const { growth } of stores) t.same(growth?.revisions(names), [1, -1, -1])
  for (const { growth } of stores)
    t.same(
      growth?.atOnce(() => names.map((name) => growth.revisions([name]))),
      [[1], [-1], [-1]],
    )
  await stores[1].append('shelf-2', [fact()], 'no-stream')
  await setImmediate()
  counts()
  t.same(grown(first), [['shelf-2'], ['shelf-2']])
  const second = counts()
  await stores[0].keys.add('a', 'b')
  await setImmediate()
  t.same(counts(), second, 'a commit without events is no growth')
  const many = Array.from({ length: 25_000 }, (_, index) => `box-${index}` as const)
  await stores[0].appendMany(many.map((stream) => ({ stream, events: [fact()], expected: 'no-stream' })))
  t.ok(stores[1].growth?.count('now') !== second[1], 'seen in the same turn')
  for (const { growth } of stores) growth?.count()
  t.same(grown(second), [names, names], 'what is forgotten counts as grown')
  for (const store of stores) await store.close()
  for (const { growth } of stores) t.equal(growth?.count(), undefined)
})

t.test(
  'given a full disk, when events are appended, then they are refused, reads go on, and later writes work',
  async (t) => {
    const database = openDatabase(join(t.testdir(), 'events.db'))
    const store = storeOn(database, clock)
    await store.append('shelf-1', facts(3), 'no-stream')
    const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number }
    database.exec(`PRAGMA max_page_count = ${page_count + 2}`)
    const large = [fact('x'.repeat(50_000))]
    const outcomes = await Promise.allSettled([
      store.append('shelf-1', [fact()], 2),
      store.append('shelf-2', large, 'any'),
    ])
    for (const outcome of outcomes) {
      t.ok(outcome.status === 'rejected' && isEngineError(outcome.reason, 'store_unavailable') && outcome.reason.cause)
    }
    t.equal((await store.read('shelf-1')).length, 3)
    t.same(await store.read('shelf-2'), [])
    t.match(await store.append('shelf-1', [fact()], 2), { revision: 3 }, 'what fits is taken')
    database.exec('PRAGMA max_page_count = 1000000')
    t.match(await store.append('shelf-2', large, 'any'), { revision: 0 })
    await store.close()
  },
)

t.test(
  'given an event that is not as it was recorded, then reads of its stream are refused and others go on',
  async (t) => {
    for (const damage of [
      "data = replace(data, 'b', 'c')",
      "type = 'Other'",
      "meta = meta || ' '",
      'id = zeroblob(16)',
    ]) {
      const database = openDatabase(join(t.testdir(), 'events.db'))
      const found: string[] = []
      const store = storeOn(database, clock, { damaged: (event) => found.push(event) })
      const [first, second] = [fact('a'), fact('b')]
      await store.append('shelf-1', [first, second], 'no-stream')
      await store.append('shelf-2', [fact('d')], 'no-stream')
      database.exec(`UPDATE events SET ${damage} WHERE pos = 2`)
      const event = damage.startsWith('id') ? '00000000-0000-0000-0000-000000000000' : second.id
      for (const _ of [1, 2]) await t.rejects(store.read('shelf-1'), { code: 'damaged', params: { event } }, damage)
      t.match(await store.read('shelf-1', { limit: 1 }), [{ id: first.id }], 'what is whole is read')
      t.equal((await store.read('shelf-2')).length, 1)
      t.equal((await collect(store.readAll())).length, 3, 'the feed goes on')
      t.same(found, [event], 'it is reported once')
      t.equal(store.damaged?.(), 1)
      await store.close()
    }
  },
)

t.test('given a damaged event that nobody reads, when the file is scrubbed, then it is found', async (t) => {
  const database = openDatabase(join(t.testdir(), 'events.db'))
  const store = storeOn(database, clock)
  await store.append('shelf-1', facts(7), 'no-stream')
  database.exec('UPDATE events SET created = created + 1 WHERE pos = 6; UPDATE events SET sum = NULL WHERE pos = 3')
  const found: string[] = []
  const stopping = new AbortController()
  const pace = { beforePass: 5, betweenPages: 0, events: 2 }
  const damages = createDamages((event) => found.push(event))
  const scrubbing = scrub(database, damages, stopping.signal, pace)
  while (found.length < 1) await setTimeout(1)
  database.exec('UPDATE events SET created = created + 1 WHERE pos = 1')
  while (found.length < 2) await setTimeout(1)
  stopping.abort()
  await t.rejects(scrubbing, { name: 'AbortError' })
  t.equal(damages.count, 2, 'each once, however often the file is scrubbed')
  await store.close()
})

t.test('given a file that is deleted or replaced, then within a second the store refuses every call', async (t) => {
  for (const lose of [rmSync, (file: string) => renameSync(`${file}.other`, file)]) {
    const file = join(t.testdir(), 'events.db')
    await createSqliteStore({ file: `${file}.other`, clock }).close()
    let isLost = false
    const lost = () => {
      isLost = true
    }
    const store = createSqliteStore({ file, clock, lost })
    await store.append('shelf-1', [fact()], 'no-stream')
    await setTimeout(600)
    t.equal(isLost, false)
    lose(file)
    await t.rejects(store.append('shelf-2', facts(3_000), 'no-stream'), { code: 'store_unavailable' })
    while (!isLost) await setTimeout(50)
    await t.rejects(store.append('shelf-1', [fact()], 0), { code: 'store_unavailable' })
    await t.rejects(store.read('shelf-1'), { code: 'store_unavailable' })
    await store.close()
  }
})

t.test(
  'given another connection that holds the lock, when events are appended, then they are refused until it is free',
  async (t) => {
    const file = join(t.testdir(), 'events.db')
    const [database, other] = [openDatabase(file), openDatabase(file)]
    const store = storeOn(database, clock)
    database.exec('PRAGMA busy_timeout = 0')
    other.exec('BEGIN IMMEDIATE')
    await t.rejects(store.append('shelf-1', [fact()], 'any'), { code: 'store_unavailable' })
    other.exec('ROLLBACK')
    t.match(await store.append('shelf-1', [fact()], 'any'), { revision: 0 })
    other.close()
    await store.close()
  },
)

t.test(
  'given a file that holds something else, when it is opened, then it is refused and stays as it was',
  async (t) => {
    const directory = t.testdir({ 'text.db': 'not a database '.repeat(100) })
    const Connection = chooseDriver()
    for (const [name, sql] of Object.entries({
      other: 'CREATE TABLE parcels (id)',
      newer: 'PRAGMA application_id = 0x4f544550; PRAGMA user_version = 99',
    })) {
      const database = new Connection(join(directory, `${name}.db`))
      database.exec(sql)
      database.close()
    }
    const reasons = {
      text: /text\.db is not an event store: it is not an SQLite/,
      other: /another application/,
      newer: /version 99, is newer/,
    }
    for (const [name, reason] of Object.entries(reasons)) {
      const file = join(directory, `${name}.db`)
      const before = readFileSync(file)
      t.throws(() => createSqliteStore({ file, clock }), { message: reason })
      t.same(readFileSync(file), before)
    }
    t.throws(() => createSqliteStore({ file: directory, clock }), { message: /cannot be opened: .*unable to open/ })
  },
)

t.test('given a store that was closed, when its file alone is copied, then the copy is whole', async (t) => {
  const directory = t.testdir()
  const file = join(directory, 'a', 'b', 'events.db')
  const store = createSqliteStore({ file, clock })
  await store.append('shelf-1', facts(20), 'no-stream')
  const events = await collect(store.readAll())
  await store.close()
  copyFileSync(file, join(directory, 'copy.db'))
  t.same(await contentOf(join(directory, 'copy.db')), events)
})

t.test(
  'given a rare category among many events, when it is read or followed, then each of its events comes once',
  async (t) => {
    const store = createSqliteStore({ file: join(t.testdir(), 'events.db'), clock })
    // The reader scans 10,000 positions at a time; the rare events are on both sides of the boundaries.
    for (const rare of ['rare-1', 'rare-2'] as const) {
      const { position } = await store.append('shelf-1', facts(rare === 'rare-1' ? 9_999 : 9_998), 'any')
      t.equal(Number(position) % 10_000, 9_999)
      await store.append(rare, facts(2), 'no-stream')
    }
    await store.append('shelf-1', facts(3_000), 'any')
    const found = await collect(store.readAll(undefined, { category: 'rare' }))
    t.same(
      found.map(({ stream, revision }) => `${stream} ${revision}`),
      ['rare-1 0', 'rare-1 1', 'rare-2 0', 'rare-2 1'],
    )
    t.same(await collect(store.readAll(found[1]?.position, { category: 'rare' })), found.slice(2))
    const follower = store.follow(undefined, { category: 'rare' }, new AbortController().signal)[Symbol.asyncIterator]()
    const first = follower.next()
    const last = facts(2)
    await store.append('rare-3', last.slice(0, 1), 'any')
    const seen = [(await first).value]
    while (seen.length < 5) seen.push((await follower.next()).value)
    const coming = follower.next()
    await store.append('rare-3', last.slice(1), 'any')
    seen.push((await coming).value)
    t.same(
      seen.map(({ id }) => id),
      [...found, ...last].map(({ id }) => id),
    )
    await store.close()
  },
)

t.test(
  'given a failure in the middle of a group, when it is rolled back, then nothing of the group stands and work goes on',
  async (t) => {
    const times = [1, Number.NaN, 3]
    const database = openDatabase(join(t.testdir(), 'events.db'))
    const store = storeOn(database, () => times.shift() ?? 4)
    const group = await Promise.allSettled(
      ['shelf-1', 'shelf-2'].map((stream) => store.append(stream as 'shelf-1', [fact()], 'any')),
    )
    t.match(group, [{ reason: { code: 'internal' } }, { reason: { code: 'internal' } }])
    t.same(await collect(store.readAll()), [])
    t.match(await store.append('shelf-1', [fact()], 'no-stream'), { revision: 0 })
    await store.close()
  },
)

t.test('given what the tables cannot give back as it was, when it is sent, then it is refused', async (t) => {
  const store = createSqliteStore({ file: join(t.testdir(), 'events.db'), clock })
  await store.append('shelf-1', [fact()], 'any')
  const refused = { code: 'internal' }
  await t.rejects(store.append('shelf-1\0', [fact()], 'any'), refused)
  await t.rejects(store.append('shelf-\ud800', [fact()], 'any'), refused)
  await t.rejects(store.append('shelf-1', [{ ...fact(), id: 'A-1' }], 'any'), refused)
  await t.rejects(
    store.append(
      'shelf-1',
      [fact(undefined)].map((event) => ({ ...event, data: undefined })),
      'any',
    ),
    refused,
  )
  await t.rejects(collect(store.readAll('1/1')), refused)
  t.same(await store.read('shelf-1\0'), [])
  t.same(await collect(store.readAll(undefined, { stream: 'shelf-1\0' })), [])
  t.same(await collect(store.readAll(undefined, { category: 'shelf\0' })), [])
  t.equal((await collect(store.readAll())).length, 1)
  await store.close()
})

t.test('given several drivers, when one is chosen, then it is the first that is recent enough', async (t) => {
  const driver = (name: string, version: string) => {
    const connection = function connection() {
      return { prepare: () => ({ get: () => ({ version }) }), close: () => {} }
    } as unknown as Connection
    return { name, load: () => connection }
  }
  const [old, recent, later] = [driver('old', '3.51.2'), driver('recent', '3.51.3'), driver('later', '3.100.0')]
  const absent = { name: 'absent', load: () => undefined }
  t.equal(chooseDriver([absent, old, recent, later]), recent.load())
  t.equal(chooseDriver([old, later, recent]), later.load())
  const broken = {
    name: 'broken',
    load: () => {
      throw new Error('no binary')
    },
  }
  t.throws(() => chooseDriver([absent, old, broken]), {
    message: 'SQLite 3.51.3 or later is needed. Found: absent: not in this Node; old: 3.51.2; broken: no binary.',
  })
})

t.test('given the SQLite of this Node, when a store is opened, then nobody is warned', async (t) => {
  const warnings: Error[] = []
  const listen = (warning: Error) => warnings.push(warning)
  process.on('warning', listen)
  const { emitWarning } = process
  await createSqliteStore({ file: join(t.testdir(), 'events.db'), clock }).close()
  await setImmediate()
  process.off('warning', listen)
  t.same(warnings, [])
  t.equal(process.emitWarning, emitWarning, 'and later warnings are heard again')
  t.ok(existsSync(join(t.testdirName, 'events.db')))
})

t.test(
  'given a store in use, when another history is restored, then it is over and nothing of it goes on',
  async (t) => {
    const [file, backup] = [join(t.testdir(), 'events.db'), join(t.testdirName, 'backup.db')]
    const replacing = new Promise<void>((resolve) => {
      const store = createSqliteStore({ file, clock, replaced: resolve })
      void useAndRestore(store)
    })
    async function useAndRestore(store: Storage) {
      await store.append('shelf-1', facts(2), 'no-stream')
      await store.keys.add('gone', 'one')
      await store.keys.add('kept', 'one')
      await backUp(file, backup)
      await store.append('shelf-1', facts(3), 1)
      await store.keys.remove('gone')
      await store.keys.add('later', 'one')
      const following = collect(store.follow(undefined, {}, new AbortController().signal))
      await t.rejects(restore(backup, file, { force: false }), { message: /--force/ })
      t.equal((await store.read('shelf-1')).length, 5)
      t.match(await restore(backup, file, { force: true }), { events: 2, unchecked: 0, position: '0000000000000002' })
      await t.rejects(
        store.append('shelf-1', facts(1), 1),
        { code: 'store_unavailable' },
        'though the revision would do',
      )
      t.equal((await following).length, 5, 'who follows is let go')
      await t.rejects(store.read('shelf-1'), { code: 'store_unavailable' })
      await store.close()
    }
    await replacing
    const store = createSqliteStore({ file, clock })
    t.equal((await collect(store.readAll())).length, 2)
    t.same(await Promise.all(['gone', 'kept', 'later'].map(store.keys.read)), [undefined, 'one', undefined])
    t.equal(await store.keys.add('gone', 'two'), undefined, 'a key that was thrown away is not in the backup again')
    t.match(await store.append('shelf-1', facts(1), 1), { position: '0000000000000003' })
    await store.close()
  },
)

t.test(
  'given a backup of the first version, when it is restored, then its events are there, without checksums',
  async (t) => {
    const [file, backup] = [join(t.testdir(), 'events.db'), join(t.testdirName, 'backup.db')]
    const store = createSqliteStore({ file, clock })
    await store.append('shelf-1', facts(3), 'no-stream')
    const events = await collect(store.readAll())
    await backUp(file, backup)
    await store.close()
    const old = new (chooseDriver())(backup)
    old.exec('ALTER TABLE events DROP COLUMN sum; DROP TABLE leases; DROP TABLE keys; DROP TABLE history')
    old.exec('PRAGMA user_version = 1')
    old.close()
    const restored = join(t.testdirName, 'restored.db')
    t.match(await restore(backup, restored, { force: false }), { events: 3, unchecked: 3 })
    t.same(await contentOf(restored), events)
    t.throws(() => createReadOnlyStore(backup, clock), { message: /earlier version/ })
  },
)

/** How many turns of the event loop a call takes, with what is done in each. */
async function turnsOf(call: Promise<unknown>, look: () => Promise<void> = async () => {}): Promise<number> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  call.then(over, over)
  let turns = 0
  for (; !isOver; turns++) {
    await look()
    await setImmediate()
  }
  return turns
}

t.test('given a call of many events, when it is recorded, then others read and nobody sees a part of it', async (t) => {
  countEachPause(t)
  const store = createSqliteStore({ file: join(t.testdir(), 'events.db'), clock })
  await store.append('shelf-2', [fact()], 'no-stream')
  const long = store.append('shelf-1', facts(5_000), 'no-stream')
  const seen = new Set<number>()
  const turns = await turnsOf(long, async () => {
    seen.add((await store.read('shelf-1')).length)
    t.equal((await store.read('shelf-2')).length, 1)
  })
  t.ok(turns > 5_000 / 250, `${turns} turns`)
  t.ok(seen.has(0))
  seen.delete(0)
  seen.delete(5_000)
  t.equal(seen.size, 0, 'nothing or all of it')
  t.match(await long, { revision: 4_999 })
  t.match(await store.last('shelf-1'), { revision: 4_999 })
  await store.close()
})

t.test('given a call of many events, when others write meanwhile, then each write is recorded', async (t) => {
  const store = createSqliteStore({ file: join(t.testdir(), 'events.db'), clock })
  const calls = [
    store.append('shelf-1', facts(3_000), 'no-stream'),
    store.append('shelf-2', facts(3_000), 'no-stream'),
    store.append('shelf-3', facts(3), 'no-stream'),
  ]
  await setTimeout(1)
  t.equal(await store.keys.add('shelf-1', 'key'), 'key')
  t.equal(await store.leases.write('lease', { holder: 'one', term: 1 }), true)
  await store.append('shelf-4', facts(3), 'no-stream')
  await Promise.all(calls)
  const streams = (await collect(store.readAll())).map(({ stream }) => stream)
  t.equal(streams.length, 6_006)
  for (const stream of ['shelf-1', 'shelf-2'])
    t.equal(streams.lastIndexOf(stream) - streams.indexOf(stream), 2_999, 'the events of a call stand together')
  await store.close()
})

t.test('given two stores on one file, when one records many events, then the other waits for it', async (t) => {
  const file = join(t.testdir(), 'events.db')
  const [one, other] = [createSqliteStore({ file, clock }), createSqliteStore({ file, clock })]
  const long = one.append('shelf-1', facts(3_000), 'no-stream')
  await setImmediate()
  const writes = [other.append('shelf-2', facts(3), 'no-stream'), other.append('shelf-3', facts(3_000), 'no-stream')]
  t.match(await Promise.all([long, ...writes]), [{ revision: 2_999 }, { revision: 2 }, { revision: 2_999 }])
  for (const store of [one, other]) await store.close()
})

t.test('given a call of many events that one stream refuses, then nothing of it is recorded', async (t) => {
  const store = createSqliteStore({ file: join(t.testdir(), 'events.db'), clock })
  await store.append('shelf-2', [fact()], 'no-stream')
  const appends = [
    { stream: 'shelf-1', events: facts(3_000), expected: 'no-stream' },
    { stream: 'shelf-2', events: [fact()], expected: 'no-stream' },
  ] as const
  await t.rejects(store.appendMany(appends), { code: 'wrong_expected_revision' })
  await t.rejects(store.appendMany([appends[0], appends[0]]), { code: 'internal' }, 'a stream twice')
  t.equal((await collect(store.readAll())).length, 1)
  t.match(await store.append('shelf-1', [fact()], 'no-stream'), { revision: 0 })
  await store.close()
})

t.test('given a call of many events, when the store is closed meanwhile, then it is recorded or refused', async (t) => {
  const file = join(t.testdir(), 'events.db')
  for (const turns of [0, 3, 12]) {
    const store = createSqliteStore({ file, clock })
    const before = (await collect(store.readAll())).length
    const call = store.append('shelf-1', facts(3_000), 'any').then(
      () => 3_000,
      (error) => (isEngineError(error, 'store_unavailable') ? 0 : t.fail(String(error))),
    )
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    await store.close()
    const added = await call
    const events = await contentOf(file)
    t.equal(events.length, before + Number(added))
  }
})

t.test(
  'given events that are read in passing, when others are recorded, then both ways to read give the same',
  async (t) => {
    const file = join(t.testdir(), 'events.db')
    const store = createSqliteStore({ file, clock })
    for (let call = 0; call < 3; call++) {
      await store.append('shelf-1', [fact({ call }), fact({ call })], 'any')
      for (const range of [{}, { from: 1, limit: 2 }, { from: 9 }, { backwards: true, limit: 1 }])
        t.strictSame(await store.read('shelf-1', { ...range, isPassing: true }), await store.read('shelf-1', range))
    }
    await store.close()
    // Some versions of SQLite remove the log, and some leave it empty.
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
    t.equal(log?.size ?? 0, 0, 'the file stands alone')
    await t.rejects(store.read('shelf-1', { isPassing: true }), { code: 'store_unavailable' })
  },
)
