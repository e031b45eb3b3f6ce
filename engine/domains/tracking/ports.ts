import type { Context, Facts } from '../../kernel/context.ts'
import type { Subject } from '../../kernel/timeline.ts'

/** An order, with the members that webhook events about its parcel need. */
export interface TrackedOrder {
  readonly id: number
  readonly businessId: number
  readonly customerId?: number | undefined
  /** The sender's reference. */
  readonly reference?: string | undefined
  /** Whether another carrier has the order, or had it. */
  readonly isByCarrier: boolean
}

/** What tracking needs of other domains. */
export interface TrackingPorts {
  /** The businesses of the orders that a subject names by tracking number and order id; empty if there are none. */
  businessesOf(facts: Facts, subject: Subject): Promise<readonly number[]>
  /** The only business that a provider reports for; undefined if it reports for all, or is unknown. */
  businessOfProvider(facts: Facts, name: string): Promise<number | undefined>
  /** Whether the caller, an account, may see the order that a subject names, first by tracking number and then by order id. */
  isOwn(context: Context, subject: Subject): Promise<boolean>
  /** The postal code that the order of a subject is delivered to, if it is known. */
  postalCodeOf(facts: Facts, subject: Subject): Promise<string | undefined>
  /** The order that a subject names, first by tracking number and then by order id, as of a position of the store. */
  orderOf(facts: Facts, subject: Subject, position: string): Promise<TrackedOrder | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly tracking: TrackingPorts
  }
}
