import type { Storage } from '../../../engine/index.ts'
import { collect, fact, facts, type Rules } from './rules.ts'

/** The data that nodes share beside the events. */
export const leaseRules: Rules<Storage> = {
  'given no lease, when it is read, then there is none, and only the first term can be written': async (t, store) => {
    t.equal(await store.leases.read('webhooks'), undefined)
    for (const term of [0, 2, -1]) t.equal(await store.leases.write('webhooks', { holder: 'one', term }), false)
    t.equal(await store.leases.write('webhooks', { holder: 'one', term: 1 }), true)
    t.same(await store.leases.read('webhooks'), { holder: 'one', term: 1 })
  },

  'given a lease, when it is written, then only by the next term, and the last write is what is kept': async (
    t,
    store,
  ) => {
    await store.leases.write('webhooks', { holder: 'one', term: 1 })
    t.equal(await store.leases.write('webhooks', { holder: 'two', term: 1 }), false, 'the current term')
    t.equal(await store.leases.write('webhooks', { holder: 'two', term: 3 }), false, 'one that is left out')
    for (let term = 2; term <= 5; term++) {
      t.equal(await store.leases.write('webhooks', { holder: 'two', term, checkpoint: `${term}` }), true)
    }
    t.same(await store.leases.read('webhooks'), { holder: 'two', term: 5, checkpoint: '5' })
    t.equal(await store.leases.read('mails'), undefined, 'another lease')
  },

  'given ten nodes that want one term, when they write at once, then one has it': async (t, store) => {
    for (const term of [1, 2]) {
      const holders = Array.from({ length: 10 }, (_, node) => `node-${node}`)
      const answers = await Promise.all(holders.map((holder) => store.leases.write('webhooks', { holder, term })))
      t.equal(answers.filter((isWritten) => isWritten).length, 1)
      t.same(await store.leases.read('webhooks'), { holder: holders[answers.indexOf(true)], term })
    }
  },
}

/** Journals, of stores whose processes share no files. */
export const journalRules: Rules<Storage> = {
  'given a journal, when processes write to it, then all read the same records, numbered from 0, in one order': async (
    t,
    { journals },
    { reopen },
  ) => {
    if (journals === undefined) return
    t.same([await journals.last('webhooks'), await journals.read('webhooks', 0, 10)], [undefined, []])
    const texts = Array.from({ length: 20 }, (_, number) => `text ${number}`)
    await Promise.all(texts.map((text) => journals.append('webhooks', text)))
    const records = await journals.read('webhooks', 0, 100)
    t.same(
      records.map(({ number }) => number),
      texts.map((_, number) => number),
    )
    t.same(records.map(({ text }) => text).toSorted(), texts.toSorted())
    t.equal(await journals.last('webhooks'), texts.length - 1)
    t.same(
      await journals.read('webhooks', 17, 2),
      records.slice(17, 19),
      'from a number on, and no more than asked for',
    )
    t.same(await journals.read('webhooks', texts.length, 5), [])
    t.equal(await journals.last('other'), undefined, 'another journal')
    const again = (await reopen?.())?.journals
    if (again !== undefined) t.same(await again.read('webhooks', 0, 100), records, 'and it is durable')
  },

  'given a journal, when it has records, then they are no events of the store': async (t, store) => {
    await store.journals?.append('webhooks', 'a text')
    await store.append('box-1', [fact()], 'no-stream')
    t.equal((await collect(store.readAll())).length, 1)
  },
}

