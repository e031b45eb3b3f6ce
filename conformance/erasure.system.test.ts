import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { run } from '../adapters/cli/run.ts'
import { createApp, createParts, startServer } from '../adapters/main.ts'
import { configFrom } from '../adapters/node/config.ts'
import { secretOf } from '../adapters/node/secret.ts'
import { backUp } from '../adapters/sqlite/facts/backup.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { restore } from '../adapters/sqlite/facts/restore.ts'
import {
  type Caller,
  type Context,
  call,
  changesOf,
  createMemoryModels,
  createMemoryStore,
  EngineError,
  en,
  mediaTypeOf,
  otepForget,
  otepIngest,
  readTimeline,
  representationsOf,
  type Storage,
  type StreamName,
} from '../engine/index.ts'
import { outside } from '../engine/testing/context.ts'
import { profiles } from '../profiles/index.ts'
import { projections } from '../projections/index.ts'
import { cachedBytes } from '../projections/shared/template/index.ts'
import { storeSuite } from './suites/index.ts'
import { anyDocument } from './suites/projection/random.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const caller: Caller = { kind: 'operator', name: 'acme', scopes: ['otep:ingest', 'otep:erase'] }
const newSecret = () => randomBytes(32).toString('base64')
const stream: StreamName = 'tracking-tracking_number:SR1'

/** Texts that identify a person; each occurs once in the document, and nowhere else. */
const personal = {
  recipient: 'Adaline Verhulst',
  note: 'Rang at the bakery',
  signature: 'https://example.com/signature-4711.svg',
  photo: 'https://example.com/photo-4711.jpg',
  description: 'Left with her brother Bastiaan',
  street: 'Korenlei 9471',
  postal_code: 'ZX-94712',
  latitude: 51.0571123,
  longitude: 3.7204321,
  reason: 'Was for Casimir Maes',
}
const telling = Object.values(personal).map(String)

const delivered = {
  event_id: 'e-1',
  occurred_at: '2026-06-10T09:30:00-04:00',
  recorded_at: '2026-06-10T13:45:00Z',
  status_code: 'delivered',
  source: { type: 'carrier_tracking', code: 'DLV' },
}
const whole = {
  ...delivered,
  description: personal.description,
  location: {
    name: 'Ghent South',
    latitude: personal.latitude,
    longitude: personal.longitude,
    address: { street: personal.street, locality: 'Ghent', postal_code: personal.postal_code, country: 'BE' },
  },
  pod: {
    recipient: personal.recipient,
    signed_at: '2026-06-10T09:30:00-04:00',
    signature_url: personal.signature,
    photo_urls: [personal.photo],
    note: personal.note,
  },
}
const mistaken = {
  ...delivered,
  event_id: 'e-0',
  occurred_at: '2026-06-10T08:30:00-04:00',
  status_code: 'out_for_delivery',
  withdrawn: { declared_at: '2026-06-10T12:00:00Z', reason: personal.reason },
}
const subject = { tracking_number: 'SR1', order_id: 77 }
const document = { subject, events: [mistaken, delivered] }
const enriching = { subject, events: [whole] }

interface Answered {
  readonly data: { readonly events: readonly { outcome: string; event_id: string; warnings?: { code: string }[] }[] }
}

/** The engine on a storage, like a separate node. */
function nodeOn(storage: Storage, key = '') {
  const options = { store: storage, publicView: 'full' as const, clock: () => now, secret: secretOf(key) }
  const context: Context = { ...createParts(options), caller, messages: en, requestId: 'test' }
  const app = createApp(options)
  return {
    store: context.store,
    context,
    ingest: async (sent: unknown) =>
      ((await call(otepIngest, context, { document: sent })) as unknown as Answered).data.events,
    forget: (more = {}) => call(otepForget, context, { tracking_number: 'SR1', ...more }),
    timeline: async () => (await readTimeline(context, stream)).timeline,
    get: async (path: string, headers = {}) => app.fetch(new Request(`http://localhost${path}`, { headers })),
  }
}

/** A store in a file, with one timeline that has personal data. */
async function filled(t: Test) {
  const directory = t.testdir({})
  const file = join(directory, 'otep.db')
  const storage = createSqliteStore({ file, clock: () => now })
  t.teardown(() => storage.close())
  const key = newSecret()
  const node = nodeOn(storage, key)
  await node.ingest(document)
  await node.ingest(enriching)
  return { directory, file, storage, key, node }
}

