import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  type Append,
  type Caller,
  call,
  createMemoryStore,
  en,
  fold,
  isInPlainText,
  otepIngest,
  type RecordedEvent,
  readTimeline,
  type StreamName,
  sha256,
  type TrackingEvent,
  tracking,
  versionOf,
} from '../../../index.ts'
import { engineFolder } from '../../../testing/files.test.fixture.ts'
import { createTestParts } from '../../../testing/parts.test.fixture.ts'
import { foldName, keptFrom } from '../snapshot.ts'
import { upcasts } from '../upcasts.ts'

const caller: Caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }

const here = join(engineFolder, 'domains', 'tracking', 'history')
const file = (name: string) => readFileSync(join(here, name), 'utf8')
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A store that holds a kept history as it was recorded, and the engine of today on it. */
async function engineOn(name: string) {
  const events = file(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent)
  const storage = createMemoryStore(() => Date.parse('2026-11-21T12:00:00Z'))
  for (const { stream, revision, position, ...event } of events) {
    await storage.append(stream as Append['stream'], [event], revision === 0 ? 'no-stream' : revision - 1)
  }
  return {
    events,
    storage,
    parts: createTestParts({ store: storage, clock: () => Date.parse('2026-11-21T12:00:00Z') }),
  }
}

for (const name of readdirSync(here).filter((one) => one.endsWith('.ndjson'))) {
  t.test(`given the history of ${name}, when it is read today, then its timelines are those of then`, async (t) => {
    const { parts } = await engineOn(name)
    const expected = Object.entries(JSON.parse(file(name.replace('.ndjson', '.timelines.json'))))
    for (const [timeline, wanted] of expected) {
      const { timeline: read } = await readTimeline(parts, `tracking-${timeline}`)
      // Versions of events are not in documents; the states of the last test have them.
      t.same(JSON.parse(JSON.stringify(read)), wanted, timeline)
    }
    t.ok(expected.length > 5)
  })

  t.test(
    `given the history of ${name}, when it is read today, then every event is of the version of today`,
    async (t) => {
      const { events, parts } = await engineOn(name)
      const read: RecordedEvent[] = []
      for await (const event of parts.store.readAll()) read.push(event)
      t.equal(read.length, events.length)
      for (const { type, metadata } of read) t.equal(metadata.schemaVersion, versionOf(type, upcasts))
      t.same(new Set(events.map(({ type }) => type)).size, new Set(read.map(({ type }) => type)).size)
    },
  )

  t.test(
    `given the history of ${name}, when it is moved to a new store, then nothing personal is in plain text`,
    async (t) => {
      const old = await engineOn(name)
      const storage = createMemoryStore(Date.now)
      const { store } = createTestParts({ store: storage })
      for await (const { stream, revision, position, ...event } of old.parts.store.readAll()) {
        await store.append(stream as Append['stream'], [event], revision === 0 ? 'no-stream' : revision - 1)
      }
      let sealed = 0
      for await (const event of storage.readAll()) {
        t.notOk(isInPlainText(event))
        if (typeof (event.data as { personal?: unknown }).personal === 'string') sealed++
      }
      let personal = 0
      for await (const event of store.readAll())
        if (isObject((event.data as { personal?: unknown }).personal)) personal++
      t.ok(sealed > 50)
      t.equal(sealed, personal)
      t.same(await readTimelines(store), await readTimelines(old.parts.store))

      async function readTimelines(from: typeof store) {
        const timelines = []
        for (const timeline of Object.keys(JSON.parse(file(name.replace('.ndjson', '.timelines.json')))))
          timelines.push((await readTimeline({ ...old.parts, store: from }, `tracking-${timeline}`)).timeline)
        return timelines
      }
    },
  )
}

t.test('given an event of a later version, when it is read, then it is refused', async (t) => {
  const { storage, parts } = await engineOn('version-1.ndjson')
  const metadata = { schemaVersion: 5 }
  const event = { type: 'TrackingEventRecorded', data: {}, id: '00000000-0000-4000-8000-ffffffffffff', metadata }
  await storage.append('tracking-tracking_number:LATER', [event], 'no-stream')
  await t.rejects(parts.store.read('tracking-tracking_number:LATER'), { code: 'internal' })
})

t.test(
  'given facts of every kind, when they are folded, then to the states that the name of the fold stands for',
  async (t) => {
    const streamsIn = (events: readonly RecordedEvent[]) =>
      [...new Set(events.map(({ stream }) => stream as StreamName))].filter((one) => one.startsWith('tracking-'))
    const { events, parts } = await engineOn('version-1.ndjson')
    const later = await engineOn('version-3.ndjson')
    const context = { ...parts, caller, messages: en, requestId: 'test' }
    const line = (id: number, more: object) => ({
      subject: { tracking_number: 'NEW' },
      ...{ event_id: `e-${id}`, status_code: 'in_transit', occurred_at: `2026-06-0${id}T08:00:00Z` },
      ...more,
    })
    for (const lines of [
      [line(2, { description: 'first' }), line(1, { location: { name: 'Ghent', address: { street: 'Korenlei' } } })],
      [line(2, { incident_reason: 'other' }), line(1, { subject: { tracking_number: 'NEW', order_id: 7 } })],
      [line(2, { withdrawn: { declared_at: '2026-06-05T08:00:00Z', reason: 'wrong' } }), line(3, {})],
    ])
      await call(otepIngest, context, { document: { lines } })
    const states = []
    for (const [{ store }, streams] of [
      [parts, [...streamsIn(events), 'tracking-tracking_number:NEW']],
      [later.parts, streamsIn(later.events)],
    ] as const)
      for (const stream of streams)
        states.push(keptFrom(fold(tracking, (await store.read(stream as StreamName)) as readonly TrackingEvent[])))
    const due = 'tracking 2 dfc77d3a09810a425ee3bc0f7c68891f9dd246a919564d1f67877e18b15e6c00'
    t.equal(
      `${foldName} ${await sha256(JSON.stringify(states))}`,
      due,
      'raise the name if the fold or its form has changed',
    )
  },
)
