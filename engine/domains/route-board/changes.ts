import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { commandStamp, requireDriver, runCommand } from './access.ts'
import type { BoardCommand } from './decider.ts'
import { boardEntries, path, tag } from './operations.ts'
import { boardRecord, recordOf } from './record.ts'

const change = {
  risk: 'medium',
  tag,
  output: v.strictObject({ result: v.literal(true), board: boardRecord }),
} as const
const byDriver = { ...change, scopes: ['drivers:write'], roles: ['driver'] } as const
const byStaff = { ...change, scopes: ['routes:write'], roles: ['client_admin', 'client_employee'] } as const

const onBoard = v.strictObject(boardEntries)
const onDriver = v.strictObject({ ...boardEntries, driver_id: v.pipe(id, v.description('Account of the driver.')) })

const errors: readonly Code[] = ['route_board_not_found', 'board_status_forbids', 'contention']

function at<Verb extends string>(verb: Verb) {
  return { method: 'POST', path: `${path}/{board_id}/${verb}` } as const
}

/** The driver takes a seat, or the end of the line. */
export const claimBoardSeat = operation({
  ...byDriver,
  name: 'claim_board_seat',
  summary: 'As a driver, claim a seat; where none is free, stand by in line. Said again, nothing changes.',
  rest: at('claim'),
  input: onBoard,
  errors: [...errors, 'driver_vetoed', 'board_full', 'driver_withdrew_too_often'],
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'Claim', ...asDriver(context) }),
})

/** The driver lets staff choose. */
export const joinBoardPool = operation({
  ...byDriver,
  name: 'join_board_pool',
  summary: 'As a driver, be in the pool: staff may give you a seat. Said again, nothing changes.',
  rest: at('pool'),
  input: onBoard,
  errors: [...errors, 'already_on_board', 'driver_vetoed', 'board_full', 'driver_withdrew_too_often'],
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'JoinPool', ...asDriver(context) }),
})

/** The driver does not want its place any more. */
export const withdrawFromBoard = operation({
  ...byDriver,
  name: 'withdraw_from_board',
  summary: 'As a driver, give up your place. A seat goes to the first in line.',
  rest: at('withdraw'),
  input: onBoard,
  errors: [...errors, 'not_on_board'],
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'Withdraw', ...asDriver(context) }),
})

/** Staff do not want a driver on a board. */
export const vetoBoardDriver = operation({
  ...byStaff,
  name: 'veto_board_driver',
  summary: 'Keep a driver from a board: it loses its place, and claims none again.',
  rest: at('veto'),
  input: onDriver,
  errors: [...errors, 'driver_not_found'],
  handle: async (context, { board_id, driver_id }) => {
    await requireDriver(context, driver_id)
    return answerOf(context, board_id, { type: 'Veto', ...commandStamp(context), driver_id })
  },
})

/** Staff give a driver a seat. */
export const assignBoardDriver = operation({
  ...byStaff,
  name: 'assign_board_driver',
  summary: 'Give a driver a seat. Where none is free, the driver who took one last loses it, and is the first in line.',
  rest: at('assign'),
  input: onDriver,
  errors: [...errors, 'driver_not_found', 'driver_vetoed', 'no_seat_to_give', 'board_full'],
  handle: async (context, { board_id, driver_id }) => {
    await requireDriver(context, driver_id)
    return answerOf(context, board_id, { type: 'Assign', ...commandStamp(context), driver_id })
  },
})

/** Staff give the seat of a driver to another. */
export const replaceBoardDriver = operation({
  ...byStaff,
  name: 'replace_board_driver',
  summary: 'Give the seat of a driver to another one, after the board was closed too.',
  rest: at('replace'),
  input: v.strictObject({
    ...onDriver.entries,
    replacement_id: v.pipe(id, v.description('Account of the driver who takes the seat.')),
  }),
  errors: [...errors, 'driver_not_found', 'not_on_board', 'already_on_board', 'driver_vetoed'],
  handle: async (context, { board_id, driver_id, replacement_id }) => {
    await requireDriver(context, replacement_id)
    return answerOf(context, board_id, { type: 'Replace', ...commandStamp(context), driver_id, replacement_id })
  },
})

/** Staff make the seat of a driver its own for good. */
export const awardBoardSeat = operation({
  ...byStaff,
  name: 'award_board_seat',
  summary: 'Award a driver the seat that it has, before the board is closed.',
  rest: at('award'),
  input: onDriver,
  errors: [...errors, 'not_on_board'],
  handle: (context, { board_id, driver_id }) =>
    answerOf(context, board_id, { type: 'Award', ...commandStamp(context), driver_id }),
})

/** Nobody claims any more. */
export const closeRouteBoard = operation({
  ...byStaff,
  name: 'close_route_board',
  summary: 'Close a board: who has a seat is awarded it, who has none has lost.',
  rest: at('close'),
  input: onBoard,
  errors,
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'CloseBoard', ...commandStamp(context) }),
})

/** What was driven is settled. */
export const settleRouteBoard = operation({
  ...byStaff,
  name: 'settle_route_board',
  summary: 'Note that what was driven by a closed board is settled.',
  rest: at('settle'),
  input: onBoard,
  errors,
  handle: (context, { board_id }) => answerOf(context, board_id, { type: 'SettleBoard', ...commandStamp(context) }),
})

/** Nothing comes of the board. */
export const cancelRouteBoard = operation({
  ...byStaff,
  name: 'cancel_route_board',
  summary: 'Cancel a board that is not settled: nothing comes of it.',
  risk: 'high',
  rest: at('cancel'),
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