/** All bytes in a directory, as one text. */
function bytesIn(directory: string): string {
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name)).toString('latin1'))
    .join('\n')
}

function tellingIn(text: string): readonly string[] {
  return telling.filter((one) => text.includes(one))
}

async function historyOf(node: Pick<Context, 'store'>) {
  const events = []
  for await (const event of node.store.readAll()) events.push(event)
  return events
}

t.test('given a timeline that tells of people, when it is recorded, then no byte of it is in the files', async (t) => {
  const { directory, node } = await filled(t)
  t.equal(tellingIn(JSON.stringify(await node.timeline())).length, telling.length, 'and all of it is read')
  t.same(tellingIn(bytesIn(directory)), [])
  t.match(bytesIn(directory), /Ghent South/, 'what is not personal is found where it is looked for')
})

t.test('given two nodes, when one forgets, then nothing that is read or kept tells of people any more', async (t) => {
  const { directory, storage, key, node } = await filled(t)
  const other = nodeOn(storage, key)
  const before = await other.get('/api/v1/otep/trackings/SR1')
  t.equal(tellingIn(await before.text()).length, telling.length)
  const kept = (await storage.keys.read(stream)) ?? ''
  t.match(bytesIn(directory), kept)

  t.match(await node.forget({ dry_run: true }), { state: 'not_forgotten', events: 2, personal_events: 2 })
  t.equal(tellingIn(JSON.stringify(await other.timeline())).length, telling.length, 'a dry run changes nothing')
  t.match(await node.forget(), { state: 'forgotten', timeline: 'tracking_number:SR1', subject, personal_events: 2 })
  t.match(await other.forget(), { state: 'already_forgotten', personal_events: 0 })

  t.notMatch(bytesIn(directory), kept, 'the key is gone from the files')
  for (const reader of [node, other]) {
    t.same(tellingIn(JSON.stringify(await historyOf(reader))), [], 'the history')
    const answer = await reader.get('/api/v1/otep/trackings/SR1', { 'if-none-match': before.headers.get('etag') })
    t.equal(answer.status, 200, 'what was cached is void')
    t.same(tellingIn(await answer.text()), [], 'the answer')
    for (const format of projections) {
      for (const accept of representationsOf(format).map((form) => mediaTypeOf(format, form))) {
        const found = await reader.get('/api/v1/otep/trackings/SR1', { accept })
        t.equal(found.status, 200, accept)
        t.same(tellingIn(await found.text()), [], accept)
      }
    }
    t.same(tellingIn(await (await reader.get('/track/SR1', { accept: 'text/html' })).text()), [], 'the page')
    const ended = new AbortController()
    const told: unknown[] = []
    for await (const change of changesOf(reader.context, { stream, view: 'own' }, -1, ended.signal)) {
      told.push(change)
      if (change.change === 'erased') ended.abort()
    }
    t.same(tellingIn(JSON.stringify(told)), [], 'the data that a live reader receives')
    t.match(told.at(-1), { change: 'erased', event: undefined, current_status: 'delivered', delivered: true })
  }
  t.match(await node.timeline(), {
    current_status: 'delivered',
    events: [{ ...delivered, location: { name: 'Ghent South', address: { locality: 'Ghent', country: 'BE' } } }],
    withdrawn_events: [{ event_id: 'e-0', withdrawn: { declared_at: '2026-06-10T12:00:00Z' } }],
  })
})

t.test(
  'given a place with coordinates that formats have cached, when it is forgotten, then no cache has it',
  async (t) => {
    const node = nodeOn(
      createMemoryStore(() => now),
      newSecret(),
    )
    const { name, latitude, longitude } = whole.location
    await node.ingest({ subject, events: [{ ...delivered, location: { name, latitude, longitude } }] })
    const written = await node.get('/api/v1/otep/trackings/SR1', { accept: 'application/ld+json' })
    t.match(await written.text(), String(latitude))
    t.ok(cachedBytes() > 0)
    await node.forget()
    t.equal(cachedBytes(), 0)
  },
)

t.test('given a live reader at another node, when a timeline is erased, then it is notified', async (t) => {
  const { storage, key, node } = await filled(t)
  const other = nodeOn(storage, key)
  const changes = changesOf(
    other.context,
    { stream, view: 'own' },
    (await other.store.read(stream)).length - 1,
    new AbortController().signal,
  )
  const next = changes.next()
  await node.forget()
  t.match((await next).value, { change: 'erased', subject })
  await changes.return(undefined)
})

