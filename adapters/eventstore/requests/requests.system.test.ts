import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { RecordedEvent } from '../../../engine/index.ts'
import { run } from '../../cli/run.ts'
import { createApp, createParts } from '../../main.ts'
import { fact, setUp } from '../eventstore.test.fixture.ts'
import { createRecent } from '../recent.ts'

/** Two nodes on a server that takes its time as a real one, and a provider who pushes to them. */
async function createWorld(t: Test) {
  const { double, open } = await setUp(t, { latency: { read: 1, write: 6 } })
  const directory = t.testdir({})
  async function otep(...line: readonly string[]) {
    const out: string[] = []
    const write = (text: string) => out.push(text) > 0
    const env = { OTEP_STORE: double.connectionString, OTEP_DATA_DIR: join(directory, 'cli') }
    const stderr = { write: () => true, isTTY: false, columns: 80 } as never
    t.equal(await run(line, { env, stdin: Readable.from([]), stdout: { write }, stderr }), 0)
    return JSON.parse(out.join(''))
  }
  const { key } = await otep('provider', 'add', 'acme', '--all-businesses', '--init', '--json')
  const node = async (name: string) => {
    const store = open()
    const parts = createParts({ store, publicView: 'full', modelsFile: { file: join(directory, `${name}.db`), name } })
    const ending = new AbortController()
    parts.models.start(ending.signal)
    t.teardown(async () => {
      ending.abort()
      await parts.models.close()
    })
    const app = createApp({ parts, store })
    while ((await app.request('/readyz')).status !== 200) await setTimeout(20)
    const ingest = async (events: readonly object[]) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' }
      const body = events.map((event) => JSON.stringify(event)).join('\n')
      return (await app.request('/api/v1/otep/ingest', { method: 'POST', headers, body })).status
    }
    const idsOf = async (parcel: string): Promise<readonly string[]> => {
      const body = await (await app.request(`/api/v1/otep/trackings/${parcel}`)).json()
      const { data } = body as { readonly data?: { readonly events: readonly { readonly event_id: string }[] } }
      return data?.events.map(({ event_id }) => event_id) ?? []
    }
    return { ingest, idsOf }
  }
  /** The calls to the server while something is done. */
  async function callsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
    const before = double.tally.calls().length
    await act()
    return double.tally.calls().slice(before)
  }
  const [one, other] = [await node('one'), await node('other')]
  return { one, other, otep, callsOf, rounds: double.tally.rounds }
}

function event(parcel: string, number: number) {
  return {
    ...{ event_id: `${parcel}-${number}`, occurred_at: '2026-06-10T08:42:10-04:00', status_code: 'in_transit' },
    subject: { tracking_number: parcel },
  }
}

/** The fewest reads and appends of several tries: a machine that is busy asks more often. */
async function fewest(tries: number, callsOf: (number: number) => Promise<readonly string[]>) {
  let best = { reads: Number.POSITIVE_INFINITY, appends: 0 }
  for (let number = 0; number < tries; number++) {
    const calls = await callsOf(number)
    const reads = calls.filter((call) => call.startsWith('read')).length
    if (reads < best.reads) best = { reads, appends: calls.filter((call) => call.startsWith('append')).length }
  }
  return best
}

t.test('given a timeline, when it is read and grows, then the server is asked once or twice', async (t) => {
  const { one, other, callsOf } = await createWorld(t)
  const parcels = Array.from({ length: 8 }, (_, parcel) => `P${parcel}`)
  for (const parcel of parcels) t.equal(await one.ingest([event(parcel, 0)]), 200)
  t.same(await fewest(8, (number) => callsOf(() => one.ingest([event('P0', number + 1)]))), { reads: 1, appends: 1 })
  t.same(await fewest(8, () => callsOf(() => one.ingest([event('P0', 1)]))), { reads: 1, appends: 0 }, 'a duplicate')
  t.same(await fewest(8, (number) => callsOf(() => one.idsOf(parcels[number] ?? ''))), { reads: 1, appends: 0 })
  const { reads } = await fewest(8, (number) => callsOf(() => other.idsOf(parcels[number] ?? '')))
  t.ok(reads <= 2, 'at a node that has not seen it before')
})

