import { createHash } from 'node:crypto'
import { EngineError } from '../../../engine/index.ts'
import type { Checkpoint, DeliveryRepository, NewDelivery, Sealer } from '../../node/deliveries.ts'
import type { Database } from '../database.ts'
import { failureOf } from '../failure.ts'
import { type Claims, createClaims } from './claims.ts'
import { type Copying, createCopying, takePlace } from './copy.ts'
import { createEraseSubject, type EraseSubject } from './erase.ts'
import { createFreshDeliveries, type FreshDeliveries } from './fresh.ts'
import { createWriteGroup, type WriteGroup } from './group.ts'
import { createHealth, type HealthBook } from './health.ts'
import { createDeliveryLog, type DeliveryLog } from './log.ts'
import { openDeliveries } from './open.ts'
import { createPurge, type Purge } from './purge.ts'
import { createQueues, type Queues } from './queues.ts'
import { createDeliveryWriter, type DeliveryWriter, hashesOf } from './save.ts'
import { createSearch } from './search.ts'
import { createSettling, type Settling } from './settle.ts'

/** Options of the repository. */
interface DeliveryRepositoryOptions {
  /** Opened on first use and created if absent; in memory if not given. */
  readonly file?: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Encrypts contents; stored in plain text if absent. */
  readonly box?: Sealer | undefined
}

interface Opened {
  readonly database: Database
  readonly group: WriteGroup
  readonly keeping: DeliveryWriter
  readonly fresh: FreshDeliveries
  readonly claims: Claims
  readonly settling: Settling
  readonly copying: Copying
  readonly queues: Queues
  readonly log: DeliveryLog
  readonly health: HealthBook
  readonly forget: EraseSubject
  readonly purge: Purge
}

/** Encrypts nothing. */
const noEncryption: Sealer = {
  seal: (bytes) => bytes,
  open: (bytes) => bytes,
  name: (bytes) => createHash('sha256').update(bytes).digest(),
}

/** The repository in one SQLite file, from which one node at a time sends. */
export function createDeliveryRepository(options: DeliveryRepositoryOptions): DeliveryRepository {
  const { box = noEncryption } = options
  const { read, write, close } = createAccess(options, box)
  const search = createSearch((...slice) => read(({ log }) => log.search(...slice)))
  const saveNew = createSaving(write, box)

  return {
    checkpoint: () => read(({ log }) => log.checkpoint()),
    begin: (position) => write((opened) => beginAt(opened, position)),
    save: (deliveries, checkpoint, told, forgotten) =>
      saveNew(deliveries, forgotten, ({ keeping }) => {
        for (const one of told) keeping.tell(one)
        keeping.move(checkpoint)
      }),
    add: (deliveries) => saveNew(deliveries),
    lastNotifiedAt: (endpointId, throttle) => read(({ log }) => log.lastTold(endpointId, throttle)),
    recover: (loss) => write(({ claims }) => claims.recover(loss)),
    nextCopied: () => read(({ copying }) => copying.next()),
    copy: (changes, next) => write(({ copying }) => copying.copy(changes, next)),
    takePlace: () => read(() => (options.file === undefined ? () => {} : takePlace(`${options.file}-copying`))),
    claim: (endpointId, now, limit) => read(({ claims }) => claims.claim(endpointId, now, limit)),
    nextDueTimes: () => read(({ claims }) => claims.agenda()),
    countWaiting: () => read(({ claims }) => claims.waiting()),
    backlog: (endpointId) => read(({ claims }) => claims.backlog(endpointId)),
    record: (attempted) => write(({ settling }) => settling.record(attempted)),
    queued: (endpointId, limit, after) => read(({ queues }) => queues.page(endpointId, limit, after)),
    acknowledge: async (endpointId, through) => {
      // A cursor that is not known is asked for again and again, so it must not write.
      if (!(await read(({ queues }) => queues.has(endpointId, through)))) return undefined
      return write(({ queues }) => queues.acknowledge(endpointId, through))
    },
    queueProgress: (endpointId) => read(({ queues }) => queues.progress(endpointId)),
    skip: (ids) => write(({ settling }) => settling.skip(ids)),
    release: (ids) => write(({ settling }) => settling.release(ids)),
    health: (endpointId) => read(({ health }) => health.of(endpointId, options.clock())),
    notices: (limit) => read(({ health }) => health.notices(limit)),
    reviewed: (notice) => write(({ health }) => health.reviewed(notice)),
    page: (query, range) =>
      query.text === undefined ? read(({ log }) => log.page(query, range)) : search(query, query.text, range),
    businessOf: (id) => read(({ log }) => log.businessOf(id)),
    find: (businessId, id) => read(({ log }) => log.find(businessId, id)),
    original: (businessId, id) => read(({ log }) => log.original(businessId, id)),
    redeliverable: (query, limit, after) => read(({ log }) => log.unsent(query, limit, after)),
    retryNow: (businessId, id, now) => write(({ settling }) => settling.revive(businessId, id, now)),
    purge: (before, limit) => write(({ purge }) => purge(before, limit)),
    close,
  }
}

/** The checkpoint of the file; one without an event if it has none yet. */
function beginAt({ log, keeping }: Opened, position: string): Checkpoint {
  const known = log.checkpoint()
  if (known !== undefined) return known
  const checkpoint = { position, stream: '', revision: -1, id: '' }
  keeping.move(checkpoint)
  return checkpoint
}

/** Creates what saves deliveries in one transaction, with what else it does, and returns those that are new. */
function createSaving(write: ReturnType<typeof createAccess>['write'], box: Sealer) {
  return async (
    deliveries: readonly NewDelivery[],
    forgotten: readonly string[] = [],
    also: (opened: Opened) => void = () => {},
  ): Promise<readonly NewDelivery[]> => {
    const hashed = deliveries.map((delivery) => ({ delivery, hashes: hashesOf(delivery, box) }))
    const { saved, fresh } = await write((opened) => {
      const saved = hashed.flatMap(({ delivery, hashes }) => opened.keeping.keep(delivery, hashes) ?? [])
      for (const subject of forgotten) opened.forget(subject)
      also(opened)
      return { saved, fresh: opened.fresh }
    })
    // Only now it is durable.
    fresh.add(saved)
    fresh.forget(forgotten)
    return saved.map(({ delivery }) => delivery)
  }
}

/** Opens the file on the first read or write. */
function createAccess({ file = ':memory:', clock }: DeliveryRepositoryOptions, box: Sealer) {
  let opened: Opened | undefined
  let isOpen = true

  /** Reads committed data. */
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
  try {
    const health = createHealth(database)
    const keeping = createDeliveryWriter(database, clock, box)
    const settling = createSettling(database, box, health)
    const queues = createQueues(database, box)
    const fresh = createFreshDeliveries()
    return {
      database,
      health,
      group: createWriteGroup(database, health),
      keeping,
      fresh,
      claims: createClaims(database, box, fresh),
      settling,
      queues,
      copying: createCopying(database, { keeping, settling, queues, box }),
      log: createDeliveryLog(database, box),
      forget: createEraseSubject(database, box),
      purge: createPurge(database, health),
    }
  } catch (error) {
    // Every later call opens it again.
    database.close()
    throw error
  }
}
