import type { Event } from '../../kernel/event.ts'

/** What every fact says beside itself: when (ISO 8601, UTC), and by whose account. */
interface Stamped {
  readonly at: string
  readonly by: number | null
}

/** The facts about assignments, as orders record them in their own streams (decisions/assignments-in-the-order.md). */
export type AssignmentFact =
  | Event<
      'ContractorAssigned',
      Stamped & {
        readonly assignment_id: number
        readonly business_id: number
        readonly broker_id: number
        /** The assignment that this one ends. */
        readonly moved_from?: { readonly assignment_id: number }
        readonly personal?: { readonly note: string }
      }
    >
  | Event<
      'ContractorRevoked' | 'ContractorReleased',
      Stamped & {
        readonly assignment_id: number
        /** The order was cancelled or deleted, which ended the assignment. */
        readonly reason?: 'cancel' | 'delete'
        readonly personal?: { readonly reason: string }
      }
    >
