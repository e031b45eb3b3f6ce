import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { instantOf } from '../../kernel/time.ts'
import { isSameText } from './code.ts'
import type { Compartment, FailedParcel, LockerDeliveryCreated, LockerDeliveryEvent } from './events.ts'
import { evolve, type LockerDelivery, type LockerDeliveryState } from './state.ts'
import { allowsMove, type CodeKind, type Confirmation, type LockerMove } from './status.ts'

/** Who commands, and when (ISO 8601, UTC); null for the partner and the platform. */
interface Given {
  readonly at: string
  readonly by: number | null
}

type Command<Type extends string, More = object> = Given & { readonly type: Type } & More

/** What can be asked of a locker delivery. Refusals: `locker_delivery_not_found`, `locker_delivery_status_forbids`, and those named at each. */
export type LockerDeliveryCommand =
  /** `expiry_too_early` where an expiry has passed, or a deposit would expire before the code of the courier. */
  | { readonly type: 'CreateLockerDelivery'; readonly data: LockerDeliveryCreated['data'] }
  /**
   * With a code on the screen of the locker, without one from afar. A wrong code is no refusal but a fact, that it may be
   * counted: `too_many_attempts` follows from it. `locker_delivery_expired` once the code of the courier has run out. The
   * new pickup code is taken up with the first opening alone. `locker_delivery_full` after too many openings and new codes,
   * and with too many compartments.
   */
  | Command<
      'OpenDoors',
      {
        readonly compartments: readonly Compartment[]
        readonly access_code_hash?: string
        readonly pickup_code: string
        readonly pickup_code_hash: string
      }
    >
  /** `compartment_not_found`; nothing follows where it was closed before. The last one confirms what was opened from afar. */
  | Command<'ReportDoorClosed', { readonly grid_id: number }>
  /** After a timeout only with all doors closed, else `doors_still_open`. */
  | Command<'ConfirmDelivery', { readonly confirmed_by: Exclude<Confirmation, 'door_close'> }>
  /** `correction_over`, `compartment_not_found` and `locker_delivery_full`. */
  | Command<'ReopenDoors', { readonly grid_ids: readonly number[] }>
  /**
   * Without a code only by staff, else `pickup_code_required`; with one as long as the deposit has not run out, else
   * `locker_delivery_expired`. Wrong codes are facts, as those of doors.
   */
  | Command<'CompletePickup', { readonly code_hash?: string; readonly isStaff: boolean }>
  /** `parcels_differ` where not each parcel is named once. */
  | Command<'FailDelivery', { readonly packages: readonly FailedParcel[] }>
  | Command<'CancelDelivery'>
  /** `locker_delivery_not_due` before its time. */
  | Command<'ExpireDelivery'>
  /** `locker_delivery_full`. */
  | Command<'RotateCode', { readonly code: CodeKind; readonly code_hash: string; readonly recipient_notified: boolean }>

/** So often doors are opened, and codes replaced, for one delivery. */
export const maxOpenings = 200

/** So many compartments are opened for one delivery. */
export const maxCompartments = 200

type Asked<Type extends LockerDeliveryCommand['type']> = Extract<LockerDeliveryCommand, { readonly type: Type }>

function decide(command: LockerDeliveryCommand, state: LockerDeliveryState): readonly LockerDeliveryEvent[] {
  if (command.type === 'CreateLockerDelivery') return create(command, state)
  if (state === undefined) throw new EngineError('locker_delivery_not_found', { delivery: 0 })
  const told = { at: command.at, by: command.by }
  switch (command.type) {
    case 'OpenDoors':
      return open(command, state, told)
    case 'ReportDoorClosed':
      return closeDoor(command, state, told)
    case 'ConfirmDelivery':
      return confirm(command, state, told)
    case 'ReopenDoors':
      return reopen(command, state, told)
    case 'CompletePickup':
      return collect(command, state, told)
    case 'FailDelivery':
      return fail(command, state, told)
    case 'CancelDelivery':
      demand(state, 'cancel')
      return [{ type: 'LockerDeliveryCancelled', data: told }]
    case 'ExpireDelivery':
      return expire(state, told)
    case 'RotateCode': {
      const { code, code_hash, recipient_notified } = command
      demand(state, code === 'access' ? 'rotate_access' : 'rotate_pickup')
      demandRoom(state, state.openings, maxOpenings)
      return [{ type: 'LockerCodeRotated', data: { ...told, code, code_hash, recipient_notified } }]
    }
    default:
      return command satisfies never
  }
}

