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
  },
  stored: { phase: 'inbound', terminal: false, pod: true, meaning: 'It was put into the machine.' },
  overdue: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The time to collect it has passed, and it is still in the machine.',
  },
  exception_opened: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'There is a problem with the deposit or with the machine.',
  },
  exception_resolved: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The problem is settled.',
  },
  collected: {
    phase: 'delivered',
    terminal: true,
    pod: true,
    meaning: 'Whoever it waited for has taken it out of the machine.',
  },
  removed: { phase: 'return', terminal: true, pod: false, meaning: 'Staff have taken it out of the machine.' },
  deposit_cancelled: {
    phase: 'exception',
    terminal: true,
    pod: false,
    meaning: 'The announced deposit will not come.',
  },
} as const satisfies Record<string, StatusCode>

/** The eight codes of the storage profile. */
export type StorageCode = keyof typeof codes

/** What may follow a code of this profile. */
export interface StorageTransition {
  readonly next: readonly StorageCode[]
  readonly impossible: readonly StorageCode[]
}

/**
 * What may follow what; why, is told in docs/explanation/transitions.md. A problem runs beside the stay, so it may be
 * settled after whatever has happened since it began. A code that is in neither list of a row follows with a scan missing
 * in between.
 */
const transitions: Record<StorageCode, StorageTransition> = {
  deposit_expected: {
    next: ['stored', 'exception_opened', 'deposit_cancelled'],
    impossible: [],
  },
  stored: {
    next: ['overdue', 'exception_opened', 'exception_resolved', 'collected', 'removed'],
    impossible: ['deposit_cancelled'],
  },
  overdue: {
    next: ['exception_opened', 'exception_resolved', 'collected', 'removed'],
    impossible: ['deposit_cancelled'],
  },
  exception_opened: {
    next: ['exception_resolved', 'stored', 'overdue', 'collected', 'removed', 'deposit_cancelled'],
    impossible: [],
  },
  exception_resolved: {
    next: ['exception_opened', 'stored', 'overdue', 'collected', 'removed', 'deposit_cancelled'],
    impossible: [],
  },
  collected: {
    next: [],
    impossible: ['removed', 'deposit_cancelled'],
  },
  removed: {
    next: [],
    impossible: ['deposit_cancelled'],
  },
  deposit_cancelled: {
    next: [],
    impossible: [],
  },
}

/**
 * The stay of a parcel or of anything else in a locker, a kiosk or a smart drop. Its phases are those of the protocol,
 * as far as a stay has them, so that whoever knows nothing but phases can read it.
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
} as const satisfies Profile
