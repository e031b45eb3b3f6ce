import type { CarrierAnswer, CarrierInputs, CarrierMethod, CarrierOutcome, Shipment } from '../../kernel/carrier.ts'
import type { ReportsRead } from '../../kernel/carrier-report.ts'
import type { CarrierScan } from '../../kernel/carrier-scan.ts'
import type { Context } from '../../kernel/context.ts'
import type { Exchange } from '../../kernel/exchange.ts'
import type { PayingPorts } from '../../kernel/payable.ts'

/** A rate that can be bought. */
export interface ChosenRate {
  readonly carrier_account_id: number
  readonly service: string
  /** Decimal text. */
  readonly amount: string
  readonly currency: string
  /** How the price is converted, if it is in another currency than that of the business. */
  readonly exchange?: Exchange
  /** What the carrier calls the rate. */
  readonly reference?: string
  /** The customer that it is sold to, and at which price: decimal text in the currency of the business. */
  readonly customer_id?: number
  readonly sell_price?: string
}

/** One of many rates that can be bought. */
export interface OfferedRate extends ChosenRate {
  /** What the buyer pays, in the currency of the business: decimal text. */
  readonly charge: string
  readonly transit_days?: number
}

/** A carrier and one of its ways of shipping. */
export interface ShippingWay {
  readonly carrierTitle: string
  readonly serviceName: string
  /** Whether nothing is carried. */
  readonly isSample: boolean
  /** Whether it fetches the documents of its labels. */
  readonly hasDocuments: boolean
  /** Whether its drivers come for labels when they are asked to. */
  readonly hasPickups: boolean
  /** Whether its tracking numbers are those of orders of the business. */
  readonly isOwnFleet: boolean
}

/** Something that happened to a parcel, with an id by which it is known again. */
export interface LabelScan extends CarrierScan {
  readonly event_id: string
}

/** What a carrier told of the parcel of a business. */
interface CarrierReport {
  readonly businessId: number
  readonly carrier: string
  readonly profile: string
  readonly tracking_number: string
  readonly events: readonly LabelScan[]
}

/** What labels need of carriers and of timelines. */
export interface LabelPorts extends ReportsRead, PayingPorts {
  /** The rate of an id for a shipment. Refuses with `rate_invalid`, `rate_expired`, and `rate_differs` at each member. */
  rateFor(context: Context, rateId: string, shipment: Shipment): ChosenRate
  /** Asks all carriers of the business at once, for itself or for a customer; the cheapest comes first. */
  compare(
    context: Context,
    shipment: Shipment,
    asking: { readonly customerId: number | undefined; readonly wait: number | undefined },
  ): Promise<{
    readonly offered: readonly OfferedRate[]
    readonly unanswered: readonly {
      readonly carrier_account_id: number
      readonly carrier: string
      readonly carrier_name: string
      readonly code: string
      readonly message: string
    }[]
  }>
  /** The name of the carrier of an account of the caller's business. Refuses with `carrier_account_not_found`. */
  carrierOf(context: Context, accountId: number): Promise<string>
  /** A carrier and one of its ways of shipping, as people know them; by their names here if it is not installed any more. */
  wayOf(context: Context, carrier: string, service: string): Promise<ShippingWay>
  /** Why a carrier did not do what was asked, in the language of the caller. */
  reasonOf(
    context: Pick<Context, 'messages' | 'caller'>,
    outcome: Exclude<CarrierOutcome<CarrierMethod>, { readonly kind: 'answered' }>,
  ): { readonly message: string }
  /** Asks the carrier of an account of the caller's business; waits for the answer so many milliseconds. */
  ask<Method extends CarrierMethod>(
    context: Context,
    accountId: number,
    method: Method,
    input: CarrierInputs[Method],
    deadline: number,
  ): Promise<CarrierOutcome<Method>>
  /** What a request says that the carrier of an account has signed; undefined if it has not, or if there is no such account. */
  received(
    context: Context,
    accountId: number,
    request: CarrierInputs['receive'],
  ): Promise<Exclude<CarrierAnswer<'receive'>, { readonly refused: unknown }> | undefined>
  /** Records events in the timeline of a parcel; returns the codes of refusals. What is known already changes nothing. */
  report(context: Context, report: CarrierReport): Promise<readonly string[]>
  /** The blinded words and digits by which the people of a shipment are found, at most 16. */
  termsOf(context: Context, shipment: Shipment): readonly string[]
  /** Whether there is an order of this number, of any business. */
  isOrder(context: Context, id: number): Promise<boolean>
  /** Whether the public finds a timeline by a number, whatever kind of number it is there. */
  isPublic(context: Context, number: string): Promise<boolean>
  /** The events of the timeline of a parcel; none if there is no timeline. */
  scansOf(context: Context, trackingNumber: string): Promise<readonly LabelScan[]>
  /** Erases the personal data of the timeline of a parcel of a business, if there is one. */
  forgetTimeline(context: Context, business: number, trackingNumber: string): Promise<void>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly labels: LabelPorts
  }
}
