import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import { numberKeys } from '../../kernel/number-key.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The stream of an order. */
export function orderStream(id: number): StreamName {
  return `order-${id}`
}

/** The id of the order that a stream is of. */
export function orderOf(stream: string): number {
  return Number(stream.slice('order-'.length))
}

/** A tracking number was reserved for an order. It is the only event of its stream, so no other order can get it. */
export type OrderNumberTaken = Event<'OrderNumberTaken', { readonly order_id: number }>

/** The shape of this event. */
export const orderNumberEventShapes: ShapesOf<OrderNumberTaken> = {
  OrderNumberTaken: { order_id: 'number' },
}

/** The streams that may have reserved a tracking number, one for each form in which it may be kept; the first one does now. */
export function numberStreams(trackingNumber: string): readonly [StreamName, ...StreamName[]] {
  const [first, ...others] = numberKeys(trackingNumber)
  return [streamOfKey(first), ...others.map(streamOfKey)]
}

function streamOfKey(key: string): StreamName {
  return `order_number-${encodeURIComponent(key)}`
}
