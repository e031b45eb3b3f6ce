/** Limits on concurrent sending. */
export interface Limits {
  /** Concurrent attempts per URL (query string ignored) across all endpoints that use it, before anything is known of it. */
  readonly inFlight: number
  /** The same for a URL that keeps answering well, while at least half of the places are free. */
  readonly most: number
  /** Concurrent fast attempts. */
  readonly fast: number
  /** Milliseconds after which an attempt counts as slow and frees its place among the fast ones. */
  readonly slowAfter: number
  /** Concurrent slow attempts. */
  readonly slow: number
  /** Concurrent attempts per slow URL at least, while at least half of the slow places are free. */
  readonly slowShare: number
  /** Deliveries claimed at once per endpoint, until its URL has a larger share. */
  readonly batch: number
  /** Attempts that have ended and are not recorded yet. A crash repeats them, so further ones keep their places. */
  readonly unrecorded: number
}

/** The limits of one process. */
export const defaultLimits: Limits = {
  ...{ inFlight: 4, most: 64, fast: 256, slowAfter: 300, slow: 1024, slowShare: 8, batch: 16, unrecorded: 64 },
}
