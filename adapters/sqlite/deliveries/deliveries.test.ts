import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { attemptPhases, type DeliveryQuery, type DeliveryState, deliveryStates } from '../../../engine/index.ts'
import { runs } from '../../../engine/testing/runs.test.fixture.ts'
import type { DeliveryRepository, Sealer } from '../../node/deliveries.ts'
import { createSealer } from '../../vault/sealer.ts'
import { openDatabase } from '../facts/open.ts'
import { allAttempts, keptColumns, lastAttempts } from './attempts.ts'
import { checkDeliveries } from './check.ts'
import { termsOf } from './filter.ts'
import { packHeaders, unpackHeaders } from './headers.ts'
import { createDeliveryRepository } from './index.ts'
import { attempt, delivery, type Given, reached } from './made.test.fixture.ts'
import { openDeliveries } from './open.ts'
import { pageSql } from './page-sql.ts'

const far = Number.MAX_SAFE_INTEGER

/** A repository on a file, with a clock that the test sets. */
function bookIn(t: Test, given: { readonly file?: string; readonly box?: Sealer } = {}) {
  const time = { now: 5_000 }
  const file = given.file ?? join(t.testdir(), 'deliveries.db')
  const repository = createDeliveryRepository({ file, clock: () => time.now, box: given.box })
  t.teardown(repository.close)
  return { repository, time, file }
}

async function idsOf(repository: DeliveryRepository, query: Partial<DeliveryQuery> = {}): Promise<readonly string[]> {
  const { deliveries } = await repository.page({ businessId: 7, ...query }, { limit: 100, offset: 0 })
  return deliveries.map(({ id }) => id)
}

/** Attempts a waiting delivery of the endpoint `e1`, and returns its text. */
async function settle(
  repository: DeliveryRepository,
  state: 'waiting' | 'delivered' | 'failed' | 'dead',
  status = 500,
) {
  const { deliveries } = await repository.claim('e1', far, 1)
  const [claimed] = deliveries
  if (claimed === undefined) throw new Error('Nothing was claimed.')
  const waits = state === 'waiting' ? { dueAt: 9_000 } : {}
  await repository.record({ id: claimed.id, attempt: attempt(claimed.attemptNumber, status), state, ...waits })
  return claimed
}

/** The number of rows of a table in the file. */
function countIn(file: string, table: string): number {
  const database = openDeliveries(file)
  const { count } = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { readonly count: number }
  database.close()
  return count
}

t.test(
  'given deliveries that were taken, when they are taken again, then each stands once, with the checkpoint',
  async (t) => {
    const { repository, file } = bookIn(t)
    t.equal(await repository.checkpoint(), undefined)
    const both = [delivery('a'), delivery('b')]
    t.same(await repository.save(both, reached(1), [{ endpointId: 'e1', throttle: 'driver/7', at: 50 }]), both)
    t.same(await repository.save([...both, delivery('c')], reached(2), []), [delivery('c')])
    t.same(await repository.add([delivery('c')]), [])
    t.same(await repository.checkpoint(), reached(2))
    t.equal(await repository.lastNotifiedAt('e1', 'driver/7'), 50)
    t.equal(await repository.lastNotifiedAt('e1', 'driver/8'), undefined)
    await repository.close()
    const again = bookIn(t, { file })
    t.same(await idsOf(again.repository), ['c', 'b', 'a'])
    t.same(await again.repository.checkpoint(), reached(2))
  },
)

t.test('given a new file, then its owner alone may read it', { skip: process.platform === 'win32' }, async (t) => {
  const { repository, file } = bookIn(t)
  t.throws(() => statSync(file), 'it is not there before it is needed')
  await repository.save([], reached(1), [])
  t.equal(statSync(file).mode & 0o777, 0o600)
})

t.test('given a file of something else, when it is opened, then it is refused and left alone', async (t) => {
  const file = join(t.testdir({ 'notes.txt': 'x'.repeat(5_000) }), 'notes.txt')
  await t.rejects(bookIn(t, { file }).repository.countWaiting(), {
    code: 'internal',
    message: /does not hold deliveries/,
  })
  const events = join(dirname(file), 'otep.db')
  openDatabase(events).close()
  await t.rejects(bookIn(t, { file: events }).repository.countWaiting(), {
    code: 'internal',
    message: /does not hold deliveries/,
  })
  t.equal(readFileSync(file, 'utf8'), 'x'.repeat(5_000))
})

/** Makes a file what it was in version 8, whose deliveries had all attempts in separate rows. */
const withoutFirstAttempts = `
  INSERT INTO attempts (delivery, number, status, response_body, ${keptColumns.join(', ')})
    SELECT delivery, number, status, response_body, ${keptColumns.join(', ')} FROM ${allAttempts}
    WHERE delivery NOT IN (SELECT delivery FROM attempts);
  UPDATE attempts SET request_headers = '{"Content-Type":"application/json"}', response_headers = '{"server":"shop"}';
ALTER TABLE deliveries DROP COLUMN first_attempt; ALTER TABLE deliveries DROP COLUMN first_answer;
  CREATE INDEX deliveries_by_age ON deliveries (created);
  PRAGMA user_version = 8;`

/** Makes the attempts of a file what they were in version 7. */
const withoutPhases = [...attemptPhases, 'failed_phase']
  .map((name) => `ALTER TABLE attempts DROP COLUMN ${name};`)
  .join('\n')

t.test(
  'given a file from before the phases of attempts, when it is opened, then its attempts have none, and new ones have theirs',
  async (t) => {
    const { repository, file } = bookIn(t)
    await repository.add([delivery('a')])
    await settle(repository, 'waiting')
    await repository.close()
    const database = openDeliveries(file)
    database.exec(`${withoutFirstAttempts} ${withoutPhases} PRAGMA user_version = 7`)
    database.close()
    const again = bookIn(t, { file }).repository
    t.match(await again.find(7, 'a'), { attempts: 1, history: [{ number: 1, duration: 12, phases: undefined }] })
    await again.claim('e1', far, 1)
    const timeout = { failure: 'timeout', failedPhase: 'tls', phases: { dns: 3, connect: 0, tls: 2_997 } } as const
    await again.record({ id: 'a', attempt: { ...attempt(2, 500), ...timeout }, state: 'waiting', dueAt: 9_000 })
    const found = await again.find(7, 'a')
    t.same(
      found?.history.map(({ phases }) => phases),
      [undefined, timeout.phases],
    )
    t.match(found, { history: [{ failedPhase: undefined }, { failedPhase: 'tls' }] })
    const last = { lastFailedPhase: 'tls', lastPhases: timeout.phases } as const
    t.match(found, last)
    t.match((await again.page({ businessId: 7 }, { limit: 1, offset: 0 })).deliveries, [last])
    const text = { businessId: 7, text: 'order.assigned' }
    t.match((await again.page(text, { limit: 1, offset: 0 })).deliveries, [last], 'in what a search finds, too')
    await again.claim('e1', far, 1)
    await again.record({ id: 'a', attempt: attempt(3, 200), state: 'delivered' })
    t.notOk('lastFailedPhase' in ((await again.find(7, 'a')) ?? {}), 'of the last attempt alone')
  },
)

t.test(
  'given a file whose attempts all have rows of their own, when it is opened, then each is told as it was',
  async (t) => {
    const box = sealerOf(1)
    const { repository, file } = bookIn(t, { box })
    await repository.add(['at once', 'later', 'never', 'waits'].map((id) => delivery(id, { subject: `order/${id}` })))
    await settle(repository, 'delivered', 200)
    await settle(repository, 'waiting', 503)
    await settle(repository, 'dead')
    await repository.retryNow(7, 'later', 1)
    await settle(repository, 'delivered', 201)
    const all = async (one: DeliveryRepository) => {
      const { deliveries } = await one.page({ businessId: 7 }, { limit: 9, offset: 0 })
      return { deliveries, details: await Promise.all(deliveries.map(({ id }) => one.find(7, id))) }
    }
    const before = await all(repository)
    await repository.close()
    const database = openDeliveries(file)
    database.exec(withoutFirstAttempts)
    database.close()
    t.same(await problemsOf(file, box), [], 'a file of an earlier version can be checked')
    const again = bookIn(t, { file, box }).repository
    t.same(await all(again), before)
    await settle(again, 'delivered', 202)
    t.match(await again.find(7, 'waits'), { state: 'delivered', history: [{ number: 1, status: 202 }] })
    await again.save([], reached(1), [], ['order/at once', 'order/waits'])
    t.match(await again.find(7, 'at once'), { history: [{ status: 200, responseBody: '' }] })
    t.match(await again.find(7, 'waits'), { history: [{ status: 202, responseBody: '' }] })
    t.same(await problemsOf(file, box), [])
    await again.close()
    t.equal(countIn(file, 'attempts'), 4, 'those from before stay where they are')
  },
)

