import { rmSync } from 'node:fs'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { type Append, categoryOf } from '../engine/index.ts'
import { appendsOfParcel } from './facts.ts'
import { createInserter, createRowsOf, type FeedRow } from './rows.ts'
import { packageId, trackingNumber } from './timelines.ts'

/** Parcels of a transaction while a store is prepared. */
const parcelsAtOnce = 1_000

/**
 * Creates the file of a store and writes rows into it, a transaction for each group. It does not wait for the disk, and
 * writes everything into one file without a log beside it.
 */
export function writeStore(file: string, groups: Iterable<Iterable<FeedRow>>): void {
  const database = openDatabase(file)
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
  const insert = createInserter(database)
  for (const rows of groups) insert(rows)
  database.close()
}

/** The number of events in a store: in all, and in each category. */
interface Counts {
  readonly all: number
  of(category: string): number
}

/** Creates the file of a store with the whole journeys of this many parcels. */
export async function writeParcels(file: string, parcels: number): Promise<Counts> {
  const appends = await appendsOfParcel()
  writeStore(file, parcelRows(appends, parcels))
  const count = (some: readonly Append[]) => parcels * some.reduce((sum, { events }) => sum + events.length, 0)
  return {
    all: count(appends),
    of: (category) => count(appends.filter(({ stream }) => categoryOf(stream) === category)),
  }
}

/** Removes the file of a closed database, and the files beside it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

function* parcelRows(appends: readonly Append[], parcels: number): Iterable<Iterable<FeedRow>> {
  const rowsOf = createRowsOf()
  const text = JSON.stringify(appends)
  for (let first = 0; first < parcels; first += parcelsAtOnce) {
    const group = Array.from({ length: Math.min(parcelsAtOnce, parcels - first) }, (_, index) => first + index)
    yield group.flatMap((parcel) => renumbered(text, parcel).flatMap(rowsOf))
  }
}

/** The same for another parcel, with the same event ids, which are only unique within a stream. */
function renumbered(text: string, parcel: number): readonly Append[] {
  return JSON.parse(
    text
      .replaceAll(trackingNumber(0), trackingNumber(parcel))
      .replaceAll(String(packageId(0)), String(packageId(parcel))),
  ) as readonly Append[]
}
