import { createLog } from './log.ts'
import { type Double, startMember } from './member.ts'
import type { DoubleOptions } from './node.ts'

export { type Cluster, startCluster } from './cluster.ts'
export type { Faults, Latency, Tally } from './faults.ts'
export type { Double, PhysicalEvent } from './member.ts'
export type { DoubleOptions } from './node.ts'

/** Starts a double of a standalone server, on a free port of the loopback, with its own log. */
export function startDouble(options: DoubleOptions = {}): Promise<Double> {
  return startMember(createLog(Date.now()), options)
}
