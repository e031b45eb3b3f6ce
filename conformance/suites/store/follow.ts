import { setImmediate } from 'node:timers/promises'
import type { EventFilter, EventStore, RecordedEvent } from '../../../engine/index.ts'
import { collect, fact, facts, idsOf, inOrder, type Rule, type Rules } from './rules.ts'

interface Follower {
  readonly next: () => Promise<RecordedEvent | undefined>
  readonly stop: () => void
}

/** A follower that is read event by event; undefined at its end. */
function followerOf(store: EventStore, after?: string, filter: EventFilter = {}): Follower {
  const abort = new AbortController()
  const events = store.follow(after, filter, abort.signal)[Symbol.asyncIterator]()
  return { next: async () => (await events.next()).value, stop: () => abort.abort() }
}

/**
 * Enough time for a local follower to find nothing and wait; for a slower one the rule still passes, but shows less.
 */
async function fallAsleep() {
  for (let turn = 0; turn < 10; turn++) await setImmediate()
}

const endsOnAbort: Rule = async (t, store) => {
  await store.append('shelf-1', facts(3), 'any')
  const follower = followerOf(store)
  await follower.next()
  follower.stop()
  t.equal(await follower.next(), undefined, 'in the middle of what was there')
  const waiting = followerOf(store, (await store.read('shelf-1')).at(-1)?.position)
  const nothing = waiting.next()
  await fallAsleep()
  waiting.stop()
  t.equal(await nothing, undefined, 'while it waited')
  const aborted = followerOf(store)
  aborted.stop()
  t.equal(await aborted.next(), undefined, 'before it began')
}

/** Eight writers, and one reader that disconnects and returns with the last position it saw. */
const resumesWhileOthersWrite: Rule = async (t, store) => {
  const total = 8 * 25 * 2
  const writing = Array.from({ length: 8 }, async (_, writer) => {
    for (let turn = 0; turn < 25; turn++) await store.append(`shelf-${(writer + turn) % 5}`, facts(2), 'any')
  })
  const seen: RecordedEvent[] = []
  while (seen.length < total) {
    const stay = Math.min(1 + (seen.length % 7), total - seen.length)
    const { signal } = new AbortController()
    seen.push(...(await collect(store.follow(seen.at(-1)?.position, {}, signal), stay)))
  }
  await Promise.all(writing)
  inOrder(t, seen)
  t.same(idsOf(seen), idsOf(await collect(store.readAll())))
}

/** Following the feed. */
export const followRules: Rules = {
  'given events, when they are followed, then they come first and each later one as it is recorded': async (
    t,
    store,
  ) => {
    const [old, young, last] = [facts(2), facts(2), fact()]
    await store.append('shelf-1', old, 'any')
    const follower = followerOf(store)
    t.same([(await follower.next())?.id, (await follower.next())?.id], idsOf(old))
    const coming = follower.next()
    await store.append('shelf-2', young, 'any')
    t.same([(await coming)?.id, (await follower.next())?.id], idsOf(young))
    await store.append('shelf-1', [last], 'any')
    t.same(await follower.next(), (await store.read('shelf-1')).at(-1), 'recorded between two reads')
    follower.stop()
  },

  'given an empty store, when it is followed, then the first event comes': async (t, store) => {
    const follower = followerOf(store)
    const coming = follower.next()
    const event = fact()
    await store.append('shelf-1', [event], 'any')
    t.equal((await coming)?.id, event.id)
    follower.stop()
  },

  'given several pages, when they are followed, then all come and then the next one': async (t, store) => {
    for (let turn = 0; turn < 5; turn++) await store.append('shelf-1', facts(250), 'any')
    const recorded = await store.read('shelf-1')
    const follower = followerOf(store, recorded[99]?.position)
    const seen: (RecordedEvent | undefined)[] = []
    while (seen.length < 1150) seen.push(await follower.next())
    t.same(seen, recorded.slice(100))
    const coming = follower.next()
    await store.append('shelf-1', [fact()], 'any')
    t.equal((await coming)?.revision, 1250)
    follower.stop()
  },

  'given a follower of one stream or category, when others grow too, then only its own come': async (t, store) => {
    await store.append('box-1', [fact()], 'any')
    const followers = [{ stream: 'shelf-1' }, { category: 'shelf' }] as const
    const waiting = followers.map((filter) => followerOf(store, undefined, filter))
    const coming = waiting.map((follower) => follower.next())
    await store.append('box-1', [fact()], 'any')
    await store.append('shelves-1', [fact()], 'any')
    await store.append('shelf-1', [fact()], 'any')
    t.match(await Promise.all(coming), [{ stream: 'shelf-1' }, { stream: 'shelf-1' }])
    const later = waiting.map((follower) => follower.next())
    await store.append('shelf-2', [fact()], 'any')
    await store.append('shelf-1', [fact()], 'any')
    t.match(await Promise.all(later), [
      { stream: 'shelf-1', revision: 1 },
      { stream: 'shelf-2', revision: 0 },
    ])
    for (const follower of waiting) follower.stop()
  },

  'given a refused or repeated append, when the stream is followed, then it brings nothing': async (t, store) => {
    const [event, next] = [fact(), fact()]
    await store.append('shelf-1', [event], 'no-stream')
    const follower = followerOf(store, (await store.read('shelf-1'))[0]?.position)
    const coming = follower.next()
    await store.append('shelf-1', [event], 'no-stream')
    await t.rejects(store.append('shelf-1', [fact()], 'no-stream'))
    await store.append('shelf-1', [next], 0)
    t.equal((await coming)?.id, next.id)
    follower.stop()
  },

  'given a follower, when its signal is aborted, then it ends': endsOnAbort,

  'given followers, when the store is closed, then they end': async (t, store) => {
    await store.append('shelf-1', facts(2), 'any')
    const follower = followerOf(store)
    await follower.next()
    const waiting = followerOf(store, (await store.read('shelf-1')).at(-1)?.position)
    const nothing = waiting.next()
    await fallAsleep()
    await store.close()
    t.equal(await nothing, undefined, 'while it waited')
    t.equal(await follower.next(), undefined, 'in the middle of what was there')
  },

  'given a reader that comes and goes while others write, when it resumes, then it misses and repeats nothing':
    resumesWhileOthersWrite,
}
