import type { EventBase } from '../../entity/machine.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { BoardEvent, BoardOpened } from './events.ts'
import { type Board, type BoardState, evolve, freeSeat, placeOf, type Seat, seatOf } from './state.ts'
import type { BoardStatus } from './status.ts'

type Command<Type extends string, More = object> = EventBase & { readonly type: Type } & More

type ForDriver = { readonly driver_id: number }

/** What can be asked of a board. Refusals: `route_board_not_found`, `board_status_forbids`, and those named at each. */
export type BoardCommand =
  | { readonly type: 'PostBoard'; readonly data: BoardOpened['data'] }
  /**
   * A free seat, or the end of the line; from the pool too. Nothing follows for who has a seat or stands in line.
   * `driver_vetoed`, `board_full`, and `driver_withdrew_too_often` for who would begin anew, as at `JoinPool`.
   */
  | Command<'Claim', ForDriver>
  /** Nothing follows for who is in it; `already_on_board` for who has a seat or stands in line. `driver_vetoed`, `board_full`. */
  | Command<'JoinPool', ForDriver>
  /** `not_on_board`. A seat that falls free goes to the first in line. */
  | Command<'Withdraw', ForDriver>
  /** Also of a driver who has no place. Nothing follows for who was vetoed. A seat that falls free goes to the first in line. */
  | Command<'Veto', ForDriver>
  /** Nothing follows for who has a seat. `driver_vetoed`; `no_seat_to_give` where no seat is free and none was only claimed. */
  | Command<'Assign', ForDriver>
  /** Another driver has the seat; after the board was closed too. `not_on_board`, `already_on_board`, `driver_vetoed`. */
  | Command<'Replace', ForDriver & { readonly replacement_id: number }>
  /** `not_on_board` where it has no seat. Nothing follows where the seat is awarded. */
  | Command<'Award', ForDriver>
  /** Those who have a seat are awarded it, the others have lost. */
  | Command<'CloseBoard'>
  | Command<'SettleBoard' | 'CancelBoard'>

/** The most drivers that have a place on one board. */
export const maxDrivers = 500

/** So often a driver may give up its place on one board and still come back by itself: all of it is told to others. */
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

/** The driver has no place any more; its seat goes to the first in line. */
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

/** A free seat, or the one that was taken last of those that nobody was given: its driver is first in line then. */
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

/** Who has no place comes by itself. */
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

/** Commands as refusals name them: by the operations that give them. */
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

/** The decider of a board, one stream each. */
export const boards: Decider<BoardState, BoardCommand, BoardEvent> = { initial: () => undefined, evolve, decide }
