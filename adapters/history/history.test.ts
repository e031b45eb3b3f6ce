import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { startDouble } from '../../conformance/eventstore/double.ts'
import { projectFile } from '../../conformance/program/files.ts'
import { createMemoryStore, domains, type EventStore, type Storage, type StreamName } from '../../engine/index.ts'
import { run } from '../cli/run.ts'
import { createEventstoreStorage } from '../eventstore/index.ts'
import { chooseDriver } from '../sqlite/database.ts'
import { clock, contentOf, fact as someFact } from '../sqlite/facts/events.test.fixture.ts'
import { createSqliteStore } from '../sqlite/facts/index.ts'
import { createReadModels } from '../sqlite/models/index.ts'
import { exportHistory } from './export.ts'
import { importHistory } from './import.ts'
import { createDigest, historyFormat, longestLine } from './lines.ts'

const example = (name: string) => projectFile('docs', 'examples', `${name}.ndjson`)

/** An event as the engine's own streams contain it. */
const fact = (data: object = {}) => ({ ...someFact({ subject: {}, ...data }), type: 'SubjectIdentified' })

/** Runs command lines on stores in the test's own directory. */
function terminal(t: Test) {
  const directory = t.testdir({})
  const otep = async (line: readonly string[], dataDir = 'data', input = '') => {
    const [out, err]: [string[], string[]] = [[], []]
    const code = await run(line, {
      env: { OTEP_DATA_DIR: join(directory, dataDir) },
      stdin: Readable.from([input]),
      stdout: { write: (text: string) => out.push(text) > 0 },
      stderr: { write: (text: string) => err.push(text) > 0, isTTY: false, columns: 80 } as never,
    })
    return { code, out: out.join(''), err: err.join('') }
  }
  return { otep, at: (...parts: readonly string[]) => join(directory, ...parts) }
}

async function textOf(store: EventStore): Promise<string> {
  const texts: string[] = []
  for await (const { text } of exportHistory(store, { name: 'a', now: clock() })) texts.push(text)
  return texts.join('')
}

/** The lines of the events, without their positions. */
function placeless(text: string): readonly string[] {
  return text
    .replace(/"position":"[^"]*",/g, '')
    .split('\n')
    .slice(1, -2)
}

const linesIn = (text: string) => () => Readable.from(text.split('\n')) as AsyncIterable<string>

/** A store in memory with interleaved streams, as calls of several carriers produce them. */
async function mixedStore(): Promise<EventStore> {
  const store = createMemoryStore(clock)
  for (let turn = 0; turn < 60; turn++) {
    const streams: readonly StreamName[] =
      turn % 3 === 0 ? ['tracking-x', `tracking-${turn % 20}`] : [`tracking-${turn % 7}`]
    await store.appendMany(
      streams.map((stream) => ({ stream, events: [fact({ turn }), fact({ b: turn, a: 'é' })], expected: 'any' })),
    )
  }
  return store
}

t.test('given a history, when it moves from store to store, then every line stays but for its position', async (t) => {
  let text = await textOf(await mixedStore())
  const lines = placeless(text)
  t.match(text, /^\{"format":"otep-history","version":1,"exported_at":"2026-06-10T13:30:00.000Z","store":"a"\}\n/)
  const later = () => clock() + 86_400_000
  const double = await startDouble()
  t.teardown(double.close)
  for (const [name, store] of [
    ['sqlite', createSqliteStore({ file: join(t.testdir(), 'a.db'), clock: later })],
    ['memory', createMemoryStore(later)],
    ['eventstore', createEventstoreStorage({ connectionString: double.connectionString, clock: later })],
    ['back in sqlite', createSqliteStore({ file: join(t.testdirName, 'b.db'), clock: later })],
  ] as const) {
    t.teardown(store.close)
    t.same(await importHistory(store, linesIn(text)), { events: lines.length, recorded: lines.length }, name)
    text = await textOf(store)
    // EventStoreDB writes the streams of one call concurrently: their order is not kept.
    const given = placeless(text)
    if (name === 'sqlite' || name === 'memory') t.equal(given.join('\n'), lines.join('\n'), name)
    else t.equal(given.toSorted().join('\n'), lines.toSorted().join('\n'), name)
    t.match(await importHistory(store, linesIn(text)), { recorded: 0 }, 'the second time changes nothing')
  }
})

