import { EngineError, isEngineError } from '../../../engine/index.ts'
import { failureOf } from '../failure.ts'

/** Admits calls to the file until it is shut. */
export interface Gate {
  /** Runs a call; throws `store_unavailable` once the gate is shut, and translates errors of SQLite. */
  pass<Result>(call: () => Result | Promise<Result>): Promise<Result>
  shut(): void
  isShut(): boolean
}

/** Creates an open gate. */
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
