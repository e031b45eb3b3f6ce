/**
 * The commands of the sink: reset, and count, record times too, or keep the last request too; or report the results.
 */
export type Order = { readonly begin: 'count' | 'times' | 'keep' } | { readonly ask: 'received' }

/** The number of deliveries since the reset, without those that hang. */
export interface Received {
  readonly count: number
  /** The arrival of each, by its `X-Webhook-Event-Id`, in milliseconds of `sharedNow`; if times are recorded. */
  readonly times: readonly (readonly [eventId: string, at: number])[]
  /** The last request byte for byte, in Latin-1, if it is kept. */
  readonly last: string
}

/**
 * The messages of the sink to its parent: once the ports that it listens to, and then for each command the results
 * before it.
 */
export type SinkMessage = { readonly ports: readonly number[] } | Received

/** Paths with this prefix never get a response. */
export const hangingPath = '/hanging/'

/** Paths with this prefix get a response after 5 ms. */
export const soonPath = '/soon/'

/** Milliseconds of a clock that all processes of a machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
