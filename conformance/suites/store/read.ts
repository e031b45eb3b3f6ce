import type { EventStore } from '../../../engine/index.ts'
import { collect, fact, facts, idsOf, inOrder, type Rules } from './rules.ts'

const streams = ['shelf-1', 'box-1', 'shelf-2', 'shelves-1', 'shelf-1-a'] as const

/** 1300 events, more than two pages of any store here, the streams taking turns. */
async function fill(store: EventStore) {
  for (let turn = 0; turn < 13; turn++) {
    await store.appendMany(streams.map((stream) => ({ stream, events: facts(20), expected: 'any' })))
  }
}

/** Parts of a stream. */
export const readRules: Rules = {
  'given no stream, when it is read, then there is nothing': async (t, store) => {
    await store.append('shelf-1', [fact()], 'any')
    t.same(await store.read('shelf-2'), [])
    t.same(await store.read('shelf-2', { backwards: true }), [])
  },

  'given a stream, when parts of it are read, then each has the requested revisions': async (t, store) => {
    await store.append('shelf-2', facts(3), 'any')
    await store.append('shelf-1', facts(6), 'any')
    const revisions = async (range?: Parameters<EventStore['read']>[1]) =>
      (await store.read('shelf-1', range)).map((event) => event.revision)
    t.same(await revisions(), [0, 1, 2, 3, 4, 5])
    t.same(await revisions({ from: 2 }), [2, 3, 4, 5])
    t.same(await revisions({ limit: 2 }), [0, 1])
    t.same(await revisions({ from: 2, limit: 2 }), [2, 3])
    t.same(await revisions({ from: 4, limit: 9 }), [4, 5])
    t.same(await revisions({ from: 6 }), [])
    t.same(await revisions({ limit: 0 }), [])
    t.same(await revisions({ backwards: true }), [5, 4, 3, 2, 1, 0])
    t.same(await revisions({ backwards: true, limit: 2 }), [5, 4])
    t.same(await revisions({ backwards: true, from: 3 }), [3, 2, 1, 0])
    t.same(await revisions({ backwards: true, from: 3, limit: 2 }), [3, 2])
    t.same(await revisions({ backwards: true, from: 1, limit: 9 }), [1, 0])
    t.same(await revisions({ backwards: true, from: 99, limit: 2 }), [5, 4])
    t.same(await revisions({ backwards: true, limit: 0 }), [])
  },

  'given a growing stream, when its last event is requested, then it is the last event of a read': async (t, store) => {
    t.equal(await store.last('shelf-1'), undefined)
    await store.append('shelf-2', facts(3), 'any')
    t.equal(await store.last('shelf-1'), undefined)
    for (const count of [1, 3, 1]) {
      await store.append('shelf-1', facts(count), 'any')
      const { revision, id } = (await store.read('shelf-1')).at(-1) ?? {}
      t.match(await store.last('shelf-1'), { revision, id })
      t.match(await store.last('shelf-2'), { revision: 2 })
      t.same(await store.read('shelf-1', { from: (revision ?? 0) + 1 }), [])
    }
    await t.rejects(store.append('shelf-1', [fact()], 0), { code: 'wrong_expected_revision' })
    t.match(await store.last('shelf-1'), { revision: 4 })
  },
}

/** The feed of the whole store. */
export const readAllRules: Rules = {
  'given an empty store, when everything is read, then there is nothing': async (t, store) => {
    t.same(await collect(store.readAll()), [])
  },

  'given several pages, when everything is read, then each event comes once, in order of position': async (
    t,
    store,
  ) => {
    await fill(store)
    const events = await collect(store.readAll())
    t.equal(events.length, 1300)
    inOrder(t, events)
    for (const stream of streams) {
      t.same(
        events.filter((event) => event.stream === stream),
        await store.read(stream),
      )
    }
  },

  'given several pages, when they are read after a position, then exactly the later events come': async (t, store) => {
    await fill(store)
    const events = await collect(store.readAll())
    for (const index of [0, 498, 499, 500, 999, 1298, 1299]) {
      const rest = await collect(store.readAll(events[index]?.position))
      t.same(idsOf(rest), idsOf(events.slice(index + 1)), `after event ${index}`)
    }
  },

  'given several pages, when one stream is wanted, then its events come, also after a position': async (t, store) => {
    await store.append('shelf-1', facts(700), 'any')
    await fill(store)
    const events = (await collect(store.readAll())).filter((event) => event.stream === 'shelf-1')
    t.same(await collect(store.readAll(undefined, { stream: 'shelf-1' })), events)
    t.same(await collect(store.readAll(events[600]?.position, { stream: 'shelf-1' })), events.slice(601))
    t.same(await collect(store.readAll(undefined, { stream: 'shelf-9' })), [])
  },

  'given several pages, when one category is wanted, then its streams come and none that begins alike': async (
    t,
    store,
  ) => {
    await fill(store)
    const neighbours = ['shelf+-1', 'shelf,a-1', 'shelf.-1', 'shelf.a-1', 'Shelf-1', 'shel-1'] as const
    await store.appendMany(neighbours.map((stream) => ({ stream, events: facts(1), expected: 'no-stream' })))
    const members: readonly string[] = ['shelf-1', 'shelf-2', 'shelf-1-a']
    const events = (await collect(store.readAll())).filter((event) => members.includes(event.stream))
    t.same(await collect(store.readAll(undefined, { category: 'shelf' })), events)
    t.same(await collect(store.readAll(events[510]?.position, { category: 'shelf' })), events.slice(511))
    t.same(await collect(store.readAll(undefined, { category: 'she' })), [])
    t.same(await collect(store.readAll(undefined, { category: 'shelf-1' })), [])
  },

  'given a stream and a category, when both are wanted, then events must pass both': async (t, store) => {
    await store.appendMany(streams.map((stream) => ({ stream, events: facts(2), expected: 'any' })))
    t.equal((await collect(store.readAll(undefined, { stream: 'shelf-1', category: 'shelf' }))).length, 2)
    t.same(await collect(store.readAll(undefined, { stream: 'shelf-1', category: 'box' })), [])
  },

  'given a reader that has begun, when events are added, then it gives all that stood, and no gap': async (
    t,
    store,
  ) => {
    await store.append('shelf-1', facts(600), 'any')
    const reader = store.readAll()[Symbol.asyncIterator]()
    const first = await reader.next()
    await store.append('shelf-1', facts(5), 'any')
    const seen = [first.value, ...(await collect({ [Symbol.asyncIterator]: () => reader }))]
    t.ok(seen.length >= 600)
    t.same(seen, (await store.read('shelf-1')).slice(0, seen.length))
  },
}