t.test('given new subjects with personal data, when they are recorded, then each is two appends', async (t) => {
  const { one, callsOf } = await createWorld(t)
  const personal = (parcel: string, number: number) => ({ ...event(parcel, number), description: 'Left with Zebulon' })
  const single = await fewest(8, (number) => callsOf(() => one.ingest([personal(`S${number}`, 0)])))
  t.same(single, { reads: 1, appends: 2 }, 'an identifier, and a timeline that its key begins')
  const batch = (number: number) => Array.from({ length: 100 }, (_, at) => personal(`B${number}-${at % 20}`, at))
  const many = await fewest(5, (number) => callsOf(() => one.ingest(batch(number))))
  t.same(many, { reads: 1, appends: 40 }, '100 events of 20 subjects')
})

t.test('given a call of 100 new subjects, when it is recorded, then its appends are sent side by side', async (t) => {
  const { one, other, callsOf, rounds } = await createWorld(t)
  const seen: { readonly reads: number; readonly appends: number; readonly rounds: number }[] = []
  for (let number = 0; number < 5; number++) {
    const events = Array.from({ length: 100 }, (_, at) => event(`N${number}-${at}`, 0))
    const before = rounds()
    const calls = await callsOf(async () => t.equal(await one.ingest(events), 200))
    const count = (kind: string) => calls.filter((call) => call.startsWith(kind)).length
    seen.push({ reads: count('read'), appends: count('append'), rounds: rounds() - before })
    t.equal((await other.idsOf(`N${number}-99`)).length, 1)
  }
  const fewest = (what: 'reads' | 'appends' | 'rounds') => Math.min(...seen.map((one) => one[what]))
  t.equal(fewest('reads'), 1, 'the end of the log')
  t.equal(fewest('appends'), 200, 'a timeline and an identifier each')
  t.comment(JSON.stringify(seen))
  // One after the other they would be 201. How many are under way at once depends on the machine, too.
  t.ok(fewest('rounds') < 100, 'what is not the decision is sent side by side')
})

t.test(
  'given subjects that another node has begun, when they are recorded at once, then none is begun twice',
  async (t) => {
    const { one, other } = await createWorld(t)
    const events = (number: number) => Array.from({ length: 50 }, (_, at) => event(`M${at}`, number))
    const outcomes = await Promise.all([one, other, one, other].map((node, number) => node.ingest(events(number))))
    t.same(new Set(outcomes), new Set([200]))
    for (const node of [one, other]) for (const at of [0, 49]) t.equal((await node.idsOf(`M${at}`)).length, 4)
  },
)

t.test('given a node that has not been asked for a stream, when it is, then the server is asked twice', async (t) => {
  const { double, open } = await setUp(t)
  const writer = open()
  for (let shelf = 0; shelf < 8; shelf++) await writer.append(`shelf-${shelf}`, [fact(), fact()], 'any')
  const store = open()
  await store.latest()
  const reads = await fewest(8, async (shelf) => {
    const before = double.tally.calls().length
    const request = store.forRequest?.()
    await request?.latest()
    t.equal((await request?.last(`shelf-${shelf}`))?.revision, 1)
    t.equal((await request?.read(`shelf-${shelf}`))?.length, 2)
    return double.tally.calls().slice(before)
  })
  t.same(reads, { reads: 2, appends: 0 })
})

t.test(
  'given a stream that a request reads in part at the server, when it reads it again, then nothing is missing',
  async (t) => {
    const { open } = await setUp(t)
    const [store, other] = [open(), open()]
    await other.append('shelf-1', [fact()], 'any')
    for (let length = 1; length < 30; length++) {
      const request = store.forRequest?.()
      t.equal((await request?.read('shelf-1'))?.length, length)
      await other.append('shelf-1', [fact()], 'any')
      await request?.read('shelf-1', { limit: 1, isPassing: true })
      t.equal((await request?.read('shelf-1'))?.length, length + 1)
    }
  },
)

t.test(
  'given a stream in memory, when a request asks whether it ends there, then no other node has added to it',
  async (t) => {
    const { open } = await setUp(t)
    const [store, other] = [open(), open()]
    t.equal(store.endsAt, undefined, 'outside of a request')
    for (let length = 1; length < 30; length++) {
      const request = store.forRequest?.() ?? store
      const endsAt = (revision: number) => request.endsAt?.('shelf-1', revision)
      await other.append('shelf-1', [fact()], 'any')
      t.equal(endsAt(length - 2), false, 'before it is known what others have recorded')
      t.equal((await request.read('shelf-1')).length, length)
      t.same([endsAt(length - 2), endsAt(length - 1)], [false, true])
      await request.append('box-1', [fact()], 'any')
      t.equal(endsAt(length - 1), false, 'after an append')
    }
    const request = store.forRequest?.() ?? store
    t.equal((await request.read('shelf-1')).length, 29)
    await store.close()
    t.equal(request.endsAt?.('shelf-1', 28), false, 'a closed store has nothing to tell')
  },
)

