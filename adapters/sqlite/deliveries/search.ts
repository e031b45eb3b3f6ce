import { setImmediate } from 'node:timers/promises'
import { createKeyedQueue, type DeliveryPage, type DeliveryQuery, type DeliveryRange } from '../../../engine/index.ts'
import type { Sealer } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import { type DeliveryRow, readableIn } from './rows.ts'

/** The most deliveries, and bytes of sealed bodies, that one call looks at; the next call goes on from its cursor. */
const most = { deliveries: 5_000, bytes: 8 * 1024 * 1024 }

/** Deliveries, and bytes of sealed bodies, that are looked at between two turns of the event loop. */
const atOnce = { deliveries: 200, bytes: 1024 * 1024 }

/** How much may be looked at, and how many deliveries are wanted. */
interface Bounds {
  readonly deliveries: number
  readonly bytes: number
  readonly wanted: number
}

/** What a search has looked at so far. */
interface Looked {
  readonly found: DeliveryPage['deliveries']
  readonly deliveries: number
  readonly bytes: number
  readonly last: DeliveryRow | undefined
}

/** Looks at rows in order, as far as the bounds allow. */
type LookThrough = (rows: readonly DeliveryRow[], text: string, bounds: Bounds) => Looked

/** Creates what looks for a text in the bodies of an open file. They are sealed, so each of them has to be opened. */
export function createLookThrough(
  database: Database,
  shownOf: (row: DeliveryRow) => DeliveryPage['deliveries'][number],
  box: Sealer,
): LookThrough {
  const bytesOf = database.prepare('SELECT bytes FROM bodies WHERE body = ?')

  return (rows, text, { deliveries, bytes, wanted }) => {
    const known = new Map<number, boolean>()
    const found: DeliveryPage['deliveries'][number][] = []
    let [looked, read] = [0, 0]
    const has = (body: number) => {
      const { bytes: sealed } = bytesOf.get(body) as { readonly bytes: Uint8Array }
      read += sealed.length
      return readableIn(sealed, box).toLowerCase().includes(text)
    }
    for (const row of rows) {
      if (looked === deliveries || read >= bytes || found.length === wanted) break
      looked++
      // The deliveries of an event to several URLs share a body.
      const isFound = known.get(row.body) ?? has(row.body)
      known.set(row.body, isFound)
      if (isFound) found.push(shownOf(row))
    }
    return { found, deliveries: looked, bytes: read, last: rows[looked - 1] }
  }
}

/** Reads the deliveries of a query after a cursor, and looks through them. */
export type SearchSlice = (
  query: DeliveryQuery,
  text: string,
  cursor: string | undefined,
  bounds: Bounds,
) => Promise<Slice>

/** What was looked at; the end if nothing is left. */
export type Slice = Looked & { readonly isEnd: boolean }

/** Creates the search of a repository. Searches run one after the other, and leave the event loop its turns. */
export function createSearch(slice: SearchSlice) {
  const inTurn = createKeyedQueue<'search'>()

  async function search(query: DeliveryQuery, text: string, { limit, cursor }: DeliveryRange): Promise<DeliveryPage> {
    const found: DeliveryPage['deliveries'][number][] = []
    let [deliveries, bytes] = [0, 0]
    let last: DeliveryRow | undefined
    for (;;) {
      const bounds = {
        deliveries: Math.min(atOnce.deliveries, most.deliveries - deliveries),
        bytes: Math.min(atOnce.bytes, most.bytes - bytes),
        wanted: limit - found.length,
      }
      const looked = await slice(query, text.toLowerCase(), last === undefined ? cursor : cursorOf(last), bounds)
      found.push(...looked.found)
      deliveries += looked.deliveries
      bytes += looked.bytes
      last = looked.last ?? last
      const searched = { deliveries, ...(last === undefined ? {} : { backTo: last.created }) }
      if (looked.isEnd) return { deliveries: found, searched }
      const isOver = found.length === limit || deliveries >= most.deliveries || bytes >= most.bytes
      if (isOver && last !== undefined) return { deliveries: found, searched, next: cursorOf(last) }
      await setImmediate()
    }
  }

  return (query: DeliveryQuery, text: string, range: DeliveryRange) =>
    inTurn('search', () => search(query, text, range))
}

/** The place of a delivery in the log: what follows it comes after this cursor. */
export function cursorOf({ created, number }: Pick<DeliveryRow, 'created' | 'number'>): string {
  return `${created}-${number}`
}
