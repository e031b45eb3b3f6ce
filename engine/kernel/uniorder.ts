import type { CarrierRefusal, Shipment, ShipmentParty } from './carrier.ts'
import type { Context } from './context.ts'
import type { Append } from './event-store.ts'
import type { LabelAnswer, LabelRequest } from './label-request.ts'
import { omitUndefined } from './omit-undefined.ts'

/** A shipment that is to be booked. */
export interface Booking {
  readonly rateId: string
  readonly shipment: Shipment
  /** As the business calls it. */
  readonly reference?: string
}

/** What was booked, as the caller may see it. */
export interface Booked {
  readonly order_id: number
  /** A status of an order, or of a label. */
  readonly status: string
  readonly tracking_numbers: readonly string[]
  readonly carrier: string
  readonly service?: string
  readonly reference?: string
  /** ISO 4217. */
  readonly currency?: string
  /** Decimal text, as 12.50. */
  readonly total_price?: string
  readonly refusal?: { readonly code: CarrierRefusal['code']; readonly message?: string }
  /** ISO 8601, in the time zone of the business. */
  readonly created_at: string
}

/** What became of a parcel. */
export interface TrackedParcel {
  readonly tracking_number: string
  readonly events: readonly TrackedEvent[]
  /** Why its carrier tells nothing. */
  readonly unanswered?: string
}

/** An event of a parcel. */
interface TrackedEvent {
  readonly status_code: string
  /** ISO 8601. */
  readonly occurred_at: string
  readonly description?: string
  readonly locality?: string
  readonly country?: string
}

/** A way to ship: an order that the business delivers itself, or a label of a carrier. Who may see none gets none. */
export interface Shipping {
  /** A booking that is not recorded yet. Refuses with codes of rates, at members of the shipment. */
  draft(context: Context, booking: Booking): Promise<{ readonly id: number; readonly appends: readonly Append[] }>
  /** What was booked; undefined if the caller may not see it. */
  find(context: Context, id: number): Promise<Booked | undefined>
  /** The document to be printed, in base64. */
  document(context: Context, id: number, request: LabelRequest): Promise<LabelAnswer>
  track(context: Context, id: number): Promise<readonly TrackedParcel[]>
  /** Cancels an order; asks the carrier of a label to take it back. */
  cancel(context: Context, id: number): Promise<void>
  /** Has carriers asked now for what was recorded; does nothing where none is needed. */
  settle(context: Context, id: number): Promise<void>
}

/** A shipment as a request for an order from the sender to the recipient. */
export function orderFor({ from, to, parcels }: Shipment) {
  return { type: 'P2P', pickup: partyOf(from), delivery: partyOf(to), items: parcels.length } as const
}

function partyOf({ name, phone, email, ...address }: ShipmentParty) {
  return { ...omitUndefined({ name, phone, email }), address }
}
