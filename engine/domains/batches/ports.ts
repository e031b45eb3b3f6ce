import type { Callback } from '../../kernel/callback.ts'
import type { Context } from '../../kernel/context.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Messages } from '../../kernel/messages/index.ts'

/** The id of a draft order, and the kind of call. */
export interface OrderDraft {
  readonly id: number
  readonly source: 'bulk' | 'async'
}

/** An order that is not recorded yet, and its appends. */
interface DraftedOrder {
  readonly trackingNumber: string
  readonly appends: readonly Append[]
}

/** What batches need of other domains. */
export interface BatchPorts {
  /** Drafts an order from unchecked input. Refuses like `create_order`, with all findings if the input is invalid. */
  draftOrder(context: Context, input: unknown, draft: OrderDraft): Promise<DraftedOrder>
  /** Registers the callback of a request. Refuses with `webhook_url_refused` or `webhook_secret_missing` as findings. */
  registerCallback(
    context: Context,
    callback: Callback,
  ): Promise<{ readonly owner: Owner; readonly appends: readonly Append[] }>
  /** The English messages. Webhooks report refusals of all domains in English. */
  readonly english: Messages
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly batches: BatchPorts
  }
}
