import { categoriesOf, type EventStore, type ReadModel } from '../../../engine/index.ts'
import type { StartReader } from '../../node/start-log.ts'
import { advance } from './advance.ts'
import { isBehind, type Reached } from './reach.ts'
import type { Tables } from './tables.ts'

/** Keeps models up to date with the store. */
export interface CatchUp {
  /**
   * Whether this process has ever brought the model to the end of the store; before that, it is unknown what the model
   * lacks.
   */
  hasSeenEnd(model: ReadModel): boolean
  /** Whether the serving table reaches `target` within so many milliseconds of work. */
  reach(model: ReadModel, target: string | undefined, milliseconds: number): Promise<boolean>
  /** Whether the serving table reaches the current end of the store within so many milliseconds of work. */
  reachEnd(model: ReadModel, milliseconds: number): Promise<boolean>
  /**
   * Follows the store until `signal` is aborted or something fails; calls `onReached` each time the model is up to
   * date.
   */
  follow(model: ReadModel, signal: AbortSignal, onReached: () => void): Promise<void>
  /** Seconds since the model last reached its target, or since the start of the process. */
  secondsSince(model: ReadModel): number
  /** `ModelState.looks`. */
  looks(model: ReadModel): number
}

/** Creates it; nothing is applied once `closing` is aborted. `caughtUp` is called the first time that a model is. */
export function createCatchUp(
  store: EventStore,
  tables: Tables,
  closing: AbortSignal,
  caughtUp: (reader: StartReader) => void = () => {},
): CatchUp {
  const reachedAt = new Map<ReadModel, number>()
  const looks = new Map<ReadModel, number>()
  const looksOf = (model: ReadModel) => looks.get(model) ?? 0
  const { running, advanceTogether } = createRuns(toEnd)
  const began = performance.now()
  const hasSeenEnd = (model: ReadModel) => reachedAt.has(model)
  const starts = createStarts(tables, caughtUp)

  /** The serving table, if it reaches the target. */
  function servingAt(model: ReadModel, target: string | undefined): Reached | undefined {
    const serving = tables.serving(model)
    if (!hasSeenEnd(model) || serving === undefined || isBehind(serving.reach, target)) return undefined
    reachedAt.set(model, performance.now())
    return serving
  }

  async function toEnd(model: ReadModel, until: string | undefined): Promise<boolean> {
    const known = tables.serving(model) ?? tables.building(model)
    const looked = () => void looks.set(model, looksOf(model) + 1)
    const start = hasSeenEnd(model) ? undefined : starts.begin(model, known)
    const isEnd = await advance({ store, tables, model, until, looked }, known, closing, start?.took)
    if (isEnd) reachedAt.set(model, performance.now())
    if (isEnd) start?.end(looksOf(model))
    return isEnd
  }

  async function reach(model: ReadModel, target: string | undefined, milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds
    while (servingAt(model, target) === undefined) {
      const left = deadline - performance.now()
      if (left <= 0 || closing.aborted) return false
      await within(advanceTogether(model, target), left)
    }
    return true
  }

  async function reachEnd(model: ReadModel, milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds
    // A run in progress may stop at an earlier end of the store.
    const earlier = running.get(model)
    for (;;) {
      const left = deadline - performance.now()
      if (left <= 0 || closing.aborted) return false
      const work = advanceTogether(model)
      if ((await within(work, left)) === true && work !== earlier) return true
    }
  }

  const secondsSince = (model: ReadModel) => (performance.now() - (reachedAt.get(model) ?? began)) / 1_000
  const follow = createFollow(store, closing, servingAt, advanceTogether)
  return { hasSeenEnd, reach, reachEnd, follow, secondsSince, looks: looksOf }
}

/** The first time that each model catches up, which may take several runs. */
function createStarts(tables: Tables, caughtUp: (reader: StartReader) => void) {
  const starts = new Map<ReadModel, { readonly from: string | null; readonly begun: number; events: number }>()

  function begin(model: ReadModel, { reach }: Reached) {
    const start = starts.get(model) ?? { from: reach, begun: performance.now(), events: 0 }
    starts.set(model, start)
    return {
      took: (events: number) => {
        start.events += events
      },
      end: (parts: number) => {
        const { from, begun, events } = start
        const { reach: to } = tables.serving(model) ?? tables.building(model)
        caughtUp({ reader: model.name, from, to, events, parts, ms: Math.round(performance.now() - begun) })
      },
    }
  }

  return { begin }
}

const none = () => false

/** The feed only signals: events are read again, so that there is one way into the tables. */
function createFollow(
  store: EventStore,
  closing: AbortSignal,
  servingAt: (model: ReadModel, target: string | undefined) => Reached | undefined,
  advance: (model: ReadModel, target: string | undefined) => Promise<boolean>,
): CatchUp['follow'] {
  return async (model, signal, onReached) => {
    async function bringUp(target: string | undefined) {
      let serving = servingAt(model, target)
      while (!signal.aborted && !closing.aborted && serving === undefined) {
        await advance(model, target)
        serving = servingAt(model, target)
      }
      onReached()
      return serving?.reach ?? null
    }
    let reach = await bringUp(await store.latest())
    const ending = new AbortController()
    const until = AbortSignal.any([signal, ending.signal])
    const followed = categoriesOf(model).map(async (category) => {
      for await (const { position } of store.follow(reach ?? undefined, { category, opens: none }, until)) {
        // Whatever was applied together with an earlier event of a page needs no look.
        if (!isBehind(reach, position)) continue
        await advance(model, position)
        reach = await bringUp(position)
      }
    })
    await Promise.all(followed).finally(() => ending.abort())
  }
}

/** Concurrent callers share one run per model, which may stop at the end that the first of them gave. */
function createRuns(toEnd: (model: ReadModel, until: string | undefined) => Promise<boolean>) {
  const running = new Map<ReadModel, Promise<boolean>>()

  function advanceTogether(model: ReadModel, until?: string): Promise<boolean> {
    const work = running.get(model) ?? toEnd(model, until).finally(() => running.delete(model))
    running.set(model, work)
    return work
  }

  return { running, advanceTogether }
}

/** The result of the work; `undefined` after so many milliseconds. */
async function within<Result>(work: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
