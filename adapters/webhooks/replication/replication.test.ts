import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { deflateRawSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { startDouble } from '../../../conformance/eventstore/double.ts'
import type { Journals } from '../../../engine/index.ts'
import { createEventstoreStorage } from '../../eventstore/index.ts'
import type { DeliveryRepository } from '../../node/deliveries.ts'
import { errorLog } from '../../node/log.ts'
import { createDeliveryRepository } from '../../sqlite/deliveries/index.ts'
import { attempt, delivery, reached } from '../../sqlite/deliveries/made.test.fixture.ts'
import { createSealer } from '../../vault/sealer.ts'
import { batchIn, textOf } from './batch.ts'
import { createReplication } from './index.ts'
import { journalsInMemory } from './journals.test.fixture.ts'

const box = createSealer({ read: () => new Uint8Array(32), make: () => new Uint8Array(32) }, 'webhooks')
const far = Number.MAX_SAFE_INTEGER

/** A node that makes these deliveries of the events of the store. */
async function nodeOn(t: Test, journals: Journals, by: string, ids: readonly string[], given?: DeliveryRepository) {
  const repository = given ?? createDeliveryRepository({ clock: Date.now })
  const {
    run: replicate,
    begin,
    current,
    progress,
    repository: told,
  } = createReplication({
    ...{ repository, journals, box, clock: Date.now, by },
  })
  const ending = new AbortController()
  const wait = (milliseconds: number, signal: AbortSignal) =>
    setTimeout(Math.min(milliseconds, 5), undefined, { signal }).catch(() => {})
  const run = { signal: ending.signal, log: errorLog, wait }
  const follow = async () => {
    await repository.save(
      ids.map((id) => delivery(id)),
      reached(1),
      [],
    )
    progress.begun = reached(1).position
    progress.saved = progress.begun
  }
  const parts = { structured: (_: object, native: Uint8Array) => native, wake: () => {}, follow, lead: async () => {} }
  const running = replicate(run, parts)
  const stop = async () => {
    ending.abort()
    await running
  }
  t.teardown(stop)
  await begin(async () => '')
  await current(run)
  return { told, repository, stop, current: () => current(run) }
}

async function logOf(repository: DeliveryRepository) {
  const { deliveries } = await repository.page({ businessId: 7 }, { limit: 100, offset: 0 })
  return Object.fromEntries(deliveries.map(({ id, state, attempts }) => [id, `${state} ${attempts}`]))
}

const failed = { state: 'waiting', dueAt: far - 1 } as const

/** Nodes that send for one store: what each of them learns of the outcome of the deliveries `ids`, and when it is up to date. */
type MakeNode = (by: string) => Promise<Pick<Awaited<ReturnType<typeof nodeOn>>, 'told' | 'repository' | 'current'>>

/** The places where nodes keep what became of deliveries; each has to pass the same tests. */
const places: Readonly<Record<string, (t: Test, ids: readonly string[]) => Promise<MakeNode>>> = {
  'one SQLite file': async (t, ids) => {
    const file = join(t.testdir(), 'webhooks.db')
    return async () => {
      const repository = createDeliveryRepository({ file, clock: Date.now })
      t.teardown(repository.close)
      await repository.save(
        ids.map((id) => delivery(id)),
        reached(1),
        [],
      )
      return { told: repository, repository, current: async () => {} }
    }
  },
  'a journal in memory': async (t, ids) => {
    const journals = journalsInMemory()
    return (by) => nodeOn(t, journals, by, ids)
  },
  'the journal of an EventStoreDB': async (t, ids) => {
    const double = await startDouble()
    const store = createEventstoreStorage({ connectionString: double.connectionString, clock: Date.now })
    t.teardown(async () => {
      await store.close()
      await double.close()
    })
    return (by) => nodeOn(t, store.journals as Journals, by, ids)
  },
}

for (const [name, place] of Object.entries(places)) {
  t.test(`given nodes with ${name}, when one of them sends, then the log is the same at the others`, async (t) => {
    const node = await place(t, ['a', 'b', 'c', 'd'])
    const [one, two] = [await node('one'), await node('two')]
    await one.told.claim('e1', far, 3)
    await one.told.record({ id: 'a', attempt: attempt(1, 200), state: 'delivered' })
    const { status: _, ...unanswered } = attempt(1, 503)
    const timeout = { failure: 'timeout', failedPhase: 'wait', phases: { queue: 1, wait: 2_999 } } as const
    await one.told.record({ id: 'b', attempt: { ...unanswered, ...timeout }, ...failed })
    await one.told.skip(['c'])
    await one.told.add([delivery('test', { isTest: true, state: 'sending' })])
    await one.told.record({ id: 'test', attempt: attempt(1, 500), state: 'failed' })
    await two.told.add([delivery('again', { redeliveryOf: 'a' })])
    await two.told.add([delivery('read', { endpoint: { id: 'q', url: 'pull:erp' } })])
    await Promise.all([one.current(), two.current()])
    await one.told.acknowledge('q', 'read')
    await Promise.all([one.current(), two.current()])
    const log = {
      a: 'delivered 1',
      b: 'waiting 1',
      c: 'skipped 0',
      d: 'waiting 0',
      test: 'failed 1',
      again: 'waiting 0',
      read: 'delivered 0',
    }
    t.same(await logOf(one.repository), log)
    t.same(await logOf(two.repository), log)
    for (const { repository } of [one, two])
      t.match(await repository.find(7, 'b'), { lastPhases: timeout.phases, history: [timeout] }, 'with its phases')
    t.same(await two.repository.queueProgress('q'), { waiting: 0, cursor: 'read' })
    const late = await node('late')
    await late.current()
    t.same(await logOf(late.repository), log, 'and at one that begins later')
  })

  t.test(
    `given nodes with ${name}, when an attempt of one fails, then all say in which phase, until a later one succeeds`,
    async (t) => {
      const node = await place(t, ['a'])
      const [one, two] = [await node('one'), await node('two')]
      const { status: _, ...unanswered } = attempt(1, 503)
      const timeout = { failure: 'timeout', failedPhase: 'wait', phases: { queue: 1, wait: 2_999 } } as const
      const shown = async ({ repository, current }: typeof one) => {
        await current()
        const { deliveries } = await repository.page({ businessId: 7 }, { limit: 1, offset: 0 })
        return [deliveries[0], await repository.find(7, 'a')].map((found) => found?.lastFailedPhase)
      }
      await one.told.claim('e1', far, 1)
      await one.told.record({ id: 'a', attempt: { ...unanswered, ...timeout }, state: 'waiting', dueAt: 9_000 })
      for (const each of [one, two])
        t.same(await shown(each), ['wait', 'wait'], 'in the list and of the delivery itself')
      await one.told.claim('e1', far, 1)
      await one.told.record({ id: 'a', attempt: attempt(2, 200), state: 'delivered' })
      for (const each of [one, two, await node('late')]) {
        t.same(await shown(each), [undefined, undefined])
        t.match(await each.repository.find(7, 'a'), { state: 'delivered', history: [timeout, { number: 2 }] })
      }
    },
  )

  t.test(`given nodes with ${name}, when the sender is lost, then the next attempt is one of its own`, async (t) => {
    const node = await place(t, ['a', 'b'])
    const [one, two] = [await node('one'), await node('two')]
    const { deliveries } = await one.told.claim('e1', far, 2)
    t.same(
      deliveries.map(({ attemptNumber }) => attemptNumber),
      [1, 1],
    )
    await one.told.record({ id: 'a', attempt: attempt(1, 200), state: 'delivered' })
    await two.current()
    await two.told.recover({ now: far, inFlight: 64 })
    const { deliveries: again } = await two.told.claim('e1', far, 2)
    t.match(again, [{ id: 'b', attemptNumber: 2, attempts: 0 }], 'only what was in flight; no retry is lost')
    await two.told.record({ id: 'b', attempt: attempt(2, 200), state: 'delivered', earlier: 1 })
    await two.current()
    t.same(await logOf(two.repository), { a: 'delivered 1', b: 'delivered 2' }, 'and the log has counted it')
  })
}

t.test('given a journal of a version that did not measure phases, when it is read, then attempts have none', (t) => {
  const now = { kind: 'attempt', id: 'a', state: 'delivered', earlier: 0 } as const
  const { requestHeaders: _, responseHeaders: __, responseBody: ___, isResponseCut: ____, ...copied } = attempt(1, 200)
  const form = ['one', '0', [['a', 'delivered', 1, copied.startedAt, 12, 200, null, null, 0]]]
  const before = Buffer.from(box.seal(deflateRawSync(JSON.stringify(form)))).toString('base64')
  t.same(batchIn(before, box).changes, [{ ...now, attempt: copied }])
  const measured = { ...copied, phases: { connect: 0, wait: 12, read: 3 } }
  const changes = [{ ...now, attempt: measured }]
  t.same(batchIn(textOf({ by: 'one', through: '0', changes }, box), box).changes, changes)
  t.end()
})

t.test(
  'given a process that ended before its database had what it journalled, then the next one there has it',
  async (t) => {
    const journals = journalsInMemory()
    const repository = createDeliveryRepository({ clock: Date.now })
    const broken = { ...repository, record: () => Promise.reject(new Error('The disk is gone.')) }
    const one = await nodeOn(t, journals, 'one', ['a'], broken)
    await one.told.claim('e1', far, 1)
    await t.rejects(one.told.record({ id: 'a', attempt: attempt(1, 200), state: 'delivered' }))
    await one.stop()
    await repository.recover()
    const next = await nodeOn(t, journals, 'next', ['a'], repository)
    t.same(await logOf(next.repository), { a: 'delivered 1' })
  },
)

t.test(
  'given a delivery that is sent again, then the journal has no body of it, and none is made of what was erased',
  async (t) => {
    const journals = journalsInMemory()
    const one = await nodeOn(t, journals, 'one', ['a'])
    await one.told.add([delivery('again', { redeliveryOf: 'a' })])
    const { body } = delivery('a')
    const batches = journals.texts.map((text) => JSON.stringify(batchIn(text, box)))
    t.match(batches.join(), /again/)
    t.notMatch(batches.join(), Buffer.from(body).toString('base64'))
    t.notMatch(batches.join(), 'order.assigned')
    const erased = createDeliveryRepository({ clock: Date.now })
    await erased.save([delivery('a')], reached(1), [], ['order/42'])
    const two = await nodeOn(t, journals, 'two', ['a'], erased)
    t.same(await logOf(two.repository), { a: 'skipped 0' })
  },
)

t.test('given a thousand attempts at once, then the journal grows by a few records of some kilobytes', async (t) => {
  const journals = journalsInMemory()
  const ids = Array.from({ length: 1_000 }, (_, place) => `dlv_${place}`)
  const one = await nodeOn(t, journals, 'one', ids)
  await one.told.claim('e1', far, 1_000)
  const records = ids.map((id) => one.told.record({ id, attempt: attempt(1, 200), state: 'delivered' }))
  await Promise.all(records)
  t.ok(journals.texts.length <= 3, `${journals.texts.length} records`)
  t.ok(journals.texts.join('').length < 100_000, `${journals.texts.join('').length} bytes`)
})
