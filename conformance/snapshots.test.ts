import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { createParts } from '../adapters/main.ts'
import { type Secret, secretOf } from '../adapters/node/secret.ts'
import { createVault } from '../adapters/vault/index.ts'
import {
  type Caller,
  type Context,
  call,
  createMemoryStore,
  domains,
  type EventStore,
  en,
  otepForget,
  otepIngest,
  readTimeline,
  type SnapshotRow,
  type SnapshotRows,
  type Storage,
  type StreamName,
  sealedStore,
  withoutSnapshots,
} from '../engine/index.ts'
import { areMany, runs } from '../engine/testing/runs.test.fixture.ts'
import { createMemoryRows } from '../engine/testing/snapshots.test.fixture.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const caller: Caller = { kind: 'operator', name: 'acme', scopes: ['otep:ingest', 'otep:erase'] }
const stream: StreamName = 'tracking-tracking_number:SR1'
const newSecret = () => secretOf(randomBytes(32).toString('base64')) as Secret

const upcasts = Object.assign({}, ...domains.map((domain) => domain.upcasts))
const erasures = domains.flatMap((domain) => domain.erasures ?? [])

/** A node with its own keys in memory, and how many events it has read. */
function nodeOn(storage: Storage, snapshots: SnapshotRows, secret = newSecret()) {
  let events = 0
  const read: EventStore['read'] = async (...of) => {
    const found = await storage.read(...of)
    events += found.length
    return found
  }
  const vault = createVault({ keys: storage.keys, secret })
  const store = sealedStore({ ...storage, read }, { vault, upcasts, erasures, snapshots })
  const parts = createParts({ store: storage, publicView: 'full', secret, clock: () => now })
  const context: Context = { ...parts, store, caller, messages: en, requestId: 'test' }
  const timelineOf = (one: EventStore) => readTimeline({ ...context, store: one }, stream)
  return {
    ingest: (...lines: readonly object[]) => call(otepIngest, context, { document: { lines } }),
    forget: () => call(otepForget, context, { tracking_number: 'SR1' }),
    timeline: () => timelineOf(store),
    /** The same from its events alone. */
    due: () => timelineOf(withoutSnapshots(store)),
    /** Reads, and tells how many events were read for it. */
    eventsRead: async () => {
      const before = events
      await timelineOf(store)
      return events - before
    },
  }
}

const lineOf = (index: number, more: object = {}) => ({
  subject: { tracking_number: 'SR1' },
  ...{ event_id: `e-${index}`, status_code: 'in_transit', description: `For Adaline ${index}` },
  occurred_at: new Date(Date.parse('2026-06-10T08:00:00Z') + index * 60_000).toISOString(),
  ...more,
})

/** So many events in order. */
const lines = (count: number) => Array.from({ length: count }, (_, index) => lineOf(index))

t.test('given a timeline that was read, when it is read again, then its events are not read', async (t) => {
  const rows = createMemoryRows()
  const storage = createMemoryStore(() => now)
  const secret = newSecret()
  const node = nodeOn(storage, rows, secret)
  await node.ingest(...lines(10))
  const due = await node.due()
  t.equal(await node.eventsRead(), 10)
  await rows.settled()
  t.equal(await node.eventsRead(), 0)
  const another = nodeOn(storage, rows, secret)
  t.strictSame(await another.timeline(), due)
  t.equal(await another.eventsRead(), 0)
  await node.ingest(lineOf(10))
  t.equal(await another.eventsRead(), 2, 'the last one of the snapshot, and the new one')
  t.strictSame(await another.timeline(), await another.due())
})

t.test('given a timeline of a few events or of very many, when it is read, then nothing is kept', async (t) => {
  for (const count of [3, 501]) {
    const rows = createMemoryRows()
    const node = nodeOn(
      createMemoryStore(() => now),
      rows,
    )
    await node.ingest(...lines(count))
    await node.timeline()
    await rows.settled()
    t.equal(rows.rows.size, 0)
  }
})