/** A store that takes only so many calls. */
function stoppedAfter(calls: number, store: Storage): Storage {
  let left = calls
  return {
    ...store,
    appendMany: async (appends) => (left-- > 0 ? store.appendMany(appends) : Promise.reject(new Error('stopped'))),
  }
}

t.test('given an import that was stopped in the middle, when it is done again, then it goes on', async (t) => {
  const text = await textOf(await mixedStore())
  const store = createMemoryStore(clock)
  await t.rejects(importHistory(stoppedAfter(3, store), linesIn(text)), { message: 'stopped' })
  const taken = placeless(await textOf(store)).length
  t.ok(taken > 0 && taken < placeless(text).length)
  t.match(await importHistory(store, linesIn(text)), { recorded: placeless(text).length - taken })
  t.equal(placeless(await textOf(store)).join('\n'), placeless(text).join('\n'))
})

t.test(
  'given an import that was stopped anywhere, when the store is verified, then it is unfinished until the import is complete',
  async (t) => {
    const { otep, at } = terminal(t)
    for (const name of ['happy-path', 'cross-border', 'returned']) {
      await otep(['provider', 'add', name, '--all-businesses', '--init'])
      await otep(['ingest', example(name)])
    }
    const { out: text } = await otep(['export'])
    const events = placeless(text).length
    for (let calls = 0; calls < 3; calls++) {
      const name = `stopped-${calls}`
      const store = createSqliteStore({ file: at(name, 'otep.db'), clock })
      await t.rejects(importHistory(stoppedAfter(calls, store), linesIn(text)), { message: 'stopped' })
      await store.close()
      t.match(await otep(['verify'], name), { code: 1, out: /import: .*not complete.*otep import/ })
      t.match(await otep(['backup', at(`${name}.db`)], name), { code: 0 })
      t.match(await otep(['verify', at(`${name}.db`)]), { code: 1, out: /import: .*not complete/ }, 'and so is a copy')
      t.match(await otep(['import', '-'], name, text), { code: 0, out: new RegExp(`^${events} events, [1-9]`) })
      t.match(await otep(['verify'], name), { code: 0, out: /whole/ })
    }
  },
)

t.test(
  'given a store with a history of its own, when one is imported, then it is refused and nothing changes',
  async (t) => {
    const text = await textOf(await mixedStore())
    for (const [stream, count] of [
      ['tracking-x', 1],
      ['tracking-elsewhere', 1],
    ] as const) {
      const store = createMemoryStore(clock)
      await store.append(stream, [fact({ count })], 'no-stream')
      const before = await textOf(store)
      await t.rejects(importHistory(store, linesIn(text)), { message: /history of its own/ })
      t.equal(await textOf(store), before)
    }
    const longer = createMemoryStore(clock)
    await importHistory(longer, linesIn(text))
    await longer.append('tracking-x', [fact()], 'any')
    await t.rejects(importHistory(longer, linesIn(text)), { message: /history of its own/ }, 'it has gone on since')
  },
)

t.test('given a file that was cut or changed anywhere, when it is imported, then nothing of it is taken', async (t) => {
  const lines = (await textOf(await mixedStore())).trim().split('\n')
  const middle = Math.floor(lines.length / 2)
  const without = (index: number) => lines.filter((_, place) => place !== index)
  const changed = lines.with(middle, (lines[middle] as string).replace('"subject":{}', '"subject":{"piece_id":"x"}'))
  const cases = {
    'no last line': [lines.slice(0, -1), /cut/],
    'cut within a line': [[...lines.slice(0, middle), lines[middle]?.slice(0, 40)], /not JSON/],
    'a line less': [without(middle), /gap|not those/],
    'the first line less': [without(0), /line 1/],
    'another value': [changed, /not those/],
    'another version': [lines.with(0, JSON.stringify({ ...historyFormat, version: 2 })), /line 1: version/],
    'a line after the last': [[...lines, lines[1]], /nothing may follow/],
    'no event': [lines.with(middle, '{"stream":"a-1"}'), /revision/],
    nothing: [[], /cut/],
  } as const
  for (const [name, [damaged, reason]] of Object.entries(cases)) {
    const store = createMemoryStore(clock)
    await t.rejects(importHistory(store, linesIn(damaged.join('\n'))), { message: reason }, name)
    t.equal(await store.latest(), undefined)
  }
})

