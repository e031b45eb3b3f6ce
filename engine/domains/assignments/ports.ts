import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { AssignmentFact } from './facts.ts'

/** A command on the contractor of an order, given by the caller now. */
export type AssignmentCommand =
  | {
      readonly type: 'AssignContractor'
      readonly assignment_id: number
      readonly broker_id: number
      readonly note?: string
    }
  | { readonly type: 'RevokeContractor'; readonly reason?: string }
  | { readonly type: 'ReleaseContractor'; readonly broker_id: number; readonly reason?: string }

/** An order that can be assigned to a contractor, or taken back. */
interface AssignableOrder {
  readonly id: number
  /** The appends of a command; empty if it changes nothing. Refuses like the order. */
  decide(command: AssignmentCommand): readonly Append[]
}

/** An order that is or was assigned. */
export interface AssignedOrder {
  readonly reference?: string | undefined
  /** Its current state; undefined if the caller may no longer see it. */
  readonly current?:
    | { readonly statusId: number; readonly scheduleDate?: string | undefined; readonly routeId?: number | undefined }
    | undefined
  /** The events of its assignments, oldest first. */
  readonly facts: readonly AssignmentFact[]
}

/** What assignments need of other domains. */
export interface AssignmentPorts {
  /** An order that the caller may see; refuses with `order_not_found`. */
  orderAt(context: Context, id: number): Promise<AssignableOrder>
  /** The order of an assignment, no matter who has it now. */
  assignedOrder(context: Context, id: number): Promise<AssignedOrder>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly assignments: AssignmentPorts
  }
}
