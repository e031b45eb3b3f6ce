import type { Shipment, ShipmentParty } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Exchange } from '../../kernel/exchange.ts'
import type { ShipmentParcel } from '../../kernel/parcel.ts'

/** What a delivery by the drivers of the business is priced by. */
export interface OwnContents {
  readonly type: 'P2P'
  readonly pickup: Pick<ShipmentParty, 'locality' | 'region' | 'postal_code' | 'country' | 'latitude' | 'longitude'>
  readonly delivery: Pick<ShipmentParty, 'locality' | 'region' | 'postal_code' | 'country' | 'latitude' | 'longitude'>
  readonly items: number
  readonly parcels: ShipmentParcel[]
}

/** What a way of delivering costs by the price list of the business. */
export interface OwnRate {
  readonly service: string
  readonly name: string
  /** Decimal text. */
  readonly amount: string
  readonly currency: string
  /** The version of the price list, and the day that the price is of. */
  readonly version: number
  readonly day: string
  /** Epoch milliseconds. */
  readonly expires: number
  /** Books an order at this rate. */
  readonly rateId: string
}

/** What is sold to a customer: an account at a carrier, and a service of it. */
interface Sale {
  readonly customerId: number
  readonly accountId: number
  readonly service: string
}

/** The mark-ups of a business. */
export interface MarkUps {
  /** Whether there may be a shipment that a customer may buy so; by any service where none is given. */
  maySell(sale: Omit<Sale, 'service'> & Partial<Pick<Sale, 'service'>>): boolean
  /** What a customer pays for what costs the business an amount, both in its currency; undefined if it is not sold. */
  priceOf(costing: Sale & { readonly shipment: Shipment; readonly cost: string }): string | undefined
}

/** What carriers need of other domains: the price list and the orders of the business are its own fleet. */
export interface CarrierPorts {
  /** The rates of the price list of the business, cheapest first; nothing without a list. */
  ownRates(
    context: Context,
    contents: OwnContents,
    by: { readonly customerId: number | undefined; readonly version?: number; readonly day?: string },
  ): Promise<readonly OwnRate[]>
  /** The services of the price list of a business. */
  ownMethods(
    context: Pick<Context, 'store'>,
    businessId: number,
  ): Promise<readonly { readonly code: string; readonly name: string }[]>
  /** Drafts an order from unchecked input. Refuses like `create_order`, with all findings if the input is invalid. */
  draftOrder(
    context: Context,
    input: unknown,
    draft: { readonly id: number; readonly source: 'single' },
  ): Promise<{ readonly trackingNumber: string; readonly appends: readonly Append[] }>
  /** Cancels an order that the caller may see. Returns whether it is cancelled, now or since before. */
  cancelOrder(context: Context, id: number): Promise<boolean>
  /** Whether the carrier of an account is yet to answer for a label. */
  isWaitedFor(context: Pick<Context, 'models'>, accountId: number): Promise<boolean>
  /** The rate at which the caller's business converts prices of a currency today; undefined if it has set none. */
  exchangeFor(context: Context, from: string): Promise<Exchange | undefined>
  /** The mark-ups of the caller's business: what its customers may buy, and at which price. */
  markUpsOf(context: Context): Promise<MarkUps>
  /** What became of the parcel with a tracking number; undefined if the caller may see no such order. */
  scansOf(
    context: Context,
    trackingNumber: string,
  ): Promise<readonly { readonly status_code: string; readonly occurred_at: string }[] | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly carriers: CarrierPorts
  }
}