t.test(
  'given a delivery that succeeds at once, then its attempt is a part of its row, and the log tells all of it',
  async (t) => {
    const box = sealerOf(1)
    const { repository, file } = bookIn(t, { box })
    await repository.add([
      delivery('mine'),
      delivery('copied', { endpoint: { id: 'e2' } }),
      delivery('test', { isTest: true, state: 'sending' }),
    ])
    const phases = { queue: 1, dns: 2, connect: 3, tls: 4, wait: 5, read: 6 }
    const outcome = { number: 1, startedAt: 1_001, duration: 12.5, status: 204, phases }
    const made = { ...attempt(1, 204), ...outcome, isResponseCut: true }
    await repository.claim('e1', far, 1)
    await repository.record({ id: 'mine', attempt: made, state: 'delivered' })
    await repository.record({ id: 'test', attempt: made, state: 'delivered' })
    await repository.copy([{ kind: 'attempt', id: 'copied', attempt: outcome, state: 'delivered' }], 1)
    const told = { state: 'delivered', attempts: 1, lastStatus: 204, lastPhases: phases } as const
    for (const id of ['mine', 'test']) {
      t.match(await repository.find(7, id), told)
      t.same((await repository.find(7, id))?.history, [made])
    }
    const copied = { ...made, requestHeaders: {}, responseHeaders: {}, responseBody: '', isResponseCut: false }
    t.same((await repository.find(7, 'copied'))?.history, [copied], 'of another node without headers and answer')
    for (const query of [{}, { status: 204 }, { text: 'order.assigned' }]) {
      const { deliveries } = await repository.page({ businessId: 7, ...query }, { limit: 9, offset: 0 })
      t.match(deliveries, [told, told, told])
    }
    for (const again of [attempt(1, 500), attempt(2, 200)]) {
      await repository.record({ id: 'mine', attempt: again, state: 'waiting', dueAt: 9_000 })
      await repository.copy([{ kind: 'attempt', id: 'mine', attempt: again, state: 'delivered' }], 1)
    }
    t.same((await repository.find(7, 'mine'))?.history, [made], 'it is at its end')
    t.notOk(await repository.retryNow(7, 'mine', 9_000))
    t.same(await problemsOf(file, box), [])
    t.equal(countIn(file, 'attempts'), 0)
    t.equal(await repository.purge(far, 9), 3)
  },
)

t.test('given any headers, when they are stored, then they are read as they were', (t) => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('Content-Type', 'application/json', 'EVT-1', '1', '', '-1', '__proto__'),
  )
  fc.assert(
    fc.property(fc.dictionary(text, text), (headers) => {
      equal(Object.entries(unpackHeaders(JSON.stringify(packHeaders(headers)))), Object.entries(headers))
    }),
  )
  t.same(unpackHeaders('{"Signature":"8c8d5ff1...","X-Webhook-Attempt":1}'), {
    Signature: '8c8d5ff1...',
    'X-Webhook-Attempt': '1',
  })
  t.same(
    packHeaders({ 'Content-Type': 'application/json', 'webhook-id': 'EVT-1', 'X-Webhook-Event-Id': 'EVT-1' }),
    [0, 1, 20, 'EVT-1', 4, -1],
    'what was stored stays readable only if no place ever changes',
  )
  t.same(
    keptColumns,
    [
      ...['started', 'duration', 'request_headers', 'response_headers', 'is_cut'],
      ...['queue', 'dns', 'connect', 'tls', 'wait', 'read'],
    ],
    'nor that of another value',
  )
  t.end()
})

t.test('given a file of the version before, when it is opened, then what waits in it can be sent', async (t) => {
  const { repository, file } = bookIn(t)
  await repository.add([delivery('a'), delivery('b')])
  await repository.close()
  const database = openDeliveries(file)
  database.exec(`DROP TABLE endpoints; DROP TABLE endpoint_periods; DROP INDEX deliveries_of_event; DROP INDEX deliveries_of_type; DROP INDEX deliveries_by_failure;
    DROP INDEX deliveries_by_status; DROP TRIGGER next_in_order; DROP INDEX deliveries_in_order;
    ALTER TABLE deliveries DROP COLUMN sequence; ALTER TABLE deliveries DROP COLUMN in_order;
    DROP TABLE copied; DROP INDEX deliveries_to_pull; DROP INDEX deliveries_of_channel; ${withoutFirstAttempts} ${withoutPhases}
    PRAGMA user_version = 1`)
  database.close()
  const again = bookIn(t, { file }).repository
  t.same(await idsOf(again), ['b', 'a'])
  const { deliveries } = await again.claim('e1', far, 10)
  t.same(
    deliveries.map(({ id, isInOrder, sequence }) => ({ id, isInOrder, sequence })),
    ['a', 'b'].map((id) => ({ id, isInOrder: false, sequence: undefined })),
  )
})

t.test(
  'given an endpoint in order, when deliveries end in any way, then the next one about their subject can be claimed',
  async (t) => {
    const { repository } = bookIn(t)
    const inOrder = (id: string, more = {}) => delivery(id, { endpoint: { isInOrder: true }, sequence: id, ...more })
    await repository.add(['1', '2', '3', '4', '5'].map((id) => inOrder(id)))
    await repository.add([inOrder('other', { subject: 'order/43' }), inOrder('off', { state: 'skipped' })])
    const claimed = async () => (await repository.claim('e1', 10_000, 10)).deliveries.map(({ id }) => id)
    t.same(await claimed(), ['1', 'other'])
    t.same(await claimed(), [])
    t.same(await repository.nextDueTimes(), [{ endpointId: 'e1', dueAt: far }])
    await repository.record({ id: '1', attempt: attempt(1, 500), state: 'waiting', dueAt: 9_000 })
    t.same(await claimed(), ['1'], 'one that is tried again stays ahead')
    await repository.record({ id: '1', attempt: attempt(2, 200), state: 'delivered' })
    t.same(await claimed(), ['2'])
    await repository.skip(['2'])
    t.same(await claimed(), ['3'])
    await repository.record({ id: '3', attempt: attempt(1, 500), state: 'failed' })
    await repository.save([], reached(9), [], ['order/42'])
    t.same(await claimed(), [], 'those of an erased subject are not sent')
    t.equal(await repository.countWaiting(), 0)
  },
)

t.test('given a repository that is closed, then it is unavailable', async (t) => {
  const { repository } = bookIn(t)
  await repository.close()
  await t.rejects(repository.add([delivery('a')]), { code: 'store_unavailable' })
  await t.rejects(repository.countWaiting(), { code: 'store_unavailable' })
})

t.test(
  'given deliveries of one endpoint, when they are claimed, then the earliest due come first, and each once',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([
      delivery('late', { dueAt: 3_000 }),
      delivery('first', { dueAt: 1_000 }),
      delivery('second', { dueAt: 1_000 }),
      delivery('other', { dueAt: 500, endpoint: { id: 'e2' } }),
      delivery('off', { state: 'skipped' }),
    ])
    t.same(await repository.nextDueTimes(), [
      { endpointId: 'e2', dueAt: 500 },
      { endpointId: 'e1', dueAt: 1_000 },
    ])
    const first = await repository.claim('e1', 2_000, 1)
    t.match(first, { deliveries: [{ id: 'first', attempts: 0, attemptNumber: 1 }], nextAt: 1_000 })
    t.match(await repository.claim('e1', 2_000, 5), { deliveries: [{ id: 'second' }], nextAt: 3_000 })
    t.same(await repository.claim('e1', 2_999, 5), { deliveries: [], nextAt: 3_000 })
    t.equal(await repository.countWaiting(), 2)
    t.same(await idsOf(repository, { state: ['sending'] }), ['second', 'first'])
    await repository.recover()
    t.equal(await repository.countWaiting(), 4, 'after a crash what was under way waits again')
    const url = first.deliveries[0]?.url
    t.equal(url, 'https://shop.example/hook?token=secret', 'it is sent to the whole URL')
  },
)

t.test('given attempts, when they are recorded, then the delivery tells all of them, and its last', async (t) => {
  const { repository } = bookIn(t)
  await repository.add([delivery('a')])
  await settle(repository, 'waiting', 503)
  t.match(await repository.find(7, 'a'), {
    state: 'waiting',
    nextAt: 9_000,
    attempts: 1,
    lastStatus: 503,
    lastFailure: 'status',
  })
  t.match(await settle(repository, 'delivered', 200), { attempts: 1, attemptNumber: 2 })
  await repository.record({ id: 'a', attempt: attempt(3, 500), state: 'failed' })
  const found = await repository.find(7, 'a')
  t.match(found, { state: 'delivered', attempts: 2, lastStatus: 200, url: 'https://shop.example/hook' })
  t.same(found?.history, [attempt(1, 503), attempt(2, 200)])
  t.equal(found?.body, '{"event":"order.assigned","for":"a"}')
  t.notOk(found && ('lastFailure' in found || 'nextAt' in found))
  t.equal(await repository.find(8, 'a'), undefined, 'another business finds nothing')
  t.equal(await repository.original(8, 'a'), undefined)
})

t.test('given an answer with anything in it, when it is recorded, then the rest of it is kept', async (t) => {
  const { repository } = bookIn(t)
  await repository.add([delivery('a')])
  await repository.claim('e1', far, 1)
  await repository.record({ id: 'a', attempt: { ...attempt(1, 200), responseBody: 'a\0b\ud800c' }, state: 'delivered' })
  t.equal((await repository.find(7, 'a'))?.history[0]?.responseBody, 'a\0b\ufffdc')
})

t.test(
  'given a dead delivery, when it is tried again, then it has all attempts before it, and its numbers go on',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([delivery('a')])
    await settle(repository, 'dead')
    t.notOk(await repository.retryNow(8, 'a', 9_000))
    t.ok(await repository.retryNow(7, 'a', 9_000))
    t.ok(await repository.retryNow(7, 'a', 8_000), 'sooner, where it waits')
    t.match(await repository.nextDueTimes(), [{ dueAt: 8_000 }])
    t.match(await settle(repository, 'delivered', 200), { attempts: 0, attemptNumber: 2 })
    t.notOk(await repository.retryNow(7, 'a', 9_000), 'what is at its end stays there')
    t.equal((await repository.find(7, 'a'))?.history.length, 2)
  },
)

