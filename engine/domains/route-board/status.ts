/** How a board stands. */
export const boardStatuses = {
  open: 'Drivers may claim its seats.',
  closed: 'Its seats are awarded; nobody claims any more.',
  settled: 'What was driven is settled.',
  cancelled: 'Nothing comes of it.',
} as const satisfies Record<string, string>

/** Name of a status of a board. */
export type BoardStatus = keyof typeof boardStatuses

/** The statuses by their names. */
export const boardStatusNames = Object.keys(boardStatuses) as readonly BoardStatus[]

/** Where a driver stands on a board. */
export const placeNames = {
  seat: 'It has a seat that it claimed or was promoted to: an assigned driver may still take it.',
  assigned: 'It has a seat that staff gave it.',
  awarded: 'Its seat is its own for good.',
  standby: 'It waits in line: who is first takes the next seat that falls free.',
  pool: 'Staff may give it a seat; it is in no line.',
} as const satisfies Record<string, string>

/** Name of a place on a board. */
export type PlaceName = keyof typeof placeNames

/** The places by their names. */
export const placeNamesList = Object.keys(placeNames) as readonly PlaceName[]

/** What can happen on a board, as document 3 lists it. */
export const boardActions = [
  ...(['claimed', 'standby', 'pooled', 'promoted', 'withdrawn', 'vetoed', 'replaced', 'assigned'] as const),
  ...(['awarded', 'lost', 'displaced', 'settled', 'board_opened', 'board_closed', 'board_cancelled'] as const),
] as const

/** What can happen on a board. */
export type BoardAction = (typeof boardActions)[number]
