import {
  appendThrough,
  EngineError,
  type EventFilter,
  type EventStore,
  guarded,
  type Storage,
} from '../../engine/index.ts'
import type { OutageReports } from '../node/outages.ts'
import { createCalls } from './calls.ts'
import { lastingTroubleOf } from './checks.ts'
import { splitPrefix } from './codec.ts'
import { attemptTimeout, type CallTimeouts, type Connection, createConnection } from './connection.ts'
import { createFeed } from './feed.ts'
import { createFollowers } from './follow.ts'
import { createHeads } from './heads.ts'
import { createIdentity } from './identity.ts'
import { createKeys } from './keys.ts'
import { createLog } from './log.ts'
import { createJournals, createLeases } from './own-streams.ts'
import { createReader } from './read.ts'
import { createRecent } from './recent.ts'
import { beginRequest, type Request } from './request.ts'
import { createWriter } from './write.ts'

export { serverChecks } from './checks.ts'

/** Address of the server, and time limits; by default, calls wait 10 s. */
export interface EventstoreOptions extends Partial<CallTimeouts>, OutageReports {
  /** As for the client (`esdb://...`), plus `otepPrefix`, a prefix for the names of all streams. */
  readonly connectionString: string
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** For the silent writer of an undecided call, in milliseconds; 1 s if absent. */
  readonly patience?: number
}

/** The store on a server of EventStoreDB (22.6 or later) or KurrentDB, which several nodes may share. */
export function createEventstoreStorage(options: EventstoreOptions): Storage {
  const { server } = splitPrefix(options.connectionString)
  return storageOn(connectionTo(server, options), options)
}

/** The same, checked. Throws if something is wrong that does not pass by itself; a server that is down may come later. */
export async function openEventstoreStorage(options: EventstoreOptions): Promise<Storage> {
  const { server } = splitPrefix(options.connectionString)
  const connection = connectionTo(server, options)
  const lasting = await lastingTroubleOf(connection, server)
  if (lasting === undefined) return storageOn(connection, options)
  await connection.close()
  throw new Error(`The event store server cannot be used: ${lasting.message}. ${lasting.remedy}`)
}

function connectionTo(server: string, options: EventstoreOptions): Connection {
  const { timeout, retryFor } = { ...timeoutsFor(10_000), ...options }
  return createConnection(server, { timeout, retryFor }, options)
}

/** Those of calls that wait so many milliseconds at most, the last of them for a probe, which tells whether the server is lost. */
export function timeoutsFor(milliseconds: number): CallTimeouts {
  const retryFor = milliseconds - attemptTimeout
  return { timeout: Math.min(10_000, retryFor), retryFor }
}

function storageOn(connection: Connection, { connectionString, clock, patience = 1000 }: EventstoreOptions): Storage {
  const { prefix } = splitPrefix(connectionString)
  const log = createLog(connection, prefix)
  const calls = createCalls(log, patience)
  const heads = createHeads(log, calls)
  const recent = createRecent()
  const source = { log, calls, heads, recent }
  const identity = createIdentity(source)
  const feed = createFeed(source, identity.beginning)
  const writer = createWriter(log, calls, heads, clock)
  const reader = createReader(source, feed)
  const followers = createFollowers(connection, feed, reader)
  const gate = createGate()

  /** Calls in progress are answered before the connection is closed. */
  async function close() {
    if (gate.isShut()) return
    const passed = gate.shut()
    followers.close()
    feed.close()
    connection.settle()
    await passed
    await connection.close()
  }

  async function* readAll(after: string | undefined, filter: EventFilter = {}) {
    if (gate.isShut()) throw new EngineError('store_unavailable')
    yield* reader.readAll(after, filter)
  }

  /** The store, or the view of it for a request. */
  function storeFor(request?: Request): EventStore {
    const { latest } = request ?? feed
    const appendMany: EventStore['appendMany'] = (appends) =>
      gate.pass(() => (request === undefined ? writer.append(appends) : writer.append(appends).finally(request.renew)))
    return {
      append: appendThrough(appendMany),
      appendMany,
      read: (stream, range = {}) => gate.pass(() => reader.read(stream, range, request)),
      last: (stream) => gate.pass(() => reader.last(stream, request)),
      endsAt: request && ((stream, revision) => !gate.isShut() && reader.endsAt(stream, revision, request)),
      readAll,
      follow: followers.follow,
      latest: () => gate.pass(latest),
      addsKeys: true,
      close,
    }
  }

  return {
    ...storeFor(),
    forRequest: () => storeFor(beginRequest(feed.latest)),
    identity: () => gate.pass(identity.id),
    lost: connection.lost,
    held: () => [heads.held(), calls.held(), ...recent.held(), feed.held()],
    leases: guarded(createLeases(log), gate.pass),
    keys: guarded(createKeys(log), gate.pass),
    journals: guarded(createJournals(log), gate.pass),
  }
}

/** Admits calls until it is shut. */
interface Gate {
  /** Runs a call; throws `store_unavailable` once the gate is shut. */
  pass<Result>(call: () => Promise<Result>): Promise<Result>
  /** Resolves when the admitted calls have ended. */
  shut(): Promise<void>
  isShut(): boolean
}

/** Creates an open gate. */
function createGate(): Gate {
  const passed = new Set<Promise<unknown>>()
  let isShut = false
  return {
    pass: (call) => {
      if (isShut) return Promise.reject(new EngineError('store_unavailable'))
      const answer = call()
      const leave = () => void passed.delete(answer)
      passed.add(answer)
      answer.then(leave, leave)
      return answer
    },
    shut: async () => {
      isShut = true
      await Promise.allSettled(passed)
    },
    isShut: () => isShut,
  }
}
