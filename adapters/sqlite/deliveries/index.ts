import { EngineError } from '../../../engine/index.ts'
import type { DeliveryBook } from '../../deliveries.ts'
import type { Database } from '../database.ts'
import { failureOf } from '../failure.ts'
import { type Claims, createClaims } from './claims.ts'
import { createGroup, type Group } from './group.ts'
import { createKeeping, hashesOf, type Keeping } from './keep.ts'
import { createDeliveryLog, type DeliveryLog } from './log.ts'
import { openDeliveries } from './open.ts'
import { createPurge, type Purge } from './purge.ts'
import { createSettling, type Settling } from './settle.ts'

/** What a book of deliveries is made of. */
export interface DeliveryBookOptions {
  /** Opened, and made where absent, when it is first needed; in memory where none is given. */
  readonly file?: string
  /** Epoch milliseconds. */
  readonly clock: () => number
}

interface Opened {
  readonly database: Database
  readonly group: Group
  readonly keeping: Keeping
  readonly claims: Claims
  readonly settling: Settling
  readonly log: DeliveryLog
  readonly purge: Purge
}

/** The dispatcher's database in one SQLite file, which one node at a time sends from. */
export function createDeliveryBook(options: DeliveryBookOptions): DeliveryBook {
  const { read, write, close } = createAccess(options)

  const take: DeliveryBook['take'] = (deliveries, checkpoint, told) => {
    const hashed = deliveries.map((delivery) => ({ delivery, hashes: hashesOf(delivery) }))
    return write(({ keeping }) => {
      const kept = hashed.filter(({ delivery, hashes }) => keeping.keep(delivery, hashes))
      for (const one of told) keeping.tell(one)
      keeping.move(checkpoint)
      return kept.map(({ delivery }) => delivery)
    })
  }

  const add: DeliveryBook['add'] = (deliveries) =>
    write(({ keeping }) => deliveries.filter((delivery) => keeping.keep(delivery, hashesOf(delivery))))

  return {
    checkpoint: () => read(({ log }) => log.checkpoint()),
    take,
    add,
    lastTold: (endpointId, throttle) => read(({ log }) => log.lastTold(endpointId, throttle)),
    recover: () => write(({ claims }) => claims.recover()),
    claim: (endpointId, now, limit) => write(({ claims }) => claims.claim(endpointId, now, limit)),
    agenda: () => read(({ claims }) => claims.agenda()),
    waiting: () => read(({ claims }) => claims.waiting()),
    record: (attempted) => write(({ settling }) => settling.record(attempted)),
    skip: (ids) => write(({ settling }) => settling.skip(ids)),
    release: (ids) => write(({ settling }) => settling.release(ids)),
    page: (query, range) => read(({ log }) => log.page(query, range)),
    find: (businessId, id) => read(({ log }) => log.find(businessId, id)),
    original: (businessId, id) => read(({ log }) => log.original(businessId, id)),
    unsent: (query, limit, after) => read(({ log }) => log.unsent(query, limit, after)),
    revive: (businessId, id, now) => write(({ settling }) => settling.revive(businessId, id, now)),
    purge: (before, limit) => write(({ purge }) => purge(before, limit)),
    close,
  }
}

/** Reading and writing in a file that is opened by the first of either. */
function createAccess({ file = ':memory:', clock }: DeliveryBookOptions) {
  let opened: Opened | undefined
  let isOpen = true

  /** Looks at what is committed. */
  async function read<Result>(look: (book: Opened) => Result): Promise<Result> {
    try {
      if (!isOpen) throw new EngineError('store_unavailable')
      opened ??= openOn(openDeliveries(file), clock)
      return look(opened)
    } catch (error) {
      throw failureOf(error)
    }
  }

  function write<Result>(work: (book: Opened) => Result): Promise<Result> {
    return read((book) => book).then((book) => book.group.write(() => work(book)))
  }

  async function close() {
    isOpen = false
    opened?.group.flush()
    opened?.database.close()
    opened = undefined
  }

  return { read, write, close }
}

function openOn(database: Database, clock: () => number): Opened {
  return {
    database,
    group: createGroup(database),
    keeping: createKeeping(database, clock),
    claims: createClaims(database),
    settling: createSettling(database),
    log: createDeliveryLog(database),
    purge: createPurge(database),
  }
}
