import type { Profile, StatusCode } from '../engine/index.ts'

const codes = {
  order_placed: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The order was placed.',
    like: 'information_submitted',
    webhook: { statusId: 301, key: 'order-placed', type: 'I' },
    phrases: { en: 'Order placed' },
  },
  order_accepted: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The kitchen has accepted the order.',
    like: 'booking_confirmed',
    webhook: { statusId: 302, key: 'order-accepted', type: 'I' },
    phrases: { en: 'Order accepted' },
  },
  preparing: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The kitchen prepares the food.',
    like: 'booking_confirmed',
    webhook: { statusId: 303, key: 'preparing', type: 'I' },
    phrases: { en: 'Being prepared' },
  },
  ready_for_pickup: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The food is ready and waits for its courier.',
    like: 'awaiting_pickup',
    webhook: { statusId: 304, key: 'ready-for-pickup', type: 'I' },
    phrases: { en: 'Ready for the courier' },
  },
  courier_on_the_way: {
    phase: 'pickup',
    terminal: false,
    pod: false,
    meaning: 'A courier is on the way to the kitchen.',
    like: 'out_for_pickup',
    webhook: { statusId: 305, key: 'courier-on-the-way', type: 'P' },
    phrases: { en: 'Courier on the way to the kitchen' },
  },
  courier_waiting: {
    phase: 'pickup',
    terminal: false,
    pod: false,
    meaning: 'The courier is at the kitchen and waits for the food.',
    like: 'out_for_pickup',
    webhook: { statusId: 306, key: 'courier-waiting', type: 'P' },
    phrases: { en: 'Courier waiting at the kitchen' },
  },
  picked_up: {
    phase: 'pickup',
    terminal: false,
    pod: true,
    meaning: 'The courier has the food.',
    like: 'picked_up',
    webhook: { statusId: 307, key: 'food-picked-up', type: 'P', attempt: { kind: 'pickup', isDone: true } },
    phrases: { en: 'Picked up by the courier' },
  },
  out_for_delivery: {
    phase: 'out_for_delivery',
    terminal: false,
    pod: false,
    meaning: 'The courier is on the way to the customer.',
    like: 'out_for_delivery',
    webhook: { statusId: 308, key: 'food-out-for-delivery', type: 'O' },
    phrases: { en: 'On the way to you' },
  },
  arriving: {
    phase: 'out_for_delivery',
    terminal: false,
    pod: false,
    meaning: 'The courier is almost at the door.',
    like: 'out_for_delivery',
    webhook: { statusId: 309, key: 'food-arriving', type: 'O' },
    phrases: { en: 'Courier arriving' },
  },
  delivered: {
    phase: 'delivered',
    terminal: true,
    pod: true,
    meaning: 'The customer has the food.',
    like: 'delivered',
    webhook: { statusId: 310, key: 'food-delivered', type: 'D', attempt: { kind: 'delivery', isDone: true } },
    phrases: { en: 'Food delivered' },
  },
  order_rejected: {
    phase: 'exception',
    terminal: true,
    pod: false,
    meaning: 'The kitchen cannot take the order.',
    like: 'cancelled',
    webhook: { statusId: 311, key: 'order-rejected', type: 'X' },
    phrases: { en: 'Order rejected' },
  },
  delayed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The food will be late.',
    like: 'x-delayed',
    webhook: { statusId: 312, key: 'food-delayed', type: 'X' },
    phrases: { en: 'Delayed' },
  },
  courier_changed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'Another courier takes the order over.',
    like: 'removed_from_route',
    webhook: { statusId: 313, key: 'courier-changed', type: 'X' },
    phrases: { en: 'Courier changed' },
  },
  delivery_failed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The courier was at the door and could not hand the food over.',
    like: 'delivery_failed',
    webhook: { statusId: 314, key: 'food-delivery-failed', type: 'X', attempt: { kind: 'delivery', isDone: false } },
    phrases: { en: 'Delivery attempt failed' },
  },
  refused: {
    phase: 'return',
    terminal: true,
    pod: false,
    meaning: 'The customer has refused the food.',
    like: 'rejected_by_recipient',
    webhook: { statusId: 315, key: 'food-refused', type: 'R', attempt: { kind: 'delivery', isDone: false } },
    phrases: { en: 'Refused by the customer' },
  },
  returned_to_kitchen: {
    phase: 'return',
    terminal: true,
    pod: false,
    meaning: 'The food was brought back to the kitchen.',
    like: 'return_to_sender',
    webhook: { statusId: 316, key: 'returned-to-kitchen', type: 'R', attempt: { kind: 'delivery', isDone: false } },
    phrases: { en: 'Returned to the kitchen' },
  },
  disposed: {
    phase: 'exception',
    terminal: true,
    pod: false,
    meaning: 'The food could not be delivered and was thrown away.',
    like: 'x-disposed',
    webhook: { statusId: 317, key: 'food-disposed', type: 'X' },
    phrases: { en: 'Disposed of' },
  },
  cancelled: {
    phase: 'exception',
    terminal: true,
    pod: false,
    meaning: 'The order was cancelled.',
    like: 'cancelled',
    webhook: { statusId: 318, key: 'food-order-cancelled', type: 'X' },
    phrases: { en: 'Order cancelled' },
  },
} as const satisfies Record<string, StatusCode>

