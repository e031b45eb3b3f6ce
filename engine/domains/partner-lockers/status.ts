/** How a delivery of a partner into a locker stands. */
export const lockerDeliveryStatuses = {
  pending: 'The partner has announced it, and no door was opened for it yet.',
  opened: 'Doors were opened for the courier, and the deposit is not confirmed yet.',
  delivered: 'The deposit is confirmed, and waits for its recipient.',
  correcting: 'Doors of the deposit are open again; it is not to be collected before it is confirmed anew.',
  collected: 'The recipient has the parcels.',
  failed: 'The parcels did not come into the locker.',
  expired: 'The code of the courier, or the deposit, was left lying until its expiry.',
  cancelled: 'It was called off before the deposit was confirmed.',
} as const satisfies Record<string, string>

/** Name of a status of a locker delivery. */
export type LockerDeliveryStatus = keyof typeof lockerDeliveryStatuses

/** The statuses by their names. */
export const lockerDeliveryStatusNames = Object.keys(lockerDeliveryStatuses) as readonly LockerDeliveryStatus[]

/**
 * What can be done with a locker delivery that depends on its status; without `to` it stays as it is. The last door that
 * is reported closed may confirm the deposit.
 */
export const lockerMoves = {
  open: { from: ['pending', 'opened'], to: 'opened' },
  close_door: { from: ['opened', 'delivered', 'correcting'] },
  confirm: { from: ['opened', 'correcting'], to: 'delivered' },
  reopen: { from: ['delivered'], to: 'correcting' },
  collect: { from: ['delivered'], to: 'collected' },
  fail: { from: ['pending', 'opened', 'correcting'], to: 'failed' },
  cancel: { from: ['pending', 'opened'], to: 'cancelled' },
  expire: { from: ['pending', 'delivered'], to: 'expired' },
  rotate_access: { from: ['pending', 'opened'] },
  rotate_pickup: { from: ['opened', 'delivered', 'correcting'] },
} as const satisfies Record<
  string,
  { readonly from: readonly LockerDeliveryStatus[]; readonly to?: LockerDeliveryStatus }
>

/** Name of a move. */
export type LockerMove = keyof typeof lockerMoves

/** Whether a locker delivery of this status can be moved so. */
export function allowsMove(status: LockerDeliveryStatus, move: LockerMove): boolean {
  return (lockerMoves[move].from as readonly LockerDeliveryStatus[]).includes(status)
}

/** How doors were opened: on the screen of the locker with the access code, or from afar. */
export const openingWays = ['locker_screen', 'remote_open'] as const

/** How doors were opened. */
export type OpeningWay = (typeof openingWays)[number]

/** Who may say that the deposit is done; `door_close` alone follows from the doors. */
export const toldConfirmations = ['courier_terminal', 'partner_api', 'timeout_door_closed', 'console'] as const

/** Who confirmed the deposit (document 3, `confirmed_by`). */
export const confirmations = [...toldConfirmations, 'door_close'] as const

/** Who confirmed the deposit. */
export type Confirmation = (typeof confirmations)[number]

/** Why a parcel did not come into the locker. */
export const failureCodes = {
  no_free_compartment: 'No compartment was free.',
  too_large: 'The parcel fits into none of the compartments.',
  compartment_occupied: 'Something lay in the compartment already.',
  compartment_unusable: 'The compartment was dirty or broken.',
  door_not_opened: 'The door did not open.',
  door_not_closed: 'The door could not be closed.',
  device_offline: 'The locker did not answer.',
  device_not_reached: 'The courier could not get to the locker.',
  deposit_not_confirmed: 'Nobody confirmed the deposit.',
  parcel_missing: 'The courier did not have the parcel.',
  parcel_damaged: 'The parcel was damaged.',
  wrong_parcel: 'It was another parcel.',
  other: 'Something else.',
} as const satisfies Record<string, string>

/** Why a parcel did not come into the locker. */
export type FailureCode = keyof typeof failureCodes

/** The failure codes by their names. */
export const failureCodeNames = Object.keys(failureCodes) as readonly FailureCode[]

/** The codes of a locker delivery: the courier's, and the recipient's. */
export const codeKinds = ['access', 'pickup'] as const

/** A code of a locker delivery. */
export type CodeKind = (typeof codeKinds)[number]

/** What was left lying until its expiry: the unused code of the courier, or the deposit. */
export const expiries = ['delivery_code', 'deposit'] as const

/** What was left lying until its expiry. */
export type Expiry = (typeof expiries)[number]
