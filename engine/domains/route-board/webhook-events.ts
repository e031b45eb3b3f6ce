import * as v from 'valibot'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import { id } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import type { WebhookEvent, WebhookEventSource, WebhookEventType } from '../../kernel/webhook-event.ts'
import { boards } from './decider.ts'
import { actionOf, type BoardEvent, boardEventTypes } from './events.ts'
import { type Board, placeOf } from './state.ts'
import { boardActions, boardStatusNames, placeNamesList } from './status.ts'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The `data` of a `route_board.seat_changed`. */
const seatChangedData = v.strictObject({
  action: v.pipe(v.picklist(boardActions), v.description('What happened on the board.')),
  board_id: id,
  route_id: v.pipe(v.nullable(id), v.description('The route to be driven.')),
  status: v.pipe(v.picklist(boardStatusNames), v.description('Status of the board after the change.')),
  seat: v.pipe(v.nullable(id), v.description('The seat concerned, from 1; null if none.')),
  driver_id: v.pipe(v.nullable(id), v.description('The driver concerned; null if the board itself.')),
  previous_driver_id: v.pipe(v.nullable(id), v.description('The previous driver of the seat; only for `replaced`.')),
  driver_place: v.pipe(
    v.nullable(v.picklist(placeNamesList)),
    v.description("The driver's place after the change; null if there is none."),
  ),
  seats: v.pipe(id, v.description('Number of seats.')),
  seats_taken: count,
  standby: v.pipe(count, v.description('Number of drivers in line.')),
  pool: v.pipe(count, v.description('Number of drivers in the pool.')),
})

/** The data of a `route_board.seat_changed`. */
type SeatChangedData = v.InferOutput<typeof seatChangedData>

const example: SeatChangedData = {
  action: 'promoted',
  board_id: 3,
  route_id: 12,
  status: 'open',
  seat: 2,
  driver_id: 51,
  previous_driver_id: null,
  driver_place: 'seat',
  seats: 2,
  seats_taken: 2,
  standby: 1,
  pool: 0,
}

/** Document 3 has no name for this event; this one is the platform's own. */
const seatChanged = {
  name: 'route_board.seat_changed',
  channel: 'tenant',
  field: 'route_board_webhook_url',
  summary: 'A seat of a route board, or the board itself, changed.',
  data: seatChangedData,
  example,
  isInternal: true,
} as const satisfies WebhookEventType<typeof seatChangedData>

/** The types of webhook events about boards. */
export const webhookEventTypes: readonly WebhookEventType[] = [seatChanged]

const source: WebhookEventSource = {
  category: 'route_board',
  types: boardEventTypes,
  webhookEventsOf: async ({ store }, recorded) => {
    const event = recorded as RecordedEvent<BoardEvent>
    const history = await store.read(event.stream as StreamName, { limit: event.revision + 1 })
    const board = fold(boards, history as readonly BoardEvent[])
    return board === undefined ? [] : [webhookEventOf(event, board)]
  },
}

/** What makes webhook events from the events of boards. */
export const webhookEventSources: readonly WebhookEventSource[] = [source]

function webhookEventOf(event: RecordedEvent<BoardEvent>, board: Board): WebhookEvent {
  const data = dataOf(event, board)
  return {
    type: seatChanged.name,
    id: `EVT-${deriveId(seatChanged.name, event.id)}`,
    audience: { kind: 'tenant', businessId: board.businessId },
    occurredAt: isoOf(instantOf(event.data.at)),
    subject: `route-board/${board.id}`,
    data: () => data,
  }
}

function dataOf({ type, data }: BoardEvent, board: Board): SeatChangedData {
  const driver_id = 'driver_id' in data ? data.driver_id : null
  return {
    action: actionOf[type],
    board_id: board.id,
    route_id: board.routeId ?? null,
    status: board.status,
    seat: ('seat' in data ? data.seat : undefined) ?? null,
    driver_id,
    previous_driver_id: 'previous_driver_id' in data ? data.previous_driver_id : null,
    driver_place: (driver_id === null ? undefined : placeOf(board, driver_id)) ?? null,
    seats: board.seats,
    seats_taken: board.taken.length,
    standby: board.standby.length,
    pool: board.pool.length,
  }
}
