import type { Domain } from '../../entity/domain.ts'
import { boardModel } from './board-model.ts'
import {
  assignBoardDriver,
  awardBoardSeat,
  cancelRouteBoard,
  claimBoardSeat,
  closeRouteBoard,
  joinBoardPool,
  replaceBoardDriver,
  settleRouteBoard,
  vetoBoardDriver,
  withdrawFromBoard,
} from './changes.ts'
import { boardEventShapes } from './events.ts'
import { routeBoardMessages } from './messages.ts'
import { getRouteBoard, listRouteBoards, postRouteBoard } from './operations.ts'
import { webhookEventSources, webhookEventTypes } from './webhook-events.ts'

export type { RouteBoardCode } from './messages.ts'
export type { RouteBoardPorts } from './ports.ts'

/** Route boards: a business posts work, and drivers claim the seats. */
export const routeBoardDomain: Domain = {
  name: 'route-board',
  messages: [routeBoardMessages],
  events: { route_board: boardEventShapes },
  operations: [
    ...[postRouteBoard, listRouteBoards, getRouteBoard],
    ...[claimBoardSeat, joinBoardPool, withdrawFromBoard],
    ...[vetoBoardDriver, assignBoardDriver, replaceBoardDriver, awardBoardSeat],
    ...[closeRouteBoard, settleRouteBoard, cancelRouteBoard],
  ],
  readModels: [boardModel],
  webhookEventTypes,
  webhookEventSources: webhookEventSources,
}
