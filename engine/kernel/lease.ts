/**
 * A lock that at most one node holds at a time, with a checkpoint for the next holder. `term` grows by one with every
 * write, so other nodes see whether the holder is alive.
 */
export interface Lease {
  readonly holder: string
  readonly term: number
  /** Position of the last event that was handled; absent before the first. */
  readonly checkpoint?: string
}

/** The leases of a store, shared by all nodes. Only the last write of each is kept. */
export interface Leases {
  read(name: string): Promise<Lease | undefined>
  /** Writes a lease if its term follows the stored one (the first is 1). Returns whether it was written. */
  write(name: string, lease: Lease): Promise<boolean>
}
