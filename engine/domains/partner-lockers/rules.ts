import type { MoveOf, StateOf } from '../../entity/field.ts'
import { deciderOf, type MoveCommand, type Rules, type Steps } from '../../entity/machine.ts'
import { EngineError } from '../../kernel/errors.ts'
import { isSameText, requireUnlocked } from '../../kernel/short-code.ts'
import { instantOf } from '../../kernel/time.ts'
import { lockerDelivery } from './locker-delivery.ts'

/** Parcels that a partner delivers into a locker. */
export type LockerDelivery = StateOf<typeof lockerDelivery>

/** A request to move a locker delivery. */
export type LockerDeliveryCommand = MoveCommand<MoveOf<typeof lockerDelivery>>

/** How often doors are opened, and codes replaced, for one delivery. */
export const maxOpenings = 200

/** How many compartments are opened for one delivery. */
export const maxCompartments = 200

/** A code in a request is compared first. Its hash is in `access_code_hash` or `pickup_code_hash`. */
const steps: Steps<typeof lockerDelivery> = {
  open: ({ access_code_hash, pickup_code, pickup_code_hash: code_hash, ...values }, state, at) => {
    requireRoom(state, state.openings, maxOpenings)
    if (access_code_hash !== undefined || state.status === 'pending')
      requireUnexpired(state, state.delivery_expires_at, at)
    if (access_code_hash !== undefined) {
      requireUnlocked(state.attempts, at)
      if (!isSameText(String(access_code_hash), state.access_code_hash)) return [['refuse_access']]
    }
    const opened_by = access_code_hash === undefined ? 'remote_open' : 'locker_screen'
    const open = ['open', { ...values, opened_by }] as const
    return state.pickup_code_hash === undefined ? [['allocate_code', { code_hash, pickup_code }], open] : [open]
  },
  close_door: ({ grid_id }, state) => {
    requireCompartments(state, [grid_id])
    const open = state.compartments.filter(({ is_open }) => is_open)
    if (!open.some((one) => one.grid_id === grid_id)) return []
    const isSettled = open.length === 1 && state.opened_by === 'remote_open' && state.status !== 'delivered'
    const close = ['close_door', { grid_id }] as const
    return isSettled ? [close, ['confirm', { confirmed_by: 'door_close' }]] : [close]
  },
  collect: ({ pickup_code_hash, is_staff }, state, at) => {
    if (pickup_code_hash === undefined) {
      if (!is_staff) throw new EngineError('pickup_code_required')
      return [['collect', { with_code: false }]]
    }
    requireUnexpired(state, state.pickup_expires_at, at)
    requireUnlocked(state.attempts, at)
    const isRight = isSameText(String(pickup_code_hash), state.pickup_code_hash ?? '')
    return isRight ? [['collect', { with_code: true }]] : [['refuse_pickup']]
  },
}

const rules: Rules<typeof lockerDelivery> = {
  create: ({ delivery_expires_at, pickup_expires_at, mock = false, correction_minutes = 15 }, _, at) => {
    requireOrder(at, delivery_expires_at)
    requireOrder(delivery_expires_at, pickup_expires_at)
    return { mock, correction_minutes }
  },
  open: ({ compartments }, state) => {
    const grids = new Set([...state.compartments, ...compartments].map(({ grid_id }) => grid_id))
    requireRoom(state, grids.size - 1, maxCompartments)
    return undefined
  },
  confirm: ({ confirmed_by }, { delivery_id: delivery, compartments }) => {
    if (confirmed_by === 'timeout_door_closed' && compartments.some(({ is_open }) => is_open))
      throw new EngineError('doors_still_open', { delivery })
    return undefined
  },
  reopen: ({ grid_ids }, state, at) => {
    requireRoom(state, state.openings, maxOpenings)
    const { delivery_id: delivery, correctable_until: until = at } = state
    if (instantOf(at) >= instantOf(until)) throw new EngineError('correction_over', { delivery, until })
    requireCompartments(state, grid_ids)
    return undefined
  },
  fail: ({ packages }, { delivery_id: delivery, parcels }) => {
    const named = new Set(packages.map(({ reference_number }) => reference_number))
    const isEach = parcels.every(({ reference_number }) => named.has(reference_number))
    if (!isEach || packages.length !== parcels.length) throw new EngineError('parcels_differ', { delivery })
    return undefined
  },
  rotate_access: rotate,
  rotate_pickup: rotate,
  expire: (_, { delivery_id: delivery, status, delivery_expires_at, pickup_expires_at }, at) => {
    const [expired, due] =
      status === 'pending' ? ['delivery_code', delivery_expires_at] : ['deposit', pickup_expires_at]
    if (instantOf(at) < instantOf(due)) throw new EngineError('locker_delivery_not_due', { delivery, due })
    return { expired }
  },
}

function rotate({ recipient_notified = false }: { readonly recipient_notified?: boolean }, state: LockerDelivery) {
  requireRoom(state, state.openings, maxOpenings)
  return { recipient_notified }
}

function requireOrder(earliest: string, expiry: string): void {
  if (instantOf(expiry) <= instantOf(earliest)) throw new EngineError('expiry_too_early', { expiry, earliest })
}

function requireUnexpired({ delivery_id: delivery }: LockerDelivery, due: string, at: string): void {
  if (instantOf(at) >= instantOf(due)) throw new EngineError('locker_delivery_expired', { delivery, due })
}

function requireCompartments({ delivery_id: delivery, compartments }: LockerDelivery, grids: readonly number[]): void {
  for (const compartment of grids)
    if (!compartments.some(({ grid_id }) => grid_id === compartment))
      throw new EngineError('compartment_not_found', { delivery, compartment })
}

/** Each opening and each new code is reported to the partner, who could otherwise request them without end. */
function requireRoom({ delivery_id: delivery }: LockerDelivery, held: number, limit: number): void {
  if (held >= limit) throw new EngineError('locker_delivery_full', { delivery, limit })
}

/** The decider of one locker delivery. */
export const lockerDeliveries = deciderOf(lockerDelivery, rules, {}, steps)
