import type { Client } from 'undici'
import type { Deadline } from './deadline.ts'
import type { Dial } from './dial.ts'
import { attemptError } from './failure.ts'
import type { PhaseClock } from './phases.ts'

/** A connection to an origin; it carries one request at a time. */
export interface PooledConnection {
  readonly origin: string
  readonly client: Client
  /** Whether it is connected. */
  isOpen: boolean
  /** Whether it has carried a request before, so that the receiver may have closed it since. */
  wasUsed: boolean
  /** Of the request that it carries, which may have to connect first. */
  phases: PhaseClock | undefined
  close(): void
}

/** Connections by origin, kept for a short time for the next request. */
export interface ConnectionPool {
  /**
   * Returns a connection for exclusive use, a new one if `isFresh`; waits until one is free. Rejects with `timeout`
   * at the deadline.
   */
  acquire(origin: string, deadline: Deadline, isFresh: boolean): Promise<PooledConnection>
  /** Returns a connection to the pool if its response was read to the end; otherwise closes it. */
  release(lane: PooledConnection, isReusable: boolean): void
  /** Closes all connections and ends all requests. */
  close(): void
}

interface OriginConnections {
  readonly idle: PooledConnection[]
  busy: number
  readonly waiting: Set<() => void>
}

/** Maximum connections in use per origin; further requests wait. */
const perOrigin = 256

/** Maximum idle connections of all origins; the oldest is closed first. */
const maxIdle = 512

const settings = {
  allowH2: false,
  pipelining: 1,
  /** Bytes of response headers. */
  maxHeaderSize: 16 * 1024,
  /** Milliseconds without a request; the second value applies if the receiver announces a longer time. */
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 10_000,
  /** Limits the reuse of a busy connection, so that its name is resolved again eventually. */
  maxRequestsPerClient: 1_000,
  /** The deadline of the attempt is the only time limit. */
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

let undici: Promise<typeof import('undici')> | undefined

/** Loads the client on first use: loading takes a tenth of a second, and most commands send nothing. */
function loadUndici(): Promise<typeof import('undici')> {
  undici ??= import('undici')
  return undici
}

/** Creates a pool that connects with `dial`. */
export function createConnectionPool(dial: Dial): ConnectionPool {
  const places = createIdleConnections()
  const busy = new Set<PooledConnection>()
  let isClosed = false

  async function take(origin: string, deadline: Deadline, isFresh: boolean): Promise<PooledConnection> {
    const { Client } = await loadUndici()
    if (isClosed) throw attemptError('internal')
    if (deadline.isOver) throw attemptError('timeout')
    const place = places.of(origin)
    if (place.busy < perOrigin) place.busy++
    else await waitForConnection(place, deadline)
    const lane = (isFresh ? undefined : places.wake(place)) ?? openConnection(Client, origin, dial, places.leave)
    busy.add(lane)
    return lane
  }

  function give(lane: PooledConnection, isReusable: boolean) {
    const place = places.of(lane.origin)
    busy.delete(lane)
    if (isReusable && lane.isOpen && !isClosed) places.rest(lane, place)
    else lane.close()
    const [next] = place.waiting
    if (next === undefined) place.busy--
    else next()
    places.tidy(lane.origin)
  }

  function close() {
    isClosed = true
    places.leaveAll()
    for (const lane of busy) lane.close()
  }

  return { acquire: take, release: give, close }
}

/** The idle connections of each origin. */
function createIdleConnections() {
  const places = new Map<string, OriginConnections>()
  const idle = new Set<PooledConnection>()

  function of(origin: string): OriginConnections {
    const place = places.get(origin) ?? { idle: [], busy: 0, waiting: new Set() }
    places.set(origin, place)
    return place
  }

  function tidy(origin: string) {
    const place = places.get(origin)
    if (place?.busy === 0 && place.idle.length === 0) places.delete(origin)
  }

  /** Takes the connection that was used last. */
  function wake(place: OriginConnections): PooledConnection | undefined {
    const lane = place.idle.pop()
    if (lane !== undefined) idle.delete(lane)
    return lane
  }

  function rest(lane: PooledConnection, place: OriginConnections) {
    lane.wasUsed = true
    place.idle.push(lane)
    idle.add(lane)
    const [oldest] = idle
    if (idle.size > maxIdle && oldest !== undefined) leave(oldest)
  }

  /** Closes an idle connection. */
  function leave(lane: PooledConnection) {
    if (!idle.delete(lane)) return
    const place = of(lane.origin)
    place.idle.splice(place.idle.indexOf(lane), 1)
    lane.close()
    tidy(lane.origin)
  }

  const leaveAll = () => idle.forEach(leave)
  return { of, tidy, wake, rest, leave, leaveAll }
}

/** Waits until a connection is released, and takes its place. */
function waitForConnection({ waiting }: OriginConnections, deadline: Deadline): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      waiting.delete(go)
      deadline.stop = undefined
      resolve()
    }
    waiting.add(go)
    deadline.stop = () => {
      waiting.delete(go)
      reject(attemptError('timeout'))
    }
  })
}

/** `ended` is called when the connection ends; the client opens another one for requests that are left. */
function openConnection(
  Connection: typeof Client,
  origin: string,
  dial: Dial,
  ended: (lane: PooledConnection) => void,
): PooledConnection {
  let hangUp = () => {}
  const client = new Connection(origin, {
    ...settings,
    connect: (to, done) => {
      hangUp = dial(to, done, (phase) => lane.phases?.begin(phase))
    },
  })
  const lane: PooledConnection = {
    origin,
    client,
    isOpen: false,
    wasUsed: false,
    phases: undefined,
    close: () => {
      void client.destroy()
      // A socket that is still connecting does not belong to the client yet.
      hangUp()
    },
  }
  client.on('connect', () => {
    lane.isOpen = true
    lane.wasUsed = false
  })
  client.on('disconnect', () => {
    lane.isOpen = false
    ended(lane)
  })
  return lane
}
