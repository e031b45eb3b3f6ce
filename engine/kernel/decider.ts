import type { Event } from './event.ts'

/**
 * `(state, event) -> state`; total: it never throws and never awaits, and an event it does not know leaves the
 * state as it was. It owns the state it is given and may reuse it, so a caller keeps only the result; that makes a
 * fold one loop over one accumulator, and a fold is pure.
 */
export type Reducer<State, E extends Event> = (state: State, event: E) => State

/** The three functions of a domain; `decide` answers the events that follow (none: nothing to do) or throws an `EngineError`. */
export interface Decider<State, Command, E extends Event> {
  readonly initial: () => State
  readonly evolve: Reducer<State, E>
  readonly decide: (command: Command, state: State) => readonly E[]
}

/** The state after `events`, from the beginning or on top of `state` (which is consumed). */
export function fold<State, E extends Event>(
  decider: Pick<Decider<State, never, E>, 'initial' | 'evolve'>,
  events: Iterable<E>,
  state: State = decider.initial(),
): State {
  let result = state
  for (const event of events) result = decider.evolve(result, event)
  return result
}