t.test('given personal data, when a snapshot is kept, then it is sealed, and gone with the key', async (t) => {
  const rows = createMemoryRows()
  const storage = createMemoryStore(() => now)
  const secret = newSecret()
  const node = nodeOn(storage, rows, secret)
  await node.ingest(...lines(5))
  await node.timeline()
  await rows.settled()
  const row = rows.rows.get(stream) as SnapshotRow
  t.notMatch(JSON.stringify(row), /Adaline|in_transit/)
  await node.forget()
  t.equal(rows.rows.size, 0)
  rows.rows.set(stream, row)
  t.notMatch(JSON.stringify(await nodeOn(storage, rows, secret).timeline()), /Adaline/)
  t.equal(rows.rows.size, 0, 'what cannot be opened is dropped')
  await rows.settled()
  t.equal(rows.rows.size, 0, 'and nothing is kept of what was erased')
})

t.test('given nothing personal, when a snapshot is kept, then no key is made for it', async (t) => {
  const rows = createMemoryRows()
  const storage = createMemoryStore(() => now)
  const node = nodeOn(storage, rows)
  await node.ingest(...lines(5).map(({ description, ...plain }) => plain))
  await node.timeline()
  await rows.settled()
  t.match(rows.rows.get(stream), { isSealed: false, body: /in_transit/ })
  t.equal(await storage.keys.read(stream), undefined)
  t.equal(await node.eventsRead(), 0)
})

t.test(
  'given a snapshot that is not what it was, when it is read, then the timeline is that of its events',
  async (t) => {
    const rows = createMemoryRows()
    const node = nodeOn(
      createMemoryStore(() => now),
      rows,
    )
    await node.ingest(...lines(5))
    const due = await node.timeline()
    await rows.settled()
    const row = rows.rows.get(stream) as SnapshotRow
    await node.ingest(lineOf(7))
    await rows.settled()
    const others: readonly SnapshotRow[] = [
      { ...row, body: row.body.slice(0, -8) },
      { ...row, body: row.body.replace(/.{9}$/, 'A') },
      { ...row, body: '' },
      { ...row, fold: 'tracking 0' },
      { ...row, fold: 'tracking 99' },
      { ...row, revision: row.revision - 1 },
      { ...row, revision: row.revision + 1 },
      { ...row, id: '00000000-0000-4000-8000-000000000000' },
      { ...row, isSealed: false },
    ]
    for (const other of others) {
      rows.rows.set(stream, other)
      t.strictSame(await node.timeline(), await node.due(), JSON.stringify(other).slice(0, 200))
    }
    t.equal(due.timeline.events.length, 5)
  },
)

t.test(
  'given events, enrichments, withdrawals, corrections and erasures by two nodes, when both read in between, then each timeline is that of its events',
  async (t) => {
    const step = fc.record({
      by: fc.nat({ max: 1 }),
      what: fc.constantFrom('events', 'events', 'more', 'withdrawal', 'correction', 'name', 'erasure', 'damage'),
      index: fc.nat({ max: 30 }),
      count: fc.integer({ min: 1, max: 6 }),
    })
    let used = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
        const rows = createMemoryRows()
        const storage = createMemoryStore(() => now)
        const secret = newSecret()
        const nodes = [nodeOn(storage, rows, secret), nodeOn(storage, rows, secret)] as const
        await nodes[0].ingest(...lines(4))
        for (const { by, what, index, count } of steps) {
          const node = nodes[by] as (typeof nodes)[0]
          const of = (more: object) => node.ingest(lineOf(index, more))
          const withdrawn = { declared_at: '2026-06-12T00:00:00Z', reason: 'Was for Casimir' }
          if (what === 'events')
            await node.ingest(...lines(count).map((_, more) => lineOf((index * 7 + more * 11) % 40)))
          if (what === 'more') await of({ location: { name: `Depot ${count}`, address: { street: 'Korenlei 9' } } })
          if (what === 'withdrawal') await of({ withdrawn })
          if (what === 'correction') await node.ingest(lineOf(index, { withdrawn }), lineOf(index + 50))
          if (what === 'name') await of({ subject: { tracking_number: 'SR1', order_id: 70 } })
          if (what === 'erasure' && count === 1) await node.forget()
          const kept = rows.rows.get(stream)
          if (what === 'damage' && kept !== undefined) rows.rows.set(stream, { ...kept, body: kept.body.slice(count) })
          for (const reader of nodes) {
            t.strictSame(await reader.timeline(), await reader.due())
            await rows.settled()
            if ((await reader.eventsRead()) === 0) used++
          }
        }
        return t.passing()
      }),
      { numRuns: runs(t, 3) },
    )
    t.ok(!areMany || used > 25, `${used} were read from a snapshot alone`)
  },
)
