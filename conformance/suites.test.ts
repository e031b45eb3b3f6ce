import t from 'tap'
import { createMemoryStore, type Profile, type Storage } from '../engine/index.ts'
import { profiles, storage } from '../profiles/index.ts'
import { profileSuite, storageSuite, type Test } from './suites/index.ts'

for (const profile of profiles) {
  t.test(`the profile ${profile.name}`, async (t) => {
    profileSuite((name, run) => t.test(name, run), profile)
  })
}

/** Runs a suite without a test runner, up to a number of failures. Returns the tests that fail, with their reasons. */
async function failing(suite: (test: Test) => void, limit = 10): Promise<readonly string[]> {
  const tests: (readonly [name: string, run: () => Promise<void>])[] = []
  suite((name, run) => tests.push([name, run]))
  const failed: string[] = []
  for (const [name, run] of tests) {
    if (failed.length < limit)
      await run().catch((error: unknown) => failed.push(`${name}: ${error instanceof Error ? error.message : error}`))
  }
  return failed
}

/** A profile of three codes of which something is different. */
function locker(over: Partial<Profile>, stored: Partial<Profile['codes'][string]> = {}): Profile {
  const { deposit_expected, stored: known, collected } = storage.codes
  return {
    ...storage,
    name: 'locker',
    first: ['deposit_expected'],
    codes: {
      deposit_expected: { ...deposit_expected, webhook: { ...deposit_expected.webhook, statusId: 90_001, key: 'a' } },
      stored: { ...known, webhook: { ...known.webhook, statusId: 90_002, key: 'b' }, ...stored },
      collected: { ...collected, webhook: { ...collected.webhook, statusId: 90_003, key: 'c' } },
    },
    transitions: 'deposit_expected - o .\nstored . - o\ncollected . . -',
    ...over,
  }
}

t.test('given a profile with a fault, when the suite looks at it, then a rule notices', async (t) => {
  const noticed = (profile: Profile) => failing((test) => profileSuite(test, profile))
  t.same(await noticed(locker({})), [])
  t.match(await noticed(locker({}, { like: 'nothing' })), [/^its members.*codes\.stored\.like: "nothing" is none of/])
  t.match(await noticed(locker({ transitions: 'deposit_expected - o' })), [/^its members.*The rows must be/s])
  t.match(await noticed(locker({ first: ['collected'] })), [
    /^its members.*No planned steps lead to "deposit_expected"/s,
  ])
  t.match(
    (await noticed(locker({ name: 'parcel' }))).map((fault) => fault.split(',')[0]),
    ['its members', 'given a journey along planned steps'],
  )
})

t.test('given a store with a fault, when the suite looks at it, then a rule notices', async (t) => {
  const noticed = (broken: (store: Storage) => Partial<Storage>) =>
    failing(
      (test) =>
        storageSuite(test, async (clock) => {
          const store = createMemoryStore(clock)
          return { store: { ...store, ...broken(store) }, cleanup: () => store.close(), crowd: 20 }
        }),
      1,
    )
  t.same(await noticed(() => ({})), [])
  const faults: Readonly<Record<string, (store: Storage) => Partial<Storage>>> = {
    'an append that expects nothing': (store) => ({ append: (stream, events) => store.append(stream, events, 'any') }),
    'a read from the wrong revision': (store) => ({ read: (stream) => store.read(stream, { from: 1 }) }),
    'one lease for all': (store) => ({ leases: { ...store.leases, write: async () => true } }),
    'keys that come back': (store) => ({ keys: { ...store.keys, remove: async () => {} } }),
  }
  for (const [what, broken] of Object.entries(faults)) t.not((await noticed(broken)).length, 0, what)
})
