import type { Callback } from '../../kernel/callback.ts'
import type { ReportsRead } from '../../kernel/carrier-report.ts'
import type { Context, Facts } from '../../kernel/context.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Exchange } from '../../kernel/exchange.ts'
import type { OrderFamily } from '../../kernel/order-family.ts'
import type { ShipmentParcel } from '../../kernel/parcel.ts'
import type { PayingPorts } from '../../kernel/payable.ts'
import type { OrderType, Party, Price } from './schema.ts'

/** An order that is to be priced. */
interface Pricing {
  /** The rate that was chosen. */
  readonly rateId: string | undefined
  /** The customer whose order it is. */
  readonly customerId: number | undefined
  readonly order: {
    readonly type: OrderType
    readonly items?: number
    readonly delivery?: Party
    readonly pickup?: Party
    readonly schedule_date?: string
  }
}

/** What orders need of other domains. The appends of a wallet are recorded in one transaction with the order's. */
export interface OrderPorts extends ReportsRead, PayingPorts {
  /** The families of orders beside those that the business delivers itself. */
  readonly families: readonly OrderFamily[]
  /**
   * The number of the timeline of a tracking event as it is now, and the carriers that contradict each other in it; undefined for
   * events that decide nothing of it.
   */
  contradictionIn(
    facts: Facts & Pick<Context, 'pause' | 'profiles' | 'clock'>,
    event: RecordedEvent,
  ): Promise<{ readonly tracking_number: string; readonly contradicting: string | undefined } | undefined>
  /** Whether the business of the caller works with a shop. */
  hasShop(context: Context, id: number): Promise<boolean>
  /** Whether an identifier leads to a timeline. */
  isTracked(context: Context, identifier: string): Promise<boolean>
  /** The provider that is to deliver an order; undefined if there is none. */
  providerOf(context: Context, order: number): Promise<string | undefined>
  /**
   * The price of an order and the service that it is booked at; nothing if there is none for it. Refuses with
   * `rate_invalid`, `rate_expired`, and `rate_differs` for each member that was not quoted so.
   */
  priceFor(context: Context, pricing: Pricing): Promise<{ readonly price: Price; readonly service: string } | undefined>
  /**
   * What an order of a service costs elsewhere, if that is another price; undefined where nobody knows, because an order does not keep the weights that its rate
   * was for. Refuses like `priceFor`.
   */
  priceElsewhere(
    context: Context,
    reroute: {
      readonly service: string
      readonly customerId: number | undefined
      readonly price: Price
      readonly before: Pricing['order']
      readonly after: Pricing['order']
    },
  ): Promise<{ readonly price?: Price } | undefined>
  /**
   * The day that a rate is of (YYYY-MM-DD), and the customer that it was quoted for. Refuses a rate like `priceFor`, and with
   * `rate_differs` each parcel that was not quoted
   * so, which an order does not tell.
   */
  rateTerms(
    context: Context,
    rateId: string,
    parcels: readonly ShipmentParcel[],
  ): { readonly day: string; readonly customerId: number | undefined }
  /** Registers the callback of a request. Refuses with `webhook_url_refused` or `webhook_secret_missing` as findings. */
  registerCallback(
    context: Context,
    callback: Callback,
  ): Promise<{ readonly owner: Owner; readonly appends: readonly Append[] }>
  /** The rate at which the caller's business converts prices of a currency today; undefined if it has set none. */
  exchangeFor(context: Context, from: string): Promise<Exchange | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly orders: OrderPorts
  }
}
