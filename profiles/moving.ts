import type { Profile, StatusCode } from '../engine/index.ts'

const codes = {
  move_booked: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The move is booked.',
    like: 'booking_confirmed',
    webhook: { statusId: 201, key: 'move-booked', type: 'I' },
    phrases: { en: 'Move booked' },
  },
  inventory_listed: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'The goods to be moved are listed in an inventory.',
    like: 'information_submitted',
    webhook: { statusId: 202, key: 'inventory-listed', type: 'I' },
    phrases: { en: 'Inventory listed' },
  },
  crew_on_the_way: {
    phase: 'pickup',
    terminal: false,
    pod: false,
    meaning: 'The crew is on the way to load.',
    like: 'out_for_pickup',
    webhook: { statusId: 203, key: 'crew-on-the-way', type: 'P' },
    phrases: { en: 'Crew on the way' },
  },
  packing_started: {
    phase: 'pickup',
    terminal: false,
    pod: false,
    meaning: 'The crew has begun to pack.',
    like: 'out_for_pickup',
    webhook: { statusId: 204, key: 'packing-started', type: 'P' },
    phrases: { en: 'Packing started' },
  },
  loaded: {
    phase: 'pickup',
    terminal: false,
    pod: true,
    meaning: 'Everything on the inventory is loaded.',
    like: 'picked_up',
    webhook: { statusId: 205, key: 'loaded', type: 'P', attempt: { kind: 'pickup', isDone: true } },
    phrases: { en: 'Loaded' },
  },
  loading_failed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The crew came and could not load.',
    like: 'pickup_failed',
    webhook: { statusId: 206, key: 'loading-failed', type: 'X', attempt: { kind: 'pickup', isDone: false } },
    phrases: { en: 'Loading failed' },
  },
  loading_rescheduled: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The day or time of loading was changed.',
    like: 'pickup_rescheduled',
    webhook: { statusId: 207, key: 'loading-rescheduled', type: 'X' },
    phrases: { en: 'Loading rescheduled' },
  },
  stored_in_transit: {
    phase: 'inbound',
    terminal: false,
    pod: true,
    meaning: 'The goods are in a warehouse until they can be delivered.',
    like: 'received',
    webhook: { statusId: 208, key: 'stored-in-transit', type: 'S' },
    phrases: { en: 'In storage' },
  },
  departed: {
    phase: 'transit',
    terminal: false,
    pod: false,
    meaning: 'The truck has left with the goods.',
    like: 'package_outbound',
    webhook: { statusId: 209, key: 'move-departed', type: 'T' },
    phrases: { en: 'Departed' },
  },
  in_transit: {
    phase: 'transit',
    terminal: false,
    pod: false,
    meaning: 'The goods are on the road.',
    like: 'in_transit',
    webhook: { statusId: 210, key: 'move-in-transit', type: 'T' },
    phrases: { en: 'In transit' },
  },
  out_for_delivery: {
    phase: 'out_for_delivery',
    terminal: false,
    pod: false,
    meaning: 'The crew is on the way to the new address.',
    like: 'out_for_delivery',
    webhook: { statusId: 211, key: 'move-out-for-delivery', type: 'O' },
    phrases: { en: 'On the way to the new address' },
  },
  unloading_started: {
    phase: 'out_for_delivery',
    terminal: false,
    pod: false,
    meaning: 'The crew has begun to unload.',
    like: 'out_for_delivery',
    webhook: { statusId: 212, key: 'unloading-started', type: 'O' },
    phrases: { en: 'Unloading started' },
  },
  delivered: {
    phase: 'delivered',
    terminal: true,
    pod: true,
    meaning: 'Everything on the inventory was handed over at the new address.',
    like: 'delivered',
    webhook: { statusId: 213, key: 'move-completed', type: 'D', attempt: { kind: 'delivery', isDone: true } },
    phrases: { en: 'Move completed' },
  },
  delayed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The move is late.',
    like: 'x-delayed',
    webhook: { statusId: 214, key: 'move-delayed', type: 'X' },
    phrases: { en: 'Delayed' },
  },
  damage_reported: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'Damage to the goods was reported.',
    like: 'x-damaged',
    webhook: { statusId: 215, key: 'damage-reported', type: 'X' },
    phrases: { en: 'Damage reported' },
  },
  delivery_failed: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The crew came to the new address and could not unload.',
    like: 'delivery_failed',
    webhook: { statusId: 216, key: 'move-delivery-failed', type: 'X', attempt: { kind: 'delivery', isDone: false } },
    phrases: { en: 'Delivery attempt failed' },
  },
  delivery_rescheduled: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The day or time of the delivery was changed.',
    like: 'delivery_rescheduled',
    webhook: { statusId: 217, key: 'move-delivery-rescheduled', type: 'X' },
    phrases: { en: 'Delivery rescheduled' },
  },
  returned_to_origin: {
    phase: 'return',
    terminal: true,
    pod: false,
    meaning: 'The goods were brought back to where they were loaded.',
    like: 'return_to_sender',
    webhook: { statusId: 218, key: 'returned-to-origin', type: 'R', attempt: { kind: 'delivery', isDone: false } },
    phrases: { en: 'Returned to origin' },
  },
  cancelled: {
    phase: 'exception',
    terminal: true,
    pod: false,
    meaning: 'The move was cancelled.',
    like: 'cancelled',
    webhook: { statusId: 219, key: 'move-cancelled', type: 'X' },
    phrases: { en: 'Move cancelled' },
  },
} as const satisfies Record<string, StatusCode>

