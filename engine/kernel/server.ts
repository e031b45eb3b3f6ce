import type { Finding } from './finding.ts'

/** Who pushes: of which kind, under which name, and for which business alone, if it is one. */
export interface Pusher {
  readonly kind: string
  readonly name: string
  readonly businessId?: number
}

/** What became of an event that was pushed, and why it was refused. */
export interface Pushed {
  readonly outcome: string
  readonly errors: readonly Pick<Finding, 'code'>[]
}

/** An hour in which events were pushed; it begins `start` (epoch milliseconds). */
interface IngestHour {
  readonly start: number
  readonly received: number
  readonly refused: number
}

/** What one provider has pushed in the last 24 hours, to one process. */
export interface ProviderIngest {
  readonly provider: string
  /** The only business that it reports for; absent for one that reports for all. */
  readonly businessId?: number
  /** Epoch milliseconds. */
  readonly lastAt: number
  /** Of what it has pushed, what was known already. */
  readonly repeated: number
  /** Events that were refused, by the code of the first error. */
  readonly codes: Readonly<Record<string, number>>
  /** The hours with an event, oldest first. */
  readonly hours: readonly IngestHour[]
}

/** What one process has counted of what was pushed. */
export interface IngestCounts {
  /** The process. */
  readonly by: string
  /** Since when it counts; epoch milliseconds. */
  readonly since: number
  readonly providers: readonly ProviderIngest[]
}

/** What a node may be: `lost` has told nothing for a minute, and what `unknown` told is more than a minute in the future. */
export const nodeStates = ['live', 'lost', 'unknown'] as const

/** A process that serves the store. Instants are ISO 8601, UTC. */
export interface ServerNode {
  readonly name: string
  readonly host: string
  readonly version: string
  readonly since: string
  /** When it was last heard of. */
  readonly at: string
  readonly state: (typeof nodeStates)[number]
  readonly leases: readonly string[]
  readonly models: readonly { readonly name: string; readonly isCaughtUp: boolean; readonly secondsBehind: number }[]
}

/** The store and who serves it. */
export interface ServerState {
  /** The address of the store, without credentials. */
  readonly store: string
  /** Bytes of the files of this node; absent if there are none. */
  readonly bytes?: number
  /** Events found damaged since the start; absent if the store keeps no checksums. */
  readonly damaged?: number
  readonly nodes: readonly ServerNode[]
}

/** The server that an engine is part of, which may be many processes. */
export interface Server {
  /** Counts what a provider has pushed, or a carrier was asked; nothing of other callers. */
  pushed(by: Pusher, events: readonly Pushed[]): void
  /** What each process has counted: this one until now, others until a few seconds ago. */
  ingest(): Promise<readonly IngestCounts[]>
  state(): Promise<ServerState>
}