t.test('given an erased timeline, when events arrive, then they are recorded without personal data', async (t) => {
  const { directory, node } = await filled(t)
  await node.forget()
  t.match(await node.ingest(enriching), [{ outcome: 'duplicate', warnings: [{ code: 'personal_data_dropped' }] }])
  t.match(await node.ingest(document), [
    { outcome: 'duplicate', warnings: [{}] },
    { outcome: 'duplicate', warnings: undefined },
  ])
  const next = { ...whole, event_id: 'e-2', occurred_at: '2026-06-10T09:40:00-04:00', status_code: 'delivered' }
  t.match(await node.ingest({ subject, events: [next] }), [
    { outcome: 'accepted', event_id: 'e-2', warnings: [{ code: 'personal_data_dropped' }] },
  ])
  const { events } = await node.timeline()
  t.match(events.at(-1), {
    event_id: 'e-2',
    location: { name: 'Ghent South' },
    pod: { signed_at: delivered.occurred_at },
  })
  t.same(tellingIn(JSON.stringify(events) + bytesIn(directory)), [])
})

t.test('given a crash after the fact, when the timeline is read, then its key is thrown away', async (t) => {
  const { storage, key, node } = await filled(t)
  const at = new Date(now).toISOString()
  const fact = { type: 'PersonalDataErased', data: { at }, id: crypto.randomUUID(), metadata: { schemaVersion: 1 } }
  await storage.append(stream, [fact], 'stream-exists')
  t.ok(await storage.keys.read(stream))
  t.match(await nodeOn(storage, key).forget(), { state: 'already_forgotten' })
  t.equal(await storage.keys.read(stream), undefined)
  await node.timeline()
  t.same(tellingIn(JSON.stringify(await historyOf(node))), [], 'by a node that had the key in memory too')
})

t.test(
  'given events of before there was sealing, when their timeline is forgotten, then no answer tells',
  async (t) => {
    const storage = createMemoryStore(() => now)
    const node = nodeOn(storage)
    const data = { profile: 'parcel', subject, provider: 'acme', event: { otep_version: '0.1', ...whole } }
    const fact = { type: 'TrackingEventRecorded', data, id: crypto.randomUUID(), metadata: { schemaVersion: 1 } }
    await storage.append(stream, [fact], 'no-stream')
    t.ok(tellingIn(JSON.stringify(await historyOf(node))).length > 0)
    t.match(await node.forget({ tracking_number: 'tracking_number:SR1' }), { state: 'forgotten', personal_events: 1 })
    t.same(tellingIn(JSON.stringify([await historyOf(node), await node.timeline()])), [])
  },
)

t.test(
  'given sealed data, when it is moved to another event or timeline in the file, then it does not open',
  async (t) => {
    const { storage, node } = await filled(t)
    const [one, two] = (await storage.read(stream)).filter(({ data }) => 'personal' in (data as object))
    const { personal: sealed } = (one?.data ?? {}) as { readonly personal?: string }
    t.type(sealed, 'string')
    const moved = { ...two, id: crypto.randomUUID(), data: { ...(two?.data as object), personal: sealed } }
    await storage.append('tracking-tracking_number:SR9', [moved as never], 'no-stream')
    await t.rejects(node.store.read('tracking-tracking_number:SR9'))
    await storage.append(stream, [moved as never], 'stream-exists')
    await t.rejects(node.store.read(stream))
  },
)

t.test('given another secret, when the store is used, then it refuses, and nothing is lost', async (t) => {
  const { directory, storage, key, node } = await filled(t)
  const other = nodeOn(storage, newSecret())
  for (const refused of [other.timeline, other.forget, () => other.ingest(enriching)])
    await t.rejects(async () => refused(), { code: 'wrong_secret_key' })
  const { status, headers } = await other.get('/api/v1/otep/trackings/SR1')
  t.match({ status, type: headers.get('content-type') }, { status: 500, type: /json/ })
  const env = { OTEP_DATA_DIR: directory, HOST: '127.0.0.1', PORT: '0', OTEP_LOG_LEVEL: 'silent' }
  await t.rejects(startServer(configFrom({ ...env, OTEP_SECRET_KEY: newSecret() })), { code: 'wrong_secret_key' })
  await t.rejects(startServer(configFrom(env)), { code: 'wrong_secret_key' })
  t.notOk(readdirSync(directory).includes('secret.key'), 'and no secret is made for a store that has one')
  t.throws(() => configFrom({ ...env, OTEP_SECRET_KEY: 'short' }), /OTEP_SECRET_KEY/)
  const running = await startServer(configFrom({ ...env, OTEP_SECRET_KEY: key }))
  t.teardown(running.stop)
  await running.stop()
  t.equal(tellingIn(JSON.stringify(await node.timeline())).length, telling.length)
})