const at = '2026-06-10T13:30:00.000Z'

/** The text of a history with one event, and a matching last line. */
function historyOf(event: object): string {
  const base = { stream: 'tracking-x', revision: 0, position: '1', recordedAt: '2026-06-10T13:30:00.000Z', ...fact() }
  const lines = [JSON.stringify(historyFormat), JSON.stringify({ ...base, ...event })]
  const digest = createDigest()
  for (const line of lines) digest.add(line)
  return [...lines, JSON.stringify({ events: 1, sha256: digest.value() })].join('\n')
}

t.test('given events that this engine could not read, when they are imported, then nothing is taken', async (t) => {
  const told = { event_id: 'a', otep_version: '1.0', occurred_at: at, recorded_at: at, status_code: 'in_transit' }
  const tracked = { profile: 'parcel', subject: { tracking_number: 'X' }, provider: 'acme', event: told }
  const recorded = { type: 'TrackingEventRecorded', data: tracked }
  const current = { schemaVersion: 4 }
  const added = { stream: 'provider-register', type: 'ProviderAdded' }
  const provider = { name: 'acme', key_hash: 'x', at }
  const opened = { stream: 'account-1', type: 'AccountOpened' }
  for (const [event, reason] of [
    [{}, undefined],
    [{ ...recorded, metadata: { schemaVersion: 2 }, data: { ...tracked, personal: { description: 'a' } } }, undefined],
    [{ stream: 'otep-key-x' }, /no streams otep-/],
    [{ stream: '$all-x' }, /no streams \$all-/],
    [{ stream: 'shelf-1' }, /no streams shelf-/],
    [{ stream: 'tracking-\0' }, /no name that can be kept/],
    [{ stream: 'tracking-\ud800' }, /no name that can be kept/],
    [{ type: 'ProviderAdded' }, /tracking- hold no events of type ProviderAdded/],
    [{ type: 'toString' }, /hold no events of type/],
    ...[0, 3, 1.5, -1].map((schemaVersion) => [{ metadata: { schemaVersion } }, /whole number from 1 to 2/] as const),
    [{ ...recorded, metadata: { schemaVersion: 5 } }, /from 1 to 4, not 5/],
    ...[null, 'a', [], 1].map((data) => [{ data }, /data is no object/] as const),
    ...[null, 'otep1:sealed', []].map(
      (personal) =>
        [{ ...recorded, metadata: { schemaVersion: 2 }, data: { personal } }, /personal is no object/] as const,
    ),
    [{ ...recorded, data: { personal: {} } }, /of version 1 has no member personal/],
    [{ data: { personal: {} } }, /of version 1 has no member personal/],
    [{ data: {} }, /data\.subject of SubjectIdentified is to be object \(required\)/],
    [{ ...recorded, metadata: current, data: { ...tracked, event: {} } }, /data\.event\.event_id .* text \(required\)/],
    [{ ...recorded, metadata: current, data: { ...tracked, event: [] } }, /data\.event .* object \(wrong_type\)/],
    [{ ...added, data: provider }, undefined],
    [{ ...added, data: {} }, /data\.name of ProviderAdded is to be text \(required\)/],
    [{ ...added, data: { ...provider, key_hash: 1 } }, /data\.key_hash of ProviderAdded is to be text \(wrong_type\)/],
    [{ ...added, data: { ...provider, at: 'soon' } }, /data\.at of ProviderAdded is to be instant \(wrong_type\)/],
    [{ ...added, data: { ...provider, business_id: '7' } }, /data\.business_id .* number \(wrong_type\)/],
    [{ ...opened, data: {} }, /data\.at of AccountOpened is to be text \(required\)/],
    [{ ...opened, data: { at, by: null, account_id: null } }, /data\.account_id .* number \(wrong_type\)/],
    [
      { stream: 'device_order-1', type: 'DeviceOrderCreated', data: { at } },
      /data\.device_order_id .* number \(required\)/,
    ],
    [{ stream: 'policy-a', type: 'PolicyBegan', data: { after: 'b' } }, /data\.after .* object \(wrong_type\)/],
  ] as const) {
    const store = createMemoryStore(clock)
    const imported = importHistory(store, linesIn(historyOf(event)))
    if (reason === undefined) t.match(await imported, { recorded: 1 })
    else {
      await t.rejects(imported, { message: new RegExp(`line 2: .*${reason.source}`) }, JSON.stringify(event))
      t.equal(await store.latest(), undefined)
    }
  }
})

