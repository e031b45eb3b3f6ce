/** What the sink may be told: to begin anew, counting, noting times too, or keeping the last request too; or to tell what came. */
export type Order = { readonly begin: 'count' | 'times' | 'keep' } | { readonly ask: 'received' }

/** What came since it was begun, but for what is left to hang. */
export interface Received {
  readonly count: number
  /** When each came, by its `X-Webhook-Event-Id`, in milliseconds of `sharedNow`; where times are noted. */
  readonly times: readonly (readonly [eventId: string, at: number])[]
  /** The last request byte for byte, in Latin-1; where it is kept. */
  readonly last: string
}

/** What the sink tells its parent: once the ports that it listens to, and then of each order what came before it. */
export type Told = { readonly ports: readonly number[] } | Received

/** Paths that begin like this are never answered. */
export const hangingPath = '/hanging/'

/** Milliseconds of a clock that all processes of a machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
