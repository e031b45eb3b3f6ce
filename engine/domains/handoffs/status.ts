/** How a handoff stands. */
export const handoffStatuses = {
  proposed: 'The partner offers the order; the business has not decided.',
  accepted: 'The business carries the order.',
  rejected: 'The business does not take the order.',
  expired: 'Nobody decided in time.',
  cancelled: 'The partner took the order back.',
  completed: 'The business has told the last of the order.',
} as const satisfies Record<string, string>

/** Name of a status of a handoff. */
export type HandoffStatus = keyof typeof handoffStatuses

/** The statuses by their names. */
export const handoffStatusNames = Object.keys(handoffStatuses) as readonly HandoffStatus[]

/** What can be done with a handoff that depends on its status; without `to` it stays as it is. */
export const handoffMoves = {
  accept: { from: ['proposed'], to: 'accepted' },
  reject: { from: ['proposed'], to: 'rejected' },
  expire: { from: ['proposed'], to: 'expired' },
  cancel: { from: ['proposed', 'accepted'], to: 'cancelled' },
  propose_amendment: { from: ['accepted'] },
  accept_amendment: { from: ['accepted'] },
  reject_amendment: { from: ['accepted'] },
  track: { from: ['accepted'] },
  complete: { from: ['accepted'], to: 'completed' },
  settle: { from: ['accepted', 'cancelled', 'completed'] },
} as const satisfies Record<string, { readonly from: readonly HandoffStatus[]; readonly to?: HandoffStatus }>

/** Name of a move. */
export type HandoffMove = keyof typeof handoffMoves

/** Whether a handoff of this status can be moved so. */
export function allowsMove(status: HandoffStatus, move: HandoffMove): boolean {
  return (handoffMoves[move].from as readonly HandoffStatus[]).includes(status)
}

/** Why the business does not take an order, or a change of one. */
export const rejectionReasons = ['capacity', 'area', 'window', 'items', 'price', 'other'] as const

/** Why the business does not take an order, or a change of one. */
export type RejectionReason = (typeof rejectionReasons)[number]

/** Why a partner takes an order back. */
export const cancellationReasons = ['sender_request', 'duplicate', 'given_elsewhere', 'other'] as const

/** Why a partner takes an order back. */
export type CancellationReason = (typeof cancellationReasons)[number]

/** How a change of an accepted order stands. */
export const amendmentStatuses = ['proposed', 'accepted', 'rejected'] as const

/** How a change of an accepted order stands. */
export type AmendmentStatus = (typeof amendmentStatuses)[number]

/** What a line of the settlement is for. */
export const settlementKinds = [
  ...(['delivery_fee', 'handling_fee', 'surcharge', 'cancellation_fee', 'deduction', 'other'] as const),
] as const

/** What a line of the settlement is for. */
export type SettlementKind = (typeof settlementKinds)[number]
