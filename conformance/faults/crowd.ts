import { join } from 'node:path'
import type { Test } from 'tap'
import { createEventstoreStorage } from '../../adapters/eventstore/index.ts'
import { createSqliteStore } from '../../adapters/sqlite/facts/index.ts'
import { startDouble } from '../eventstore/double.ts'
import { document, event } from '../rest/events.ts'
import { type Faults, type Interface, interfaceOn } from './setting.ts'

/** Calls about one parcel; a nightly run makes 1,000. Every call reads what the others have written. */
const crowd = Number(process.env.OTEP_CROWD ?? 100)

/** Concurrent connections. */
const lanes = 100

async function survive(t: Test, { client }: Interface): Promise<void> {
  const waiting = Array.from({ length: crowd }, (_, number) => number)
  const outcomes = new Map<string, number>()
  const lane = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      const one = event('in_transit', number, { event_id: `crowd-${number}` })
      const { status, body } = await client.ingest(document('CROWD', [one]))
      const outcome = `${status} ${JSON.stringify(body.code ?? (body.data as { accepted?: number })?.accepted)}`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  t.same([...outcomes], [['200 1', crowd]], 'each call is accepted')
  const names = (await client.timeline('CROWD')).events.map(({ event_id }) => event_id)
  t.same(
    names,
    Array.from({ length: crowd }, (_, number) => `crowd-${number}`),
    'each event is there, once',
  )
}

/** Many who write to one stream. */
export const manyWriters: Faults = {
  [`given ${crowd} calls about one parcel, when they arrive at once at an SQLite file, then each is recorded once`]:
    async (t) => {
      const directory = t.testdir()
      const file = join(directory, 'otep.db')
      const store = createSqliteStore({ file, clock: Date.now })
      await survive(t, await interfaceOn(t, { store, address: `sqlite:${file}`, directory }))
      const facts = await store.read('tracking-tracking_number:CROWD')
      t.same(
        facts.map(({ revision }) => revision),
        facts.map((_, index) => index),
      )
    },

  [`given ${crowd} calls about one parcel, when they arrive at once at a double, then each is recorded once`]: async (
    t,
  ) => {
    const { connectionString, close } = await startDouble()
    t.teardown(close)
    const store = createEventstoreStorage({ connectionString, clock: Date.now })
    await survive(t, await interfaceOn(t, { store, address: connectionString, directory: t.testdir() }))
  },
}