/**
 * A row for the status before, a column for the next one, in the order of the codes: `o` planned, `.` a report in
 * between is missing (or the status before is terminal and holds), `x` impossible. docs/explanation/transitions.md says why.
 */
const transitions = `
  # the next one:       plan  load    fail  dep road  door  end trouble   ret cancelled
  move_booked           - o   o . .   . o   .   . .   . .   .   o . . .   .   o
  inventory_listed      . -   o . .   . o   .   . .   . .   .   o . . .   .   o
  crew_on_the_way       . .   - o o   o o   .   . .   . .   .   o . . .   .   o
  packing_started       . .   . - o   o .   .   . .   . .   .   o o . .   .   o
  loaded                . .   x x -   x x   o   o o   o .   .   o o . o   o   o
  loading_failed        . .   o . .   - o   .   . .   . .   .   o . . .   .   o
  loading_rescheduled   . .   o . .   . -   .   . .   . .   .   o . . .   .   o
  stored_in_transit     . .   x x .   x x   -   o o   o .   .   o o . o   o   o
  departed              . .   x x .   x x   o   - o   o .   .   o o . o   o   o
  in_transit            . .   x x .   x x   o   o -   o .   .   o o . o   o   o
  out_for_delivery      . .   x x .   x x   .   . .   - o   o   o o o o   .   x
  unloading_started     . .   x x .   x x   .   . .   . -   o   o o o o   .   x
  delivered             . .   . . .   . .   .   . .   . .   -   . . . .   o   x
  delayed               . .   o o o   . o   o   o o   o o   o   - o o o   o   o
  damage_reported       . .   . o o   . .   o   o o   o o   o   o - o o   o   o
  delivery_failed       . .   x x .   x x   o   . o   o .   .   o o - o   o   o
  delivery_rescheduled  . .   . . .   . .   o   o o   o .   .   o o . -   o   o
  returned_to_origin    . .   . . .   . .   .   . .   . .   x   . . . .   -   x
  cancelled             . .   . . .   . .   .   . .   . .   .   . . . .   o   -
`

/**
 * The move of a household or an office. The public copy of the protocol names the trade and no codes of it, so these
 * are what movers report: a draft.
 */
export const moving = {
  name: 'moving',
  version: '0.1',
  status: 'draft',
  phases: ['pre_shipment', 'pickup', 'inbound', 'transit', 'out_for_delivery', 'delivered'],
  sidePhases: ['exception', 'return'],
  codes,
  first: ['move_booked', 'inventory_listed', 'crew_on_the_way'],
  transitions,
  words: {
    phases: {
      pre_shipment: 'Booked',
      pickup: 'Loading',
      inbound: 'In storage',
      out_for_delivery: 'Unloading',
    },
    notices: {
      returning: 'The goods are back where they were loaded.',
      ended: 'The move has ended here. No further step is expected.',
    },
    proof: {
      delivered: 'Proof of completion',
    },
  },
} as const satisfies Profile
