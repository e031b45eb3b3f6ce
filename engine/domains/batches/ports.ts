import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Messages } from '../../kernel/messages/index.ts'

/** Under which id an order is drafted, and by what kind of call. */
export interface OrderDraft {
  readonly id: number
  readonly source: 'bulk' | 'async'
}

/** An order that is not recorded yet, and what records it. */
export interface DraftedOrder {
  readonly trackingNumber: string
  readonly appends: readonly Append[]
}

/** What batches need of other domains. */
export interface BatchPorts {
  /** Drafts an order from unchecked input. Refuses as `create_order` does, with all findings where the input is invalid. */
  draftOrder(context: Context, input: unknown, draft: OrderDraft): Promise<DraftedOrder>
  /** The messages in English: webhooks tell in one language why an order was refused, whichever domain refused it. */
  readonly english: Messages
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly batches: BatchPorts
  }
}
