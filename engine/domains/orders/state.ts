import type { StateOf } from '../../entity/field.ts'
import { reducerOf } from '../../entity/machine.ts'
import type { Reducer } from '../../kernel/decider.ts'
import type { OrderEvent } from './events.ts'
import { orderTable } from './order.ts'

/** An order as its events have left it. */
export type Order = StateOf<typeof orderTable>

/** Undefined before the order was created. */
export type OrderState = Order | undefined

/** The reducer of an order. It ignores events of later versions. */
export const evolve = reducerOf(orderTable) as Reducer<OrderState, OrderEvent>