t.test(
  'given a delivery that is tried again and again, when it is looked at, then its last hundred attempts are told',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([delivery('a')])
    for (let count = 0; count < 103; count++) await settle(repository, 'waiting')
    const found = await repository.find(7, 'a')
    t.equal(found?.attempts, 103)
    t.same(
      found?.history.map(({ number }) => number),
      Array.from({ length: 100 }, (_, index) => index + 4),
    )
  },
)

t.test(
  'given deliveries that were claimed, when they are skipped or given back, then they are skipped or wait',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([delivery('a'), delivery('b'), delivery('c')])
    await repository.claim('e1', far, 3)
    await repository.skip(['a'])
    await repository.release(['b'])
    await repository.skip(['b'])
    t.same(await idsOf(repository, { state: ['skipped'] }), ['a'])
    t.same(await idsOf(repository, { state: ['waiting'] }), ['b'], 'what waits is not touched')
    t.same(await idsOf(repository, { state: ['sending'] }), ['c'])
  },
)

t.test(
  'given two nodes on one file, when the one that lost its turn was faster, then the other holds nothing up',
  async (t) => {
    const { repository: first, file } = bookIn(t)
    const { repository: second } = bookIn(t, { file })
    await first.add([delivery('tried'), delivery('sent'), delivery('off', { dueAt: 1_001 })])
    await first.claim('e1', far, 3)
    await second.recover()
    await second.claim('e1', far, 3)
    await first.record({ id: 'tried', attempt: attempt(1, 500), state: 'waiting', dueAt: 9_000 })
    await first.record({ id: 'sent', attempt: attempt(1, 200), state: 'delivered' })
    await first.record({ id: 'off', attempt: attempt(1, 200), state: 'delivered' })
    t.match(await second.find(7, 'sent'), { state: 'delivered' }, 'what is at its end is not being sent')
    await second.record({ id: 'tried', attempt: attempt(1, 500), state: 'waiting', dueAt: 9_500 })
    await second.record({ id: 'sent', attempt: attempt(1, 500), state: 'failed' })
    await second.skip(['off'])
    t.match(await second.find(7, 'tried'), { state: 'waiting', attempts: 1, nextAt: 9_000 })
    t.match(await second.find(7, 'sent'), { state: 'delivered', attempts: 1, lastStatus: 200 })
    t.match(await second.find(7, 'off'), { state: 'delivered' })
    t.match(await second.claim('e1', far, 3), { deliveries: [{ id: 'tried', attemptNumber: 2 }] })
  },
)

t.test(
  'given something that is forgotten while it is made anew, when that is kept, then nothing of it comes back',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([
      delivery('a', { state: 'skipped' }),
      delivery('b', { state: 'skipped', subject: 'order/43' }),
    ])
    const originals = await Promise.all([repository.original(7, 'a'), repository.original(7, 'b')])
    await repository.save([], reached(1), [], ['order/42'])
    const again = ['a', 'b'].map((id, index) => {
      const { native = new Uint8Array() } = originals[index] ?? {}
      return delivery(`${id}-again`, { native, redeliveryOf: id })
    })
    t.match(await repository.add(again), [{ id: 'b-again' }])
    t.equal(await repository.find(7, 'a-again'), undefined)
  },
)

t.test(
  'given a log, when it is asked, then each condition narrows it, the newest come first, and all are counted',
  async (t) => {
    const { repository, time } = bookIn(t)
    for (const [id, given] of Object.entries({
      a: {},
      b: { event: 'order.created', subject: 'order/43' },
      c: { endpoint: { id: 'e2', owner: 'customer.12', customerId: 12 } },
      d: { businessId: 8 },
      e: { endpoint: { id: 'e3', channel: 'device_order' as const }, state: 'skipped' as const },
    })) {
      time.now += 1_000
      await repository.add([delivery(id, given)])
    }
    t.same(await idsOf(repository), ['e', 'c', 'b', 'a'])
    t.same(await idsOf(repository, { customerId: 12 }), ['c'])
    t.same(await idsOf(repository, { owner: 'customer.12' }), ['c'])
    t.same(await idsOf(repository, { endpointId: 'e3' }), ['e'])
    t.same(await idsOf(repository, { channel: 'device_order' }), ['e'])
    t.same(await idsOf(repository, { event: 'order.created' }), ['b'])
    t.same(await idsOf(repository, { subject: 'order/42' }), ['e', 'c', 'a'])
    t.same(await idsOf(repository, { state: ['skipped', 'dead'] }), ['e'])
    t.same(await idsOf(repository, { state: [] }), [])
    t.same(await idsOf(repository, { since: 7_000, until: 8_000 }), ['b'])
    t.same(await idsOf(repository, { eventId: 'EVT-c' }), ['c'])
    t.same(await idsOf(repository, { ids: ['a', 'c', 'd'] }), ['c', 'a'])
    const page = await repository.page({ businessId: 7 }, { limit: 2, offset: 1 })
    t.match(page, { deliveries: [{ id: 'c' }, { id: 'b' }], total: 4 })
    t.match(page.deliveries[0], { customerId: 12, createdAt: 8_000, endpointId: 'e2' })
  },
)

t.test('given a log, when it is searched by URL, status or failure, then what matches is found', async (t) => {
  const { repository } = bookIn(t)
  await repository.add([
    ...['a', 'b', 'c', 'd'].map((id) => delivery(id)),
    delivery('e', { endpoint: { id: 'e2', url: 'https://depot.example/hook' } }),
    delivery('f', { endpoint: { id: 'e3', url: 'https://shop.example/other' } }),
    delivery('g', { businessId: 8, endpoint: { id: 'e4', url: 'https://shop.example/third' } }),
  ])
  await settle(repository, 'failed', 503)
  await settle(repository, 'waiting', 404)
  await settle(repository, 'delivered', 204)
  const [claimed] = (await repository.claim('e1', far, 1)).deliveries
  const { status: _, ...unanswered } = attempt(1, 500)
  await repository.record({ id: claimed?.id ?? '', attempt: { ...unanswered, failure: 'timeout' }, state: 'failed' })
  t.same(await idsOf(repository, { url: 'shop.example' }), ['f', 'd', 'c', 'b', 'a'])
  t.same(await idsOf(repository, { url: 'https://depot.example/hook' }), ['e'])
  t.same(await idsOf(repository, { url: 'token=secret' }), [], 'queries hold secrets and are not searched')
  t.same(await idsOf(repository, { url: 'nowhere' }), [])
  t.same(await idsOf(repository, { status: 503 }), ['a'])
  t.same(await idsOf(repository, { status: 404 }), ['b'])
  t.same(await idsOf(repository, { status: 204 }), ['c'])
  t.same(await idsOf(repository, { failure: 'timeout' }), ['d'])
  t.same(await idsOf(repository, { failure: 'status', state: ['failed'] }), ['a'])
})

t.test('given a URL in many fields, when the log is searched by it, then its pages are in order', async (t) => {
  for (const endpoints of [3, 150]) {
    const { repository, time } = bookIn(t, { file: join(t.testdir(), `${endpoints}.db`) })
    const deliveries = Array.from({ length: 300 }, (_, n) =>
      delivery(`d${n}`, { endpoint: { id: `e${n % endpoints}`, url: 'https://shop.example/hook' } }),
    )
    for (const one of deliveries) {
      time.now++
      await repository.add([one, delivery(`${one.id}-other`, { endpoint: { id: 'other', url: 'https://a.example/' } })])
    }
    const query = { businessId: 7, url: 'shop.example' }
    const newest = deliveries.map(({ id }) => id).toReversed()
    const page = await repository.page(query, { limit: 100, offset: 100 })
    t.same([page.deliveries.map(({ id }) => id), page.total], [newest.slice(100, 200), 300])
    const after = await repository.page(query, { limit: 10, offset: 0, cursor: page.next ?? '' })
    t.same(
      after.deliveries.map(({ id }) => id),
      newest.slice(200, 210),
    )
  }
})

t.test(
  'given a log, when a text is searched in its bodies, then each call looks at a part of it and says how far',
  async (t) => {
    const file = join(t.testdir(), 'deliveries.db')
    const repository = createDeliveryRepository({ file, clock: () => 5_000, box: sealerOf(1) })
    t.teardown(repository.close)
    const native = (name: string) => new TextEncoder().encode(JSON.stringify({ recipient: { name } }))
    await repository.add([
      delivery('oldest', { native: native('Zoë "Z" Langendorf'), subject: 'order/1' }),
      ...Array.from({ length: 6_000 }, (_, n) => delivery(`d${n}`, { native: native('Ana') })),
      delivery('newest', { native: native('ZOË LANGE'), event: 'order.created' }),
    ])
    const query = { businessId: 7, text: 'zoë' }
    const first = await repository.page(query, { limit: 20, offset: 0 })
    t.match(first, { deliveries: [{ id: 'newest' }], searched: { deliveries: 5_000, backTo: 5_000 }, total: undefined })
    const second = await repository.page(query, { limit: 20, offset: 0, cursor: first.next ?? '' })
    t.match(second, { deliveries: [{ id: 'oldest' }], searched: { deliveries: 1_002 } })
    t.equal(second.next, undefined)
    t.match(await repository.page({ ...query, text: 'ana' }, { limit: 3, offset: 0 }), {
      deliveries: [{ id: 'd5999' }, { id: 'd5998' }, { id: 'd5997' }],
      searched: { deliveries: 4 },
      next: /^5000-\d+$/,
    })
    t.same(await idsOf(repository, { ...query, subject: 'order/1' }), ['oldest'])
    t.same(await idsOf(repository, { ...query, event: 'order.created' }), ['newest'])
    t.same(await idsOf(repository, { ...query, businessId: 8 }), [])
    await repository.save([], reached(1), [], ['order/1'])
    t.same(await idsOf(repository, { ...query, subject: 'order/1' }), [], 'what was erased is not found')
    t.notMatch(readFileSync(file).toString('latin1') + readFileSync(`${file}-wal`).toString('latin1'), 'Langendorf')
  },
)

