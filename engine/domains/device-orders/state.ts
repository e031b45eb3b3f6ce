import type { Reducer } from '../../kernel/decider.ts'
import { instantOf } from '../../kernel/time.ts'
import type { DeviceOrderCreated, DeviceOrderEvent, Recipient } from './events.ts'
import type {
  DeviceOrderKind,
  DeviceStatus,
  DeviceType,
  ExceptionType,
  NextActor,
  RemovalReason,
  Severity,
} from './status.ts'

/** A problem with a deposit or its machine. */
export interface DeviceException {
  /** Counted from 1 within the device order. */
  readonly id: number
  readonly type: ExceptionType
  readonly severity: Severity
  readonly status: 'open' | 'resolved' | 'dismissed'
  readonly resolutionAction?: string
}

/** A device order as its facts have it; instants are ISO 8601 in UTC. */
export interface DeviceOrder {
  readonly id: number
  readonly businessId: number
  readonly customerId?: number | undefined
  readonly kind: DeviceOrderKind
  readonly status: DeviceStatus
  /** Nobody once it has ended. */
  readonly nextActor?: NextActor | undefined
  readonly deviceType: DeviceType
  readonly deviceId: number
  readonly deviceName: string
  readonly gridCode?: string | undefined
  readonly referenceNumber?: string | undefined
  readonly orderId?: number | undefined
  readonly externalOrderId?: string | undefined
  readonly dueAt?: string | undefined
  readonly storedAt?: string | undefined
  readonly overdueAt?: string | undefined
  readonly endedAt?: string | undefined
  readonly removalReason?: RemovalReason | undefined
  /** The name of its timeline. */
  readonly pieceId: string
  readonly recipient?: Recipient | undefined
  readonly codeHash?: string | undefined
  /** Wrong codes since the last right one, new one or pause. */
  readonly failures: number
  /** Epoch milliseconds until which no code is looked at. */
  readonly lockedUntil: number
  readonly exceptions: readonly DeviceException[]
  readonly isForgotten: boolean
}

/** Nothing before the device order was created. */
export type DeviceOrderState = DeviceOrder | undefined

/** After so many wrong codes in a row no code is looked at for a while. */
export const maxFailures = 5

/** How long no code is looked at, in milliseconds. */
export const lockTime = 15 * 60_000

/** What follows from a fact about a device order. */
export const evolve: Reducer<DeviceOrderState, DeviceOrderEvent> = (state, event) => {
  if (event.type === 'DeviceOrderCreated') return created(event.data)
  return state === undefined ? state : { ...state, ...changed(state, event) }
}

function created(data: DeviceOrderCreated['data']): DeviceOrder {
  return {
    id: data.device_order_id,
    businessId: data.business_id,
    customerId: data.customer_id,
    kind: data.kind,
    status: 'pending',
    nextActor: data.next_actor,
    deviceType: data.device_type,
    deviceId: data.device_id,
    deviceName: data.device_name,
    gridCode: data.grid_code,
    referenceNumber: data.reference_number,
    orderId: data.order_id,
    externalOrderId: data.external_order_id,
    dueAt: data.due_at,
    pieceId: data.piece_id,
    recipient: data.personal?.recipient,
    failures: 0,
    lockedUntil: 0,
    exceptions: [],
    isForgotten: false,
  }
}

function changed(state: DeviceOrder, fact: Exclude<DeviceOrderEvent, DeviceOrderCreated>): Partial<DeviceOrder> {
  switch (fact.type) {
    case 'DeviceOrderStored': {
      const { stored_at, due_at, next_actor, grid_code = state.gridCode } = fact.data
      return { status: 'stored', storedAt: stored_at, dueAt: due_at, nextActor: next_actor, gridCode: grid_code }
    }
    case 'DeviceOrderBecameOverdue':
      return { status: 'overdue', overdueAt: fact.data.overdue_at, nextActor: fact.data.next_actor }
    case 'DeviceOrderCollected':
      return { status: 'collected', endedAt: fact.data.at, nextActor: undefined, failures: 0 }
    case 'DeviceOrderCancelled':
      return { status: 'cancelled', endedAt: fact.data.at, nextActor: undefined }
    case 'DeviceOrderRemoved': {
      const { at, removal_reason } = fact.data
      return { status: 'removed', endedAt: at, nextActor: undefined, removalReason: removal_reason }
    }
    case 'PickupCodeIssued':
      return { codeHash: fact.data.code_hash, failures: 0, lockedUntil: 0 }
    case 'PickupCodeRefused': {
      const isLast = state.failures + 1 >= maxFailures
      return isLast
        ? { failures: 0, lockedUntil: instantOf(fact.data.at) + lockTime }
        : { failures: state.failures + 1 }
    }
    case 'DeviceExceptionOpened': {
      const { exception_id: id, type, severity } = fact.data
      return { exceptions: [...state.exceptions, { id, type, severity, status: 'open' }] }
    }
    case 'DeviceExceptionResolved': {
      const { exception_id, status, resolution_action: resolutionAction } = fact.data
      const settled = (one: DeviceException) => (one.id === exception_id ? { ...one, status, resolutionAction } : one)
      return { exceptions: state.exceptions.map(settled) }
    }
    case 'DeviceOrderPersonalDataErased':
      return { recipient: undefined, isForgotten: true }
    default: {
      // An event of a later version changes nothing here.
      void (fact satisfies never)
      return {}
    }
  }
}
