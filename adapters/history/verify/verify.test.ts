import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import t, { type Test } from 'tap'
import {
  anonymous,
  createMemoryStore,
  EngineError,
  type EventStore,
  en,
  type RecordedEvent,
  type Storage,
} from '../../../engine/index.ts'
import { createParts } from '../../engine.ts'
import type { Damage } from '../../node/damage.ts'
import type { ModelState, NodeModels } from '../../node/models.ts'
import { createShelf } from '../../sqlite/shelf.ts'
import { verifyModels } from '../models.ts'
import { verifyHistory } from '../verify.ts'

const metadata = { schemaVersion: 1 }

/** The facts of a timeline as the engine stores them. */
const identified = (id: string = randomUUID()) => ({
  ...{ id, type: 'SubjectIdentified', data: { subject: { tracking_number: 'SR1' } }, metadata },
})

/** Verifies a store; returns what was checked, and what was found. */
async function verified(t: Test, store: Storage) {
  const damages: Damage[] = []
  const parts = createParts({ store })
  const shelf = createShelf()
  t.teardown(() => Promise.all([shelf.close(), parts.models.close()]))
  const context = { ...parts, caller: anonymous, messages: en, requestId: 'a' }
  const checked = await verifyHistory(context, shelf, (damage) => damages.push(damage))
  return { ...checked, damages: damages.map(({ check, place, problem }) => `${check}: ${place}: ${problem}`) }
}

/** A store that tells these events of one stream, at these revisions, and in this order. */
function telling(revisions: readonly number[], change: (event: RecordedEvent) => object = () => ({})): Storage {
  const store = createMemoryStore(Date.now)
  async function* readAll() {
    for (const [place, revision] of revisions.entries()) {
      const position = String(place).padStart(6, '0')
      const told = { ...identified(), stream: 'tracking-x' as const, revision, position, recordedAt: '' }
      yield { ...told, ...change(told) }
    }
  }
  return { ...store, readAll, knownRevision: undefined, read: () => Promise.reject(new Error('A stream was read.')) }
}

const upTo = (count: number) => Array.from({ length: count }, (_, revision) => revision)

t.test('given a long stream, when it is verified, then damage is found wherever it is', async (t) => {
  const same = randomUUID()
  for (const [store, damages] of [
    [telling(upTo(1_200)), []],
    [telling(upTo(1_200).toSpliced(700, 1)), ['revisions: tracking-x 701: revision 700 is to stand here']],
    [telling(upTo(1_200).toSpliced(499, 0, 499)), ['revisions: tracking-x 499: revision 500 is to stand here']],
    [
      telling([...upTo(600).toSpliced(10, 1), 10]),
      ['revisions: tracking-x 11: it was recorded before the one in front of it'],
    ],
    [
      telling(upTo(1_200), ({ revision }) => (revision % 1_000 === 3 ? { id: same } : {})),
      [`ids: tracking-x 1003: the id ${same} stands in the stream before`],
    ],
    [
      telling(upTo(1_200), ({ revision }) => (revision === 1_100 ? { position: '000007' } : {})),
      [
        'positions: tracking-x 1100: it does not come after 001099',
        'revisions: tracking-x 1100: it was recorded before the one in front of it',
      ],
    ],
    [
      telling(upTo(1_200), ({ revision }) => (revision === 1_100 ? { type: 'Unheard' } : {})),
      ['types: tracking-x 1100: events of type Unheard are not known here'],
    ],
    [{ ...telling(upTo(1_200)), knownRevision: () => 1_100 }, ['streams: tracking-x: it ends at 1100, not at 1199']],
    [{ ...telling(upTo(1_200)), knownRevision: () => 1_300 }, []],
  ] as const)
    t.strictSame((await verified(t, store)).damages, damages)
})

t.test('given others who append meanwhile, when a store is verified, then what they add is no damage', async (t) => {
  const store = createMemoryStore(Date.now)
  const append = (timeline: number) =>
    store.appendMany([
      { stream: `tracking-${timeline}`, events: [identified()], expected: 'any' },
      { stream: 'tracking-all', events: [identified()], expected: 'any' },
    ])
  for (let timeline = 0; timeline < 600; timeline++) await append(timeline)
  let passed = 0
  async function* readAll(...range: Parameters<EventStore['readAll']>) {
    for await (const event of store.readAll(...range)) {
      if (passed++ % 50 === 0) await append(passed)
      yield event
    }
  }
  const { events, streams, damages } = await verified(t, { ...store, readAll })
  t.same(damages, [])
  t.ok(events >= 1_200 && streams >= 601)
})