t.test('given a search in a long log, when others use the repository, then they do not wait for its end', async (t) => {
  const { repository } = bookIn(t)
  await repository.add(Array.from({ length: 3_000 }, (_, n) => delivery(`d${n}`)))
  let isOver = false
  const searching = repository.page({ businessId: 7, text: 'nowhere' }, { limit: 1, offset: 0 }).then(() => {
    isOver = true
  })
  await repository.find(7, 'd1')
  t.notOk(isOver)
  await searching
})

t.test(
  'given a log that grows, when its pages follow a cursor, then each delivery comes once, and none is counted',
  async (t) => {
    const { repository, time } = bookIn(t)
    for (let n = 0; n < 10; n++) {
      time.now += n % 3
      await repository.add([delivery(`d${n}`)])
    }
    const seen: string[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < 4; pages++) {
      const asked = { limit: 3, offset: 0, ...(cursor === undefined ? {} : { cursor }) }
      const { deliveries, next, total } = await repository.page({ businessId: 7 }, asked)
      t.equal(total, cursor === undefined ? 10 : undefined)
      seen.push(...deliveries.map(({ id }) => id))
      cursor = next
      time.now += 1
      await repository.add([delivery(`later${pages}`)])
    }
    t.equal(cursor, undefined, 'the last page has none')
    t.same(seen, ['d9', 'd8', 'd7', 'd6', 'd5', 'd4', 'd3', 'd2', 'd1', 'd0'])
  },
)

t.test(
  'given deliveries at their end, when those that were not sent again are asked for, then the oldest come first',
  async (t) => {
    const { repository, time } = bookIn(t)
    await repository.add([delivery('a'), delivery('b', { isTest: true }), delivery('c'), delivery('d')])
    for (let count = 0; count < 3; count++) await settle(repository, 'failed')
    await settle(repository, 'delivered', 200)
    time.now += 1
    await repository.add([delivery('e', { state: 'skipped' }), delivery('f')])
    const query: DeliveryQuery = { businessId: 7, state: ['failed', 'skipped'] }
    t.match(await repository.redeliverable(query, 10), {
      deliveries: [{ id: 'a' }, { id: 'c' }, { id: 'e' }],
      total: 3,
    })
    t.same(await repository.redeliverable(query, 1, 'a'), {
      deliveries: [{ id: 'c', owner: 'business.7', endpointId: 'e1' }],
    })
    await repository.add([delivery('g', { redeliveryOf: 'a' })])
    t.match(await repository.redeliverable(query, 10), { deliveries: [{ id: 'c' }, { id: 'e' }], total: 2 })
  },
)

t.test('given a delivery in an envelope of its own, then what a redelivery is made of is as it was made', async (t) => {
  const { repository } = bookIn(t)
  const made = delivery('a', { body: new TextEncoder().encode('{"data":1}'), isSandbox: true, redeliveryOf: 'z' })
  const customers = delivery('b', { endpoint: { customerId: 12, format: 'ce_structured', standard: true } })
  await repository.add([made, customers])
  for (const given of [made, customers]) {
    const original = await repository.original(7, given.id)
    t.same(Buffer.from(original?.body ?? []).toString(), Buffer.from(given.body).toString())
    t.same(Buffer.from(original?.native ?? []).toString(), Buffer.from(given.native).toString())
    t.same({ ...original, body: 0, native: 0 }, { ...given, body: 0, native: 0 })
  }
  t.equal((await repository.find(7, 'b'))?.contentType, 'application/cloudevents+json')
})

t.test(
  'given old deliveries, when they are purged, then they are gone with their attempts and bodies, some at a time',
  async (t) => {
    const { repository, time, file } = bookIn(t)
    const native = new TextEncoder().encode('{"shared":true}')
    const others = delivery('others', { businessId: 8, endpoint: { id: 'e8' }, state: 'skipped' })
    await repository.add([
      delivery('a', { native, body: native }),
      delivery('b', { body: native }),
      delivery('c'),
      others,
    ])
    await settle(repository, 'delivered', 200)
    for (let count = 0; count < 2; count++) await settle(repository, 'failed')
    await repository.save([delivery('d'), delivery('e', { state: 'sending' })], reached(1), [
      { endpointId: 'e1', throttle: 'x', at: 1 },
    ])
    time.now = 6_000
    await repository.add([delivery('f', { native, body: native, state: 'skipped' })])
    t.equal(await repository.purge(6_000, 2), 2)
    t.equal(await repository.purge(6_000, 3), 2, 'of all businesses')
    t.equal(await repository.purge(6_000, 2), 0)
    t.equal(await repository.businessOf('others'), undefined)
    t.same(await idsOf(repository), ['f', 'e', 'd'], 'what waits or is under way stays')
    t.equal(await repository.lastNotifiedAt('e1', 'x'), undefined)
    await repository.close()
    t.equal(countIn(file, 'attempts'), 0)
    t.equal(countIn(file, 'bodies'), 3, 'a body that another shares stays')
  },
)

t.test(
  'given something that cannot be kept, when others are written in the same turn, then it alone is refused',
  async (t) => {
    const { repository } = bookIn(t)
    const broken = delivery('broken', { dueAt: Number.NaN })
    const [first, second, third] = await Promise.allSettled([
      repository.add([delivery('a')]),
      repository.add([delivery('b'), broken]),
      repository.add([delivery('c')]),
    ])
    t.same([first?.status, second?.status, third?.status], ['fulfilled', 'rejected', 'fulfilled'])
    t.same(await idsOf(repository), ['c', 'a'])
  },
)

t.test('given thousands of writes at once, then all are kept, and the event loop has its turns between', async (t) => {
  const { repository } = bookIn(t)
  let isDone = false
  let turns = 0
  const writes = Array.from({ length: 4_000 }, (_, number) => repository.add([delivery(`d${number}`)]))
  const all = Promise.all(writes).then(() => {
    isDone = true
  })
  for (; !isDone; turns++) await new Promise(setImmediate)
  await all
  t.equal(await repository.countWaiting(), 4_000)
  t.ok(turns > 1)
})

t.test('given the look-ups of the way, then each is answered from an index', async (t) => {
  const file = join(t.testdir(), 'deliveries.db')
  const database = openDeliveries(file)
  const plan = (sql: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => (row as { readonly detail: string }).detail)
      .join('; ')
  const log = (where: string) =>
    plan(`SELECT * FROM deliveries d WHERE d.business = 7 AND ${where} ORDER BY d.created DESC, d.number DESC LIMIT 5`)
  t.match(log('d.customer = 12'), /USING INDEX deliveries_of_customer/)
  t.match(log("d.subject = 'order/42'"), /USING INDEX deliveries_of_subject/)
  t.match(
    plan("UPDATE deliveries SET state = 'failed' WHERE state = 'sending'"),
    /USING (COVERING )?INDEX open_deliveries/,
  )
  type Filter = Omit<DeliveryQuery, 'businessId' | 'owner' | 'ids' | 'text'>
  const found: { readonly [Name in keyof Filter]-?: readonly [index: string, value: Filter[Name]] } = {
    eventId: ['deliveries_of_event', 'EVT-1'],
    event: ['deliveries_of_type', 'order.created'],
    channel: ['deliveries_of_channel', 'callback'],
    endpointId: ['deliveries_of_endpoint', 'e1'],
    url: ['deliveries_of_endpoint', 'shop.example'],
    status: ['deliveries_by_status', 204],
    failure: ['deliveries_by_failure', 'timeout'],
    state: ['undelivered', ['failed', 'dead']],
    subject: ['deliveries_of_subject', 'order/42'],
    customerId: ['deliveries_of_customer', 12],
    since: ['deliveries_of_business', 5],
    until: ['deliveries_of_business', 9],
  }
  for (const cursor of ['', '5000-1']) {
    for (const [name, [index, value]] of Object.entries(found)) {
      const terms = termsOf({ businessId: 7, [name]: value }, name === 'url' ? ['e1'] : undefined)
      const { sql } = pageSql(terms, { limit: 5, offset: 0, ...(cursor && { cursor }) })
      t.match(plan(sql), `USING INDEX ${index}`, `${name} ${cursor}`)
      if (name !== 'eventId') t.notMatch(plan(sql), /TEMP B-TREE/, `${name} is in order`)
    }
    const several = termsOf({ businessId: 7 }, ['e1', 'e2'])
    const merged = plan(pageSql(several, { limit: 5, offset: 0, ...(cursor && { cursor }) }).sql)
    t.match(
      merged,
      /SEARCH d USING INTEGER PRIMARY KEY.*USING (COVERING )?INDEX deliveries_of_endpoint \(business=\? AND endpoint=\?/,
    )
  }
  for (const state of [['waiting'], ['sending'], ['waiting', 'sending']] as const)
    t.match(
      plan(pageSql(termsOf({ businessId: 7, state }), { limit: 5, offset: 0 }).sql),
      /USING INDEX open_deliveries/,
    )
  for (const where of ['d.created > 1', 'd.customer = 12', "d.subject = 'order/42'"])
    t.notMatch(log(where), /TEMP B-TREE/)
  t.match(plan(lastAttempts), /attempts USING INDEX \S+ \(delivery=\?\).*deliveries USING INTEGER PRIMARY KEY/)
  database.close()
})

t.test('given many waiting deliveries, when what waits is asked for, then a thousand are counted', async (t) => {
  const repository = createDeliveryRepository({ clock: () => 5_000 })
  t.same(await repository.backlog('e1'), { waiting: 0, isMore: false })
  const made = (count: number) =>
    Array.from({ length: count }, (_, index) => delivery(`d${index}`, { createdAt: 2_000 + index }))
  await repository.add([
    ...made(1_000),
    delivery('other', { endpoint: { id: 'e2' } }),
    delivery('off', { state: 'skipped' }),
  ])
  t.same(await repository.backlog('e1'), { waiting: 1_000, isMore: false, since: 2_000 })
  t.match(await repository.backlog('e2'), { waiting: 1 })
  await repository.add(made(1_001))
  t.match(await repository.backlog('e1'), { waiting: 1_000, isMore: true })
  await repository.close()
})

/** A simple model of a repository with one endpoint. */
interface Modelled {
  state: DeliveryState
  dueAt: number
  attempts: number
  earlier: number
  isErased: boolean
}

type Step =
  | { readonly kind: 'add'; readonly id: number; readonly dueAt: number; readonly state: 'waiting' | 'skipped' }
  | { readonly kind: 'claim'; readonly now: number; readonly limit: number }
  | { readonly kind: 'record'; readonly pick: number; readonly state: 'waiting' | 'delivered' | 'failed' | 'dead' }
  | { readonly kind: 'skip' | 'release' | 'revive' | 'forget'; readonly pick: number }
  | { readonly kind: 'recover' }

const instant = fc.integer({ min: 0, max: 50 })
const stepOf: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    id: fc.integer({ min: 0, max: 12 }),
    dueAt: instant,
    state: fc.constantFrom('waiting' as const, 'waiting' as const, 'skipped' as const),
  }),
  fc.record({ kind: fc.constant('claim' as const), now: instant, limit: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    kind: fc.constant('record' as const),
    pick: fc.nat(20),
    state: fc.constantFrom('waiting' as const, 'delivered' as const, 'failed' as const, 'dead' as const),
  }),
  fc.record({
    kind: fc.constantFrom('skip' as const, 'release' as const, 'revive' as const, 'forget' as const),
    pick: fc.nat(20),
  }),
  fc.record({ kind: fc.constant('recover' as const) }),
)

