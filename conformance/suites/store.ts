import type { EventStore, Storage } from '../../engine/index.ts'
import { assertions, type Test } from './assertions.ts'
import { beliefRules, formRules } from './store/append.ts'
import { journalRules, keyRules, latestRules, leaseRules } from './store/beside.ts'
import { followRules } from './store/follow.ts'
import { closeRules, durableRules, keepRules } from './store/keep.ts'
import { manyRules } from './store/many.ts'
import { modelRules } from './store/model.ts'
import { raceRules } from './store/race.ts'
import { readAllRules, readRules } from './store/read.ts'
import { repetitionRules } from './store/repeat.ts'
import type { Rules } from './store/rules.ts'

/** A new, empty store for one test. */
export interface StoreUnderTest<Store extends EventStore = EventStore> {
  readonly store: Store
  /** Closes the store and opens it again with its events. Without it, the rules on durability do not apply. */
  readonly reopen?: () => Promise<Store>
  /** The number of simultaneous writers, if the default of 1,000 takes too long. */
  readonly crowd?: number
  /** Closes the store and removes its data. */
  readonly cleanup: () => Promise<void>
}

/** Makes a store for one test; it records the time of `clock`, in epoch milliseconds. */
export type MakeStore<Store extends EventStore = EventStore> = (clock: () => number) => Promise<StoreUnderTest<Store>>

/** Every rule of `EventStore`; each gets its own store. */
const storeRules: readonly Rules[] = [
  beliefRules,
  formRules,
  repetitionRules,
  manyRules,
  raceRules,
  readRules,
  readAllRules,
  followRules,
  keepRules,
  modelRules,
  durableRules,
  latestRules,
  closeRules,
]

/** The rules of `Storage`: leases, keys and journals too. */
const storageRules: readonly Rules<Storage>[] = [...storeRules, leaseRules, keyRules, journalRules]

/** Tests that an implementation is an `EventStore`. The built-in ones pass the same tests. */
export function storeSuite(test: Test, makeStore: MakeStore): void {
  suite(test, storeRules, makeStore)
}

/** Tests that an implementation is a `Storage`, which is what `defineStore` opens. */
export function storageSuite(test: Test, makeStore: MakeStore<Storage>): void {
  suite(test, storageRules, makeStore)
}

function suite<Store extends EventStore>(
  test: Test,
  groups: readonly Rules<Store>[],
  makeStore: MakeStore<Store>,
): void {
  for (const [sentence, rule] of groups.flatMap((group) => Object.entries(group))) {
    test(sentence, async () => {
      const clock = { now: Date.parse('2026-06-10T13:30:00.000Z') }
      const { store, cleanup, reopen, crowd = 1000 } = await makeStore(() => clock.now)
      try {
        await rule(assertions, store, reopen === undefined ? { clock, crowd } : { clock, crowd, reopen })
      } finally {
        await cleanup()
      }
    })
  }
}
