/** How an assignment of an order to a provider stands. */
export const assignmentStatuses = {
  assigned: 'The provider is to deliver the order; the warehouse still has its packages.',
  handed_over: 'The provider has all packages.',
  partially_delivered: 'Part of the packages is delivered, and others are still on their way.',
  delivered: 'Every package is delivered.',
  undelivered: 'No package is on its way any more, and not every one is delivered.',
  cancelled: 'The assignment was withdrawn.',
} as const satisfies Record<string, string>

/** Name of a status of an assignment. */
export type AssignmentStatus = keyof typeof assignmentStatuses

/** The statuses by their names. */
export const assignmentStatusNames = Object.keys(assignmentStatuses) as readonly AssignmentStatus[]

/** What can be done with an assignment that depends on its status; where a move leads is in its facts. */
export const assignmentMoves = {
  hand_over: { from: ['assigned'] },
  book_legs: { from: ['assigned', 'handed_over', 'partially_delivered'] },
  report: { from: ['handed_over', 'partially_delivered'] },
  cancel: { from: ['assigned', 'handed_over'] },
  reassign: { from: ['assigned', 'handed_over'] },
} as const satisfies Record<string, { readonly from: readonly AssignmentStatus[] }>

/** Name of a move. */
export type AssignmentMove = keyof typeof assignmentMoves

/** Whether an assignment of this status can be moved so. */
export function allowsMove(status: AssignmentStatus, move: AssignmentMove): boolean {
  return (assignmentMoves[move].from as readonly AssignmentStatus[]).includes(status)
}

/** Statuses after which the order can be given to somebody else. */
const leftFree: readonly AssignmentStatus[] = ['undelivered', 'cancelled']

/** Whether an order whose last assignment has this status can be assigned anew: it is not under way, nor delivered. */
export function leavesFree(status: AssignmentStatus): boolean {
  return leftFree.includes(status)
}

/** Who chose the provider: an automatic rule, or a person. */
export const assignmentSources = ['rule', 'manual'] as const

/** Who chose the provider. */
export type AssignmentSource = (typeof assignmentSources)[number]

/** Why staff withdraw an assignment; `reassigned` follows from giving it to another provider. */
export const withdrawalReasons = ['cancelled', 'fallback_to_self_delivery'] as const

/** Why an assignment was withdrawn (document 3, "Third-party delivery channel"). */
export const cancelReasons = [...withdrawalReasons, 'reassigned'] as const

/** Why an assignment was withdrawn. */
export type CancelReason = (typeof cancelReasons)[number]

/** What can be reported of a package, once. */
export const reportedOutcomes = ['delivered', 'failed'] as const

/** What has become of a package. */
export const packageOutcomes = ['in_progress', ...reportedOutcomes] as const

/** What has become of a package. */
export type PackageOutcome = (typeof packageOutcomes)[number]

/** How many packages an assignment may have. */
export const maxPackages = 100

/** What has become of several packages together, once each has this. */
export function outcomeOf(packages: readonly PackageOutcome[]): PackageOutcome {
  if (packages.includes('in_progress')) return 'in_progress'
  return packages.includes('failed') ? 'failed' : 'delivered'
}

/** How an assignment stands whose packages the provider has: by what has become of them. */
export function statusOf(packages: readonly PackageOutcome[]): AssignmentStatus {
  const together = outcomeOf(packages)
  if (together === 'delivered') return 'delivered'
  if (together === 'failed') return 'undelivered'
  return packages.includes('delivered') ? 'partially_delivered' : 'handed_over'
}