/**
 * A row for the status before, a column for the next one, in the order of the codes: `o` planned, `.` a report in
 * between is missing (or the status before is terminal and holds), `x` impossible. docs/explanation/transitions.md says why.
 */
const transitions = `
  # the next one:      kitchen   call  has road  end no  trouble back  over
  order_placed         - o . .   . .   .   . .   .   o   o . .   . .   . o
  order_accepted       . - o o   o .   .   . .   .   o   o . .   . .   . o
  preparing            x . - o   o o   .   . .   .   o   o o .   . .   . o
  ready_for_pickup     x . . -   o o   o   . .   .   .   o o .   . .   o o
  courier_on_the_way   . . o o   - o   o   . .   .   .   o o .   . .   . o
  courier_waiting      . . . o   . -   o   . .   .   o   o o .   . .   . o
  picked_up            . . x x   . x   -   o o   .   x   o o .   . .   . o
  out_for_delivery     . . x x   . x   .   - o   o   x   o o o   o .   . o
  arriving             . . x x   . x   .   . -   o   x   o . o   o .   . x
  delivered            . . . .   . .   .   . .   -   x   . . .   x o   . x
  order_rejected       . . . .   . .   .   . .   x   -   . . .   x x   . x
  delayed              . o o o   o o   o   o o   o   o   - o o   o o   o o
  courier_changed      . . . o   o o   o   o o   .   .   o - .   . .   . o
  delivery_failed      . . x x   . x   .   o o   .   x   o o -   o o   o o
  refused              . . . .   . .   .   . .   .   x   . . .   - o   o x
  returned_to_kitchen  . . . .   . .   .   . .   x   x   . . .   x -   o x
  disposed             . . . .   . .   .   . .   x   x   . . .   x x   - x
  cancelled            . . . .   . .   .   . .   .   .   . . .   . o   o -
`

/**
 * A meal from the kitchen to the door. The public copy of the protocol names the trade and no codes of it, so these are
 * what kitchens and couriers report: a draft.
 */
export const food = {
  name: 'food',
  version: '0.1',
  status: 'draft',
  phases: ['pre_shipment', 'pickup', 'out_for_delivery', 'delivered'],
  sidePhases: ['exception', 'return'],
  codes,
  first: ['order_placed', 'order_accepted'],
  transitions,
  words: {
    phases: {
      pre_shipment: 'In the kitchen',
      pickup: 'Courier',
      out_for_delivery: 'On the way',
    },
    notices: {
      held: 'Something holds the order up. It may still continue.',
      returning: 'This food will not be delivered.',
      ended: 'The order has ended here. No further step is expected.',
    },
  },
} as const satisfies Profile
