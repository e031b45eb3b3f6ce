import * as v from 'valibot'
import { id } from '../../kernel/schemas.ts'

/** The most stops in one call. */
const maxStops = 200

/** Ids of orders in order of their stops. */
export const orderIds = v.pipe(v.array(id), v.minLength(1), v.maxLength(maxStops))

/** The orders of a route in its events. */
export const orderIdsAbout = `Ids of orders in order of their stops, 1 to ${maxStops}. Duplicates count once.`

const stop = v.strictObject({ order_id: id, stop: id })

/** The orders of a route at their stops. */
export const stopList = v.array(stop)

/** An order at its stop. Numbers of stops are not reused. */
type Stop = v.InferOutput<typeof stop>

/** The data of events that add orders. */
export interface Brought {
  readonly order_ids: readonly number[]
}

/** The stops of a route, and the number of its next stop. */
export interface Stops {
  readonly stops: readonly Stop[]
  readonly next_stop: number
}

/** Puts orders at the next stops. */
export function withOrders({ order_ids }: Brought, { stops, next_stop }: Stops): readonly Stop[] {
  return [...stops, ...order_ids.map((order_id, index) => ({ order_id, stop: next_stop + index }))]
}

/** The stops without those of an order; the others keep their numbers. */
export function withoutOrder({ order_id }: { readonly order_id: number }, { stops }: Stops): readonly Stop[] {
  return stops.filter((one) => one.order_id !== order_id)
}
