import * as v from 'valibot'
import { idFrom } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { day, id, word } from '../../kernel/schemas.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { boardIds, boardStream, commandStamp, visibleBoard } from './access.ts'
import { boardModel } from './board-model.ts'
import { boards } from './decider.ts'
import type { BoardOpened } from './events.ts'
import { boardAnswer, boardIn, boardSummary, recordOf } from './record.ts'
import { boardStatusNames } from './status.ts'

/** The tag of these operations. */
export const tag = 'Route Board'

/** The REST path of boards. */
export const path = '/api/v1/route-boards'

/** The path member for a board. */
export const boardEntries = { board_id: v.pipe(id, v.description('Id of the board.')) }

const boardDay = v.pipe(day, v.description('YYYY-MM-DD, in the time zone of the business.'))

const route = idFrom('route', 'delivery_route_not_found', (context, id) =>
  context.ports.routeBoard.routeExists(context, id),
)

/** Posts a board. */
export const postRouteBoard = operation({
  name: 'post_route_board',
  summary: 'Post a board whose seats the drivers of the business may claim.',
  scopes: ['routes:write'],
  risk: 'medium',
  roles: ['client_admin', 'client_employee'],
  tag,
  rest: { method: 'POST', path },
  ids: { route_id: route },
  input: v.strictObject({
    route_id: v.exactOptional(v.pipe(id, v.description('The route to be driven, if it is already planned.'))),
    name: v.exactOptional(v.pipe(word(100), v.description('Name of the tour for drivers; not the name of a person.'))),
    schedule_date: v.exactOptional(boardDay),
    seats: v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1),
      v.maxValue(100),
      v.description('Number of drivers needed.'),
    ),
  }),
  output: boardAnswer,
  errors: ['delivery_route_not_found', 'contention'],
  handle: async (context, input) => {
    const board_id = await post(context, input)
    return { result: true, board: recordOf(await visibleBoard(context, board_id), context) }
  },
})

type NewBoardInput = Omit<BoardOpened['data'], 'at' | 'by' | 'board_id' | 'business_id'>

/** Records a board together with the number that it takes. */
async function post(context: Context, input: NewBoardInput): Promise<number> {
  const business_id = accountOf(context).business.id
  return retryOnConflict(async () => {
    const { first: board_id, append } = await nextNumbers(context, 'route_board')
    const data = { ...commandStamp(context), board_id, business_id, ...input }
    const events = boards.decide({ type: 'PostBoard', data }, boards.initial()).map(toNewEvent(context))
    await context.store.appendMany([append, { stream: boardStream(board_id), events, expected: 'no-stream' }])
    return board_id
  })
}

const readAccess = {
  scopes: ['routes:read'],
  risk: 'low',
  roles: ['client_admin', 'client_employee', 'driver'],
  tag,
} as const

/** Lists boards, newest first. */
export const listRouteBoards = operation({
  name: 'list_route_boards',
  summary: 'Route boards of the business, newest first.',
  ...readAccess,
  rest: { method: 'GET', path },
  ids: { route_id: 'filter' },
  page: 'route board',
  input: v.strictObject({
    status: v.exactOptional(v.picklist(boardStatusNames)),
    schedule_date: v.exactOptional(boardDay),
    route_id: v.exactOptional(v.pipe(id, v.description('Only boards of this route.'))),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, boards: v.array(boardSummary) }),
  errors: [],
  handle: async (context, { page, per_page, ...cells }) => {
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const where = { business_id: accountOf(context).business.id, ...cells }
    const { rows, total } = await context.models.page(boardModel, { where, newestFirst: true, ...range })
    return { result: true, total, ...paging, boards: rows.map(boardIn) }
  },
})

/** Returns one board. */
export const getRouteBoard = operation({
  name: 'get_route_board',
  summary: 'One route board and its places. Drivers only see their own place.',
  ...readAccess,
  rest: { method: 'GET', path: `${path}/{board_id}` },
  ids: boardIds,
  input: v.strictObject(boardEntries),
  output: boardAnswer,
  errors: ['route_board_not_found'],
  handle: async (context, { board_id }) => ({
    result: true,
    board: recordOf(await visibleBoard(context, board_id), context),
  }),
})
