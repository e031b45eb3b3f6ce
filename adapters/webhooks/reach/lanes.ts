import type { Client } from 'undici'
import type { Dial } from './dial.ts'
import { failed } from './failure.ts'

/** A connection to an origin, which carries one request at a time. */
export interface Lane {
  readonly origin: string
  readonly client: Client
  /** Whether its connection stands. */
  isOpen: boolean
  /** Whether its connection has answered before, so that the other side may have closed it since. */
  isWorn: boolean
  close(): void
}

/** Connections by origin: kept for the next request, but not for long. */
export interface Lanes {
  /** A lane that nobody else has, a new one where `isFresh`; waits for its turn. Rejects with `timeout` once aborted. */
  take(origin: string, signal: AbortSignal, isFresh: boolean): Promise<Lane>
  /** Gives a lane back: for others where its answer was read to the end, else it is closed. */
  give(lane: Lane, isReusable: boolean): void
  /** Closes all, with whatever is under way. */
  close(): void
}

interface Place {
  readonly idle: Lane[]
  busy: number
  readonly waiting: Set<() => void>
}

/** Lanes of one origin in use at once; who needs one more waits. */
const perOrigin = 256

/** Lanes of all origins that wait for a request; the oldest gives way. */
const maxIdle = 512

const settings = {
  allowH2: false,
  pipelining: 1,
  /** Of the answer, bytes. */
  maxHeaderSize: 16 * 1024,
  /** Milliseconds without a request; the second where the receiver promises to wait longer. */
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 10_000,
  /** A name whose connection is never idle is looked up again at last. */
  maxRequestsPerClient: 1_000,
  /** The deadline of the attempt is the only one. */
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

let undici: Promise<typeof import('undici')> | undefined

/** Loaded when something is first sent: that takes a tenth of a second, and most commands send nothing. */
function loadUndici(): Promise<typeof import('undici')> {
  undici ??= import('undici')
  return undici
}

/** Makes lanes that connect by `dial`. */
export function createLanes(dial: Dial): Lanes {
  const places = createPlaces()
  const busy = new Set<Lane>()
  let isClosed = false

  async function take(origin: string, signal: AbortSignal, isFresh: boolean): Promise<Lane> {
    const { Client } = await loadUndici()
    if (isClosed) throw failed('internal')
    if (signal.aborted) throw failed('timeout')
    const place = places.of(origin)
    if (place.busy < perOrigin) place.busy++
    else await turn(place, signal)
    const lane = (isFresh ? undefined : places.wake(place)) ?? openLane(Client, origin, dial, places.leave)
    busy.add(lane)
    return lane
  }

  function give(lane: Lane, isReusable: boolean) {
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

  return { take, give, close }
}

/** Where the lanes of each origin wait for their next request. */
function createPlaces() {
  const places = new Map<string, Place>()
  const idle = new Set<Lane>()

  function of(origin: string): Place {
    const place = places.get(origin) ?? { idle: [], busy: 0, waiting: new Set() }
    places.set(origin, place)
    return place
  }

  function tidy(origin: string) {
    const place = places.get(origin)
    if (place?.busy === 0 && place.idle.length === 0) places.delete(origin)
  }

  /** Takes the lane that has waited for the shortest time. */
  function wake(place: Place): Lane | undefined {
    const lane = place.idle.pop()
    if (lane !== undefined) idle.delete(lane)
    return lane
  }

  function rest(lane: Lane, place: Place) {
    lane.isWorn = true
    place.idle.push(lane)
    idle.add(lane)
    const [oldest] = idle
    if (idle.size > maxIdle && oldest !== undefined) leave(oldest)
  }

  /** Lets go of a lane, where it waits. */
  function leave(lane: Lane) {
    if (!idle.delete(lane)) return
    const place = of(lane.origin)
    place.idle.splice(place.idle.indexOf(lane), 1)
    lane.close()
    tidy(lane.origin)
  }

  const leaveAll = () => idle.forEach(leave)
  return { of, tidy, wake, rest, leave, leaveAll }
}

/** Waits until a lane is given back, whose place is then taken. */
function turn({ waiting }: Place, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      waiting.delete(go)
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = () => {
      waiting.delete(go)
      reject(failed('timeout'))
    }
    waiting.add(go)
    signal.addEventListener('abort', stop)
  })
}

/** `ended` is told when its connection has ended; the client makes another for what is still to be sent. */
function openLane(Connection: typeof Client, origin: string, dial: Dial, ended: (lane: Lane) => void): Lane {
  let hangUp = () => {}
  const client = new Connection(origin, {
    ...settings,
    connect: (to, done) => {
      hangUp = dial(to, done)
    },
  })
  const lane: Lane = {
    origin,
    client,
    isOpen: false,
    isWorn: false,
    close: () => {
      void client.destroy()
      // One that is still connecting is not the client's yet.
      hangUp()
    },
  }
  client.on('connect', () => {
    lane.isOpen = true
    lane.isWorn = false
  })
  client.on('disconnect', () => {
    lane.isOpen = false
    ended(lane)
  })
  return lane
}
