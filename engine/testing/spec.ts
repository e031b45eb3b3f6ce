import { type Decider, fold } from '../kernel/decider.ts'
import { isEngineError } from '../kernel/errors.ts'
import type { Event } from '../kernel/event.ts'

/** The two assertions that a specification needs; tap's and node's test contexts both have them. */
interface Asserts {
  same(found: unknown, wanted: unknown): unknown
  equal(found: unknown, wanted: unknown): unknown
}

/** Sentences about a decider: given these events, when this command comes, then these events follow, or it is refused. */
export function specificationOf<State, Command, E extends Event>(t: Asserts, decider: Decider<State, Command, E>) {
  return {
    given: (...history: readonly E[]) => ({
      when: (command: Command) => ({
        then: (...events: readonly E[]) => t.same(decider.decide(command, fold(decider, history)), events),
        thenNothing: () => t.same(decider.decide(command, fold(decider, history)), []),
        thenRefused: (code: string) =>
          t.equal(
            refusalOf(() => decider.decide(command, fold(decider, history))),
            code,
          ),
      }),
    }),
  }
}

/** The code of a refusal; undefined if the function returns. Other errors are thrown on. */
export function refusalOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (isEngineError(error)) return error.code
    throw error
  }
}
