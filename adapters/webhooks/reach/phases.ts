import type { AttemptPhase, PhaseTimes } from '../../../engine/index.ts'

/** Measures the phases of one attempt. */
export interface PhaseClock {
  /** Ends the phase before. */
  begin(phase: AttemptPhase): void
  /** The times so far, and the phase that they end with. What begins later no longer counts. */
  end(): MeasuredPhases
}

/** The times of an attempt that has ended. */
export interface MeasuredPhases {
  readonly phases: PhaseTimes
  readonly lastPhase: AttemptPhase
}

/** Starts to measure, with the phase `queue`, which is left out if it takes no time. */
export function startPhases(): PhaseClock {
  const begun = performance.now()
  const times: { -readonly [Phase in AttemptPhase]?: number } = {}
  let current: AttemptPhase = 'queue'
  let since = 0

  /** Rounds the instants and not the times, so that these add up. */
  function count() {
    const now = Math.round(performance.now() - begun)
    if (current !== 'queue' || now > since) times[current] = (times[current] ?? 0) + now - since
    since = now
  }

  return {
    begin: (phase) => {
      count()
      current = phase
    },
    end: () => {
      count()
      return { phases: { ...times }, lastPhase: current }
    },
  }
}
