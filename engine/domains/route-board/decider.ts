import type { EventBase } from '../../entity/machine.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { BoardEvent, BoardOpened } from './events.ts'
import { type Board, type BoardState, evolve, freeSeat, placeOf, type Seat, seatOf } from './state.ts'
import type { BoardStatus } from './status.ts'

type Command<Type extends string, More = object> = EventBase & { readonly type: Type } & More

type ForDriver = { readonly driver_id: number }

/** The commands of a board. Refusals: `route_board_not_found`, `board_status_forbids`, and those of each command. */
export type BoardCommand =
  | { readonly type: 'PostBoard'; readonly data: BoardOpened['data'] }
  /**
   * Takes a free seat or a place in line, also from the pool. Does nothing for a driver with a seat or in line.
   * Refusals: `driver_vetoed`, `board_full`, and, as for `JoinPool`, `driver_withdrew_too_often` for a driver without
   * a place.
   */
  | Command<'Claim', ForDriver>
  /**
   * Does nothing for a driver in the pool. Refusals: `already_on_board` with a seat or in line, `driver_vetoed`,
   * `board_full`.
   */
  | Command<'JoinPool', ForDriver>
  /** A free seat goes to the first in line. Refusal: `not_on_board`. */
  | Command<'Withdraw', ForDriver>
  /** Also for a driver without a place. Does nothing after a veto. A free seat goes to the first in line. */
  | Command<'Veto', ForDriver>
  /**
   * Does nothing for a driver with a seat. Refusals: `driver_vetoed`, and `no_seat_to_give` if no seat is free or
   * merely claimed.
   */
  | Command<'Assign', ForDriver>
  /** Also possible after the board was closed. Refusals: `not_on_board`, `already_on_board`, `driver_vetoed`. */
  | Command<'Replace', ForDriver & { readonly replacement_id: number }>
  /** Does nothing if the seat is already awarded. Refusal: `not_on_board` without a seat. */
  | Command<'Award', ForDriver>
  /** Awards all seats; the other drivers have lost. */
  | Command<'CloseBoard'>
  | Command<'SettleBoard' | 'CancelBoard'>

/** The most drivers with a place on one board. */
export const maxDrivers = 500

/** How often a driver may give up a place on one board and still return, because every change is sent to webhooks. */
export const maxWithdrawals = 20

const allowed: Readonly<Record<Exclude<BoardCommand['type'], 'PostBoard'>, readonly BoardStatus[]>> = {
  Claim: ['open'],
  JoinPool: ['open'],
  Withdraw: ['open'],
  Veto: ['open'],
  Assign: ['open'],
  Replace: ['open', 'closed'],
  Award: ['open'],
  CloseBoard: ['open'],
  SettleBoard: ['closed'],
  CancelBoard: ['open', 'closed'],
}

function decide(command: BoardCommand, board: BoardState): readonly BoardEvent[] {
  if (command.type === 'PostBoard') {
    if (board !== undefined) throw forbidden(command, board)
    return [{ type: 'BoardOpened', data: command.data }]
  }
  if (board === undefined) throw new EngineError('route_board_not_found', { board: 0 })
  if (!allowed[command.type].includes(board.status)) throw forbidden(command, board)
  const base = { at: command.at, by: command.by }
  switch (command.type) {
    case 'Claim':
      return claim(board, base, command.driver_id)
    case 'JoinPool':
      return joinPool(board, base, command.driver_id)
    case 'Withdraw':
      if (placeOf(board, command.driver_id) === undefined) throw notOnBoard(command.driver_id)
      return leave(board, base, command.driver_id, 'DriverWithdrawn')
    case 'Veto':
      return board.vetoed.includes(command.driver_id) ? [] : leave(board, base, command.driver_id, 'DriverVetoed')
    case 'Assign':
      return assign(board, base, command.driver_id)
    case 'Replace':
      return replace(board, base, command.driver_id, command.replacement_id)
    case 'Award': {
      const seat = requireSeat(board, command.driver_id)
      return seat.held === 'awarded' ? [] : [awarded(base, seat)]
    }
    case 'CloseBoard':
      return close(board, base)
    case 'SettleBoard':
      return [{ type: 'BoardSettled', data: base }]
    case 'CancelBoard':
      return [{ type: 'BoardCancelled', data: base }]
    default:
      return command satisfies never
  }
}

function claim(board: Board, base: EventBase, driver_id: number): readonly BoardEvent[] {
  refuseVetoed(board, driver_id)
  const place = placeOf(board, driver_id)
  if (place !== undefined && place !== 'pool') return []
  if (place === undefined) refuseNew(board, driver_id)
  const seat = freeSeat(board)
  if (seat === undefined) return [{ type: 'DriverStoodBy', data: { ...base, driver_id } }]
  return [{ type: 'SeatClaimed', data: { ...base, driver_id, seat } }]
}

