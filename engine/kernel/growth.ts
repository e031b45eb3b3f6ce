import type { StreamName } from './stream.ts'

/**
 * What an embedded store knows of its streams without waiting. Growth is counted: what was read at one count is valid
 * as long as none of its streams has grown since.
 */
export interface Growth {
  /**
   * Counts how often streams have grown, as far as this process has noticed. Looks at the commits of other processes
   * once in each turn of the event loop, or `now`; undefined if the store takes no calls, or
   * fails.
   */
  count(now?: 'now'): number | undefined
  /** Whether one of these streams may have grown since it was this count. */
  hasGrown(streams: readonly StreamName[], since: number): boolean
  /** The revisions of the last events; -1 for a stream that does not exist. */
  revisions(streams: readonly StreamName[]): readonly number[]
  /** Runs several look-ups as one, which locks the file once. */
  atOnce<Found>(lookUp: () => Found): Found
}
