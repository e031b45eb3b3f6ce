import { createHash } from 'node:crypto'
import { EngineError } from '../../../engine/index.ts'
import type { DeliveryRepository, Sealer } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import { failureOf } from '../failure.ts'
import { type Claims, createClaims } from './claims.ts'
import { createForget, type Forget } from './forget.ts'
import { createGroup, type Group } from './group.ts'
import { createKeeping, hashesOf, type Keeping } from './keep.ts'
import { createDeliveryLog, type DeliveryLog } from './log.ts'
import { openDeliveries } from './open.ts'
import { createPurge, type Purge } from './purge.ts'
import { createSettling, type Settling } from './settle.ts'

/** What a repository of deliveries is made of. */
export interface DeliveryRepositoryOptions {
  /** Opened, and made where absent, when it is first needed; in memory where none is given. */
  readonly file?: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** What seals; where there is none, everything is kept as it is. */
  readonly box?: Sealer | undefined
}

interface Opened {
  readonly database: Database
  readonly group: Group
  readonly keeping: Keeping
  readonly claims: Claims
  readonly settling: Settling
  readonly log: DeliveryLog
  readonly forget: Forget
  readonly purge: Purge
}

/** Seals nothing. */
const open: Sealer = {
  seal: (bytes) => bytes,
  open: (bytes) => bytes,
  name: (bytes) => createHash('sha256').update(bytes).digest(),
}

/** The dispatcher's database in one SQLite file, which one node at a time sends from. */
export function createDeliveryRepository(options: DeliveryRepositoryOptions): DeliveryRepository {
  const { box = open } = options
  const { read, write, close } = createAccess(options, box)

  const take: DeliveryRepository['save'] = (deliveries, checkpoint, told, forgotten = []) => {
    const hashed = deliveries.map((delivery) => ({ delivery, hashes: hashesOf(delivery, box) }))
    return write(({ keeping, forget }) => {
      const kept = hashed.filter(({ delivery, hashes }) => keeping.keep(delivery, hashes))
      for (const one of told) keeping.tell(one)
      for (const subject of forgotten) forget(subject)
      keeping.move(checkpoint)
      return kept.map(({ delivery }) => delivery)
    })
  }

  const add: DeliveryRepository['add'] = (deliveries) =>
    write(({ keeping }) => deliveries.filter((delivery) => keeping.keep(delivery, hashesOf(delivery, box))))

  return {
    checkpoint: () => read(({ log }) => log.checkpoint()),
    save: take,
    add,
    lastNotifiedAt: (endpointId, throttle) => read(({ log }) => log.lastTold(endpointId, throttle)),
    recover: () => write(({ claims }) => claims.recover()),
    claim: (endpointId, now, limit) => read(({ claims }) => claims.claim(endpointId, now, limit)),
    nextDueTimes: () => read(({ claims }) => claims.agenda()),
    countWaiting: () => read(({ claims }) => claims.waiting()),
    record: (attempted) => write(({ settling }) => settling.record(attempted)),
    skip: (ids) => write(({ settling }) => settling.skip(ids)),
    release: (ids) => write(({ settling }) => settling.release(ids)),
    page: (query, range) => read(({ log }) => log.page(query, range)),
    find: (businessId, id) => read(({ log }) => log.find(businessId, id)),
    original: (businessId, id) => read(({ log }) => log.original(businessId, id)),
    redeliverable: (query, limit, after) => read(({ log }) => log.unsent(query, limit, after)),
    retryNow: (businessId, id, now) => write(({ settling }) => settling.revive(businessId, id, now)),
    purge: (before, limit) => write(({ purge }) => purge(before, limit)),
    close,
  }
}

/** Reading and writing in a file that is opened by the first of either. */
function createAccess({ file = ':memory:', clock }: DeliveryRepositoryOptions, box: Sealer) {
  let opened: Opened | undefined
  let isOpen = true

  /** Looks at what is committed. */
  async function read<Result>(look: (repository: Opened) => Result): Promise<Result> {
    try {
      if (!isOpen) throw new EngineError('store_unavailable')
      opened ??= openOn(openDeliveries(file), clock, box)
      return look(opened)
    } catch (error) {
      throw failureOf(error)
    }
  }

  function write<Result>(work: (repository: Opened) => Result): Promise<Result> {
    return read((repository) => repository).then((repository) => repository.group.write(() => work(repository)))
  }

  async function close() {
    isOpen = false
    opened?.group.flush()
    opened?.database.close()
    opened = undefined
  }

  return { read, write, close }
}

function openOn(database: Database, clock: () => number, box: Sealer): Opened {
  return {
    database,
    group: createGroup(database),
    keeping: createKeeping(database, clock, box),
    claims: createClaims(database, box),
    settling: createSettling(database, box),
    log: createDeliveryLog(database, box),
    forget: createForget(database, box),
    purge: createPurge(database),
  }
}