t.test('given an identifier, when its timeline is opened after the pass, then it is not missing', async (t) => {
  const store = createMemoryStore(Date.now)
  const assigned = { type: 'IdentifierAssigned', data: { timeline: 'tracking-x', kind: 'tracking_number', value: 'X' } }
  await store.append('identifier-tracking_number:X', [{ id: randomUUID(), ...assigned, metadata }], 'any')
  const missing = (damage: string) => damage.startsWith('references')
  t.same((await verified(t, store)).damages.filter(missing), [
    'references: identifier-tracking_number:X: there is no tracking-x',
  ])
  async function* readAll(...range: Parameters<EventStore['readAll']>) {
    yield* store.readAll(...range)
    await store.append('tracking-x', [identified()], 'any')
  }
  t.same((await verified(t, { ...store, readAll })).damages.filter(missing), [])
})

t.test('given keys that cannot be read, when a store is verified, then that is no damage of its streams', async (t) => {
  const store = createMemoryStore(Date.now)
  await store.append('tracking-x', [{ ...identified(), data: { subject: {}, personal: 'sealed' } }], 'any')
  const read = () => Promise.reject(new EngineError('store_unavailable'))
  await t.rejects(verified(t, { ...store, keys: { ...store.keys, read } }), { code: 'store_unavailable' })
})

t.test('given more events than memory is to hold, when they are put aside, then no file can be found', async (t) => {
  const [directory, before] = [t.testdir({}), process.env.TMPDIR]
  t.teardown(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  process.env.TMPDIR = directory
  const shelf = createShelf()
  const text = 'x'.repeat(100_000)
  for (let place = 0; place < 600; place++) {
    const [stream, position] = [`tracking-${place % 2}` as const, String(place).padStart(6, '0')]
    shelf.put({ ...identified(), data: { text }, stream, revision: place >> 1, position, recordedAt: '' })
  }
  t.equal(shelf.sort(), 2)
  t.same([...shelf.streams()], ['tracking-0', 'tracking-1'])
  const revisions = [...shelf.pages('tracking-1')].flat().map(({ revision }) => revision)
  t.same(revisions, upTo(300))
  t.match(shelf.read('tracking-0', 298, 5), [{ revision: 298 }, { revision: 299, data: { text } }])
  t.equal(shelf.last('tracking-2'), undefined)
  t.same(readdirSync(directory), [])
  shelf.close()
  t.same(readdirSync(directory), [])
})

const behind: ModelState = {
  ...{ name: 'stock', version: 1, checkpoint: undefined, wasCaughtUp: false },
  ...{ isCaughtUp: false, secondsBehind: 1, looks: 0 },
}

/** A read model without rows, whose state at each look is given. */
function modelsThat(tell: (look: number) => ModelState) {
  let looks = 0
  const models: Partial<NodeModels> = { models: [], state: async () => [tell(looks++)] }
  return { models: models as NodeModels, looks: () => looks }
}

t.test('given a model of rare events, when its reader goes through all others, then it is waited for', async (t) => {
  const own = modelsThat((look) => ({ ...behind, looks: look >> 4, isCaughtUp: look === 5_000 }))
  const fresh = modelsThat(() => ({ ...behind, isCaughtUp: true }))
  await verifyModels({ own: own.models, fresh: fresh.models }, t.fail)
  t.equal(own.looks(), 5_001)
})

t.test('given a model that reads nothing any more, when it is waited for, then that ends', async (t) => {
  const own = modelsThat((look) => ({ ...behind, looks: Math.min(look, 300) }))
  const fresh = modelsThat(() => ({ ...behind, isCaughtUp: true }))
  await t.rejects(verifyModels({ own: own.models, fresh: fresh.models }, t.fail), {
    code: 'store_unavailable',
    cause: /do not catch up: stock/,
  })
  t.equal(own.looks(), 401)
})
