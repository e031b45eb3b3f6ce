/** How much is sent at once. */
export interface Limits {
  /** Attempts at one URL at once, its query left aside, whosever endpoints it stands in. */
  readonly inFlight: number
  /** Quick attempts at once. */
  readonly fast: number
  /** An attempt that takes more milliseconds than this gives its place to a quick one, and goes on among the slow. */
  readonly slowAfter: number
  /** Slow attempts at once. */
  readonly slow: number
  /** Attempts at one slow URL at once, as long as there is room for twice as many slow attempts. */
  readonly slowShare: number
  /** Deliveries of an endpoint that are claimed at once. */
  readonly batch: number
}

/** What a node of one process sends at once. */
export const usualLimits: Limits = { inFlight: 4, fast: 64, slowAfter: 300, slow: 1024, slowShare: 8, batch: 16 }