/** What runs a command in this process, and answers all that it prints. */
function commandLine(env: Readonly<Record<string, string>>) {
  return async (line: readonly string[], { input = '', isTTY = false } = {}) => {
    const texts: string[] = []
    const write = (text: string | Uint8Array) => texts.push(Buffer.from(text as string).toString()) > 0
    const stdin = Object.assign(Readable.from([input]), { isTTY })
    const streams = { stdin, stdout: { write }, stderr: { write, isTTY, columns: 80 } }
    const code = await run(line, { env, ...streams } as never)
    return { code, text: texts.join('') }
  }
}

t.test('given the command line, when a number is forgotten, then it asks first, and tells what it did', async (t) => {
  const OTEP_DATA_DIR = t.testdir({ 'sent.json': JSON.stringify(document), 'more.json': JSON.stringify(enriching) })
  const otep = commandLine({ OTEP_DATA_DIR })
  for (const name of ['sent', 'more']) await otep(['ingest', join(OTEP_DATA_DIR, `${name}.json`)])
  t.ok(tellingIn((await otep(['show', 'SR1', '--json'])).text).length > 0)
  t.match(await otep(['forget', 'SR1']), { code: 2, text: /--yes/ })
  t.match(await otep(['forget', 'nobody', '--yes']), { code: 1 })
  t.match(await otep(['forget']), { code: 2 })
  t.match(await otep(['forget', 'SR1'], { input: 'no\n', isTTY: true }), {
    code: 1,
    text: /order_id 77.*2 events, 2 of them/,
  })
  t.match(await otep(['forget', 'SR1'], { input: '', isTTY: true }), { code: 1 })
  t.ok(tellingIn((await otep(['show', 'SR1', '--json'])).text).length > 0, 'until it is agreed')
  t.match(await otep(['forget', '77'], { input: 'y\n', isTTY: true }), { code: 0, text: /SR1 is forgotten/ })
  t.match(await otep(['forget', 'SR1']), { code: 0, text: /already forgotten/ })
  const again = JSON.parse((await otep(['forget', 'tracking_number:SR1', '--json', '--yes'])).text)
  t.match(again, { state: 'already_forgotten', timeline: 'tracking_number:SR1', events_in_plain_text: 0 })
  for (const line of [['show', 'SR1'], ['show', 'SR1', '--json'], ['export']]) {
    const { code, text } = await otep(line)
    t.equal(code, 0, line.join(' '))
    t.same(tellingIn(text), [], line.join(' '))
  }
})

t.test(
  'given a reader of the file, when a timeline is erased, then the caller is told, and the erasure is finished later',
  async (t) => {
    const { directory, file, storage, key, node } = await filled(t)
    const otep = commandLine({ OTEP_DATA_DIR: directory, OTEP_SECRET_KEY: key })
    const kept = (await storage.keys.read(stream)) ?? ''
    const reader = openDatabase(file)
    t.teardown(() => reader.close())
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM events').get()
    await t.rejects(node.forget(), { code: 'erasure_unfinished' })
    t.match(bytesIn(directory), kept)
    t.same(tellingIn(JSON.stringify(await node.timeline())), [], 'though nobody reads it any more')
    t.match(await otep(['forget', 'SR1']), { code: 1, text: /Run this again/ })
    const again = otep(['forget', 'SR1'])
    reader.exec('COMMIT')
    t.match(await again, { code: 0, text: /already forgotten/ })
    t.notMatch(bytesIn(directory), kept)
  },
)

t.test(
  'given a key that is still in a log, when an erasure is read, then only the erasing caller is told',
  async (t) => {
    const storage = createMemoryStore(() => now)
    const remove = async (subject: string) => {
      await storage.keys.remove(subject)
      throw new EngineError('erasure_unfinished')
    }
    const node = nodeOn({ ...storage, keys: { ...storage.keys, remove } })
    await node.ingest(enriching)
    t.ok(tellingIn(JSON.stringify(await historyOf(node))).length > 0)
    const data = { at: new Date(now).toISOString() }
    const fact = { type: 'PersonalDataErased', data, id: crypto.randomUUID(), metadata: { schemaVersion: 1 } }
    await storage.append(stream, [fact], 'stream-exists')
    t.same(tellingIn(JSON.stringify([await node.timeline(), await historyOf(node)])), [])

    await node.ingest({ subject: { tracking_number: 'SR2' }, events: [whole] })
    await t.rejects(node.forget({ tracking_number: 'SR2' }), { code: 'erasure_unfinished' })
  },
)