function joinPool(board: Board, base: EventBase, driver_id: number): readonly BoardEvent[] {
  refuseVetoed(board, driver_id)
  const place = placeOf(board, driver_id)
  if (place === 'pool') return []
  if (place !== undefined) throw new EngineError('already_on_board', { driver: driver_id })
  refuseNew(board, driver_id)
  return [{ type: 'DriverPooled', data: { ...base, driver_id } }]
}

/** Removes a driver's place; the seat goes to the first in line. */
function leave(
  board: Board,
  base: EventBase,
  driver_id: number,
  type: 'DriverWithdrawn' | 'DriverVetoed',
): readonly BoardEvent[] {
  const seat = seatOf(board, driver_id)?.seat
  const left: BoardEvent = { type, data: { ...base, driver_id, ...(seat === undefined ? {} : { seat }) } }
  const [next] = board.standby
  if (seat === undefined || next === undefined) return [left]
  return [left, { type: 'DriverPromoted', data: { ...base, driver_id: next, seat } }]
}

/** Assigns a free seat, or else the last one that was only claimed; its driver becomes first in line. */
function assign(board: Board, base: EventBase, driver_id: number): readonly BoardEvent[] {
  refuseVetoed(board, driver_id)
  if (seatOf(board, driver_id) !== undefined) return []
  if (placeOf(board, driver_id) === undefined) refuseFull(board)
  const free = freeSeat(board)
  if (free !== undefined) return [{ type: 'DriverAssigned', data: { ...base, driver_id, seat: free } }]
  const latest = board.taken.findLast(({ held }) => held === 'seat')
  if (latest === undefined) throw new EngineError('no_seat_to_give')
  return [
    { type: 'DriverDisplaced', data: { ...base, driver_id: latest.driverId, seat: latest.seat } },
    { type: 'DriverAssigned', data: { ...base, driver_id, seat: latest.seat } },
  ]
}

function replace(board: Board, base: EventBase, previous: number, driver_id: number): readonly BoardEvent[] {
  const { seat } = requireSeat(board, previous)
  refuseVetoed(board, driver_id)
  if (seatOf(board, driver_id) !== undefined) throw new EngineError('already_on_board', { driver: driver_id })
  return [{ type: 'DriverReplaced', data: { ...base, driver_id, previous_driver_id: previous, seat } }]
}

function close({ taken, standby, pool }: Board, base: EventBase): readonly BoardEvent[] {
  const won = taken.filter(({ held }) => held !== 'awarded').toSorted((one, other) => one.seat - other.seat)
  return [
    { type: 'BoardClosed', data: base },
    ...won.map((seat) => awarded(base, seat)),
    ...[...standby, ...pool].map((driver_id): BoardEvent => ({ type: 'DriverLost', data: { ...base, driver_id } })),
  ]
}

function awarded(base: EventBase, { driverId: driver_id, seat }: Seat): BoardEvent {
  return { type: 'SeatAwarded', data: { ...base, driver_id, seat } }
}

function requireSeat(board: Board, driver: number): Seat {
  const seat = seatOf(board, driver)
  if (seat === undefined) throw notOnBoard(driver)
  return seat
}

function notOnBoard(driver: number): EngineError {
  return new EngineError('not_on_board', { driver })
}

function refuseVetoed({ vetoed }: Board, driver: number): void {
  if (vetoed.includes(driver)) throw new EngineError('driver_vetoed', { driver })
}

/** Refuses a new driver after too many withdrawals, or on a full board. */
function refuseNew(board: Board, driver: number): void {
  if (board.withdrawn.filter((one) => one === driver).length >= maxWithdrawals)
    throw new EngineError('driver_withdrew_too_often', { driver, limit: maxWithdrawals })
  refuseFull(board)
}

function refuseFull({ taken, standby, pool }: Board): void {
  if (taken.length + standby.length + pool.length >= maxDrivers)
    throw new EngineError('board_full', { limit: maxDrivers })
}

function forbidden({ type }: BoardCommand, { id, status }: Board): EngineError {
  return new EngineError('board_status_forbids', { board: id, status, command: names[type] })
}

/** The operations of the commands, for refusals. */
const names: Readonly<Record<BoardCommand['type'], string>> = {
  PostBoard: 'post_route_board',
  Claim: 'claim_board_seat',
  JoinPool: 'join_board_pool',
  Withdraw: 'withdraw_from_board',
  Veto: 'veto_board_driver',
  Assign: 'assign_board_driver',
  Replace: 'replace_board_driver',
  Award: 'award_board_seat',
  CloseBoard: 'close_route_board',
  SettleBoard: 'settle_route_board',
  CancelBoard: 'cancel_route_board',
}

/** The decider of a board, with one stream each. */
export const boards: Decider<BoardState, BoardCommand, BoardEvent> = { initial: () => undefined, evolve, decide }
