/** Limits on concurrent sending. */
export interface Limits {
  /** Concurrent attempts per URL (query string ignored), across all endpoints that use it. */
  readonly inFlight: number
  /** Concurrent fast attempts. */
  readonly fast: number
  /** Milliseconds after which an attempt counts as slow and frees its place among the fast ones. */
  readonly slowAfter: number
  /** Concurrent slow attempts. */
  readonly slow: number
  /** Concurrent attempts per slow URL, while at least half of the slow places are free. */
  readonly slowShare: number
  /** Deliveries claimed at once per endpoint. */
  readonly batch: number
}

/** The limits of one process. */
export const defaultLimits: Limits = { inFlight: 4, fast: 64, slowAfter: 300, slow: 1024, slowShare: 8, batch: 16 }
