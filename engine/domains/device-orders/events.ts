import type { Event } from '../../kernel/event.ts'
import type { DeviceOrderKind, DeviceType, ExceptionType, NextActor, RemovalReason, Severity } from './status.ts'

/** By whose account it was done; null for the platform. */
interface By {
  readonly by: number | null
}

/** What most facts say beside themselves: when (ISO 8601, UTC), and by whom. */
interface Told extends By {
  readonly at: string
}

/** For whom something is put into a machine. */
export interface Recipient {
  readonly name?: string
  readonly phone?: string
}

/** A stay in a machine was announced. */
export type DeviceOrderCreated = Event<
  'DeviceOrderCreated',
  Told & {
    readonly device_order_id: number
    readonly business_id: number
    readonly customer_id?: number
    readonly kind: DeviceOrderKind
    readonly device_type: DeviceType
    readonly device_id: number
    readonly device_name: string
    readonly grid_code?: string
    readonly reference_number?: string
    readonly order_id?: number
    readonly external_order_id?: string
    /** Collection deadline, ISO 8601 in UTC. */
    readonly due_at?: string
    readonly next_actor: NextActor
    /** Under this name it is tracked: timelines are public for whoever knows their name, so it cannot be guessed. */
    readonly piece_id: string
    readonly personal?: { readonly recipient: Recipient }
  }
>

/** It was put into the machine. */
export type DeviceOrderStored = Event<
  'DeviceOrderStored',
  By & {
    readonly stored_at: string
    readonly due_at: string
    readonly next_actor: NextActor
    /** Where it was put into another compartment than was announced. */
    readonly grid_code?: string
  }
>

/** Its deadline had passed when the clock looked. */
export type DeviceOrderBecameOverdue = Event<
  'DeviceOrderBecameOverdue',
  By & { readonly overdue_at: string; readonly next_actor: 'operator' }
>

/** What happened to a device order. */
export type DeviceOrderEvent =
  | DeviceOrderCreated
  | DeviceOrderStored
  | DeviceOrderBecameOverdue
  | Event<'DeviceOrderCollected' | 'DeviceOrderCancelled', Told>
  | Event<'DeviceOrderRemoved', Told & { readonly removal_reason: RemovalReason }>
  /** `code_hash` is keyed, and of this device order alone: the code itself is kept nowhere. */
  | Event<'PickupCodeIssued', Told & { readonly code_hash: string }>
  /** Somebody gave a wrong code, or one of before. */
  | Event<'PickupCodeRefused', Told>
  | Event<
      'DeviceExceptionOpened',
      Told & {
        /** Counted from 1 within the device order. */
        readonly exception_id: number
        readonly type: ExceptionType
        readonly severity: Severity
        readonly personal?: { readonly note: string }
      }
    >
  | Event<
      'DeviceExceptionResolved',
      Told & {
        readonly exception_id: number
        readonly status: 'resolved' | 'dismissed'
        /** What was done; a word, not a sentence. */
        readonly resolution_action: string
      }
    >
  | Event<'DeviceOrderPersonalDataErased', Told>

const types: Readonly<Record<DeviceOrderEvent['type'], true>> = {
  DeviceOrderCreated: true,
  DeviceOrderStored: true,
  DeviceOrderBecameOverdue: true,
  DeviceOrderCollected: true,
  DeviceOrderRemoved: true,
  DeviceOrderCancelled: true,
  PickupCodeIssued: true,
  PickupCodeRefused: true,
  DeviceExceptionOpened: true,
  DeviceExceptionResolved: true,
  DeviceOrderPersonalDataErased: true,
}

/** The types of the events of device orders. */
export const deviceOrderEventTypes: readonly string[] = Object.keys(types)