const turned = { skip: 'skipped', release: 'waiting' } as const

const bodyOf = (id: string) => Buffer.from(delivery(id).body).toString()

/** Applies a step to the repository and to the model. */
async function take(step: Step, repository: DeliveryRepository, model: Map<string, Modelled>): Promise<void> {
  const picked = 'pick' in step ? [...model][step.pick % Math.max(1, model.size)] : undefined
  const [id, known] = picked ?? []
  if (step.kind === 'add') {
    const given = { dueAt: step.dueAt, state: step.state }
    await repository.add([delivery(`d${step.id}`, { ...given, subject: `order/d${step.id}` })])
    if (!model.has(`d${step.id}`)) model.set(`d${step.id}`, { ...given, attempts: 0, earlier: 0, isErased: false })
  } else if (step.kind === 'claim') {
    const waiting = [...model].filter(([, one]) => one.state === 'waiting').sort(([, a], [, b]) => a.dueAt - b.dueAt)
    const due = waiting.filter(([, one]) => one.dueAt <= step.now).slice(0, step.limit)
    const { deliveries, nextAt } = await repository.claim('e1', step.now, step.limit)
    const sent = due.filter(([, one]) => !one.isErased)
    const expected = sent.map(([id, one]) => [id, one.attempts - one.earlier, one.attempts + 1, bodyOf(id)])
    equal(
      deliveries.map((one) => [one.id, one.attempts, one.attemptNumber, Buffer.from(one.body).toString()]),
      expected,
    )
    for (const [, one] of due) one.state = one.isErased ? 'skipped' : 'sending'
    equal(nextAt, waiting.find(([, one]) => one.state === 'waiting')?.[1].dueAt)
  } else if (step.kind === 'recover') {
    await repository.recover()
    for (const one of model.values()) if (one.state === 'sending') one.state = 'waiting'
  } else if (id !== undefined && known !== undefined) await settleStep(step, id, known, repository)
}

async function settleStep(step: Step, id: string, known: Modelled, repository: DeliveryRepository): Promise<void> {
  if (step.kind === 'revive') {
    equal(await repository.retryNow(7, id, 33), known.state === 'dead' || known.state === 'waiting')
    if (known.state === 'waiting') known.dueAt = 33
    if (known.state === 'dead') Object.assign(known, { state: 'waiting', dueAt: 33, earlier: known.attempts })
  } else if (step.kind === 'record') {
    const waits = step.state === 'waiting' ? { dueAt: 40 } : {}
    const status = step.state === 'delivered' ? 200 : 500
    await repository.record({ id, attempt: attempt(known.attempts + 1, status), state: step.state, ...waits })
    const isGivenUp = known.isErased && step.state === 'waiting'
    const state = isGivenUp ? 'skipped' : step.state
    if (known.state === 'sending') Object.assign(known, { state, attempts: known.attempts + 1, ...waits })
  } else if (step.kind === 'forget') {
    await repository.save([], reached(1), [], [`order/${id}`])
    known.isErased = true
    if (known.state === 'waiting') known.state = 'skipped'
  } else if (step.kind === 'skip' || step.kind === 'release') {
    await repository[step.kind]([id])
    if (known.state === 'sending') known.state = turned[step.kind]
  }
}

