import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The stream of an order. */
export function orderStream(id: number): StreamName {
  return `order-${id}`
}

/** The id of the order that a stream is of. */
export function orderOf(stream: string): number {
  return Number(stream.slice('order-'.length))
}

/** A tracking number was given to an order, and so to no other: it is the only event of its stream. */
export type OrderNumberTaken = Event<'OrderNumberTaken', { readonly order_id: number }>

/** The stream that a tracking number is taken by, in its compared form. */
export function numberStream(key: string): StreamName {
  return `order_number-${encodeURIComponent(key)}`
}
