import type { Event } from '../../kernel/event.ts'
import type { RemovalReason } from './status.ts'

/** What each fact says beside itself: when (ISO 8601, UTC), and by whose account; null for the carrier. */
interface Told {
  readonly at: string
  readonly by: number | null
}

/** A warehouse, or a place with lockers or shelves. */
export interface Location {
  readonly location_id: number | null
  readonly location_name: string
}

/** Where a package lies at its location: in a compartment, or on a shelf. */
export interface ShelfPlace {
  readonly grid_id: number | null
  readonly grid_code: string | null
  readonly shelf_code: string | null
}

/** A carrier announced a package. */
export type CarrierPackageAdvised = Event<
  'CarrierPackageAdvised',
  Told & {
    readonly package_id: number
    readonly business_id: number
    /** The name of the carrier's provider account. */
    readonly provider: string
    readonly package_number: string
    readonly carrier_reference: string | null
    /** Where the carrier wants it to go. */
    readonly destination: Location
    /** The member number stands for the recipient. */
    readonly personal?: { readonly member_number: string }
  }
>

/** It was put on a distribution order. */
export type CarrierPackageDistributed = Event<
  'CarrierPackageDistributed',
  Told & { readonly order_id: number; readonly order_ref: string | null }
>

/** What happened to a carrier package. */
export type CarrierPackageEvent =
  | CarrierPackageAdvised
  /** At a warehouse, from where it is distributed. */
  | Event<'CarrierPackageReceived', Told & { readonly origin: Location }>
  | CarrierPackageDistributed
  /** Loaded onto the truck, and handed over by the driver at its location. */
  | Event<'CarrierPackageLoaded' | 'CarrierPackageHandedOver' | 'CarrierPackagePersonalDataErased', Told>
  | Event<'CarrierPackageShelved', Told & { readonly location: ShelfPlace }>
  /** It is back on the list of the warehouse. */
  | Event<'CarrierPackageTakenOff', Told & { readonly reason: RemovalReason }>

const types: Readonly<Record<CarrierPackageEvent['type'], true>> = {
  CarrierPackageAdvised: true,
  CarrierPackageReceived: true,
  CarrierPackageDistributed: true,
  CarrierPackageLoaded: true,
  CarrierPackageHandedOver: true,
  CarrierPackageShelved: true,
  CarrierPackageTakenOff: true,
  CarrierPackagePersonalDataErased: true,
}

/** The types of the events of carrier packages. */
export const carrierPackageEventTypes: readonly string[] = Object.keys(types)
