import type { EventStore, ReadModel } from '../../../engine/index.ts'
import { advance } from './advance.ts'
import { isBehind, type Tables } from './tables.ts'

/** Keeps models near the end of the store. */
export interface CatchUp {
  /** Whether what serves has all up to `target`, if need be after so many milliseconds of work. */
  reach(model: ReadModel, target: string | undefined, milliseconds: number): Promise<boolean>
  /** Follows the store until `signal` is aborted, or something fails; says so each time that the model is brought up. */
  follow(model: ReadModel, signal: AbortSignal, onReached: () => void): Promise<void>
  /** Seconds since the model was last seen to have reached what was asked of it, or since the process began. */
  secondsSince(model: ReadModel): number
}

/** Makes it; nothing is applied once `closing` is aborted. */
export function createCatchUp(store: EventStore, tables: Tables, closing: AbortSignal): CatchUp {
  const running = new Map<ReadModel, Promise<void>>()
  const reachedAt = new Map<ReadModel, number>()
  const began = performance.now()

  function hasReached(model: ReadModel, target: string | undefined): boolean {
    const serving = tables.serving(model)
    const reached = serving !== undefined && !isBehind(serving.reach, target)
    if (reached) reachedAt.set(model, performance.now())
    return reached
  }

  /** One run for all who wait for it. */
  function advanceTogether(model: ReadModel): Promise<void> {
    const known = running.get(model)
    if (known !== undefined) return known
    const generation = tables.serving(model) ?? tables.building(model)
    const work = advance({ store, tables, model }, generation, closing).finally(() => running.delete(model))
    running.set(model, work)
    return work
  }

  async function reach(model: ReadModel, target: string | undefined, milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds
    while (!hasReached(model, target)) {
      const left = deadline - performance.now()
      if (left <= 0 || closing.aborted) return false
      await within(advanceTogether(model), left)
    }
    return true
  }

  /** The feed is a bell: what it brings is read again, so that there is one way into the tables. */
  async function follow(model: ReadModel, signal: AbortSignal, onReached: () => void): Promise<void> {
    async function bringUp(target: string | undefined) {
      while (!signal.aborted && !closing.aborted && !hasReached(model, target)) await advanceTogether(model)
      onReached()
    }
    await bringUp(await store.latest())
    const after = tables.serving(model)?.reach ?? undefined
    for await (const { position } of store.follow(after, { category: model.category }, signal)) await bringUp(position)
  }

  return {
    reach,
    follow,
    secondsSince: (model) => (performance.now() - (reachedAt.get(model) ?? began)) / 1_000,
  }
}

/** Waits for the work, but no longer than so many milliseconds. */
async function within(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