t.test('given a line without an end, when it is imported, then it is refused before it is all held', async (t) => {
  const { otep } = terminal(t)
  const [header = ''] = historyOf({}).split('\n')
  const answer = await otep(['import', '-'], 'data', `${header}\n"${'a'.repeat(longestLine)}`)
  t.match(answer, { code: 1, err: /line 2: it is longer than 16777216 characters/ })
})

t.test('given the command line, when a store is exported and imported, then it is the same history', async (t) => {
  const { otep, at } = terminal(t)
  for (const name of ['happy-path', 'cross-border', 'returned']) await otep(['ingest', example(name)])
  const { out, err, code } = await otep(['export'])
  t.equal(code, 0)
  t.match(err, /personal data/)
  t.match(await otep(['export', at('a.ndjson')]), { code: 0, out: '' })
  t.equal(statSync(at('a.ndjson')).mode & 0o777, 0o600)
  t.same(placeless(readFileSync(at('a.ndjson'), 'utf8')), placeless(out))
  t.match(await otep(['export', at('a.ndjson')]), { code: 1, err: /--force/ })
  const events = placeless(out).length
  t.match(await otep(['import', at('a.ndjson'), '--json'], 'b'), { out: JSON.stringify({ events, recorded: events }) })
  t.match(await otep(['import', '-'], 'b', out), { code: 0, out: `${events} events, 0 of them new\n` })
  t.match(await otep(['import', '-'], 'c', out.slice(0, -10)), { code: 1, err: /damaged/ })
  t.same(placeless((await otep(['export'], 'b')).out), placeless(out))
  const [here, there] = await Promise.all(['data', 'b'].map((place) => otep(['show', 'SR260610041', '--json'], place)))
  t.equal(there?.out, here?.out)
  t.match(await otep(['verify'], 'b'), { code: 0, out: /whole/ })
})

