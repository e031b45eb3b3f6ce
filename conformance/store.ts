import type { Test } from 'tap'
import type { EventStore } from '../engine/index.ts'
import { beliefRules, formRules } from './store/append.ts'
import { followRules } from './store/follow.ts'
import { closeRules, durableRules, keepRules } from './store/keep.ts'
import { manyRules } from './store/many.ts'
import { modelRules } from './store/model.ts'
import { raceRules } from './store/race.ts'
import { readAllRules, readRules } from './store/read.ts'
import { repetitionRules } from './store/repeat.ts'

/** A fresh and empty store, and what a test needs beside it. */
export interface StoreUnderTest {
  readonly store: EventStore
  /** Closes the store and opens it again on what it kept; for durable stores. */
  readonly reopen?: () => Promise<EventStore>
  /** Ends what is open and removes what was kept. */
  readonly cleanup: () => Promise<void>
}

/** Makes a store for one test; `clock` is the time that it is to record, in epoch milliseconds. */
export type MakeStore = (t: Test, clock: () => number) => Promise<StoreUnderTest>

/** Every rule of the port `EventStore`, each on a store of its own. */
const rules = [
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
  closeRules,
].flatMap((group) => Object.entries(group))

/** Shows that an implementation is an `EventStore`: the same suite for each of them. */
export async function storeSuite(t: Test, name: string, makeStore: MakeStore): Promise<void> {
  await t.test(name, async (t) => {
    for (const [sentence, rule] of rules) {
      await t.test(sentence, async (t) => {
        const clock = { now: Date.parse('2026-06-10T13:30:00.000Z') }
        const { store, cleanup, reopen } = await makeStore(t, () => clock.now)
        try {
          await rule(t, store, reopen === undefined ? { clock } : { clock, reopen })
        } finally {
          await cleanup()
        }
      })
    }
  })
}
