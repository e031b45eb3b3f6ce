import type { Callback } from '../../kernel/callback.ts'
import type { Shipment } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { RegisterFilter } from '../../kernel/order-family.ts'
import type { Shipping } from '../../kernel/uniorder.ts'

/** A shipment that is to be quoted. */
export interface RateRequest extends Shipment {
  readonly reference?: string
}

/** What uniorders need of other domains: the two ways to ship. */
export interface UniorderPorts {
  /** Orders that the business delivers itself. */
  readonly order: Shipping
  /** Labels of carriers. */
  readonly label: Shipping
  /** A page of the orders of all ways that the caller may see, newest first, and the number of all. */
  registered(
    context: Context,
    filter: RegisterFilter,
    range: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly orders: readonly { readonly id: number; readonly family: string }[]; readonly total: number }>
  /**
   * Asks for a label again after its purchase failed: at another rate if one is given. Refuses with `label_status_forbids`, with
   * `label_forgotten`, and with the codes of a rate.
   */
  buyLabelAgain(context: Context, id: number, rateId: string | undefined): Promise<void>
  /** Registers the callback of a request. Refuses with `webhook_url_refused` or `webhook_secret_missing` as findings. */
  registerCallback(
    context: Context,
    callback: Callback,
  ): Promise<{ readonly owner: Owner; readonly appends: readonly Append[] }>
  /** What a shipment costs by the price list of the business and, with `quote_labels`, with its carriers. */
  ratesFor(
    context: Context,
    shipment: Shipment,
    asking: { readonly quote_labels?: boolean; readonly wait_ms?: number },
  ): Promise<{
    readonly rates: readonly unknown[]
    readonly unanswered: readonly unknown[]
    readonly customs_missing?: readonly string[]
  }>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly uniorders: UniorderPorts
  }
}