t.test('given two nodes, when one acknowledges an event, then the other tells it, and decides on it', async (t) => {
  const { one, other } = await createWorld(t)
  const ids: string[] = []
  for (let number = 0; number < 20; number++) {
    const [writer, reader] = number % 2 === 0 ? [one, other] : [other, one]
    t.equal(await writer.ingest([event('P', number)]), 200)
    ids.push(`P-${number}`)
    t.same((await reader.idsOf('P')).toSorted(), ids.toSorted())
  }
  const both = Array.from({ length: 20 }, (_, number) =>
    [one, other].map((node, at) => node.ingest([event('Q', 2 * number + at)])),
  )
  t.same(new Set(await Promise.all(both.flat())), new Set([200]))
  for (const node of [one, other]) t.equal((await node.idsOf('Q')).length, 40, 'what was stale was read anew')
})

t.test('given a key that both nodes know, when it is revoked, then it is void at once at both', async (t) => {
  const { one, other, otep } = await createWorld(t)
  for (const node of [one, other]) t.equal(await node.ingest([event('P', 0)]), 200)
  await otep('provider', 'revoke', 'acme', '--json')
  for (const node of [one, other]) t.equal(await node.ingest([event('P', 1)]), 401)
})

const recorded = (stream: string, revision: number, data: unknown = {}) =>
  ({ ...fact(data), stream, revision, position: `${revision}`, recordedAt: '' }) as unknown as RecordedEvent

t.test('given an answer that is older than the feed, when it is learnt, then it is ignored', async (t) => {
  const recent = createRecent()
  const ticket = recent.ticket()
  recent.see([recorded('a-1', 3)])
  recent.learn('a-1', [recorded('a-1', 2)], false, ticket)
  t.equal(recent.find('a-1', { from: 2 }), undefined)
  recent.learn('a-1', [recorded('a-1', 2), recorded('a-1', 3)], false, recent.ticket())
  recent.see([recorded('a-1', 3), recorded('a-1', 4)])
  t.same(
    recent.find('a-1', { from: 2 })?.map(({ revision }) => revision),
    [2, 3, 4],
  )
  t.same(recent.find('a-1', { from: 5 }), [])
  t.same(recent.find('a-1', { from: 0 }), undefined, 'its beginning is not here')
  t.same(
    recent.find('a-1', { backwards: true, limit: 2 })?.map(({ revision }) => revision),
    [4, 3],
  )
  t.same(recent.find('a-1', { backwards: true, limit: 4 }), undefined)
  recent.see([recorded('a-1', 6)])
  t.equal(recent.find('a-1', { from: 6 }), undefined, 'one is missing')
})

t.test('given more streams than are remembered, when an old answer is learnt, then it is ignored', async (t) => {
  const recent = createRecent()
  const ticket = recent.ticket()
  recent.see([recorded('a-1', 1)])
  for (let stream = 0; stream < 32_000; stream++) recent.see([recorded(`b-${stream}`, 0)])
  recent.learn('a-1', [recorded('a-1', 0)], true, ticket)
  t.equal(recent.find('a-1', {}), undefined)
  recent.learn('a-2', [], true, recent.ticket())
  t.same(recent.find('a-2', {}), [], 'there is no such stream yet')
  recent.see([recorded('a-2', 0)])
  t.equal(recent.find('a-2', {})?.length, 1)
})

t.test('given a long stream, when it is remembered, then only its end is', async (t) => {
  const recent = createRecent()
  const long = 'x'.repeat(1_000)
  recent.learn(
    'a-1',
    Array.from({ length: 200 }, (_, at) => recorded('a-1', at, { long })),
    true,
    recent.ticket(),
  )
  t.equal(recent.find('a-1', {}), undefined)
  t.equal(recent.find('a-1', { from: 199 })?.length, 1)
  recent.see([recorded('a-1', 200, { long })])
  t.equal(recent.find('a-1', { from: 199 })?.length, 2)
})
