import type { Event } from '../../kernel/event.ts'
import type { CodeKind, Confirmation, Expiry, FailureCode, OpeningWay } from './status.ts'

/** What each fact says beside itself: when (ISO 8601, UTC), and by whose account; null for the partner and the platform. */
interface Told {
  readonly at: string
  readonly by: number | null
}

/** A compartment as a cabinet names it. */
export interface Compartment {
  readonly grid_id: number
  /** Number of the hardware. */
  readonly compartment_number: number
  /** Number on display: counted from top to bottom within a column, then from left to right. */
  readonly pickup_locker_number: number | null
  /** `{shelf_code}-{pickup_locker_number}`. */
  readonly pickup_locker_code: string | null
}

/** A parcel of a locker delivery. */
export interface Parcel {
  readonly reference_number: string
}

/** A parcel that did not come into the locker, and why. */
export interface FailedParcel extends Parcel {
  readonly failure_code: FailureCode
}

/** A partner announced a delivery into a locker. */
export type LockerDeliveryCreated = Event<
  'LockerDeliveryCreated',
  Told & {
    readonly delivery_id: number
    readonly business_id: number
    /** The name of the partner's provider account. */
    readonly provider: string
    /** Whether the cabinet is a mock one, in the sandbox. */
    readonly mock: boolean
    readonly device_id: number
    readonly device_name: string
    readonly order_id?: number
    readonly parcels: readonly Parcel[]
    /** Until when the courier's code can be used; ISO 8601, UTC. */
    readonly delivery_expires_at: string
    /** Until when a deposit can be collected; ISO 8601, UTC. */
    readonly pickup_expires_at: string
    /** How long after the first confirmation doors can be opened again. */
    readonly correction_minutes: number
    /** Keyed, and of this delivery alone: the code itself is kept nowhere. */
    readonly access_code_hash: string
  }
>

/** The deposit was confirmed. */
export type LockerDeliveryConfirmed = Event<
  'LockerDeliveryConfirmed',
  Told & {
    readonly confirmed_by: Confirmation
    /** As it was created, for the lists. */
    readonly pickup_expires_at: string
  }
>

/** What happened to a locker delivery. */
export type LockerDeliveryEvent =
  | LockerDeliveryCreated
  | LockerDeliveryConfirmed
  /** With the first opening; no other code is ever kept as it is, and this one sealed, for whoever is told of openings. */
  | Event<
      'LockerPickupCodeAllocated',
      Told & { readonly code_hash: string; readonly personal?: { readonly pickup_code: string } }
    >
  | Event<'LockerDoorsOpened', Told & { readonly opened_by: OpeningWay; readonly compartments: readonly Compartment[] }>
  | Event<'LockerDoorClosed', Told & { readonly grid_id: number }>
  | Event<'LockerCorrectionReopened', Told & { readonly grid_ids: readonly number[] }>
  | Event<'LockerPickupCompleted', Told & { readonly with_code: boolean }>
  | Event<'LockerDeliveryFailed', Told & { readonly packages: readonly FailedParcel[] }>
  | Event<'LockerDeliveryExpired', Told & { readonly expired: Expiry }>
  | Event<'LockerDeliveryCancelled', Told>
  /** `code_hash` is that of the new code, which is kept nowhere. */
  | Event<
      'LockerCodeRotated',
      Told & { readonly code: CodeKind; readonly code_hash: string; readonly recipient_notified: boolean }
    >
  /** Somebody gave a wrong code, or one of before. */
  | Event<'LockerCodeRefused', Told & { readonly code: CodeKind }>

const types: Readonly<Record<LockerDeliveryEvent['type'], true>> = {
  LockerDeliveryCreated: true,
  LockerPickupCodeAllocated: true,
  LockerDoorsOpened: true,
  LockerDoorClosed: true,
  LockerDeliveryConfirmed: true,
  LockerCorrectionReopened: true,
  LockerPickupCompleted: true,
  LockerDeliveryFailed: true,
  LockerDeliveryExpired: true,
  LockerDeliveryCancelled: true,
  LockerCodeRotated: true,
  LockerCodeRefused: true,
}

/** The types of the events of locker deliveries. */
export const lockerDeliveryEventTypes: readonly string[] = Object.keys(types)
