import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Route boards. */
export const routeBoardMessages = {
  not_found: {
    route_board_not_found: 'There is no route board {board}.',
  },
  conflict: {
    board_status_forbids: 'Route board {board} is {status}, so {command} is not possible.',
    not_on_board: 'Driver {driver} has no place on this board.',
    already_on_board: 'Driver {driver} already has a place on this board.',
    driver_vetoed: 'Driver {driver} was vetoed on this board.',
    driver_withdrew_too_often:
      'Driver {driver} has withdrawn from this board {limit} times. Only staff can assign a seat now.',
    no_seat_to_give: 'No seat is free: staff have assigned all of them.',
    board_full: 'This board has the most drivers allowed: {limit}.',
  },
} as const satisfies Catalogue

/** A code of route boards. */
export type RouteBoardCode = CodeOf<typeof routeBoardMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<RouteBoardCode, 'route-board'> {}
}
