import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { named } from '../../kernel/named.ts'
import type { Row } from '../../kernel/read-model.ts'
import { type Board, placeOf } from './state.ts'
import { boardStatusNames, placeNamesList } from './status.ts'

const summaryEntries = {
  board_id: v.number(),
  route_id: v.pipe(v.nullable(v.number()), v.description('The route to be driven.')),
  name: v.nullable(v.string()),
  schedule_date: v.pipe(v.nullable(v.string()), v.description('YYYY-MM-DD, in the time zone of the business.')),
  status: v.picklist(boardStatusNames),
  seats: v.pipe(v.number(), v.description('Number of seats.')),
}

/** A board in lists. */
export const boardSummary = named('RouteBoardSummary', v.strictObject(summaryEntries))

/** A board with its places: all places for staff, their own for drivers. */
const boardRecord = named(
  'RouteBoard',
  v.strictObject({
    ...summaryEntries,
    seats_taken: v.number(),
    standby: v.pipe(v.number(), v.description('Number of drivers in line.')),
    pool: v.pipe(v.number(), v.description('Number of drivers in the pool.')),
    places: v.pipe(
      v.array(
        named(
          'RouteBoardPlace',
          v.strictObject({
            driver_id: v.number(),
            place: v.picklist(placeNamesList),
            seat: v.pipe(v.nullable(v.number()), v.description('From 1; null in line and in the pool.')),
            position: v.pipe(v.nullable(v.number()), v.description('Position in line, from 1; null elsewhere.')),
          }),
        ),
      ),
      v.description('Seats in order, then the line, then the pool. Drivers only see their own place.'),
    ),
  }),
)

/** The answer of an operation on a board. */
export const boardAnswer = named('RouteBoardAnswer', v.strictObject({ result: v.literal(true), board: boardRecord }))

/** The record of a board. */
type BoardRecord = v.InferOutput<typeof boardRecord>

/** The record of a board for the caller. */
export function recordOf(board: Board, context: Pick<Context, 'caller'>): BoardRecord {
  const { id, role } = accountOf(context)
  const all = driversOf(board)
  return {
    board_id: board.id,
    route_id: board.routeId ?? null,
    name: board.name ?? null,
    schedule_date: board.scheduleDate ?? null,
    status: board.status,
    seats: board.seats,
    seats_taken: board.taken.length,
    standby: board.standby.length,
    pool: board.pool.length,
    places: (role === 'driver' ? all.filter((driver) => driver === id) : all).flatMap((driver) =>
      placed(board, driver),
    ),
  }
}

function driversOf({ taken, standby, pool }: Board): readonly number[] {
  const seated = taken.toSorted((one, other) => one.seat - other.seat).map(({ driverId }) => driverId)
  return [...seated, ...standby, ...pool]
}

function placed(board: Board, driver_id: number): BoardRecord['places'] {
  const place = placeOf(board, driver_id)
  if (place === undefined) return []
  const seat = board.taken.find(({ driverId }) => driverId === driver_id)?.seat ?? null
  const position = place === 'standby' ? board.standby.indexOf(driver_id) + 1 : null
  return [{ driver_id, place, seat, position }]
}

/** The summary of a board from its row, whose columns have the same names. */
export function boardIn(row: Row): Row {
  return Object.fromEntries(Object.keys(summaryEntries).map((name) => [name, row[name] ?? null]))
}
