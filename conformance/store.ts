import type { Test } from 'tap'
import type { EventStore, Storage } from '../engine/index.ts'
import { beliefRules, formRules } from './store/append.ts'
import { keyRules, latestRules, leaseRules } from './store/beside.ts'
import { followRules } from './store/follow.ts'
import { closeRules, durableRules, keepRules } from './store/keep.ts'
import { manyRules } from './store/many.ts'
import { modelRules } from './store/model.ts'
import { raceRules } from './store/race.ts'
import { readAllRules, readRules } from './store/read.ts'
import { repetitionRules } from './store/repeat.ts'
import type { Rules } from './store/rules.ts'

/** A fresh and empty store, and what a test needs beside it. */
export interface StoreUnderTest<Store extends EventStore = EventStore> {
  readonly store: Store
  /** Closes the store and opens it again on its data; for durable stores. */
  readonly reopen?: () => Promise<Store>
  /** The number of concurrent writers, if 1,000 would take too long. */
  readonly crowd?: number
  /** Closes everything and deletes the data. */
  readonly cleanup: () => Promise<void>
}

/** Makes a store for one test; `clock` is the time that it is to record, in epoch milliseconds. */
export type MakeStore<Store extends EventStore = EventStore> = (
  t: Test,
  clock: () => number,
) => Promise<StoreUnderTest<Store>>

/** Every rule of the port `EventStore`, each on its own store. */
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

/** What the port `Storage` has besides. */
const storageRules: readonly Rules<Storage>[] = [...storeRules, leaseRules, keyRules]

/** Shows that an implementation is an `EventStore`: the same suite for each of them. */
export async function storeSuite(t: Test, name: string, makeStore: MakeStore): Promise<void> {
  await suite(t, name, storeRules, makeStore)
}

/** Shows that an implementation is a `Storage`. */
export async function storageSuite(t: Test, name: string, makeStore: MakeStore<Storage>): Promise<void> {
  await suite(t, name, storageRules, makeStore)
}

async function suite<Store extends EventStore>(
  t: Test,
  name: string,
  groups: readonly Rules<Store>[],
  makeStore: MakeStore<Store>,
): Promise<void> {
  await t.test(name, async (t) => {
    for (const [sentence, rule] of groups.flatMap((group) => Object.entries(group))) {
      await t.test(sentence, async (t) => {
        const clock = { now: Date.parse('2026-06-10T13:30:00.000Z') }
        const { store, cleanup, reopen, crowd = 1000 } = await makeStore(t, () => clock.now)
        try {
          await rule(t, store, reopen === undefined ? { clock, crowd } : { clock, crowd, reopen })
        } finally {
          await cleanup()
        }
      })
    }
  })
}
