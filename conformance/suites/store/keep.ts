import { collect, fact, facts, type Rules } from './rules.ts'

const deep = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ inner: [inner] }), 'core')

/** What JSON can hold, and stores like to lose. */
const contents: Readonly<Record<string, unknown>> = {
  nothing: null,
  text: 'plain',
  emptyText: '',
  unicode: 'Zürich · 東京 · 👩‍👩‍👧 · e\u0301 · \u2028',
  controls: 'a\u0000b\u0001\u001f\u007f\r\n\t"\\/',
  halfOfAPair: '\ud800',
  numbers: [0, -1, 0.1 + 0.2, 1e21, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  emptiness: { object: {}, list: [], lists: [[], [[]]], blank: { '': '' } },
  order: { z: 1, a: 2, 10: 3, 9: 4 },
  oddNames: JSON.parse('{"__proto__":{"x":1},"constructor":1,"$ref":"#","a.b":true}'),
  deep,
  large: 'x'.repeat(300_000),
}

/** The data that is read equals the data that was written. */
export const keepRules: Rules = {
  ...Object.fromEntries(
    Object.entries(contents).map(([name, data]) => [
      `given data that holds ${name}, when it is read again, then every byte is the same`,
      (async (t, store) => {
        await store.append('shelf-1', [fact(data)], 'any')
        const [recorded] = await store.read('shelf-1')
        const [fed] = await collect(store.readAll())
        t.equal(JSON.stringify(recorded?.data), JSON.stringify(data))
        t.equal(JSON.stringify(fed?.data), JSON.stringify(data))
      }) satisfies Rules[string],
    ]),
  ),

  'given an event with metadata, when it is read again, then it is whole and has its place beside it': async (
    t,
    store,
  ) => {
    const metadata = { actor: 'provider:Zoë & Söhne', correlationId: 'request-1', schemaVersion: 7 }
    const event = { ...fact({ weight: 3 }), metadata }
    const { position } = await store.append('shelf-1', [event], 'any')
    const [recorded] = await store.read('shelf-1')
    t.same(recorded, { ...event, stream: 'shelf-1', revision: 0, position, recordedAt: recorded?.recordedAt })
    t.same(await collect(store.readAll()), [recorded])
  },

  'given a clock, when events are recorded, then they carry its time': async (t, store, { clock }) => {
    clock.now = Date.parse('2026-06-10T13:30:00.007Z')
    await store.append('shelf-1', facts(2), 'any')
    clock.now += 1_500
    await store.append('shelf-1', [fact()], 'any')
    const times = (await store.read('shelf-1')).map((event) => event.recordedAt)
    t.same(times, ['2026-06-10T13:30:00.007Z', '2026-06-10T13:30:00.007Z', '2026-06-10T13:30:01.507Z'])
  },

  'given an event that was sent, when the sender changes its own object, then the record stays': async (t, store) => {
    const data = { note: 'as sent' }
    const sending = store.append('shelf-1', [fact(data)], 'any')
    data.note = 'changed at once'
    await sending
    data.note = 'changed later'
    t.match(await store.read('shelf-1'), [{ data: { note: 'as sent' } }])
  },

  'given streams with names that look alike, when they are read, then each holds its own': async (t, store) => {
    const names = [
      'shelf-a',
      'shelf-A',
      'shelf-ä',
      'shelf-a ',
      'shelf-%',
      'shelf-_',
      "shelf-'",
      'shelf-東京/1:2?x#y',
    ] as const
    for (const name of names) await store.append(name, [fact({ name })], 'no-stream')
    for (const name of names) t.match(await store.read(name), [{ stream: name, data: { name } }])
  },
}

/** That it is still there when the store is opened again. */
export const durableRules: Rules = {
  'given a store with events, when it is opened again, then it returns the same events and continues': async (
    t,
    store,
    { reopen },
  ) => {
    if (reopen === undefined) return
    await store.appendMany([
      { stream: 'shelf-1', events: facts(3), expected: 'no-stream' },
      { stream: 'box-1', events: [fact(contents)], expected: 'no-stream' },
    ])
    const before = await collect(store.readAll())
    const again = await reopen()
    t.same(await collect(again.readAll()), before)
    t.match(await again.append('shelf-1', [fact()], 2), { revision: 3 })
    t.same(
      (await collect(again.readAll(before.at(-1)?.position))).map((event) => event.revision),
      [3],
    )
  },

  'given an append, when it is sent again to the reopened store, then it answers as the first time': async (
    t,
    store,
    { reopen },
  ) => {
    if (reopen === undefined) return
    const [numbered, unnumbered] = [facts(2), facts(2)]
    const first = await store.append('shelf-1', numbered, 'no-stream')
    const second = await store.append('shelf-1', unnumbered, 'any')
    const again = await reopen()
    t.same(await again.append('shelf-1', unnumbered, 'any'), second)
    t.same(await again.append('shelf-1', numbered, 'no-stream'), first)
    t.equal((await again.read('shelf-1')).length, 4)
  },
}

/** A closed store says so. */
export const closeRules: Rules = {
  'given a closed store, when it is used, then it refuses': async (t, store) => {
    await store.append('shelf-1', [fact()], 'any')
    await store.close()
    const closed = { code: 'store_unavailable' }
    await t.rejects(store.append('shelf-1', [fact()], 'any'), closed)
    await t.rejects(store.appendMany([]), closed)
    await t.rejects(store.read('shelf-1'), closed)
    await t.rejects(collect(store.readAll()), closed)
    t.same(await collect(store.follow(undefined, {}, new AbortController().signal)), [])
  },

  'given a closed store, when it is closed again, then nothing happens': async (t, store) => {
    await store.close()
    await t.resolves(store.close())
  },

  'given appends on their way, when the store is closed, then each is answered': async (t, store) => {
    const appends = [1, 2, 3].map((number) => store.append(`shelf-${number}`, [fact()], 'any'))
    await store.close()
    t.match(await Promise.all(appends), [{ revision: 0 }, { revision: 0 }, { revision: 0 }])
  },
}
