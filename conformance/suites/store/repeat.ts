import type { EventStore, ExpectedRevision, NewEvent } from '../../../engine/index.ts'
import { collect, fact, facts, idsOf, type Rules, refused } from './rules.ts'

/** The beliefs with which an append can be sent to a stream of two events; the first creates the stream. */
const beliefs: readonly ExpectedRevision[] = ['no-stream', 1, 'any', 'stream-exists']

async function appendAfterTwo(store: EventStore, expected: ExpectedRevision, events: readonly NewEvent[]) {
  if (expected !== 'no-stream') await store.append('shelf-1', facts(2), 'no-stream')
  return store.append('shelf-1', events, expected)
}

/** Sent again, whole or in part. */
export const repetitionRules: Rules = {
  ...Object.fromEntries(
    beliefs.flatMap(
      (expected) =>
        [
          [
            `given an append that expected ${expected}, when it is sent again at once, then it answers as the first time`,
            async (t, store) => {
              const events = facts(2)
              const first = await appendAfterTwo(store, expected, events)
              const before = await collect(store.readAll())
              t.same(await store.append('shelf-1', events, expected), first)
              t.same(await collect(store.readAll()), before)
            },
          ],
          [
            `given an append that expected ${expected}, when it is sent again after others, then it answers as the first time`,
            async (t, store) => {
              const events = facts(2)
              const first = await appendAfterTwo(store, expected, events)
              await store.append('shelf-1', facts(3), first.revision)
              await store.append('shelf-2', facts(3), 'no-stream')
              const before = await collect(store.readAll())
              t.same(await store.append('shelf-1', events, expected), first)
              t.same(await collect(store.readAll()), before)
            },
          ],
          [
            `given an append that expected ${expected}, when part of it comes with something new, then it is refused`,
            async (t, store) => {
              const [one, two] = [fact(), fact()]
              const { revision: actual } = await appendAfterTwo(store, expected, [one, two])
              const details = { stream: 'shelf-1', expected, actual } as const
              await refused(t, store.append('shelf-1', [one, fact()], expected), details)
              await refused(t, store.append('shelf-1', [fact(), two], expected), details)
              await refused(t, store.append('shelf-1', [one, two, fact()], expected), details)
              t.equal((await store.read('shelf-1')).length, actual + 1)
            },
          ],
        ] satisfies [string, Rules[string]][],
    ),
  ),

  'given an append, when its beginning is sent again, then it answers with the place of that': async (t, store) => {
    const [one, two] = [fact(), fact()]
    await store.append('shelf-1', [one, two], 'no-stream')
    const [recorded] = await store.read('shelf-1')
    t.same(await store.append('shelf-1', [one], 'no-stream'), {
      stream: 'shelf-1',
      revision: 0,
      position: recorded?.position,
    })
  },

  'given an append, when its events are sent at another revision, then it is refused': async (t, store) => {
    const [one, two] = [fact(), fact()]
    await store.append('shelf-1', [one, two], 'no-stream')
    await store.append('shelf-1', facts(2), 1)
    await refused(t, store.append('shelf-1', [one, two], 0), { stream: 'shelf-1', expected: 0, actual: 3 })
  },

  'given an event in one stream, when its id is sent to another, then it is recorded there too': async (t, store) => {
    const event = fact()
    for (const [stream, expected] of [
      ['shelf-1', 'no-stream'],
      ['shelf-2', 'any'],
    ] as const) {
      t.match(await store.append(stream, [event], expected), { stream, revision: 0 })
    }
    t.same(idsOf(await collect(store.readAll())), [event.id, event.id])
  },

  'given two calls with the same events at once, when both are answered, then the events stand once': async (
    t,
    store,
  ) => {
    const events = facts(2)
    const [one, two] = await Promise.all([
      store.append('shelf-1', events, 'any'),
      store.append('shelf-1', events, 'any'),
    ])
    t.same(one, two)
    t.same(idsOf(await store.read('shelf-1')), idsOf(events))
  },
}
