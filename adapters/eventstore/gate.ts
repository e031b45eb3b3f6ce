import { EngineError } from '../../engine/index.ts'

/** Lets calls through until it is shut. */
export interface Gate {
  /** Runs a call; refused with `store_unavailable` once the gate is shut. */
  pass<Result>(call: () => Promise<Result>): Promise<Result>
  /** Resolves when the calls that have passed are answered. */
  shut(): Promise<void>
  isShut(): boolean
}

/** A gate that stands open. */
export function createGate(): Gate {
  const passed = new Set<Promise<unknown>>()
  let isShut = false
  return {
    pass: async (call) => {
      if (isShut) throw new EngineError('store_unavailable')
      const answer = call()
      passed.add(answer)
      try {
        return await answer
      } finally {
        passed.delete(answer)
      }
    },
    shut: async () => {
      isShut = true
      await Promise.allSettled(passed)
    },
    isShut: () => isShut,
  }
}
