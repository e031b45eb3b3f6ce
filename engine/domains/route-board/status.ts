/** Statuses of a board. */
const boardStatuses = {
  open: 'Drivers may claim its seats.',
  closed: 'Its seats are awarded and can no longer be claimed.',
  settled: 'The work is settled.',
  cancelled: 'The board was cancelled.',
} as const satisfies Record<string, string>

/** A status of a board. */
export type BoardStatus = keyof typeof boardStatuses

/** All statuses of a board. */
export const boardStatusNames = Object.keys(boardStatuses) as readonly BoardStatus[]

/** Places of a driver on a board. */
const placeNames = {
  seat: 'The driver claimed a seat or moved up to it. Staff may still assign it to another driver.',
  assigned: 'Staff assigned a seat to the driver.',
  awarded: 'The seat is awarded to the driver.',
  standby: 'The driver waits in line. The first in line gets the next free seat.',
  pool: 'Staff may assign a seat to the driver, who is not in line.',
} as const satisfies Record<string, string>

/** A place of a driver on a board. */
export type PlaceName = keyof typeof placeNames

/** All places on a board. */
export const placeNamesList = Object.keys(placeNames) as readonly PlaceName[]

/** Actions on a board, as listed in document 3. */
export const boardActions = [
  ...(['claimed', 'standby', 'pooled', 'promoted', 'withdrawn', 'vetoed', 'replaced', 'assigned'] as const),
  ...(['awarded', 'lost', 'displaced', 'settled', 'board_opened', 'board_closed', 'board_cancelled'] as const),
] as const

/** An action on a board. */
export type BoardAction = (typeof boardActions)[number]
