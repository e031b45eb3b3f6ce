import type { Reducer } from '../../kernel/decider.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import type { Compartment, FailedParcel, LockerDeliveryCreated, LockerDeliveryEvent, Parcel } from './events.ts'
import type { LockerDeliveryStatus, OpeningWay } from './status.ts'

/** A compartment that was opened for the delivery, and whether its door is. */
export interface OpenedCompartment extends Compartment {
  readonly isOpen: boolean
}

/** A locker delivery as its facts have it; instants are ISO 8601 in UTC. */
export interface LockerDelivery {
  readonly id: number
  readonly businessId: number
  readonly provider: string
  readonly isMock: boolean
  readonly status: LockerDeliveryStatus
  readonly deviceId: number
  readonly deviceName: string
  readonly orderId?: number | undefined
  readonly parcels: readonly Parcel[]
  readonly deliveryExpiresAt: string
  readonly pickupExpiresAt: string
  readonly correctionMinutes: number
  readonly accessHash: string
  /** Missing until doors were opened. */
  readonly pickupHash?: string | undefined
  /** The code that was allocated, as long as it is the code and was not erased: one that replaced it is not known. */
  readonly pickupCode?: string | undefined
  /** How the last doors were opened. */
  readonly openedBy?: OpeningWay | undefined
  /** Each compartment that doors were opened of, in order. */
  readonly compartments: readonly OpenedCompartment[]
  readonly openedAt?: string | undefined
  /** When the deposit was last confirmed. */
  readonly deliveredAt?: string | undefined
  /** Until when its doors can be opened again. */
  readonly correctableUntil?: string | undefined
  readonly endedAt?: string | undefined
  readonly failed: readonly FailedParcel[]
  /** How often doors were opened, or a code was replaced. */
  readonly openings: number
  /** Wrong codes since the last right one, new one or pause. */
  readonly failures: number
  /** Epoch milliseconds until which no code is looked at. */
  readonly lockedUntil: number
}

/** Nothing before the delivery was created. */
export type LockerDeliveryState = LockerDelivery | undefined

/** After so many wrong codes in a row no code is looked at for a while. */
export const maxFailures = 5

/** How long no code is looked at, in milliseconds. */
export const lockTime = 15 * 60_000

/** What follows from a fact about a locker delivery. */
export const evolve: Reducer<LockerDeliveryState, LockerDeliveryEvent> = (state, event) => {
  if (event.type === 'LockerDeliveryCreated') return created(event.data)
  return state === undefined ? state : { ...state, ...changed(state, event) }
}

function created(data: LockerDeliveryCreated['data']): LockerDelivery {
  return {
    id: data.delivery_id,
    businessId: data.business_id,
    provider: data.provider,
    isMock: data.mock,
    status: 'pending',
    deviceId: data.device_id,
    deviceName: data.device_name,
    orderId: data.order_id,
    parcels: data.parcels,
    deliveryExpiresAt: data.delivery_expires_at,
    pickupExpiresAt: data.pickup_expires_at,
    correctionMinutes: data.correction_minutes,
    accessHash: data.access_code_hash,
    compartments: [],
    failed: [],
    openings: 0,
    failures: 0,
    lockedUntil: 0,
  }
}

type Changing = Exclude<LockerDeliveryEvent, LockerDeliveryCreated>

function changed(state: LockerDelivery, fact: Changing): Partial<LockerDelivery> {
  const { at } = fact.data
  switch (fact.type) {
    case 'LockerPickupCodeAllocated':
      return { pickupHash: fact.data.code_hash, pickupCode: fact.data.personal?.pickup_code }
    case 'LockerDoorsOpened': {
      const { opened_by: openedBy, compartments } = fact.data
      const known = withOpened(state.compartments, compartments)
      return {
        ...{ status: 'opened', openedBy, openedAt: state.openedAt ?? at, compartments: known },
        ...{ openings: state.openings + 1, ...unlocked },
      }
    }
    case 'LockerDoorClosed':
      return { compartments: withDoors(state.compartments, [fact.data.grid_id], false) }
    case 'LockerDeliveryConfirmed': {
      const correctableUntil = state.correctableUntil ?? isoOf(instantOf(at) + state.correctionMinutes * 60_000)
      return { status: 'delivered', deliveredAt: at, correctableUntil, ...unlocked }
    }
    case 'LockerCorrectionReopened': {
      const compartments = withDoors(state.compartments, fact.data.grid_ids, true)
      return { status: 'correcting', openedBy: 'remote_open', compartments, openings: state.openings + 1 }
    }
    case 'LockerCodeRotated': {
      const { code, code_hash } = fact.data
      const replaced = code === 'access' ? { accessHash: code_hash } : { pickupHash: code_hash, pickupCode: undefined }
      return { ...replaced, openings: state.openings + 1, ...unlocked }
    }
    case 'LockerCodeRefused': {
      const isLast = state.failures + 1 >= maxFailures
      return isLast ? { failures: 0, lockedUntil: instantOf(at) + lockTime } : { failures: state.failures + 1 }
    }
    default:
      return ended(fact)
  }
}

function ended(fact: Changing): Partial<LockerDelivery> {
  const endedAt = fact.data.at
  switch (fact.type) {
    case 'LockerPickupCompleted':
      return { status: 'collected', endedAt }
    case 'LockerDeliveryFailed':
      return { status: 'failed', endedAt, failed: fact.data.packages }
    case 'LockerDeliveryExpired':
      return { status: 'expired', endedAt }
    case 'LockerDeliveryCancelled':
      return { status: 'cancelled', endedAt }
    default:
      // An event of a later version changes nothing here.
      return {}
  }
}

const unlocked = { failures: 0, lockedUntil: 0 } as const

function withOpened(known: readonly OpenedCompartment[], opened: readonly Compartment[]): readonly OpenedCompartment[] {
  const again = new Set(opened.map(({ grid_id }) => grid_id))
  return [...known.filter(({ grid_id }) => !again.has(grid_id)), ...opened.map((one) => ({ ...one, isOpen: true }))]
}

function withDoors(
  known: readonly OpenedCompartment[],
  grids: readonly number[],
  isOpen: boolean,
): readonly OpenedCompartment[] {
  return known.map((one) => (grids.includes(one.grid_id) ? { ...one, isOpen } : one))
}
