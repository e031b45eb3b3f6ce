import type { Event } from './event.ts'

/**
 * `(state, event) -> state`. It never throws or awaits, and ignores unknown events. It owns its `state` argument and
 * may reuse it, so a caller keeps only the result. Thus a fold is one loop over one accumulator, and is pure as a
 * whole.
 */
export type Reducer<State, E extends Event> = (state: State, event: E) => State

/**
 * The three functions of a domain. `decide` returns the resulting events (empty: nothing to do) or throws an
 * `EngineError`.
 */
export interface Decider<State, Command, E extends Event> {
  readonly initial: () => State
  readonly evolve: Reducer<State, E>
  readonly decide: (command: Command, state: State) => readonly E[]
}

/** The state after `events`, from the initial state or from `state` (which is consumed). */
export function fold<State, E extends Event>(
  decider: Pick<Decider<State, never, E>, 'initial' | 'evolve'>,
  events: Iterable<E>,
  state: State = decider.initial(),
): State {
  let result = state
  for (const event of events) result = decider.evolve(result, event)
  return result
}
