import { collect, fact, facts, idsOf, inOrder, type Rules, refused } from './rules.ts'

/** One call over many streams. */
export const manyRules: Rules = {
  'given appends to several streams in one call, when it resolves, then all are recorded, and the results are in order':
    async (t, store) => {
      const answers = await store.appendMany([
        { stream: 'shelf-2', events: facts(2), expected: 'no-stream' },
        { stream: 'shelf-1', events: facts(3), expected: 'any' },
      ])
      const [two, one] = [await store.read('shelf-2'), await store.read('shelf-1')]
      t.same(answers, [
        { stream: 'shelf-2', revision: 1, position: two[1]?.position },
        { stream: 'shelf-1', revision: 2, position: one[2]?.position },
      ])
      inOrder(t, await collect(store.readAll()))
    },

  'given one conflict in a call, when it is refused, then nothing of it is recorded': async (t, store) => {
    await store.append('shelf-2', facts(2), 'no-stream')
    const call = store.appendMany([
      { stream: 'shelf-1', events: facts(2), expected: 'no-stream' },
      { stream: 'shelf-2', events: facts(2), expected: 0 },
      { stream: 'shelf-3', events: facts(2), expected: 'any' },
    ])
    await refused(t, call, { stream: 'shelf-2', expected: 0, actual: 1 })
    t.same(await store.read('shelf-1'), [])
    t.same(await store.read('shelf-3'), [])
    t.equal((await collect(store.readAll())).length, 2)
  },

  'given a refused call, when another is sent at the same time, then that one is recorded without a gap': async (
    t,
    store,
  ) => {
    await store.append('shelf-1', [fact()], 'no-stream')
    const [refusal, success] = await Promise.allSettled([
      store.appendMany([
        { stream: 'shelf-2', events: facts(3), expected: 'no-stream' },
        { stream: 'shelf-1', events: facts(3), expected: 'no-stream' },
      ]),
      store.append('shelf-2', facts(2), 'no-stream'),
    ])
    t.equal(refusal.status, 'rejected')
    t.match(success, { status: 'fulfilled', value: { stream: 'shelf-2', revision: 1 } })
    t.same(
      (await store.read('shelf-2')).map((event) => event.revision),
      [0, 1],
    )
  },

  'given a call that has been recorded, when it is sent again, then it answers as the first time': async (t, store) => {
    const appends = [
      { stream: 'shelf-1', events: facts(2), expected: 'no-stream' },
      { stream: 'shelf-2', events: facts(1), expected: 'any' },
    ] as const
    const first = await store.appendMany(appends)
    await store.append('shelf-1', facts(2), 'any')
    t.same(await store.appendMany(appends), first)
    t.equal((await collect(store.readAll())).length, 5)
  },

  'given a call of which one append was recorded before, when it is sent, then the other is recorded too': async (
    t,
    store,
  ) => {
    const [old, young] = [fact(), fact()]
    const before = await store.append('shelf-1', [old], 'no-stream')
    const [repeated, appended] = await store.appendMany([
      { stream: 'shelf-1', events: [old], expected: 'no-stream' },
      { stream: 'shelf-2', events: [young], expected: 'no-stream' },
    ])
    t.same(repeated, before)
    t.match(appended, { stream: 'shelf-2', revision: 0 })
    t.same(idsOf(await collect(store.readAll())), [old.id, young.id])
  },

  'given a call without appends, when it is sent, then it answers nothing': async (t, store) => {
    t.same(await store.appendMany([]), [])
  },
}
