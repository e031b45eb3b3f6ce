import type { Reader } from '../../../kernel/notice.ts'
import type { OrderEvent } from '../events.ts'
import type { Order } from '../state.ts'

type Mover<E extends OrderEvent> = E extends { readonly data: { readonly from: string; readonly to: string } }
  ? E
  : never

/** An event that may change the status of an order. */
export type MovingEvent = Mover<OrderEvent>

/** What was done with an order, by the number and the words that `order.status_change` tells. */
export interface OperationType {
  readonly type: number
  readonly description: string
}

/**
 * What each event is. Document 3 names eight numbers and not what they stand for; read so that each that is rewritten for a
 * customer becomes what the same thing is with a driver of the business: 1001 on its way, 2002 delivered, 6002 not
 * delivered. The other numbers are the engine's own: 1xxx until it is on its way, 2xxx delivered, 6xxx anything else.
 */
const operationTypes: Readonly<Record<MovingEvent['type'], OperationType>> = {
  OrderOnTheWay: { type: 1001, description: 'The driver set out with it to the recipient.' },
  OrderAssigned: { type: 1002, description: 'A driver was assigned.' },
  OrderUnassigned: { type: 1003, description: 'The driver lost it.' },
  OrderAccepted: { type: 1004, description: 'The driver accepted it.' },
  OrderRejected: { type: 1005, description: 'The driver rejected it.' },
  OrderHeld: { type: 1006, description: 'It was put on hold.' },
  OrderReleased: { type: 1007, description: 'It was released from hold.' },
  OrderPickupStarted: { type: 1008, description: 'The driver set out to pick it up.' },
  OrderPickedUp: { type: 1009, description: 'The driver picked it up.' },
  OrderCompleted: { type: 2002, description: 'The driver delivered it.' },
  OrderDeliveredByCarrier: { type: 2009, description: 'The third-party carrier delivered it.' },
  OrderCancelled: { type: 6001, description: 'It was cancelled.' },
  OrderFailed: { type: 6002, description: 'An attempt of the driver failed.' },
  OrderReturned: { type: 6003, description: 'It was returned to its sender.' },
  OrderHandedToCarrier: { type: 6007, description: 'It was handed to a third-party carrier.' },
  OrderTakenBack: { type: 6009, description: 'It was taken back from the third-party carrier.' },
}

/** What is something else where a third-party carrier has the order. */
const withCarrier: Readonly<Partial<Record<MovingEvent['type'], OperationType>>> = {
  OrderFailed: { type: 6008, description: 'An attempt of the third-party carrier failed.' },
  OrderReturned: { type: 6010, description: 'The third-party carrier returned it to its sender.' },
}

/** The types that a customer is told as others. 6003 is one of them, as 6010 beside it would tell who carried. */
const toldAs: Readonly<Record<number, number>> = {
  6007: 1001,
  2009: 2002,
  6003: 6002,
  6008: 6002,
  6009: 6002,
  6010: 6002,
}

/** What a customer reads no words to: they would tell who carries, and so would their absence where a driver does. */
const wordless: ReadonlySet<number> = new Set(Object.values(toldAs))

/** The types of the events that may change a status. */
export const movingTypes = Object.keys(operationTypes) as readonly MovingEvent['type'][]

/** Whether an event may change a status. */
export function isMoving<E extends OrderEvent>(event: E): event is E & MovingEvent {
  return (movingTypes as readonly string[]).includes(event.type)
}

/** What an event is, as a reader is told it (document 3, "What the service does"). */
export function operationOf({ type: event }: MovingEvent, { provider }: Order, reader: Reader): OperationType {
  const own = operationTypes[event]
  const operation = provider === undefined ? own : (withCarrier[event] ?? own)
  if (reader === 'business') return operation
  const type = toldAs[operation.type] ?? operation.type
  return { type, description: wordless.has(type) ? '' : operation.description }
}
