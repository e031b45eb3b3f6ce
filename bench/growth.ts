import { join } from 'node:path'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { columnsOf } from '../adapters/sqlite/facts/row.ts'
import type { Append, EventStore, NewEvent } from '../engine/index.ts'
import { appendsOfParcel, streamOf, timelineIn } from './facts.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import type { FeedRow } from './rows.ts'
import { removeDatabase, writeStore } from './stores.ts'

/** Appends to a growing store. */
export const growth: Topic = {
  name: 'growth',
  summary: 'durable appends of an event to streams that are there, among ever more streams, 100 in a call',
  unit: 'event',
  prepare,
}

const sizes = [10_000, 100_000, 1_000_000]

const callSize = 100

const callsARound = 15

/** The distance between two streams of appends: it is coprime to all sizes, so each stream occurs once. */
const stride = 7_919

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const [event, next] = timelineIn(await appendsOfParcel())
  if (event === undefined || next === undefined) throw new Error('A parcel has events.')
  const cases: Case[] = []
  const opened: { readonly store: EventStore & { close(): unknown }; readonly file: string }[] = []
  for (const [index, size] of sizes.entries()) {
    const count = Math.round(size * scale)
    const file = join(directory, `growth-${index}.db`)
    progress(`writing ${count} streams`)
    writeStore(file, [rows(count, event)])
    const store = createSqliteStore({ file, clock: Date.now })
    opened.push({ store, file })
    const name = `append, ${count.toLocaleString('en')} streams`
    const [first] = cases
    cases.push({ name, ...(first === undefined ? {} : { reference: first.name }), run: appending(store, count, next) })
  }
  const close = async () => {
    for (const { store, file } of opened) {
      await store.close()
      removeDatabase(file)
    }
  }
  return { cases, notes: [note], close }
}

function appending(store: EventStore, count: number, event: NewEvent): Case['run'] {
  let made = 0
  const appendNext = (): Append => {
    const place = made++
    const id = `00000000-0000-8000-9000-${place.toString(16).padStart(12, '0')}`
    return {
      stream: streamOf((place * stride) % count),
      events: [{ ...event, id }],
      expected: Math.floor(place / count),
    }
  }
  return () => {
    const calls = Array.from({ length: callsARound }, () => Array.from({ length: callSize }, appendNext))
    return measured(callsARound * callSize, async () => {
      for (const call of calls) await store.appendMany(call)
    })
  }
}

/** A stream with one event each. */
function* rows(count: number, event: NewEvent): Iterable<FeedRow> {
  const columns = columnsOf(event)
  const created = Date.now()
  // Appending does not read the checksum of existing events.
  for (let stream = 0; stream < count; stream++)
    yield { ...columns, stream, name: streamOf(stream), revision: 0, created, sum: 0 }
}

const note =
  'Every stream begins with one event. Appends go to streams far apart from each other, and to others in each call; ' +
  'each call is a transaction that waits for the disk.'