t.test('given a backup, when a timeline is forgotten and the backup restored, then it stays forgotten', async (t) => {
  const { directory, file, storage, key, node } = await filled(t)
  const old = { data: { profile: 'parcel', subject: { tracking_number: 'SR2' }, provider: 'acme', event: whole } }
  const fact = { ...old, type: 'TrackingEventRecorded', id: crypto.randomUUID(), metadata: { schemaVersion: 1 } }
  await storage.append('tracking-tracking_number:SR2', [fact], 'no-stream')
  const path = '/api/v1/otep/trackings/SR1'
  const before = await Promise.all([path, '/track/SR1'].map((one) => node.get(one)))
  const backup = join(directory, 'backup.db')
  await backUp(file, backup)
  await node.forget()
  await node.forget({ tracking_number: 'tracking_number:SR2' })
  await storage.close()

  const otep = commandLine({ OTEP_DATA_DIR: directory, OTEP_SECRET_KEY: key })
  t.match(await otep(['restore', backup, '--force']), { code: 0 })
  const again = createSqliteStore({ file, clock: () => now })
  t.teardown(() => again.close())
  const restored = nodeOn(again, key)
  t.same(tellingIn(JSON.stringify(await historyOf(restored))), [], 'sealed or not')
  t.equal((await restored.timeline()).events.length, 1)
  t.match(await restored.ingest(enriching), [{ outcome: 'duplicate', warnings: [{ code: 'personal_data_dropped' }] }])
  t.match(await restored.forget(), { state: 'already_forgotten', personal_events: 0 })
  for (const [index, one] of [path, '/track/SR1'].entries()) {
    const answer = await restored.get(one, { 'if-none-match': before[index]?.headers.get('etag') })
    t.equal(answer.status, 200, 'what was cached is void')
  }
})

t.test('given an erasure that ended half way, when a backup is restored, then the key is thrown away', async (t) => {
  const { directory, file, storage } = await filled(t)
  const backup = join(directory, 'backup.db')
  await backUp(file, backup)
  await storage.keys.add(`forgotten:${stream}`, 'yes')
  t.match(await restore(backup, file, { force: true }), { forgotten: [stream] })
  const again = createSqliteStore({ file, clock: () => now })
  t.teardown(() => again.close())
  t.equal(await again.keys.read(stream), undefined)
  t.equal(await again.keys.read(`forgotten:${stream}`), 'yes')
})

t.test('given random histories, when they are sealed, then every answer and every timeline is the same', async (t) => {
  const outcomesOf = async (context: Context, sent: unknown) =>
    (await call(otepIngest, context, { document: sent })).data
  await fc.assert(
    fc.asyncProperty(fc.array(anyDocument, { minLength: 1, maxLength: 3 }), async (documents) => {
      const plain = createMemoryStore(() => now)
      const base = { clock: () => now, caller, messages: en, requestId: 'test', baseUrl: 'http://localhost' }
      const around = { ...base, randomId: () => crypto.randomUUID(), profiles, formats: projections, ...outside }
      const unsealed: Context = { ...around, store: plain, models: createMemoryModels(plain) }
      const sealed = nodeOn(
        createMemoryStore(() => now),
        newSecret(),
      ).context
      for (const sent of [...documents, ...documents])
        t.same(await outcomesOf(sealed, sent), await outcomesOf(unsealed, sent))
      const streams = new Set<StreamName>()
      for await (const { stream: name } of plain.readAll(undefined, { category: 'tracking' }))
        streams.add(name as StreamName)
      for (const name of streams) {
        const [one, two] = await Promise.all([readTimeline(sealed, name), readTimeline(unsealed, name)])
        t.equal(JSON.stringify(one), JSON.stringify(two))
      }
    }),
    { numRuns: 40, seed: 1 },
  )
})

await t.test('the store with its seals', async (t) => {
  storeSuite(
    (name, run) => t.test(name, run),
    async (clock) => {
      const storage = createMemoryStore(clock)
      return { store: createParts({ store: storage }).store, cleanup: () => storage.close() }
    },
  )
})
