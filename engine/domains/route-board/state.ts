import type { Reducer } from '../../kernel/decider.ts'
import type { BoardEvent, BoardOpened } from './events.ts'
import type { BoardStatus, PlaceName } from './status.ts'

/** A taken seat, counted from 1, and how the driver got it. */
export interface Seat {
  readonly seat: number
  readonly driverId: number
  readonly held: Exclude<PlaceName, 'standby' | 'pool'>
}

/** The state of a board. A driver has at most one place: a seat, one in line, or one in the pool. */
export interface Board {
  readonly id: number
  readonly businessId: number
  readonly routeId?: number | undefined
  readonly name?: string | undefined
  readonly scheduleDate?: string | undefined
  readonly status: BoardStatus
  /** Number of seats. */
  readonly seats: number
  /** Taken seats, the latest last. */
  readonly taken: readonly Seat[]
  /** Drivers in line, the first one first. */
  readonly standby: readonly number[]
  readonly pool: readonly number[]
  readonly vetoed: readonly number[]
  /** Drivers who gave up their places, once for each time. */
  readonly withdrawn: readonly number[]
}

/** Undefined before the board was posted. */
export type BoardState = Board | undefined

/** The state of a board after an event. */
export const evolve: Reducer<BoardState, BoardEvent> = (state, event) => {
  if (event.type === 'BoardOpened') return opened(event.data)
  return state === undefined ? state : { ...state, ...changed(state, event) }
}

function opened(data: BoardOpened['data']): Board {
  return {
    id: data.board_id,
    businessId: data.business_id,
    routeId: data.route_id,
    name: data.name,
    scheduleDate: data.schedule_date,
    status: 'open',
    seats: data.seats,
    taken: [],
    standby: [],
    pool: [],
    vetoed: [],
    withdrawn: [],
  }
}

function changed(board: Board, fact: Exclude<BoardEvent, BoardOpened>): Partial<Board> {
  switch (fact.type) {
    case 'SeatClaimed':
    case 'DriverPromoted':
      return seated(board, fact.data.driver_id, fact.data.seat, 'seat')
    case 'DriverAssigned':
      return seated(board, fact.data.driver_id, fact.data.seat, 'assigned')
    case 'SeatAwarded':
      return seated(board, fact.data.driver_id, fact.data.seat, 'awarded')
    case 'DriverReplaced': {
      const { driver_id, previous_driver_id, seat } = fact.data
      const held = seatOf(board, previous_driver_id)?.held === 'awarded' ? 'awarded' : 'assigned'
      return seated({ ...board, ...without(board, previous_driver_id) }, driver_id, seat, held)
    }
    case 'DriverStoodBy': {
      const rest = without(board, fact.data.driver_id)
      return { ...rest, standby: [...rest.standby, fact.data.driver_id] }
    }
    case 'DriverDisplaced': {
      const rest = without(board, fact.data.driver_id)
      return { ...rest, standby: [fact.data.driver_id, ...rest.standby] }
    }
    case 'DriverPooled': {
      const rest = without(board, fact.data.driver_id)
      return { ...rest, pool: [...rest.pool, fact.data.driver_id] }
    }
    case 'DriverWithdrawn':
      return { ...without(board, fact.data.driver_id), withdrawn: [...board.withdrawn, fact.data.driver_id] }
    case 'DriverLost':
      return without(board, fact.data.driver_id)
    case 'DriverVetoed':
      return { ...without(board, fact.data.driver_id), vetoed: [...board.vetoed, fact.data.driver_id] }
    case 'BoardClosed':
      return { status: 'closed' }
    case 'BoardSettled':
      return { status: 'settled' }
    case 'BoardCancelled':
      return { status: 'cancelled' }
    default: {
      // Ignores events of later versions.
      void (fact satisfies never)
      return {}
    }
  }
}

function seated(board: Board, driverId: number, seat: number, held: Seat['held']) {
  const rest = without(board, driverId)
  return { ...rest, taken: [...rest.taken, { seat, driverId, held }] }
}

function without({ taken, standby, pool }: Board, driver: number): Pick<Board, 'taken' | 'standby' | 'pool'> {
  const isOther = (one: number) => one !== driver
  return {
    taken: taken.filter(({ driverId }) => isOther(driverId)),
    standby: standby.filter(isOther),
    pool: pool.filter(isOther),
  }
}

/** The seat that a driver has, if any. */
export function seatOf({ taken }: Board, driver: number): Seat | undefined {
  return taken.find(({ driverId }) => driverId === driver)
}

/** A driver's place, if any. */
export function placeOf(board: Board, driver: number): PlaceName | undefined {
  if (board.standby.includes(driver)) return 'standby'
  return board.pool.includes(driver) ? 'pool' : seatOf(board, driver)?.held
}

/** The lowest free seat number, if any. */
export function freeSeat({ seats, taken }: Board): number | undefined {
  const numbers = Array.from({ length: seats }, (_, index) => index + 1)
  return numbers.find((number) => taken.every(({ seat }) => seat !== number))
}
