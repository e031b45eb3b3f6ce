import type { Context, Facts } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'

/** What sensors need of other domains. */
export interface SensorPorts {
  /** Finds the timeline of a measured thing, or opens it; the appends note that it was measured. Throws the refusals of events. */
  placeMeasured(
    context: Context,
    measured: { readonly subject: Subject; readonly provider: string; readonly at: number },
  ): Promise<{
    readonly timeline: StreamName
    /** All identifiers of the thing. */
    readonly subject: Subject
    /** Whether its personal data was erased, so that it takes no positions. */
    readonly isErased: boolean
    readonly appends: readonly Append[]
  }>
  /** The businesses of the orders and labels that a subject names; empty if there are none. */
  businessesOf(facts: Facts, subject: Subject): Promise<readonly number[]>
  /** The order that a subject names, and the service that it was booked at. */
  orderOf(
    facts: Facts,
    subject: Subject,
  ): Promise<{ readonly id: number; readonly service?: string | undefined } | undefined>
  /** Whether a business has an order of this id. */
  isOrderOf(facts: Facts, businessId: number, order: number): Promise<boolean>
  /** The timeline of a number that the caller may see, and how much of it; throws `timeline_not_found`. */
  findVisible(
    context: Context,
    number: string,
  ): Promise<{ readonly stream: StreamName; readonly view: 'own' | 'full' | 'reduced' }>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly sensors: SensorPorts
  }
}
