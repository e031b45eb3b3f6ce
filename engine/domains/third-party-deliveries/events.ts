import type { Event } from '../../kernel/event.ts'
import type { AssignmentSource, AssignmentStatus, CancelReason, reportedOutcomes } from './status.ts'

/** Which assignment of the order, when (ISO 8601, UTC), and by whose account; null where the provider told it itself. */
interface Told {
  readonly assignment_id: number
  readonly at: string
  readonly by: number | null
}

/** An order that is booked with the carrier, and the packages that travel on it. */
export interface BookedLeg {
  /** What the carrier calls it. */
  readonly external_order_id: string
  readonly tracking_numbers: readonly string[]
}

/** What was reported of a package. */
export interface Report {
  readonly tracking_number: string
  readonly outcome: (typeof reportedOutcomes)[number]
}

/** An order was given to a provider. */
export type ThirdPartyAssigned = Event<
  'ThirdPartyAssigned',
  Told & {
    readonly business_id: number
    readonly order_id: number
    readonly order_reference?: string
    readonly provider: string
    readonly source: AssignmentSource
    /** The tracking numbers of its packages, at least one, none twice. */
    readonly packages: readonly string[]
  }
>

/** What happened to the assignments of an order. */
export type ThirdPartyEvent =
  | ThirdPartyAssigned
  /** The warehouse gave all packages to the provider. */
  | Event<'ThirdPartyHandedOver', Told>
  /** Orders were booked with the carrier: one a package where it takes no shipment of several pieces. */
  | Event<'ThirdPartyLegsBooked', Told & { readonly legs: readonly BookedLeg[] }>
  /** Packages were delivered, or will not be; `to` is how the assignment stands then. */
  | Event<'ThirdPartyPackagesReported', Told & { readonly packages: readonly Report[]; readonly to: AssignmentStatus }>
  | Event<'ThirdPartyCancelled', Told & { readonly reason: CancelReason }>

const types: Readonly<Record<ThirdPartyEvent['type'], true>> = {
  ThirdPartyAssigned: true,
  ThirdPartyHandedOver: true,
  ThirdPartyLegsBooked: true,
  ThirdPartyPackagesReported: true,
  ThirdPartyCancelled: true,
}

/** The types of the events of assignments. */
export const thirdPartyEventTypes: readonly string[] = Object.keys(types)