function create({ data }: Asked<'CreateLockerDelivery'>, state: LockerDeliveryState): readonly LockerDeliveryEvent[] {
  if (state !== undefined) throw forbidden(state, 'create')
  demandOrder(data.at, data.delivery_expires_at)
  demandOrder(data.delivery_expires_at, data.pickup_expires_at)
  return [{ type: 'LockerDeliveryCreated', data }]
}

function demandOrder(earliest: string, expiry: string): void {
  if (instantOf(expiry) <= instantOf(earliest)) throw new EngineError('expiry_too_early', { expiry, earliest })
}

function open(command: Asked<'OpenDoors'>, state: LockerDelivery, told: Given): readonly LockerDeliveryEvent[] {
  demand(state, 'open')
  demandRoom(state, state.openings, maxOpenings)
  const { access_code_hash, compartments, pickup_code, pickup_code_hash: code_hash } = command
  if (access_code_hash !== undefined || state.status === 'pending') demandUnexpired(state, told, 'delivery_code')
  if (access_code_hash !== undefined) {
    demandUnlocked(state, told)
    if (!isSameText(access_code_hash, state.accessHash)) return [refused(told, 'access')]
  }
  const grids = new Set([...state.compartments, ...compartments].map(({ grid_id }) => grid_id))
  demandRoom(state, grids.size - 1, maxCompartments)
  const opened_by = access_code_hash === undefined ? 'remote_open' : 'locker_screen'
  const opened: LockerDeliveryEvent = { type: 'LockerDoorsOpened', data: { ...told, opened_by, compartments } }
  if (state.pickupHash !== undefined) return [opened]
  return [{ type: 'LockerPickupCodeAllocated', data: { ...told, code_hash, personal: { pickup_code } } }, opened]
}

function closeDoor(
  { grid_id }: Asked<'ReportDoorClosed'>,
  state: LockerDelivery,
  told: Given,
): readonly LockerDeliveryEvent[] {
  demand(state, 'close_door')
  demandCompartments(state, [grid_id])
  const open = state.compartments.filter(({ isOpen }) => isOpen)
  if (!open.some((one) => one.grid_id === grid_id)) return []
  const closed: LockerDeliveryEvent = { type: 'LockerDoorClosed', data: { ...told, grid_id } }
  const isSettled = open.length === 1 && state.openedBy === 'remote_open' && allowsMove(state.status, 'confirm')
  return isSettled ? [closed, confirmed(state, told, 'door_close')] : [closed]
}

function confirm(
  { confirmed_by }: Asked<'ConfirmDelivery'>,
  state: LockerDelivery,
  told: Given,
): readonly LockerDeliveryEvent[] {
  demand(state, 'confirm')
  if (confirmed_by === 'timeout_door_closed' && state.compartments.some(({ isOpen }) => isOpen))
    throw new EngineError('doors_still_open', { delivery: state.id })
  return [confirmed(state, told, confirmed_by)]
}

function confirmed(state: LockerDelivery, told: Given, confirmed_by: Confirmation): LockerDeliveryEvent {
  const data = { ...told, confirmed_by, pickup_expires_at: state.pickupExpiresAt }
  return { type: 'LockerDeliveryConfirmed', data }
}

