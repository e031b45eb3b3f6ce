/** How a package of a carrier stands. */
export const carrierPackageStatuses = {
  advised: 'The carrier has announced it, and it has not come to the warehouse yet.',
  listed: 'It lies in the warehouse, on the list of what is to be distributed.',
  ordered: 'It is on a distribution order, and has not left yet.',
  in_transit: 'It is on the truck.',
  delivered: 'It was handed over at its location.',
  shelved: 'It lies in a compartment or on a shelf, for its recipient.',
} as const satisfies Record<string, string>

/** Name of a status of a carrier package. */
export type CarrierPackageStatus = keyof typeof carrierPackageStatuses

/** The statuses by their names. */
export const carrierPackageStatusNames = Object.keys(carrierPackageStatuses) as readonly CarrierPackageStatus[]

/** What can be done with a carrier package, which depends on its status. */
export const carrierPackageMoves = {
  receive: { from: ['advised'], to: 'listed' },
  distribute: { from: ['listed'], to: 'ordered' },
  load: { from: ['ordered'], to: 'in_transit' },
  deliver: { from: ['in_transit'], to: 'delivered' },
  shelve: { from: ['delivered'], to: 'shelved' },
  remove: { from: ['ordered'], to: 'listed' },
  cancel_order: { from: ['ordered', 'in_transit'], to: 'listed' },
} as const satisfies Record<
  string,
  { readonly from: readonly CarrierPackageStatus[]; readonly to: CarrierPackageStatus }
>

/** Name of a move. */
export type CarrierPackageMove = keyof typeof carrierPackageMoves

/** Whether a carrier package of this status can be moved so. */
export function allowsMove(status: CarrierPackageStatus, move: CarrierPackageMove): boolean {
  return (carrierPackageMoves[move].from as readonly CarrierPackageStatus[]).includes(status)
}

/** How a distribution stands, as webhooks tell it; shelving changes nothing of it. */
export const distributionStatuses = ['created', 'in_transit', 'delivered', 'removed'] as const

/** How a distribution stands. */
export type DistributionStatus = (typeof distributionStatuses)[number]

/** How a distribution order stands, as far as the package tells. */
export const distributionOrderStatuses = ['created', 'in_transit', 'delivered', 'cancelled'] as const

/** How a distribution order stands. */
export type DistributionOrderStatus = (typeof distributionOrderStatuses)[number]

/** Why a package is not on its order any more: it was taken off before it left, or the order was cancelled. */
export const removalReasons = ['removed', 'cancelled'] as const

/** Why a package is not on its order any more. */
export type RemovalReason = (typeof removalReasons)[number]