function equal(found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${a} is not ${b}`)
}

t.test('given any history, when the repository is asked, then it says what the model says', async (t) => {
  const histories = fc.array(stepOf, { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(histories, fc.subarray([...deliveryStates]), async (steps, state) => {
      const repository = createDeliveryRepository({ clock: () => 5_000 })
      const model = new Map<string, Modelled>()
      for (const step of steps) await take(step, repository, model)
      const { deliveries } = await repository.page({ businessId: 7 }, { limit: 100, offset: 0 })
      const told = deliveries.map(({ id, state, attempts, nextAt }) => [id, state, attempts, nextAt])
      equal(
        told.toReversed(),
        [...model].map(([id, one]) => [id, one.state, one.attempts, one.state === 'waiting' ? one.dueAt : undefined]),
      )
      const found = await repository.page({ businessId: 7, state }, { limit: 100, offset: 0 })
      const expected = [...model].flatMap(([id, one]) => (state.includes(one.state) ? [id] : []))
      equal([found.deliveries.map(({ id }) => id).toReversed(), found.total], [expected, expected.length])
      for (const [id, one] of model) equal((await repository.find(7, id))?.history.length, one.attempts)
      const open = [...model.values()].filter(({ state }) => state === 'waiting' || state === 'sending')
      equal((await repository.backlog('e1')).waiting, open.length)
      equal(await repository.countWaiting(), [...model.values()].filter(({ state }) => state === 'waiting').length)
      await repository.close()
    }),
    { numRuns: runs(t, 10) },
  )
  t.pass()
})

/** What a check of a file finds: the places and problems. */
async function problemsOf(file: string, box: Sealer): Promise<readonly string[]> {
  const problems: string[] = []
  await checkDeliveries(file, box, ({ place, problem }) => problems.push(`${place}: ${problem}`))
  return problems
}

const sealerOf = (byte: number) => {
  const secret = new Uint8Array(32).fill(byte)
  return createSealer({ read: () => secret, make: () => secret }, 'test')
}

t.test('given a file after sending, erasing and purging, when it is checked, then it is whole', async (t) => {
  const file = join(t.testdir(), 'deliveries.db')
  const box = sealerOf(1)
  const repository = createDeliveryRepository({ file, clock: () => 5_000, box })
  t.teardown(repository.close)
  const inOrder: Given = { endpoint: { id: 'e2', isInOrder: true } }
  await repository.save([delivery('old', { createdAt: 1 }), delivery('sent', { subject: 'order/43' })], reached(1), [])
  await settle(repository, 'delivered', 200)
  await settle(repository, 'failed')
  await repository.save([delivery('first', inOrder), delivery('second', inOrder)], reached(2), [])
  await repository.save([], reached(3), [], ['order/43'])
  t.equal(await repository.purge(2, 10), 1)
  t.same(await problemsOf(file, box), [])
  t.equal(await checkDeliveries(file, box, () => {}), 3, 'while the repository is open')
})

t.test('given a damaged file, when it is checked, then each damage is reported with its place', async (t) => {
  const damages: Readonly<Record<string, RegExp>> = {
    'UPDATE bodies SET uses = uses + 1 WHERE body = 1': /^body 1: it is used 1 times and says 2$/,
    'DELETE FROM bodies WHERE body = 1': /^delivery a: its body is not there$/,
    "DELETE FROM deliveries WHERE id = 'a'": /^attempt 1 of row 1: its delivery is not there$/,
    "UPDATE deliveries SET attempts = 0 WHERE id = 'a'": /^delivery a: an attempt is later than its last one$/,
    "DELETE FROM deliveries WHERE id = 'first'": /^delivery second: it waits for the end of one that is not there$/,
    "UPDATE bodies SET hash = x'00' WHERE body = 1": /^bodies 1: it is not what it was saved as$/,
    "UPDATE deliveries SET url = x'00' WHERE id = 'a'": /^deliveries 1: it cannot be opened/,
    "UPDATE attempts SET response_body = x'00'": /^attempts 1: it cannot be opened/,
    "UPDATE deliveries SET first_answer = x'00' WHERE id = 'sent'": /^answers to deliveries 4: it cannot be opened/,
    "UPDATE deliveries SET state = 'dead' WHERE id = 'sent'": /^delivery sent: its row says that its first attempt/,
    'UPDATE attempts SET delivery = 4': /^delivery sent: its row says that its first attempt/,
  }
  const directory = t.testdir({})
  const box = sealerOf(1)
  const inOrder: Given = { endpoint: { id: 'e2', isInOrder: true } }
  for (const [number, [damage, report]] of Object.entries(damages).entries()) {
    const file = join(directory, `${number}.db`)
    const repository = createDeliveryRepository({ file, clock: () => 5_000, box })
    await repository.save([delivery('a'), delivery('first', inOrder), delivery('second', inOrder)], reached(1), [])
    await settle(repository, 'failed')
    await repository.save([delivery('sent', { subject: 'order/43' })], reached(2), [])
    await settle(repository, 'delivered', 200)
    await repository.close()
    t.same(await problemsOf(file, box), [], 'before the damage')
    const database = openDeliveries(file)
    database.exec(damage)
    database.close()
    const problems = await problemsOf(file, box)
    t.ok(
      problems.some((problem) => report.test(problem)),
      `${damage}: ${problems}`,
    )
  }
  const foreign = await problemsOf(join(directory, '3.db'), sealerOf(2))
  t.ok(foreign.includes('bodies 1: it cannot be opened with the secret of this store'))
})

t.test('given a file of something else, when it is checked, then that is its damage', async (t) => {
  const file = join(t.testdir({ 'deliveries.db': 'no database at all'.repeat(100) }), 'deliveries.db')
  t.match(await problemsOf(file, sealerOf(1)), [/does not hold deliveries of this engine/])
})

t.test(
  'given what was sent and what waits, when their subject is forgotten, then bodies and answers are gone, and nothing is sent',
  async (t) => {
    const { repository, file } = bookIn(t)
    const native = new TextEncoder().encode('{"name":"Ana Núñez"}')
    await repository.save([delivery('sent', { native }), delivery('other', { subject: 'order/43' })], reached(1), [])
    await settle(repository, 'delivered', 200)
    await repository.save([delivery('waits', { native })], reached(2), [])
    await repository.save([], reached(3), [], ['order/42'])
    t.match(await repository.find(7, 'sent'), {
      body: '',
      state: 'delivered',
      history: [{ responseBody: '', status: 200 }],
    })
    t.match(await repository.find(7, 'waits'), { body: '', state: 'skipped' })
    t.match(await repository.find(7, 'other'), { body: /order.assigned/, state: 'waiting' })
    t.equal(countIn(file, 'bodies'), 2, 'that of the other, and none')
    await repository.save([], reached(4), [], ['order/42'])
    t.equal(countIn(file, 'bodies'), 2, 'and the same once more')
  },
)

t.test(
  'given what is being sent, when its subject is forgotten and the process ends, then the next one does not send it',
  async (t) => {
    const { repository, file } = bookIn(t)
    await repository.save([delivery('a'), delivery('b', { subject: 'order/43' })], reached(1), [])
    t.equal((await repository.claim('e1', far, 9)).deliveries.length, 2)
    await repository.save([], reached(2), [], ['order/42'])
    t.match(await repository.find(7, 'a'), { body: '', state: 'sending' })
    const next = createDeliveryRepository({ file, clock: () => 5_000 })
    t.same(
      (await next.claim('e1', far, 9)).deliveries.map(({ id }) => id),
      ['b'],
    )
    t.match(await next.find(7, 'a'), { state: 'skipped' })
    await Promise.all([repository.close(), next.close()])
  },
)

t.test('given a secret, when deliveries are kept, then the file tells no body, URL or answer', async (t) => {
  const file = join(t.testdir(), 'deliveries.db')
  const secret = { read: () => new Uint8Array(32), make: () => new Uint8Array(32) }
  const repository = createDeliveryRepository({ file, clock: () => 5_000, box: createSealer(secret, 'test') })
  await repository.save([delivery('a'), delivery('b')], reached(1), [])
  await settle(repository, 'failed')
  await settle(repository, 'delivered', 200)
  for (const id of ['a', 'b'])
    t.match(await repository.find(7, id), {
      body: /for/,
      url: 'https://shop.example/hook',
      history: [{ responseBody: 'an answer' }],
    })
  await repository.close()
  const bytes = readFileSync(file).toString('latin1')
  for (const text of ['order.assigned","for', 'shop.example', 'an answer']) t.notOk(bytes.includes(text), text)
})

t.test(
  'given what is under way, when its subject is forgotten, then it is not tried again, and no answer to it is kept',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.save([delivery('a'), delivery('c'), delivery('b')], reached(1), [])
    await repository.claim('e1', far, 3)
    await repository.save([], reached(2), [], ['order/42'])
    await repository.record({ id: 'a', attempt: attempt(1, 500), state: 'waiting', dueAt: 9_000 })
    t.match(await repository.find(7, 'a'), { state: 'skipped', body: '', history: [{ status: 500, responseBody: '' }] })
    await repository.record({ id: 'c', attempt: attempt(1, 200), state: 'delivered' })
    t.match(await repository.find(7, 'c'), {
      state: 'delivered',
      body: '',
      history: [{ status: 200, responseBody: '', requestHeaders: { 'Content-Type': 'application/json' } }],
    })
    await repository.release(['b'])
    t.same(await repository.claim('e1', far, 2), { deliveries: [] })
    t.match(await repository.find(7, 'b'), { state: 'skipped', history: [] })
  },
)

t.test(
  'given deliveries that another secret has sealed, when they are looked at, then they read as forgotten',
  async (t) => {
    const file = join(t.testdir(), 'deliveries.db')
    const bookBy = (key: number) => {
      const secret = { read: () => new Uint8Array(32).fill(key), make: () => new Uint8Array(32).fill(key) }
      const repository = createDeliveryRepository({ file, clock: () => 5_000, box: createSealer(secret, 'test') })
      t.teardown(repository.close)
      return repository
    }
    const before = bookBy(1)
    await before.add([delivery('a', { body: new TextEncoder().encode('{"data":1}') })])
    await settle(before, 'failed')
    await before.close()
    const after = bookBy(2)
    t.match(await after.find(7, 'a'), {
      state: 'failed',
      url: '',
      body: '',
      history: [{ status: 500, responseBody: '' }],
    })
    t.match(await after.original(7, 'a'), { body: { length: 0 }, native: { length: 0 } })
  },
)

t.test('given a delivery that cannot be opened, when it is due, then it has failed, and others are sent', async (t) => {
  const fault = { is: 'none' }
  const box = {
    seal: (bytes: Uint8Array) => bytes,
    open: (bytes: Uint8Array) => {
      if (fault.is === 'damage' && Buffer.from(bytes).includes('"a"')) throw new Error('It was changed.')
      return bytes
    },
    name: (bytes: Uint8Array) => {
      if (fault.is === 'no secret') throw new Error('The secret cannot be read.')
      return Buffer.concat([Buffer.from('name '), bytes])
    },
  }
  const repository = createDeliveryRepository({ clock: () => 5_000, box })
  t.teardown(repository.close)
  await repository.save([delivery('a'), delivery('b')], reached(1), [])
  fault.is = 'no secret'
  await t.rejects(repository.claim('e1', far, 2))
  await t.rejects(repository.original(7, 'a'))
  t.equal(await repository.countWaiting(), 2, 'a secret that cannot be read fails nothing')
  fault.is = 'damage'
  const { deliveries } = await repository.claim('e1', far, 2)
  t.same(
    deliveries.map(({ id }) => id),
    ['b'],
  )
  fault.is = 'none'
  t.match(await repository.find(7, 'a'), { state: 'failed', lastFailure: 'internal' })
})

t.test('given an attempt that was taken up again, when it is recorded twice, then it counts once', async (t) => {
  const { repository } = bookIn(t)
  await repository.add([delivery('a')])
  await repository.claim('e1', far, 1)
  await repository.recover()
  await settle(repository, 'waiting')
  await repository.claim('e1', far, 1)
  await repository.record({ id: 'a', attempt: attempt(1, 200), state: 'delivered' })
  t.match(await repository.find(7, 'a'), { state: 'sending', attempts: 1 })
})

t.test(
  'given a test under way, when a run begins, then it is not sent again, and its attempt may be told',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([delivery('a', { isTest: true, state: 'sending' })])
    await repository.recover()
    t.equal(await repository.countWaiting(), 0)
    t.match(await repository.find(7, 'a'), { state: 'failed', lastFailure: 'internal' })
    await repository.record({ id: 'a', attempt: attempt(1, 200), state: 'delivered' })
    t.match(await repository.find(7, 'a'), { state: 'delivered', attempts: 1, lastStatus: 200 })
  },
)

t.test('given an attempt of another node, when it is copied twice, then the log has it once', async (t) => {
  const { repository } = bookIn(t)
  await repository.add([delivery('a')])
  const first = { kind: 'attempt', id: 'a', attempt: attempt(1, 503), state: 'waiting', dueAt: 9_000 } as const
  await repository.copy([first], 1)
  await repository.copy([first], 2)
  t.match(await repository.find(7, 'a'), { state: 'waiting', attempts: 1, nextAt: 9_000, history: [{ number: 1 }] })
  t.equal(await repository.nextCopied(), 2)
})

t.test(
  'given what may have been in flight at a loss, then its next attempt is counted and has all retries',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([delivery('a'), delivery('b'), delivery('later', { dueAt: 9_000 })])
    await repository.recover({ now: 5_000, inFlight: 1 })
    const { deliveries } = await repository.claim('e1', far, 3)
    t.match(
      deliveries.map(({ id, attempts, attemptNumber }) => [id, attempts, attemptNumber]),
      [
        ['a', 0, 2],
        ['b', 0, 1],
        ['later', 0, 1],
      ],
    )
  },
)

t.test(
  'given an attempt that only its own node counts as lost, when another node makes it, then it is copied',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([delivery('a')])
    await repository.recover({ now: 5_000, inFlight: 1 })
    await repository.copy([{ kind: 'attempt', id: 'a', attempt: attempt(1, 200), state: 'delivered' }], 1)
    t.match(await repository.find(7, 'a'), { state: 'delivered', history: [{ number: 1 }] })
  },
)

t.test(
  'given an attempt number that another node skipped as lost, when it is copied, then no retry is lost',
  async (t) => {
    const { repository } = bookIn(t)
    await repository.add([delivery('a')])
    await repository.copy(
      [{ kind: 'attempt', id: 'a', attempt: attempt(2, 503), state: 'waiting', dueAt: 6_000, earlier: 1 }],
      1,
    )
    t.match((await repository.claim('e1', far, 1)).deliveries, [{ attempts: 1, attemptNumber: 3 }])
  },
)

t.test('given that two nodes attempted at once, when either delivered it, then it is delivered at both', async (t) => {
  const refused = { kind: 'attempt', id: 'a', attempt: attempt(2, 503), state: 'failed' } as const
  const delivered = { kind: 'attempt', id: 'a', attempt: attempt(1, 200), state: 'delivered' } as const
  for (const order of [[refused, delivered] as const, [delivered, refused] as const]) {
    const { repository } = bookIn(t, { file: join(t.testdir(), `${order[0].state}.db`) })
    await repository.add([delivery('a')])
    await repository.copy(order, 1)
    t.match(await repository.find(7, 'a'), { state: 'delivered' })
  }
})

t.test('given a database that one process copies into, then no other one does until that ends', async (t) => {
  const { repository, file } = bookIn(t)
  const other = bookIn(t, { file }).repository
  const leave = await repository.takePlace()
  t.equal(await other.takePlace(), undefined)
  leave?.()
  t.type(await other.takePlace(), 'function')
})

/** Attempts the deliveries of the endpoint `e1` one after the other, each at its time and with its outcome. */
async function attemptAll(
  { repository, time }: Pick<ReturnType<typeof bookIn>, 'repository' | 'time'>,
  outcomes: readonly (readonly [at: number, status: number, duration: number])[],
) {
  for (const [at, status, duration] of outcomes) {
    time.now = at
    await repository.add([delivery(`at-${at}`)])
    await repository.claim('e1', far, 1)
    const made = { ...attempt(1, status), startedAt: at, duration }
    await repository.record({ id: `at-${at}`, attempt: made, state: status < 300 ? 'delivered' : 'failed' })
  }
}

const minute = 60_000

t.test(
  'given attempts of two hours and two days ago and of now, when the health of an endpoint is asked, then each is in its spans',
  async (t) => {
    const book = bookIn(t)
    const now = 1_000 * 24 * 60 * minute
    await attemptAll(book, [
      [now - 2_880 * minute, 200, 1_500],
      [now - 120 * minute, 200, 30],
      [now - 120 * minute + 1, 503, 3],
      [now - 30 * minute, 200, 7],
      [now, 204, 80],
    ])
    await book.repository.add([delivery('test', { isTest: true, state: 'sending' })])
    await book.repository.record({ id: 'test', attempt: attempt(1, 500), state: 'failed' })
    const health = await book.repository.health('e1')
    t.match(health, { isFailing: false, lastAt: now + 80, lastDuration: 80, lastStatus: 204 })
    t.notOk('failingSince' in (health ?? {}))
    t.same(health?.hour, { failed: 0, latencies: [1, 0, 0, 1, 0, 0, 0, 0] })
    t.same(health?.day, { failed: 1, latencies: [1, 0, 1, 1, 0, 0, 0, 0] })
    t.same(health?.week, { failed: 1, latencies: [1, 0, 1, 1, 0, 0, 0, 1] }, 'a test is not counted')
    t.same(
      health?.hours.map(({ start, failed }) => [(now - start) / minute, failed]),
      [
        [2_880, 0],
        [120, 1],
        [60, 0],
        [0, 0],
      ],
    )
    t.equal(await book.repository.health('e2'), undefined)
  },
)

t.test(
  'given an endpoint that fails for ten minutes, then that is noticed once, again after an hour, and when it recovers',
  async (t) => {
    const book = bookIn(t)
    const { repository } = book
    const begun = 500 * minute
    const noticed = async () => {
      const notices = await repository.notices(10)
      for (const notice of notices) await repository.reviewed(notice)
      return notices.map(({ isFailing, failingSince, status, owner }) => [isFailing, failingSince, status, owner])
    }
    const failed = (...after: readonly number[]) => after.map((one) => [begun + one * minute, 500, 0] as const)
    await attemptAll(book, failed(0, 5, 9))
    t.same(await noticed(), [])
    await attemptAll(book, failed(10))
    t.match(await repository.health('e1'), { isFailing: true, failingSince: begun })
    const [early] = await repository.notices(10)
    await attemptAll(book, failed(11))
    if (early !== undefined) await repository.reviewed(early)
    t.same(
      await noticed(),
      [[true, begun, 500, 'business.7']],
      'what was reviewed before the last attempt is reviewed again',
    )
    await attemptAll(book, failed(20, 69))
    t.same(await noticed(), [])
    await attemptAll(book, failed(70))
    t.same(await noticed(), [[true, begun, 500, 'business.7']])
    await attemptAll(book, [[begun + 71 * minute, 200, 5]])
    t.same(await noticed(), [[false, undefined, 200, 'business.7']])
    await attemptAll(book, [[begun + 72 * minute, 500, 5], ...failed(73).map(([at]) => [at, 200, 5] as const)])
    t.same(await noticed(), [], 'a failure of a minute is told to nobody')
  },
)

t.test(
  'given counted attempts, when their week and then ninety days are over, then nothing of them is left',
  async (t) => {
    const book = bookIn(t)
    const day = 24 * 60 * minute
    await attemptAll(book, [[day, 200, 5]])
    const left = async (at: number) => {
      book.time.now = at
      await book.repository.purge(at - 90 * day, 100)
      return [countIn(book.file, 'endpoint_periods'), countIn(book.file, 'endpoints')]
    }
    t.same(await left(8 * day), [1, 1])
    t.same(await left(10 * day), [0, 1])
    t.same(await left(92 * day), [0, 0])
  },
)

t.test(
  'given a queue, when it is read, then its deliveries come in order until they are acknowledged, and are never sent',
  async (t) => {
    const { repository, time } = bookIn(t)
    const queued = (id: string, given: Given = {}) =>
      delivery(id, { ...given, endpoint: { id: 'q', url: 'pull:erp', isInOrder: true } })
    const read = async (limit: number, after?: string) => {
      const { deliveries, last, hasMore } = await repository.queued('q', limit, after)
      return { ids: deliveries.map(({ id }) => id), last, hasMore }
    }
    t.same(await read(9), { ids: [], last: undefined, hasMore: false })
    await repository.save([queued('z'), delivery('sent'), queued('a')], reached(1), [])
    await repository.save([queued('m', { subject: 'order/43' })], reached(2), [])
    t.same((await repository.claim('q', far, 9)).deliveries, [], 'nothing of it is sent')
    t.equal(await repository.countWaiting(), 1, 'nor does it wait to be sent')
    t.notOk(await repository.retryNow(7, 'z', 1), 'nor attempted by hand')
    t.notOk('nextAt' in ((await repository.find(7, 'z')) ?? {}))

    t.same(await read(2), { ids: ['z', 'a'], last: 'a', hasMore: true })
    t.same(await read(2), { ids: ['z', 'a'], last: 'a', hasMore: true }, 'what is not acknowledged comes again')
    t.same(await repository.queueProgress('q'), { waiting: 3, waitingSince: time.now })
    t.equal(await repository.acknowledge('q', 'a'), 2)
    t.same(await repository.queueProgress('q'), { waiting: 1, waitingSince: time.now, cursor: 'a' })
    t.equal(await repository.acknowledge('q', 'a'), 0, 'twice is once')
    t.same(await read(9), { ids: ['m'], last: 'm', hasMore: false })
    t.same(await read(9, 'z'), { ids: ['a', 'm'], last: 'm', hasMore: false }, 'an older place is read from again')
    t.equal((await repository.find(7, 'z'))?.state, 'delivered')
    t.equal((await repository.find(7, 'm'))?.state, 'waiting')
    for (const other of ['sent', 'none']) t.equal(await repository.acknowledge('q', other), undefined, other)
    t.equal(await repository.acknowledge('other', 'm'), undefined, 'a delivery of another queue')

    await repository.save([queued('n')], reached(3), [], ['order/43'])
    t.same(await read(9), { ids: ['n'], last: 'n', hasMore: false }, 'what was erased is not read')
    time.now = 7_000
    await repository.save([queued('new')], reached(4), [])
    await repository.purge(6_000, 100)
    t.same(await read(9), { ids: ['new'], last: 'new', hasMore: false }, 'what nobody has read is kept no longer')
    t.equal(await repository.acknowledge('q', 'n'), undefined)
  },
)

t.test(
  'given a file that another process writes to, when a cursor is not known, then it is told at once',
  async (t) => {
    const file = join(t.testdir(), 'webhooks.db')
    const repository = createDeliveryRepository({ file, clock: () => 5_000 })
    t.teardown(repository.close)
    await repository.save([delivery('one', { endpoint: { id: 'q', url: 'pull:erp' } })], reached(1), [])
    const other = openDeliveries(file)
    t.teardown(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    t.equal(await repository.acknowledge('q', 'none'), undefined, 'it does not wait for the right to write')
    other.exec('ROLLBACK')
    t.equal(await repository.acknowledge('q', 'one'), 1)
  },
)

t.test('given large bodies in a queue, when it is read, then they come in parts of a megabyte', async (t) => {
  const { repository } = bookIn(t)
  const native = (n: number) => new Uint8Array(n === 0 ? 3_000_000 : 400_000).fill(65 + n)
  const large = (n: number) => delivery(`${n}`, { native: native(n), endpoint: { id: 'q', url: 'pull:erp' } })
  await repository.save([0, 1, 2, 3].map(large), reached(1), [])
  const pages = [undefined, '0', '2'].map(async (after) => {
    const { deliveries, hasMore } = await repository.queued('q', 50, after)
    return [deliveries.map(({ id }) => id).join(), hasMore]
  })
  t.same(await Promise.all(pages), [
    ['0', true],
    ['1,2', true],
    ['3', false],
  ])
})

/** A repository on a sealed file, which has claimed before; `opened` tells how much it has unsealed since it was last asked. */
async function claimingBookIn(t: Test, file = join(t.testdir(), 'deliveries.db')) {
  const box = sealerOf(1)
  let count = 0
  const counting = {
    ...box,
    open: (bytes: Uint8Array) => {
      count++
      return box.open(bytes)
    },
  }
  const repository = createDeliveryRepository({ file, clock: () => 5_000, box: counting })
  t.teardown(repository.close)
  const opened = () => {
    const since = count
    count = 0
    return since
  }
  await repository.claim('e1', far, 1)
  return { repository, file, opened }
}

/** What is claimed of the endpoint `e1`, with bodies as text. */
async function claimedOf(repository: DeliveryRepository, limit = 100) {
  const { deliveries } = await repository.claim('e1', 10_000, limit)
  return deliveries.map(({ body, ...rest }) => ({ ...rest, body: Buffer.from(body).toString() }))
}

const textOf = (text: string) => new TextEncoder().encode(text)

t.test(
  'given a process that claims, when it has saved deliveries, then nothing of them is unsealed for the first attempt',
  async (t) => {
    const { repository, file, opened } = await claimingBookIn(t)
    const inOrder = { isInOrder: true, owner: 'provider.dhl' } as const
    const saved = [
      delivery('plain'),
      delivery('pooled', { body: Buffer.from('a small part of a larger buffer') }),
      delivery('enveloped', {
        body: textOf('{"specversion":"1.0"}'),
        endpoint: { format: 'ce_structured', standard: true },
      }),
      delivery('numbered', { sequence: '0000000000000042', isSandbox: true, subject: 'order/43' }),
      delivery('first', { subject: 'order/44', endpoint: inOrder }),
      delivery('second', { subject: 'order/44', endpoint: inOrder }),
      delivery('test', { isTest: true, endpoint: { customerId: 12 } }),
      delivery('later', { dueAt: 6_000 }),
    ]
    await repository.save(saved.slice(0, 5), reached(1), [])
    await repository.add(saved.slice(5, 7))
    const other = createDeliveryRepository({ file, clock: () => 5_000, box: sealerOf(1) })
    const inFile = await claimedOf(other)
    t.equal(inFile.length, 6, 'the second one waits for the first')
    t.same(await claimedOf(repository), inFile, 'what was not read back is as in the file')
    t.equal(opened(), 0)
    await repository.record({ id: 'first', attempt: attempt(1, 200), state: 'delivered' })
    await repository.add(saved.slice(7))
    t.match(await claimedOf(repository), [{ id: 'second' }, { id: 'later' }])
    t.equal(opened(), 3, 'what waited for something is read, and their URL once')
    await repository.record({ id: 'plain', attempt: attempt(1, 500), state: 'waiting', dueAt: 9_000 })
    await repository.release(['pooled'])
    t.match(await claimedOf(repository), [
      { id: 'pooled', body: 'a small part of a larger buffer', attemptNumber: 1 },
      { id: 'plain', attemptNumber: 2 },
    ])
    t.equal(opened(), 2, 'a further attempt is read, too')
    await other.close()
  },
)

t.test(
  'given deliveries that were just saved, when their subject is forgotten, then they are not sent, whichever process forgets it',
  async (t) => {
    const { repository, file, opened } = await claimingBookIn(t)
    await repository.save([delivery('a')], reached(1), [], ['order/42'])
    t.same(await claimedOf(repository), [], 'in the same call')
    await repository.save([delivery('b')], reached(2), [])
    await repository.save([], reached(3), [], ['order/42'])
    t.same(await claimedOf(repository), [], 'by the same process')
    await Promise.all([
      repository.save([delivery('c')], reached(4), []),
      repository.save([], reached(5), [], ['order/42']),
    ])
    t.same(await claimedOf(repository), [], 'in the same transaction')
    const other = createDeliveryRepository({ file, clock: () => 5_000, box: sealerOf(1) })
    t.teardown(other.close)
    await repository.save([delivery('d')], reached(6), [])
    await other.save([], reached(7), [], ['order/42'])
    t.same(await claimedOf(repository), [], 'by another process')
    await repository.save([delivery('e')], reached(8), [])
    t.match(await claimedOf(other), [{ id: 'e' }])
    await other.save([], reached(9), [], ['order/42'])
    await other.release(['e'])
    t.equal(await repository.countWaiting(), 1, 'erased, and it waits, as another process had begun with it')
    opened()
    t.same(await claimedOf(repository), [], 'nor by one that had begun to send it')
    t.match(await repository.find(7, 'e'), { state: 'skipped', body: '' })
  },
)

t.test('given a save that is refused, then nothing of it is sent', async (t) => {
  const { repository, file, opened } = await claimingBookIn(t)
  const refused = delivery('a', { native: textOf('refused') })
  await t.rejects(repository.save([refused], reached(1), [{ endpointId: 'e1', throttle: 'driver/7', at: Number.NaN }]))
  const other = createDeliveryRepository({ file, clock: () => 5_000, box: sealerOf(1) })
  await other.add([delivery('a', { native: textOf('saved') })])
  await other.close()
  t.same(await repository.add([refused]), [])
  t.match(await claimedOf(repository), [{ id: 'a', body: 'saved' }])
  t.equal(opened(), 2)
})

t.test('given more than a process remembers, then the oldest deliveries are read from the file', async (t) => {
  const { repository, opened } = await claimingBookIn(t)
  const large = (id: string, size = 500_000) => delivery(id, { native: Buffer.alloc(size, id) })
  const ids = Array.from({ length: 20 }, (_, number) => `d${String(number).padStart(2, '0')}`)
  const claimedIds = async (limit?: number) => (await claimedOf(repository, limit)).map(({ id }) => id)
  const save = (some: readonly string[]) => repository.add(some.map((id) => large(id)))
  await save(ids.slice(0, 10))
  await repository.claim('e1', 0, 1)
  await save(ids.slice(10))
  t.same(await claimedIds(), ids, 'in their order, wherever they come from')
  t.equal(opened(), 4 + 1, 'of 20 deliveries, 16 fit into 8 MiB; all have one URL')
  await repository.add([large('largest', 600_000)])
  t.same(await claimedIds(), ['largest'])
  t.equal(opened(), 1, 'one delivery takes a part of the memory at most')
})

t.test('given a process that does not claim, when it saves, then it remembers nothing', async (t) => {
  const { repository: sending, file, opened } = await claimingBookIn(t)
  const some = (name: string, count: number, size = 500_000) =>
    Array.from({ length: count }, (_, number) => delivery(`${name}${number}`, { native: Buffer.alloc(size, name) }))
  await sending.add(some('a', 10))
  await sending.add(some('b', 10))
  await sending.add(some('c', 1))
  t.equal((await claimedOf(sending)).length, 21)
  t.equal(opened(), 21 + 1, 'it had not claimed for longer than its memory lasts')
  await sending.add(some('d', 1))
  t.equal((await claimedOf(sending)).length, 1)
  t.equal(opened(), 0, 'and has claimed again')
  const storing = createDeliveryRepository({ file, clock: () => 5_000, box: sealerOf(1) })
  await storing.add(some('e', 1))
  await storing.close()
  t.equal((await claimedOf(sending)).length, 1)
  t.equal(opened(), 2, 'what another process has saved is read')
})

t.test('given deliveries in memory, when the secret cannot be read, then they are not sent', async (t) => {
  const box = sealerOf(1)
  let isThere = true
  const name = (bytes: Uint8Array) => {
    if (!isThere) throw new Error('The secret cannot be read.')
    return box.name(bytes)
  }
  const repository = createDeliveryRepository({ clock: () => 5_000, box: { ...box, name } })
  t.teardown(repository.close)
  await repository.claim('e1', far, 1)
  await repository.add([delivery('a')])
  isThere = false
  await t.rejects(claimedOf(repository), { code: 'internal' })
  isThere = true
  t.match(await claimedOf(repository), [{ id: 'a' }])
})
