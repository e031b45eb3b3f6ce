import { join } from 'node:path'
import type { Database } from '../adapters/sqlite/database.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { recordReadings, type SensorReading, type Storage } from '../engine/index.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import { contextOn } from './rows.ts'

/** Readings of sensors, in batches. */
export const sensors: Topic = {
  name: 'sensors',
  summary: 'readings of sensors in batches, each of one parcel, one reading a minute',
  unit: 'reading',
  prepare,
}

/** Readings a call, and how many calls a round. */
const sizes = [
  { size: 10, calls: 200 },
  { size: 100, calls: 40 },
  { size: 1000, calls: 6 },
]

interface Plan {
  readonly size: number
  readonly calls: number
}

async function prepare({ scale, directory }: Settings): Promise<Prepared> {
  const opened: { close(): unknown }[] = []
  const cases = sizes.flatMap(({ size, calls }) => {
    const plan = { size, calls: Math.max(1, Math.round(calls * scale)) }
    const store = createSqliteStore({ file: join(directory, `sensors-${size}.db`), clock: Date.now })
    const raw = openDatabase(join(directory, `sensors-raw-${size}.db`))
    opened.push(store, raw)
    return [engine(store, plan), rawInsert(raw, plan)]
  })
  const close = async () => {
    for (const one of opened) await one.close()
  }
  return { cases, notes: [], close }
}

const began = Date.parse('2026-06-01T00:00:00Z')

/** The next readings of a parcel, one a minute; no two batches of a run have the same. */
function batches({ size }: Plan): () => readonly SensorReading[] {
  let minute = 0
  return () =>
    Array.from({ length: size }, () => {
      const value = 4 + Math.sin(minute / 60)
      return {
        type: 'temperature' as const,
        device: 'urn:epc:id:giai:9521141.77',
        at: began + minute++ * 60_000,
        value,
      }
    })
}

function engine(store: Storage, plan: Plan): Case {
  const context = contextOn(store)
  const next = batches(plan)
  return {
    name: `engine, ${plan.size} readings a call`,
    reference: [`raw insert, ${plan.size} readings a call`],
    run: () =>
      measured(plan.size * plan.calls, async () => {
        for (let call = 0; call < plan.calls; call++) {
          const readings = next()
          const subject = { tracking_number: 'SR1' }
          const { accepted } = await recordReadings(
            { ...context, requestId: context.randomId() },
            { subject, readings },
          )
          if (accepted !== plan.size) throw new Error('A reading was not accepted.')
        }
      }),
  }
}

/** A row for each reading, in one transaction a call, which is durable as those of the engine are. */
function rawInsert(database: Database, plan: Plan): Case {
  database.exec(
    'CREATE TABLE readings (series TEXT NOT NULL, at INTEGER NOT NULL, value REAL NOT NULL, PRIMARY KEY (series, at, value)) STRICT, WITHOUT ROWID',
  )
  const insert = database.prepare('INSERT OR IGNORE INTO readings VALUES (?, ?, ?)')
  const next = batches(plan)
  return {
    name: `raw insert, ${plan.size} readings a call`,
    run: () =>
      measured(plan.size * plan.calls, async () => {
        for (let call = 0; call < plan.calls; call++) {
          database.exec('BEGIN IMMEDIATE')
          for (const { device = '', at, value } of next()) insert.run(`SR1 ${device}`, at, value ?? 0)
          database.exec('COMMIT')
        }
      }),
  }
}
