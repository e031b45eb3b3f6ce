import type { Profile, StatusCode } from '../engine/index.ts'

/**
 * Ends here are the ends of a stay in a machine. They stand for the four of the protocol: `collected` for delivered,
 * `removed` for returned, `deposit_cancelled` for cancelled; nobody rejects what is only fetched.
 */
const codes = {
  deposit_expected: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'A deposit into the machine is announced.',
    like: 'information_submitted',
    webhook: { statusId: 101, key: 'deposit-expected', type: 'S' },
    phrases: { en: 'Deposit announced' },
  },
  stored: {
    phase: 'inbound',
    terminal: false,
    pod: true,
    meaning: 'It was put into the machine.',
    like: 'x-available_for_pickup',
    webhook: { statusId: 102, key: 'stored', type: 'S' },
    phrases: { en: 'Placed in the locker' },
  },
  overdue: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The time to collect it has passed, and it is still in the machine.',
    like: 'x-delayed',
    webhook: { statusId: 103, key: 'overdue', type: 'S' },
    phrases: { en: 'Collection overdue' },
  },
  exception_opened: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'There is a problem with the deposit or with the machine.',
    like: 'x-exception',
    webhook: { statusId: 104, key: 'exception-opened', type: 'X' },
    phrases: { en: 'Problem reported' },
  },
  exception_resolved: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The problem is settled.',
    failure: false,
    like: 'delivery_rescheduled',
    webhook: { statusId: 105, key: 'exception-resolved', type: 'X' },
    phrases: { en: 'Problem resolved' },
  },
  collected: {
    phase: 'delivered',
    terminal: true,
    pod: true,
    meaning: 'The recipient has taken it out of the machine.',
    like: 'delivered',
    webhook: { statusId: 106, key: 'collected', type: 'S' },
    phrases: { en: 'Collected' },
  },
  removed: {
    phase: 'return',
    terminal: true,
    pod: false,
    meaning: 'Staff have taken it out of the machine.',
    like: 'return_to_sender',
    webhook: { statusId: 107, key: 'removed', type: 'S' },
    phrases: { en: 'Taken out by staff' },
  },
  deposit_cancelled: {
    phase: 'exception',
    terminal: true,
    pod: false,
    meaning: 'The announced deposit will not come.',
    like: 'cancelled',
    webhook: { statusId: 108, key: 'deposit-cancelled', type: 'S' },
    phrases: { en: 'Deposit cancelled' },
  },
} as const satisfies Record<string, StatusCode>

/** The codes of the storage profile. */
export type StorageCode = keyof typeof codes

/**
 * A row for the status before, a column for the next one, in the order of the codes: `o` planned, `.` a report in
 * between is missing (or the status before is terminal and holds), `x` impossible. A problem runs beside the stay, so it
 * may be settled after anything that has happened since. docs/explanation/transitions.md says why.
 */
const transitions = `
  # the next one:     expected stored overdue  problem  collected removed cancelled
  deposit_expected    -        o      .        o .      .         .       o
  stored              .        -      o        o o      o         o       x
  overdue             .        .      -        o o      o         o       x
  exception_opened    .        o      o        - o      o         o       o
  exception_resolved  .        o      o        o -      o         o       o
  collected           .        .      .        . o      -         x       x
  removed             .        .      .        . o      .         -       x
  deposit_cancelled   .        .      .        . o      .         .       -
`

/**
 * The stay of a parcel or of anything else in a locker, a kiosk or a smart drop. Its phases are those of the protocol,
 * as far as a stay has them, so that a reader who knows nothing but phases can read it.
 */
export const storage = {
  name: 'storage',
  version: '0.1',
  status: 'draft',
  phases: ['pre_shipment', 'inbound', 'delivered'],
  sidePhases: ['exception', 'return'],
  codes,
  first: ['deposit_expected', 'stored'],
  transitions,
  words: {
    phases: {
      inbound: 'In the machine',
      delivered: 'Collected',
    },
    notices: {
      returning: 'It is no longer in the machine, and nobody has collected it.',
      ended: 'Nothing more is expected here.',
    },
    advice: {
      stored: 'It is ready: collect it from the machine.',
      overdue: 'Collect it from the machine soon, or it will be taken out.',
      exception_resolved: 'The problem is solved: you can collect it.',
    },
    proof: {
      delivered: 'Proof of collection',
    },
  },
} as const satisfies Profile
