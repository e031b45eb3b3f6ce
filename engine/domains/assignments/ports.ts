import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { AssignmentFact } from './facts.ts'

/** What is asked of an order about its contractor; the caller gives it, now. */
export type AssignmentCommand =
  | {
      readonly type: 'AssignContractor'
      readonly assignment_id: number
      readonly broker_id: number
      readonly note?: string
    }
  | { readonly type: 'RevokeContractor'; readonly reason?: string }
  | { readonly type: 'ReleaseContractor'; readonly broker_id: number; readonly reason?: string }

/** An order that can be given to a contractor, or taken back. */
export interface AssignableOrder {
  readonly id: number
  /** What a command records; nothing where nothing follows. Refuses as the order does. */
  decide(command: AssignmentCommand): readonly Append[]
}

/** An order that is or was assigned. */
export interface AssignedOrder {
  readonly reference?: string | undefined
  /** How it is now; undefined where the caller may not see it, or not any more. */
  readonly current?:
    | { readonly statusId: number; readonly scheduleDate?: string | undefined; readonly routeId?: number | undefined }
    | undefined
  /** What was said of its assignments, oldest first. */
  readonly facts: readonly AssignmentFact[]
}

/** What assignments need of other domains. */
export interface AssignmentPorts {
  /** An order that the caller may see; refuses with `order_not_found`. */
  orderAt(context: Context, id: number): Promise<AssignableOrder>
  /** An order of an assignment, whoever has it now. */
  assignedOrder(context: Context, id: number): Promise<AssignedOrder>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly assignments: AssignmentPorts
  }
}
