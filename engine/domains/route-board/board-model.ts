import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { boardOf } from './access.ts'
import type { BoardEvent } from './events.ts'
import type { BoardStatus } from './status.ts'

/** Boards for lists, one row each. The seats are only in the streams. */
export const boardModel = {
  name: 'route_boards',
  version: 1,
  category: 'route_board',
  columns: {
    board_id: 'integer',
    business_id: 'integer',
    route_id: 'integer',
    name: 'text',
    schedule_date: 'text',
    seats: 'integer',
    status: 'text',
    /** ISO 8601, UTC. */
    opened_at: 'text',
  },
  key: ['board_id'],
  indexes: [
    ['business_id', 'status'],
    ['business_id', 'schedule_date'],
  ],
  rows: (event) => rowsOf(event as RecordedEvent<BoardEvent>),
} as const satisfies ReadModel

function rowsOf({ stream, ...event }: RecordedEvent<BoardEvent>): readonly Row[] {
  const at = (status: BoardStatus) => [{ board_id: boardOf(stream), status }]
  switch (event.type) {
    case 'BoardOpened': {
      const { business_id, route_id = null, name = null, schedule_date = null, seats, at: opened_at } = event.data
      const cells = { business_id, route_id, name, schedule_date, seats, opened_at }
      return [{ board_id: boardOf(stream), ...cells, status: 'open' }]
    }
    case 'BoardClosed':
      return at('closed')
    case 'BoardSettled':
      return at('settled')
    case 'BoardCancelled':
      return at('cancelled')
    default:
      return []
  }
}
