import { setTimeout as pause } from 'node:timers/promises'
import type { EventFilter } from '../../engine/index.ts'
import { bytesBetween } from './codec.ts'
import { createSpan, type Span } from './span.ts'
import { createStretches, type Source, type Stretches } from './stretches.ts'

/** A reader of a pass, by how far it has come. */
interface Passenger {
  at: string
  readonly filter: EventFilter
}

/** A reading of earlier events that several readers share. */
export interface Pass {
  readonly span: Span
  /** Reads on; concurrent callers share one stretch. */
  more(): Promise<void>
  leave(passenger: Passenger): void
}

/** The passes of a store. */
interface Passes {
  /** A pass that brings a reader what comes after its place. */
  join(passenger: Passenger): Promise<Pass>
  /** Ends all. */
  close(): void
}

/** Bytes of the log between the places of readers that begin one pass together. */
const nearness = 1024 * 1024

/** Milliseconds that the fastest reader of a pass waits for the slowest, which then goes on in a separate pass. */
const patience = 1_000

/** A pass that has not begun, because more readers may come in this turn of the event loop. */
interface Forming {
  after: string
  categories: Set<string> | undefined
  readonly pass: Promise<RunningPass>
}

interface RunningPass extends Pass {
  readonly passengers: Set<Passenger>
  isFor(passenger: Passenger): boolean
}

/** Creates them; `known` is a position in the log that every pass is to reach. */
export function createPasses(source: Source, known: () => string): Passes {
  const running = new Set<RunningPass>()
  const forming = new Set<Forming>()
  const all = new Set<Stretches>()

  function form({ at, filter }: Passenger): Forming {
    const begun = new Promise<RunningPass>((resolve) => {
      setImmediate(() => {
        forming.delete(formed)
        resolve(begin(formed))
      })
    })
    const { category } = filter
    const formed: Forming = {
      after: at,
      categories: category === undefined ? undefined : new Set([category]),
      pass: begun,
    }
    forming.add(formed)
    return formed
  }

  function begin({ after, categories }: Forming): RunningPass {
    const { retryFor } = source.log.connection.timeouts
    const stretches = createStretches(source, { after, categories, known: known(), isLive: false, retryFor })
    all.add(stretches)
    const pass = createPass(after, categories, stretches, known, () => {
      running.delete(pass)
      all.delete(stretches)
      stretches.close()
    })
    running.add(pass)
    return pass
  }

  async function join(passenger: Passenger): Promise<Pass> {
    let pass = [...running].find((one) => one.isFor(passenger))
    if (pass === undefined) {
      const formed = [...forming].find(({ after }) => areNear(after, passenger.at)) ?? form(passenger)
      include(formed, passenger)
      pass = await formed.pass
    }
    pass.passengers.add(passenger)
    return pass
  }

  function close() {
    for (const stretches of all) stretches.close()
  }

  return { join, close }
}

function include(formed: Forming, { at, filter: { category } }: Passenger) {
  if (at < formed.after) formed.after = at
  if (category === undefined) formed.categories = undefined
  else formed.categories?.add(category)
}

function createPass(
  after: string,
  categories: ReadonlySet<string> | undefined,
  stretches: Stretches,
  known: () => string,
  end: () => void,
): RunningPass {
  const span = createSpan(after)
  const passengers = new Set<Passenger>()
  let reading: Promise<void> | undefined

  /** A reader would have to wait until a pass comes near that is still far before its place. */
  const isFor = ({ at, filter: { category } }: Passenger) =>
    span.covers(at) &&
    (span.end() >= at || areNear(span.end(), at)) &&
    (categories === undefined || (category !== undefined && categories.has(category)))

  async function read(): Promise<void> {
    const deadline = performance.now() + patience
    while ([...passengers].some(({ at }) => span.wouldDrop(at)) && performance.now() < deadline) await pause(2)
    stretches.want(known(), false)
    span.add(await stretches.next())
  }

  function more(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  function leave(passenger: Passenger) {
    if (passengers.delete(passenger) && passengers.size === 0) end()
  }

  return { span, passengers, isFor, more, leave }
}

function areNear(one: string, other: string): boolean {
  return bytesBetween(one, other) <= nearness
}
