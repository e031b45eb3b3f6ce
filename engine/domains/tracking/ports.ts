import type { Facts } from '../../kernel/context.ts'
import type { Subject } from '../../kernel/timeline.ts'

/** An order, as far as notices about its parcel need it. */
export interface TrackedOrder {
  readonly id: number
  readonly businessId: number
  readonly customerId?: number | undefined
  /** What its sender calls it. */
  readonly reference?: string | undefined
  /** Whether another carrier carries it, or has done so. */
  readonly isByCarrier: boolean
}

/** What tracking needs of other domains. */
export interface TrackingPorts {
  /** The businesses whose orders a subject names, by its tracking number and by its order; none where it names nobody's. */
  businessesOf(facts: Facts, subject: Subject): Promise<readonly number[]>
  /** The order that a subject names, by its tracking number before its order, as it was at a position of the store. */
  orderOf(facts: Facts, subject: Subject, position: string): Promise<TrackedOrder | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly tracking: TrackingPorts
  }
}
