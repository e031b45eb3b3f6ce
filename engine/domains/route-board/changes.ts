import * as v from 'valibot'
import { activeDriverId } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { boardIds, commandStamp, runCommand } from './access.ts'
import type { BoardCommand } from './decider.ts'
import { boardEntries, path, tag } from './operations.ts'
import { boardAnswer, recordOf } from './record.ts'

const change = {
  risk: 'medium',
  tag,
  output: boardAnswer,
} as const
const byDriver = { ...change, scopes: ['drivers:write'], roles: ['driver'] } as const
const byStaff = { ...change, scopes: ['routes:write'], roles: ['client_admin', 'client_employee'] } as const

const onBoard = v.strictObject(boardEntries)
const onDriver = v.strictObject({ ...boardEntries, driver_id: v.pipe(id, v.description('User id of the driver.')) })

const errors: readonly Code[] = ['route_board_not_found', 'board_status_forbids', 'contention']

function at<Verb extends string>(verb: Verb) {
  return { method: 'POST', path: `${path}/{board_id}/${verb}` } as const
}

/** Claims a seat for the calling driver, or a place in line. */
export const claimBoardSeat = operation({
  ...byDriver,
  name: 'claim_board_seat',
  summary: 'As a driver, claim a seat, or wait in line if none is free. Repeating the call changes nothing.',
  rest: at('claim'),
  ids: boardIds,
  input: onBoard,
  errors: [...errors, 'driver_vetoed', 'board_full', 'driver_withdrew_too_often'],
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'Claim', ...asDriver(context) }),
})

/** Puts the calling driver into the pool, from which staff choose. */
export const joinBoardPool = operation({
  ...byDriver,
  name: 'join_board_pool',
  summary: 'As a driver, join the pool, from which staff may choose you. Repeating the call changes nothing.',
  rest: at('pool'),
  ids: boardIds,
  input: onBoard,
  errors: [...errors, 'already_on_board', 'driver_vetoed', 'board_full', 'driver_withdrew_too_often'],
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'JoinPool', ...asDriver(context) }),
})

/** Gives up the calling driver's place. */
export const withdrawFromBoard = operation({
  ...byDriver,
  name: 'withdraw_from_board',
  summary: 'As a driver, give up your place. Your seat goes to the first in line.',
  rest: at('withdraw'),
  ids: boardIds,
  input: onBoard,
  errors: [...errors, 'not_on_board'],
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'Withdraw', ...asDriver(context) }),
})

/** Vetoes a driver on a board. */
export const vetoBoardDriver = operation({
  ...byStaff,
  name: 'veto_board_driver',
  summary: 'Veto a driver on a board. The driver loses the place and cannot claim another one.',
  rest: at('veto'),
  ids: { ...boardIds, driver_id: activeDriverId },
  input: onDriver,
  errors: [...errors, 'driver_not_found'],
  handle: (context, { board_id, driver_id }) =>
    answerOf(context, board_id, { type: 'Veto', ...commandStamp(context), driver_id }),
})

/** Assigns a seat to a driver. */
export const assignBoardDriver = operation({
  ...byStaff,
  name: 'assign_board_driver',
  summary:
    'Give a seat to a driver. If none is free, the last driver who claimed one loses it and becomes first in line.',
  rest: at('assign'),
  ids: { ...boardIds, driver_id: activeDriverId },
  input: onDriver,
  errors: [...errors, 'driver_not_found', 'driver_vetoed', 'no_seat_to_give', 'board_full'],
  handle: (context, { board_id, driver_id }) =>
    answerOf(context, board_id, { type: 'Assign', ...commandStamp(context), driver_id }),
})

/** Moves a driver's seat to another driver. */
export const replaceBoardDriver = operation({
  ...byStaff,
  name: 'replace_board_driver',
  summary: "Give a driver's seat to another driver. This is also possible after the board was closed.",
  rest: at('replace'),
  ids: { ...boardIds, driver_id: 'part', replacement_id: activeDriverId },
  input: v.strictObject({
    ...onDriver.entries,
    replacement_id: v.pipe(id, v.description('User id of the driver who gets the seat.')),
  }),
  errors: [...errors, 'driver_not_found', 'not_on_board', 'already_on_board', 'driver_vetoed'],
  handle: (context, { board_id, driver_id, replacement_id }) =>
    answerOf(context, board_id, { type: 'Replace', ...commandStamp(context), driver_id, replacement_id }),
})

/** Awards a driver the seat for good. */
export const awardBoardSeat = operation({
  ...byStaff,
  name: 'award_board_seat',
  summary: 'Award a driver the seat for good before the board is closed.',
  rest: at('award'),
  ids: { ...boardIds, driver_id: 'part' },
  input: onDriver,
  errors: [...errors, 'not_on_board'],
  handle: (context, { board_id, driver_id }) =>
    answerOf(context, board_id, { type: 'Award', ...commandStamp(context), driver_id }),
})

/** Closes a board. */
export const closeRouteBoard = operation({
  ...byStaff,
  name: 'close_route_board',
  summary: 'Close a board: drivers with a seat are awarded it, all others have lost.',
  rest: at('close'),
  ids: boardIds,
  input: onBoard,
  errors,
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'CloseBoard', ...commandStamp(context) }),
})

/** Marks the work of a board as settled. */
export const settleRouteBoard = operation({
  ...byStaff,
  name: 'settle_route_board',
  summary: 'Mark the work of a closed board as settled.',
  rest: at('settle'),
  ids: boardIds,
  input: onBoard,
  errors,
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'SettleBoard', ...commandStamp(context) }),
})

/** Cancels a board. */
export const cancelRouteBoard = operation({
  ...byStaff,
  name: 'cancel_route_board',
  summary: 'Cancel a board that is not settled yet.',
  risk: 'high',
  rest: at('cancel'),
  ids: boardIds,
  input: onBoard,
  errors,
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'CancelBoard', ...commandStamp(context) }),
})

function asDriver(context: Context) {
  return { ...commandStamp(context), driver_id: accountOf(context).id }
}

async function answerOf(context: Context, board_id: number, command: BoardCommand) {
  return { result: true, board: recordOf(await runCommand(context, board_id, command), context) }
}
