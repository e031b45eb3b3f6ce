import { EngineError } from '../../engine/index.ts'
import { createTally } from './tally.ts'

/** How many jobs may run and wait at a time: of all callers, and of one. */
interface QueueBounds {
  readonly running: number
  readonly runningOfOne: number
  readonly waiting: number
  readonly waitingOfOne: number
  /** Milliseconds that a job waits at most; without end, if absent. */
  readonly patience?: number
}

/** A queue that takes turns between callers: the jobs of one caller do not make another one wait for all of them. */
export interface FairQueue {
  /** Waits for a turn, which ends when the returned function is called. Throws `too_busy` if too many wait, or for too long. */
  turn(caller: string): Promise<() => void>
  /** Runs a job in a separate turn. */
  run<Result>(caller: string, job: () => Promise<Result>): Promise<Result>
  state(): { readonly running: number; readonly waiting: number }
}

/** Creates a queue. */
export function createFairQueue(bounds: QueueBounds): FairQueue {
  /** The jobs that wait, by caller; the caller whose turn is next comes first. */
  const lines = new Map<string, (() => void)[]>()
  const running = createTally()
  let runs = 0

  const waits = () => [...lines.values()].reduce((sum, line) => sum + line.length, 0)

  function mayRun(caller: string): boolean {
    return runs < bounds.running && running.of(caller) < bounds.runningOfOne
  }

  function begin(caller: string) {
    runs++
    running.add(caller, 1)
  }

  function end(caller: string) {
    runs--
    running.add(caller, -1)
    callNext()
  }

  function callNext() {
    const caller = [...lines.keys()].find(mayRun)
    const line = caller === undefined ? undefined : lines.get(caller)
    const next = line?.shift()
    if (caller === undefined || next === undefined) return
    lines.delete(caller)
    if (line?.length) lines.set(caller, line)
    begin(caller)
    next()
  }

  function wait(caller: string): Promise<void> {
    const line = lines.get(caller) ?? []
    if (waits() >= bounds.waiting || line.length >= bounds.waitingOfOne) throw new EngineError('too_busy')
    lines.set(caller, line)
    return placeIn(line, bounds.patience, () => line.length > 0 || lines.delete(caller))
  }

  async function turn(caller: string) {
    if (!lines.has(caller) && mayRun(caller)) begin(caller)
    else await wait(caller)
    return () => end(caller)
  }

  return {
    turn,
    run: async (caller, job) => {
      const done = await turn(caller)
      try {
        return await job()
      } finally {
        done()
      }
    },
    state: () => ({ running: runs, waiting: waits() }),
  }
}

/** Waits in a line until it is called, or for so many milliseconds; `left` is called when it has given up. */
function placeIn(line: (() => void)[], patience: number | undefined, left: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = patience === undefined ? undefined : setTimeout(giveUp, patience)
    function begin() {
      clearTimeout(timer)
      resolve()
    }
    function giveUp() {
      line.splice(line.indexOf(begin), 1)
      left()
      reject(new EngineError('too_busy'))
    }
    line.push(begin)
  })
}
