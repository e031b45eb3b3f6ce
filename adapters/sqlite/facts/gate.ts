import { EngineError, isEngineError } from '../../../engine/index.ts'
import { failureOf } from '../failure.ts'

/** Lets calls through to the file until it is shut. */
export interface Gate {
  /** Runs a call; it is refused with `store_unavailable` once the gate is shut, and failures of SQLite get the engine's names. */
  pass<Result>(call: () => Result | Promise<Result>): Promise<Result>
  shut(): void
  isShut(): boolean
}

/** A gate that stands open. */
export function createGate(): Gate {
  let isShut = false
  return {
    pass: async (call) => {
      if (isShut) throw new EngineError('store_unavailable')
      try {
        return await call()
      } catch (error) {
        throw isShut && !isEngineError(error) ? new EngineError('store_unavailable') : failureOf(error)
      }
    },
    shut: () => {
      isShut = true
    },
    isShut: () => isShut,
  }
}
