import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Orders. */
export const orderMessages = {
  not_found: {
    offer_not_found: 'There is no offer of order {order} to you.',
    order_not_found: 'There is no order {order}.',
    customer_not_found: 'There is no customer {customer}.',
  },
  conflict: {
    order_not_free: 'Order {order} is not free.',
    order_status_forbids: '{command} is not possible while the order is {status}.',
    not_a_self_delivery_order: 'Order {order} is of the family {family}; this is for local deliveries.',
    order_exists: 'There is an order {order} already.',
    tracking_number_taken: 'The tracking number {number} belongs to another order.',
    cancel_refused: 'Order {order} cannot be cancelled while it is {status}.',
    order_on_route: 'Order {order} is on a route. Take it off the route first.',
    order_not_on_route: 'Order {order} is not on this route.',
    order_held_by_contractor: 'Order {order} is assigned to a contractor.',
    order_with_carrier: 'Order {order} is with a third-party carrier.',
    order_not_with_carrier: 'Order {order} is with no third-party carrier.',
    order_not_assignable: 'Order {order} cannot be assigned to a contractor while it is {status}.',
    already_assigned: 'Order {order} is assigned to this contractor already.',
    not_assigned: 'Order {order} is not assigned to a contractor.',
    not_the_driver: 'Another driver has order {order}.',
    order_forgotten: 'The personal data of order {order} has been erased and cannot be restored.',
    staff_corrects:
      'Only the staff of the business can change this of order {order} now. To send it elsewhere, reroute it.',
    reroute_needs_price:
      'Order {order} costs something else there. Cancel it and order again, or ask the business to send it there.',
    nothing_to_pay: 'There is nothing to pay for order {order}.',
    nothing_to_refund: 'There is nothing to give back of order {order}.',
  },
  value: {
    not_an_order_status: '{received} is not an order status or status id.',
    amount_exceeds: 'This is more than what is left to pay for order {order}.',
    refund_exceeds: 'This is more than the {limit} that is paid for order {order}.',
    no_exchange_rate: 'The currency of the business is {expected}, and no rate of exchange is set for {received}.',
    price_or_rate: 'A price and a rate cannot both be given.',
    not_a_time_of_day: '{field} is not a time of day: expected HH:MM, from 00:00 to 23:59.',
    only_staff: 'Only the staff of the business may say this.',
    not_with_cursor:
      'This is not possible together with updated_since or cursor: changes come in their own order, each page after the last.',
    not_a_cursor: 'This is no next_cursor of an answer.',
    csv_malformed: 'Line {line}: a quotation mark is not closed, or is within a cell that does not begin with one.',
    csv_column: 'The column {received} is unknown or appears twice.',
    csv_cells: 'Line {line} has {received} cells; the first line has {expected}.',
    csv_unnamed: 'Line {line} has a value in column {column}, which has no name.',
    csv_error:
      'Line {line}, column {column}: {received} is an error that a spreadsheet has written in the place of a value.',
    csv_encoding: 'Line {line}: the text is not UTF-8. In the spreadsheet, save it as “CSV UTF-8”.',
    csv_rows: 'Expected 1 to {limit} lines after the one that names the columns.',
    unknown_reference: 'No order has this reference.',
    ambiguous_reference: '{count} orders have this reference. Name the order by its id.',
  },
} as const satisfies Catalogue

/** A code of orders. */
export type OrderCode = CodeOf<typeof orderMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<OrderCode, 'orders'> {}
}
