import type { Conditions, Latency } from './faults.ts'
import type { Log } from './log.ts'

/** What a server demands and can do. */
export interface DoubleOptions {
  /** Names the one user; the server speaks TLS then, because the client sends no credentials without. */
  readonly credentials?: { readonly username: string; readonly password: string }
  /** Whether the user has the right to read `$all`, as an administrator has; it does if absent. */
  readonly mayReadAll?: boolean
  /** Bytes that one append may hold; 1 MiB by default, as a real server's. */
  readonly maxAppendSize?: number
  /** Whether the server tells a subscription that it has caught up; versions before 23.10 do not. */
  readonly caughtUp?: boolean
  /** What each call takes, as on a real server; nothing by default. */
  readonly latency?: Latency
}

/** Another server's address. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** One server of a cluster in the format of gossip. */
export interface Member extends Endpoint {
  readonly alive: boolean
  readonly leader: boolean
}

/** A running server: what its calls need to know. */
export interface Node {
  readonly log: Log
  readonly conditions: Conditions
  readonly options: DoubleOptions
  /** Number of the first record whose id it remembers; a restart clears them. */
  readonly knownSince: number
  /** False once it is stopped: calls that still wait then do nothing. */
  readonly running: () => boolean
  /** The server that takes appends, where it is another one. */
  readonly leaderElsewhere: () => Endpoint | undefined
  readonly members: () => readonly Member[]
}
