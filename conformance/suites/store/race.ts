import { isEngineError, retryOnConflict } from '../../../engine/index.ts'
import { collect, fact, facts, inOrder, type Rule, type Rules } from './rules.ts'

/** Appends by several writers; a moment is counted at every start and every answer. */
const positionsFollowCommits: Rule = async (t, store) => {
  let moment = 0
  const writes: { readonly started: number; readonly answered: number; readonly position: string }[] = []
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; turn < 20; turn++) {
        const started = moment++
        const { position } = await store.append(`shelf-${(writer * turn) % 6}`, facts(1 + (turn % 3)), 'any')
        writes.push({ started, answered: moment++, position })
      }
    }),
  )
  const disordered = writes.filter((one) =>
    writes.some((other) => one.answered < other.started && one.position >= other.position),
  )
  t.same(disordered, [], 'a call that was answered before another was sent precedes it')
  const events = await collect(store.readAll())
  inOrder(t, events)
  const positions = new Set(events.map((event) => event.position))
  t.ok(writes.every((write) => positions.has(write.position)))
}

const readersSeeNoGap: Rule = async (t, store) => {
  let writing = true
  const writers = Promise.all(
    Array.from({ length: 6 }, async (_, writer) => {
      for (let turn = 0; turn < 20; turn++) {
        const call = [`shelf-${turn % 3}`, `box-${writer}`] as const
        await store.appendMany(call.map((stream) => ({ stream, events: facts(2), expected: 'any' })))
      }
    }),
  ).then(() => {
    writing = false
  })
  const seen: string[] = []
  let after: string | undefined
  do {
    for await (const event of store.readAll(after)) {
      seen.push(event.id)
      after = event.position
    }
    await new Promise((resolve) => setImmediate(resolve))
  } while (writing)
  await writers
  for await (const event of store.readAll(after)) seen.push(event.id)
  t.same(
    seen,
    (await collect(store.readAll())).map((event) => event.id),
  )
  t.equal(seen.length, 480)
}

/** Several concurrent writers. */
export const raceRules: Rules = {
  'given twenty writers with one belief, when they append at once, then exactly one wins': async (t, store) => {
    await store.append('shelf-1', [fact()], 'no-stream')
    for (const expected of [0, 'no-stream'] as const) {
      const stream = expected === 0 ? 'shelf-1' : 'shelf-2'
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => store.append(stream, [fact()], expected)),
      )
      const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason)
      t.equal(refusals.length, 19)
      t.ok(refusals.every((error) => isEngineError(error, 'wrong_expected_revision')))
      t.equal((await store.read(stream)).length, expected === 0 ? 2 : 1)
    }
  },

  'given 200 writers of one stream, when each tries until it wins, then all stand without a gap': async (t, store) => {
    const events = facts(200)
    const revisions = await Promise.all(
      events.map((event) =>
        retryOnConflict(async () => {
          const [last] = await store.read('shelf-1', { backwards: true, limit: 1 })
          return (await store.append('shelf-1', [event], last?.revision ?? 'no-stream')).revision
        }),
      ),
    )
    const expected = Array.from({ length: 200 }, (_, index) => index)
    t.same(
      revisions.toSorted((one, other) => one - other),
      expected,
    )
    const recorded = await store.read('shelf-1')
    t.same(
      recorded.map((event) => event.revision),
      expected,
    )
    t.same(
      recorded.map((event) => event.id),
      revisions.map((_, revision) => events[revisions.indexOf(revision)]?.id),
    )
  },

  'given a crowd of writers of one stream, when they append at once, then all stand, or one where all have one belief':
    async (t, store, { crowd }) => {
      const events = facts(crowd)
      const answers = await Promise.all(events.map((event) => store.append('shelf-1', [event], 'any')))
      const recorded = await store.read('shelf-1')
      t.same(
        recorded.map(({ revision }) => revision),
        events.map((_, index) => index),
      )
      t.same(
        answers.map(({ revision }) => recorded[revision]?.id),
        events.map(({ id }) => id),
        'each is at the position in its response',
      )
      const outcomes = await Promise.allSettled(
        facts(crowd).map((event) => store.append('shelf-1', [event], crowd - 1)),
      )
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      t.equal(refusals.length, crowd - 1)
      t.ok(refusals.every((error) => isEngineError(error, 'wrong_expected_revision')))
      t.equal((await store.read('shelf-1')).length, crowd + 1)
    },

  'given writers of many streams, when all are answered, then positions are in the order of commit':
    positionsFollowCommits,

  'given a reader that pages while others write, when it resumes after each end, then it sees all, once':
    readersSeeNoGap,
}
