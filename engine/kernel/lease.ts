/**
 * A turn that at most one node has at a time, and how far it has come: who runs a policy, and after which position the
 * next one goes on. `term` grows by one with every write, so that a node sees whether the holder is alive.
 */
export interface Lease {
  readonly holder: string
  readonly term: number
  /** Position of the last event that was handled; absent before the first. */
  readonly checkpoint?: string
}

/** The leases of a store, shared by all nodes. They are no facts: only the last write of each is kept. */
export interface Leases {
  read(name: string): Promise<Lease | undefined>
  /** Writes a lease where its term follows the one that stands (the first is 1), and answers whether it did. */
  write(name: string, lease: Lease): Promise<boolean>
}