t.test('given damage of every kind, when the store is verified, then it is found', async (t) => {
  const { otep, at } = terminal(t)
  for (const name of ['happy-path', 'returned']) await otep(['ingest', example(name)])
  for (const name of ['acme', 'bolt']) await otep(['provider', 'add', name, '--all-businesses', '--init'])
  await otep(['backup', at('whole.db')])
  t.match(await otep(['verify', at('whole.db')]), { code: 0, out: /whole\.db: whole \(\d+ events, \d+ streams\)\n$/ })
  const last = '(SELECT max(pos) FROM events)'
  const cases = {
    'checksum: tracking-.* 3': `UPDATE events SET data = replace(data, 'parcel', 'parzel') WHERE type = 'TrackingEventRecorded' AND rev = 3`,
    'revisions: tracking-.* 4: revision 3 is to stand here': `DELETE FROM events WHERE type = 'TrackingEventRecorded' AND rev = 3`,
    'references: identifier-.*: there is no tracking-': `DELETE FROM events WHERE type = 'TrackingEventRecorded'`,
    'references: events \\d+: it belongs to a row of streams': `DELETE FROM streams WHERE name LIKE 'provider%'`,
    'data: provider-register 1: data.name of ProviderAdded is to be text \\(required\\)': `UPDATE events SET data = '{}', sum = NULL WHERE pos = ${last}`,
    'types: provider-register 1: .*Unheard': `UPDATE events SET type = 'Unheard', sum = NULL WHERE pos = ${last}`,
    'ids: provider-register 1: the id .* stands in the stream before': `UPDATE events SET id = (SELECT id FROM events e WHERE e.sid = events.sid AND e.rev = 0), sum = NULL WHERE pos = ${last}`,
    'read: after position .*JSON': `UPDATE events SET data = '{' WHERE pos = ${last}`,
  }
  for (const [found, sql] of Object.entries(cases)) {
    copyFileSync(at('whole.db'), at('copy.db'))
    const database = new (chooseDriver())(at('copy.db'))
    database.exec(`PRAGMA foreign_keys = OFF; ${sql}`)
    database.close()
    t.match(await otep(['verify', at('copy.db')]), { code: 1, out: new RegExp(found) }, found)
    t.match(await otep(['verify', at('copy.db'), '--json']), { code: 1, out: /"damages":[1-9]/ })
  }
  copyFileSync(at('whole.db'), at('copy.db'))
  truncateSync(at('copy.db'), 4096 * 5)
  t.match(await otep(['verify', at('copy.db')]), { code: 1 }, 'torn')
  t.match(await otep(['restore', at('copy.db')], 'new'), { code: 1, err: /damaged|malformed/ })
  writeFileSync(at('text.db'), 'text '.repeat(2000))
  t.match(await otep(['verify', at('text.db')]), { code: 1, err: /not an SQLite/ })
  t.match(await otep(['verify', at('none.db')]), { code: 1, err: /no file/ })
  t.match(await otep(['verify', 'a', 'b']), { code: 2 })
})