function reopen(
  { grid_ids }: Asked<'ReopenDoors'>,
  state: LockerDelivery,
  told: Given,
): readonly LockerDeliveryEvent[] {
  demand(state, 'reopen')
  demandRoom(state, state.openings, maxOpenings)
  const { id: delivery, correctableUntil: until = told.at } = state
  if (instantOf(told.at) >= instantOf(until)) throw new EngineError('correction_over', { delivery, until })
  demandCompartments(state, grid_ids)
  return [{ type: 'LockerCorrectionReopened', data: { ...told, grid_ids } }]
}

function collect(
  { code_hash, isStaff }: Asked<'CompletePickup'>,
  state: LockerDelivery,
  told: Given,
): readonly LockerDeliveryEvent[] {
  demand(state, 'collect')
  if (code_hash === undefined) {
    if (!isStaff) throw new EngineError('pickup_code_required')
  } else {
    demandUnexpired(state, told, 'deposit')
    demandUnlocked(state, told)
    if (!isSameText(code_hash, state.pickupHash ?? '')) return [refused(told, 'pickup')]
  }
  return [{ type: 'LockerPickupCompleted', data: { ...told, with_code: code_hash !== undefined } }]
}

function fail({ packages }: Asked<'FailDelivery'>, state: LockerDelivery, told: Given): readonly LockerDeliveryEvent[] {
  demand(state, 'fail')
  const named = new Set(packages.map(({ reference_number }) => reference_number))
  const isEach = state.parcels.every(({ reference_number }) => named.has(reference_number))
  if (!isEach || packages.length !== state.parcels.length)
    throw new EngineError('parcels_differ', { delivery: state.id })
  return [{ type: 'LockerDeliveryFailed', data: { ...told, packages } }]
}

function expire(state: LockerDelivery, told: Given): readonly LockerDeliveryEvent[] {
  demand(state, 'expire')
  const expired = state.status === 'pending' ? 'delivery_code' : 'deposit'
  const due = dueOf(state, expired)
  if (instantOf(told.at) < instantOf(due)) throw new EngineError('locker_delivery_not_due', { delivery: state.id, due })
  return [{ type: 'LockerDeliveryExpired', data: { ...told, expired } }]
}

function dueOf(state: LockerDelivery, expiry: 'delivery_code' | 'deposit'): string {
  return expiry === 'delivery_code' ? state.deliveryExpiresAt : state.pickupExpiresAt
}

function demandUnexpired(state: LockerDelivery, { at }: Given, expiry: 'delivery_code' | 'deposit'): void {
  const due = dueOf(state, expiry)
  if (instantOf(at) >= instantOf(due)) throw new EngineError('locker_delivery_expired', { delivery: state.id, due })
}

function demandUnlocked({ lockedUntil }: LockerDelivery, { at }: Given): void {
  const seconds = Math.ceil((lockedUntil - instantOf(at)) / 1000)
  if (seconds > 0) throw new EngineError('too_many_attempts', { seconds })
}

function demandCompartments({ id: delivery, compartments }: LockerDelivery, grids: readonly number[]): void {
  for (const compartment of grids)
    if (!compartments.some(({ grid_id }) => grid_id === compartment))
      throw new EngineError('compartment_not_found', { delivery, compartment })
}

/** Each opening and each new code is told the partner, who might ask for them without end. */
function demandRoom({ id: delivery }: LockerDelivery, held: number, limit: number): void {
  if (held >= limit) throw new EngineError('locker_delivery_full', { delivery, limit })
}

function refused(told: Given, code: CodeKind): LockerDeliveryEvent {
  return { type: 'LockerCodeRefused', data: { ...told, code } }
}

function demand(state: LockerDelivery, move: LockerMove): void {
  if (!allowsMove(state.status, move)) throw forbidden(state, move)
}

function forbidden({ id, status }: LockerDelivery, move: string): EngineError {
  return new EngineError('locker_delivery_status_forbids', { delivery: id, status, move })
}

/** The decider of a locker delivery, one stream each. */
export const lockerDeliveries: Decider<LockerDeliveryState, LockerDeliveryCommand, LockerDeliveryEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}
