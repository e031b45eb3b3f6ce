import type { EventBase } from '../../entity/machine.ts'
import type { Event } from '../../kernel/event.ts'

/** The events of assignments, recorded in the streams of the orders (decisions/assignments-in-the-order.md). */
export type AssignmentFact =
  | Event<
      'ContractorAssigned',
      EventBase & {
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
      EventBase & {
        readonly assignment_id: number
        /** Set if the assignment ended because the order was cancelled or deleted. */
        readonly reason?: 'cancel' | 'delete'
        readonly personal?: { readonly reason: string }
      }
    >
