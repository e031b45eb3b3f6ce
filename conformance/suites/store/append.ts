import { collect, fact, facts, idsOf, type Rules, refused } from './rules.ts'

/** The writer's expectation about a stream, and the result of a wrong one. */
export const beliefRules: Rules = {
  'given no stream, when it is expected to be absent, then the events stand from revision 0': async (t, store) => {
    const events = facts(3)
    const appended = await store.append('shelf-1', events, 'no-stream')
    const recorded = await store.read('shelf-1')
    t.match(appended, { stream: 'shelf-1', revision: 2, position: recorded[2]?.position })
    t.same(idsOf(recorded), idsOf(events))
    t.same(
      recorded.map((event) => event.revision),
      [0, 1, 2],
    )
  },

  'given a stream, when its last revision is expected, then the events follow it': async (t, store) => {
    await store.append('shelf-1', facts(2), 'no-stream')
    t.match(await store.append('shelf-1', [fact()], 1), { stream: 'shelf-1', revision: 2 })
    t.equal((await store.read('shelf-1')).length, 3)
  },

  'given no stream or some stream, when nothing is expected, then the events follow what is there': async (
    t,
    store,
  ) => {
    t.match(await store.append('shelf-1', facts(2), 'any'), { revision: 1 })
    t.match(await store.append('shelf-1', [fact()], 'any'), { revision: 2 })
  },

  'given a stream, when it is expected to exist, then the events follow it': async (t, store) => {
    await store.append('shelf-1', [fact()], 'any')
    t.match(await store.append('shelf-1', [fact()], 'stream-exists'), { revision: 1 })
  },

  'given a stream, when it is expected to be absent, then the append is refused': async (t, store) => {
    await store.append('shelf-1', facts(2), 'any')
    await refused(t, store.append('shelf-1', [fact()], 'no-stream'), {
      stream: 'shelf-1',
      expected: 'no-stream',
      actual: 1,
    })
    t.equal((await store.read('shelf-1')).length, 2)
  },

  'given no stream, when it is expected to exist, then the append is refused': async (t, store) => {
    const details = { stream: 'shelf-1', expected: 'stream-exists', actual: -1 } as const
    await refused(t, store.append('shelf-1', [fact()], 'stream-exists'), details)
    t.same(await store.read('shelf-1'), [])
  },

  'given a stream, when an earlier revision is expected, then the append is refused': async (t, store) => {
    await store.append('shelf-1', facts(3), 'any')
    await refused(t, store.append('shelf-1', [fact()], 1), { stream: 'shelf-1', expected: 1, actual: 2 })
    t.equal((await store.read('shelf-1')).length, 3)
  },

  'given a stream or none, when a later revision is expected, then the append is refused': async (t, store) => {
    await refused(t, store.append('shelf-1', [fact()], 0), { stream: 'shelf-1', expected: 0, actual: -1 })
    await store.append('shelf-1', facts(3), 'any')
    await refused(t, store.append('shelf-1', [fact()], 7), { stream: 'shelf-1', expected: 7, actual: 2 })
    t.equal((await store.read('shelf-1')).length, 3)
  },

  'given a number that is no revision, when it is expected, then the append is refused': async (t, store) => {
    const events = facts(4)
    await store.append('shelf-1', events, 'any')
    for (const expected of [-2, -3, 0.5, Number.NaN]) {
      await t.rejects(store.append('shelf-1', [events[1] ?? fact()], expected), { code: 'wrong_expected_revision' })
    }
    t.equal((await store.read('shelf-1')).length, 4)
  },
}

/** What an append may not be. */
export const formRules: Rules = {
  'given an append without events, when it is sent, then it is refused': async (t, store) => {
    await t.rejects(store.append('shelf-1', [], 'any'), { code: 'internal' })
    t.same(await store.read('shelf-1'), [])
  },

  'given one id twice in an append, when it is sent, then it is refused': async (t, store) => {
    const event = fact()
    await t.rejects(store.append('shelf-1', [event, event], 'any'), { code: 'internal' })
    t.same(await store.read('shelf-1'), [])
  },

  'given one stream twice in a call, when it is sent, then it is refused': async (t, store) => {
    const append = () => ({ stream: 'shelf-1', events: [fact()], expected: 'any' }) as const
    await t.rejects(store.appendMany([append(), append()]), { code: 'internal' })
    t.same(await collect(store.readAll()), [])
  },

  'given data that JSON cannot hold, when it is sent among other events, then nothing is recorded': async (
    t,
    store,
  ) => {
    const events = [fact(), fact({ weight: 10n })]
    await t.rejects(store.append('shelf-1', events, 'any'))
    t.same(await collect(store.readAll()), [])
  },
}