t.test(
  'given read models that are not what follows from the events, when the store is verified, then it is found',
  async (t) => {
    const { otep, at } = terminal(t)
    for (const name of ['happy-path', 'returned']) await otep(['ingest', example(name)])
    t.match(await otep(['verify']), { code: 0, out: /whole/ })
    const models = new (chooseDriver())(at('data', 'models.db'))
    const { name } = models.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'identifiers%g1'`).get() as {
      name: string
    }
    models.exec(`UPDATE "${name}" SET timeline = 'tracking-x'`)
    models.close()
    t.match(await otep(['verify']), { code: 1, out: /models: identifiers .*not what follows/ })
  },
)

t.test(
  'given a backup, when it is restored, then the store is as it was, and asks before it loses anything',
  async (t) => {
    const { otep, at } = terminal(t)
    await otep(['ingest', example('happy-path')])
    const made = await otep(['backup', at('a.db'), '--json'])
    t.match(JSON.parse(made.out), { file: at('a.db'), events: /^\d+$/, position: /^\d{16}$/, sha256: /^[0-9a-f]{64}$/ })
    t.equal(statSync(at('a.db')).mode & 0o777, 0o600)
    const before = await contentOf(at('data', 'otep.db'))
    await otep(['ingest', example('returned')])
    t.match(await otep(['backup', at('a.db')]), { code: 1, err: /--force/ })
    for (const own of ['otep.db', 'otep.db-wal', 'secret.key'])
      for (const command of ['backup', 'export'])
        t.match(await otep([command, at('data', own), '--force']), { code: 1, err: /belongs to the store itself/ }, own)
    t.match(await otep(['restore', at('a.db')]), { code: 1, err: /--force/ })
    t.match(await otep(['restore', at('a.db'), '--force']), { code: 0, out: /events are in/, err: '' })
    t.same(await contentOf(at('data', 'otep.db')), before)
    t.match(await otep(['restore', at('a.db')], 'new'), { code: 1, err: /OTEP_SECRET_KEY/ }, 'nothing would open it')
    mkdirSync(at('new'), { recursive: true })
    copyFileSync(at('data', 'secret.key'), at('new', 'secret.key'))
    t.match(await otep(['restore', at('a.db')], 'new'), { code: 0 })
    t.same(await contentOf(at('new', 'otep.db')), before)
    t.match(await otep(['restore', at('new', 'otep.db'), '--force'], 'new'), { code: 1, err: /the store itself/ })
    for (const command of ['backup', 'restore'])
      t.match(await otep([command, at('b.db'), '--store', 'esdb://u:secret@a:2113']), {
        code: 1,
        err: /^esdb:\/\/a:2113 is not a file.*otep export/,
      })
  },
)

t.test('given a backup without its keys, when it is restored, then it is refused, and the store stays', async (t) => {
  const { otep, at } = terminal(t)
  await otep(['ingest', example('happy-path')])
  await otep(['backup', at('a.db')])
  const backup = new (chooseDriver())(at('a.db'))
  backup.exec('UPDATE keys SET key = NULL')
  backup.close()
  const before = await contentOf(at('data', 'otep.db'))
  t.match(await otep(['restore', at('a.db'), '--force']), { code: 1, err: /All keys in .*a\.db are gone/ })
  t.same(await contentOf(at('data', 'otep.db')), before)
})

t.test(
  'given a directory that all may read, when a store is made in it, then its files are for the owner',
  async (t) => {
    const { at } = terminal(t)
    chmodSync(at(), 0o755)
    const store = createSqliteStore({ file: at('otep.db'), clock })
    const models = createReadModels({
      store,
      models: domains.flatMap(({ readModels = [] }) => readModels),
      file: at('models.db'),
      name: 'a',
    })
    await store.append('tracking-x', [fact()], 'no-stream')
    await models.state()
    const files = readdirSync(at()).sort()
    t.same(files, ['models.db', 'models.db-shm', 'models.db-wal', 'otep.db', 'otep.db-shm', 'otep.db-wal'])
    for (const file of files) t.equal(statSync(at(file)).mode & 0o777, 0o600, file)
    await models.close()
    await store.close()
  },
)

t.test('given two that write one file, when both do, then it is whole, private, and alone', async (t) => {
  const { otep, at } = terminal(t)
  await otep(['ingest', example('happy-path')])
  const umask = process.umask(0)
  for (const command of ['backup', 'export']) {
    mkdirSync(at('files'), { recursive: true })
    const runs = [1, 2, 3].map(() => otep([command, at('files', 'a'), '--force']))
    for (const { code, err } of await Promise.all(runs)) t.equal(code, 0, err)
    t.same(readdirSync(at('files')), ['a'], command)
    t.equal(statSync(at('files', 'a')).mode & 0o777, 0o600)
    rmSync(at('files', 'a'))
  }
  process.umask(umask)
})

t.test('given a store that cannot be read, when it is exported to a file, then nothing is left of it', async (t) => {
  const { otep, at } = terminal(t)
  await otep(['ingest', example('happy-path')])
  const database = new (chooseDriver())(at('data', 'otep.db'))
  database.exec(`UPDATE events SET data = '{'`)
  database.close()
  const before = readdirSync(at())
  t.match(await otep(['export', at('a.ndjson')]), { code: 1, err: /JSON/ })
  t.same(readdirSync(at()), before)
})

t.test('given a slow reader, when a store is exported to it, then nobody listens to it afterwards', async (t) => {
  const { otep, at } = terminal(t)
  for (const name of ['happy-path', 'cross-border', 'returned']) await otep(['ingest', example(name)])
  let text = ''
  const slow = new Writable({
    highWaterMark: 1,
    write: (chunk, _, done) => {
      text += chunk
      setImmediate(done)
    },
  })
  const stderr = { write: () => true, isTTY: false, columns: 80 } as never
  const env = { OTEP_DATA_DIR: at('data') }
  t.equal(await run(['export'], { env, stdin: Readable.from([]), stdout: slow as never, stderr }), 0)
  t.match(text, /"sha256":"[0-9a-f]{64}"\}\n$/)
  t.same([slow.listenerCount('drain'), slow.listenerCount('close'), slow.listenerCount('error')], [0, 0, 0])
})