/** Keys of subjects. */
export const keyRules: Rules<Storage> = {
  'given a subject with a key, when another is added, then the first one stays': async (t, store) => {
    t.equal(await store.keys.read('mary'), undefined)
    t.equal(await store.keys.add('mary', 'first'), 'first')
    t.equal(await store.keys.add('mary', 'second'), 'first')
    t.equal(await store.keys.read('mary'), 'first')
    t.equal(await store.keys.read('mar'), undefined)
    const added = await Promise.all(['a', 'b', 'c'].map((key) => store.keys.add('paul', key)))
    t.equal(new Set(added).size, 1)
  },

  'given a key, when it is thrown away, then the subject never has another': async (t, store) => {
    await store.keys.add('mary', 'first')
    for (const subject of ['mary', 'nobody', 'mary']) {
      await store.keys.remove(subject)
      t.equal(await store.keys.read(subject), undefined)
      t.equal(await store.keys.add(subject, 'second'), undefined)
    }
  },

  'given a store that adds keys, when appends have some, then each is stored with its append, and another is refused':
    async (t, store) => {
      if (store.addsKeys !== true) return
      await store.keys.add('shelf-2', 'theirs')
      await store.keys.remove('shelf-3')
      const first = { stream: 'shelf-1', events: [fact()], expected: 'no-stream', key: 'ours' } as const
      for (const stream of ['shelf-2', 'shelf-3'] as const) {
        const call = store.appendMany([first, { stream, events: [fact()], expected: 'any', key: 'ours' }])
        await t.rejects(call, { code: 'wrong_expected_revision' }, stream)
      }
      t.same(await store.read('shelf-1'), [])
      t.ok([undefined, 'ours'].includes(await store.keys.read('shelf-1')), 'a key may stay that nothing is sealed with')
      const answer = await store.appendMany([first])
      t.equal(await store.keys.read('shelf-1'), 'ours')
      t.same(await store.appendMany([{ ...first, key: 'another' }]), answer, 'a repetition adds no key')
      t.equal(await store.keys.read('shelf-1'), 'ours')
      await store.append('shelf-1', [fact()], 0)
      const wrong = store.appendMany([{ ...first, events: [fact()], key: 'ours' }])
      await t.rejects(wrong, { code: 'wrong_expected_revision' })
      t.same(await store.appendMany([{ ...first, events: [fact()], expected: 1 }]), [
        { stream: 'shelf-1', revision: 2, position: (await store.read('shelf-1'))[2]?.position },
      ])
    },

  'given leases and keys, when the store is read, then they are no events': async (t, store) => {
    await store.leases.write('webhooks', { holder: 'one', term: 1 })
    await store.keys.add('mary', 'key')
    await store.append('shelf-1', [fact()], 'any')
    await store.keys.remove('mary')
    t.match(await collect(store.readAll()), [{ stream: 'shelf-1' }])
  },

  'given leases and keys, when the store is opened again, then they stand': async (t, store, { reopen }) => {
    if (reopen === undefined) return
    await store.leases.write('webhooks', { holder: 'one', term: 1, checkpoint: '7' })
    await store.keys.add('mary', 'key')
    await store.keys.add('paul', 'key')
    await store.keys.remove('paul')
    const again = await reopen()
    t.same(await again.leases.read('webhooks'), { holder: 'one', term: 1, checkpoint: '7' })
    t.equal(await again.keys.read('mary'), 'key')
    t.equal(await again.keys.add('paul', 'another'), undefined)
  },

  'given a closed store, when leases or keys are requested, then it refuses': async (t, store) => {
    await store.close()
    const closed = { code: 'store_unavailable' }
    await t.rejects(store.leases.read('webhooks'), closed)
    await t.rejects(store.leases.write('webhooks', { holder: 'one', term: 1 }), closed)
    await t.rejects(store.keys.read('mary'), closed)
    await t.rejects(store.keys.add('mary', 'key'), closed)
    await t.rejects(store.keys.remove('mary'), closed)
    await t.rejects(store.latest(), closed)
    await t.rejects(store.last('shelf-1'), closed)
  },
}

/** The last position, and histories that come from another store. */
export const latestRules: Rules = {
  'given appends, when the latest position is requested, then a reader who has reached it has seen them': async (
    t,
    store,
  ) => {
    await store.append('shelf-1', facts(3), 'any')
    t.equal(await store.latest(), (await collect(store.readAll())).at(-1)?.position)
    await store.appendMany(
      (['shelf-2', 'shelf-1'] as const).map((stream) => ({ stream, events: facts(2), expected: 'any' })),
    )
    const latest = await store.latest()
    t.equal(latest, (await collect(store.readAll())).at(-1)?.position)
    await store.append('shelf-1', [fact()], 'any')
    t.ok((latest ?? '') < ((await store.latest()) ?? ''))
  },

  'given events of another store, when they are appended, then they keep their times, and others get the clock': async (
    t,
    store,
    { clock },
  ) => {
    const recordedAt = '2019-02-03T04:05:06.789Z'
    await store.append('shelf-1', [{ ...fact(), recordedAt }, fact()], 'any')
    const times = [recordedAt, new Date(clock.now).toISOString()]
    for (const events of [await store.read('shelf-1'), await collect(store.readAll())]) {
      t.same(
        events.map((event) => event.recordedAt),
        times,
      )
    }
  },
}
