import type { Reader } from '../../../kernel/webhook-event.ts'
import type { OrderEvent } from '../events.ts'
import { type OperationType, statusMoves } from '../moves.ts'
import type { Order } from '../state.ts'

type Mover<E extends OrderEvent> = E extends { readonly data: { readonly from: string; readonly to: string } }
  ? E
  : never

/** An event that may change the status of an order. */
export type MovingEvent = Mover<OrderEvent>

/** How changes of the status are reported, by the types of their events. */
const operationTypes = new Map<string, OperationType>(
  Object.values(statusMoves).map(({ event, statusChange }) => [event, statusChange]),
)

/** Reports that differ if a third-party carrier has the order. */
const withCarrier: Readonly<Partial<Record<MovingEvent['type'], OperationType>>> = {
  OrderFailed: { type: 6008, description: 'An attempt of the third-party carrier failed.' },
  OrderReturned: { type: 6010, description: 'The third-party carrier returned it to its sender.' },
}

/** Types that are replaced for customers. 6003 is one of them, because 6003 beside 6010 would reveal who carried. */
const shownToCustomersAs: Readonly<Record<number, number>> = {
  6007: 1001,
  2009: 2002,
  6003: 6002,
  6008: 6002,
  6009: 6002,
  6010: 6002,
}

/** Types without a description for customers. A description, or its absence for drivers, would reveal who carries. */
const withoutDescription: ReadonlySet<number> = new Set(Object.values(shownToCustomersAs))

/** The types of the events that may change a status. */
export const movingTypes: readonly string[] = [...operationTypes.keys()]

/** Whether an event may change a status. */
export function isMoving<E extends OrderEvent>(event: E): event is E & MovingEvent {
  return operationTypes.has(event.type)
}

/** How an event is reported to a reader (document 3, "What the service does"). */
export function operationOf({ type: event }: MovingEvent, { provider }: Order, reader: Reader): OperationType {
  const own = operationTypes.get(event) ?? { type: 6000, description: '' }
  const operation = provider === undefined ? own : (withCarrier[event] ?? own)
  if (reader === 'business') return operation
  const type = shownToCustomersAs[operation.type] ?? operation.type
  return { type, description: withoutDescription.has(type) ? '' : operation.description }
}
