import type { Event } from '../../kernel/event.ts'
import type { Status } from './status.ts'

/** Delivery to a recipient, pick-up from a sender, or from one peer to another. */
export type OrderType = 'D' | 'P' | 'P2P'

/** When something may be done: `HH:MM`, in the time zone of the business. */
export interface TimeWindow {
  readonly start: string
  readonly end: string
}

/** Where somebody is reached; all of it is personal. */
export interface Party {
  readonly name: string
  readonly phone?: string
  readonly email?: string
  readonly address: {
    readonly street: string
    readonly locality?: string
    readonly region?: string
    readonly postal_code?: string
    /** ISO 3166-1 alpha-2. */
    readonly country?: string
    readonly latitude?: number
    readonly longitude?: number
  }
}

/** What an order costs; decimal text with two digits, as money must not be rounded by a float. */
export interface Price {
  readonly shipping_price: string
  /** ISO 4217. */
  readonly currency: string
  readonly tax?: string
  readonly surcharges?: readonly { readonly name: string; readonly surcharge_amount: string }[]
  /** Of the carriage: what is put upon the cost of a third-party carrier. For the business alone (document 3). */
  readonly third_party_cost_plus?: string
  /** Off the carriage: what a third-party carrier did not deliver. For the business alone. */
  readonly third_party_partial_delivery_deduction?: string
}

/** What every fact about an order says beside itself: when, and by whose account (null for the platform and providers). */
interface Told {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly by: number | null
}

/** A fact that changes the status. `personal` is where it happened, what proves it and what was said. */
interface Moved extends Told {
  readonly from: Status
  readonly to: Status
  readonly personal?: Circumstances
}

/** Where a driver was, what was photographed, who signed, what was said. */
export interface Circumstances {
  readonly latitude?: number
  readonly longitude?: number
  readonly photo_urls?: readonly string[]
  readonly signature_url?: string
  readonly recipient?: string
  /** Free text. */
  readonly note?: string
}

/** One event for each of the types, so that each can be told from the others. */
type OrderFact<Type extends string, Data> = Type extends string ? Event<Type, Data> : never

/** An order was taken. */
export type OrderCreated = OrderFact<
  'OrderCreated',
  Told & {
    readonly order_id: number
    readonly business_id: number
    readonly customer_id?: number
    readonly type: OrderType
    readonly to: 'NEW_ORDER'
    readonly tracking_number: string
    readonly external_tracking_number?: string
    readonly reference?: string
    /** `YYYY-MM-DD`, in the time zone of the business. */
    readonly schedule_date?: string
    readonly time_window?: TimeWindow
    readonly items: number
    readonly price?: Price
    /** How it came: by itself, in a batch, in an asynchronous batch, or in the place of an order that was rerouted. */
    readonly source: 'single' | 'bulk' | 'async' | 'reroute'
    readonly replaces?: number
    readonly personal?: {
      readonly pickup?: Party
      readonly delivery?: Party
      readonly delivery_instruction?: string
      readonly note?: string
      /** Blinded words of names and the blinded digits of phones, which it is found by. */
      readonly terms?: readonly string[]
      /** Blinded words and postal codes of the addresses, which those are found by. */
      readonly address_terms?: readonly string[]
    }
  }
>

/** What happened to an order. */
export type OrderEvent =
  | OrderCreated
  | OrderFact<'OrderHeld' | 'OrderReleased' | 'OrderCompleted' | 'OrderReturned', Moved>
  | OrderFact<
      'OrderAssigned',
      Moved & { readonly driver_id: number; readonly source: 'manual' | 'route' | 'auto_assign' }
    >
  | OrderFact<
      'OrderUnassigned',
      Moved & {
        readonly previous_driver_id: number
        readonly reason: 'handover' | 'removal' | 'hold' | 'cancel' | 'time_out'
      }
    >
  | OrderFact<
      'OrderAccepted' | 'OrderPickupStarted' | 'OrderPickedUp' | 'OrderOnTheWay',
      Moved & { readonly driver_id: number }
    >
  /** Its free-text reason is `personal.note`. */
  | OrderFact<'OrderRejected', Moved & { readonly driver_id: number }>
  | OrderFact<
      'OrderFailed',
      Moved & { readonly stage: 'pickup' | 'delivery'; readonly reason: 'deliver_later' | 'reschedule' | 'refused' }
    >
  | OrderFact<'OrderCancelled', Moved & { readonly replaced_by?: number }>
  | OrderFact<
      'OrderCancelRefused',
      Told & { readonly status: Status; readonly code: string; readonly http_status: number }
    >
  | OrderFact<'OrderReady', Told>
  | OrderFact<'OrderHandedToCarrier', Moved & { readonly provider: string }>
  | OrderFact<'OrderTakenBack' | 'OrderDeliveredByCarrier', Moved & { readonly provider: string }>
  | OrderFact<'OrderPlanned', Told & { readonly route_id: number; readonly stop: number }>
  | OrderFact<'OrderTakenOffRoute', Told & { readonly route_id: number }>
  | OrderFact<
      'OrderScheduleChanged',
      Told & {
        readonly from: { readonly schedule_date?: string; readonly time_window?: TimeWindow }
        readonly to: { readonly schedule_date?: string; readonly time_window?: TimeWindow }
      }
    >
  | OrderFact<
      'DeliveryInstructionChanged' | 'OrderNoteChanged',
      Told & { readonly personal: { readonly from?: string; readonly to: string } }
    >
  /** `amount` was paid from the wallet of its customer. */
  | OrderFact<'OrderPaid', Told & { readonly amount: string; readonly currency: string }>
  /** All that was paid, which is `amount`, was given back to the wallet of its customer. */
  | OrderFact<'OrderRefunded', Told & { readonly amount: string; readonly currency: string }>
  | OrderFact<
      'ContractorAssigned',
      Told & {
        readonly assignment_id: number
        readonly business_id: number
        readonly broker_id: number
        /** The assignment that ends by it, and whose that was. */
        readonly moved_from?: { readonly assignment_id: number; readonly broker_id: number }
        readonly personal?: { readonly note: string }
      }
    >
  | OrderFact<
      'ContractorRevoked' | 'ContractorReleased',
      Told & {
        readonly assignment_id: number
        readonly broker_id: number
        /** The order went, and the assignment with it. */
        readonly reason?: 'cancel' | 'delete'
        /** What was said by whoever ended it. */
        readonly personal?: { readonly reason: string }
      }
    >
  /** A file that proves what was done; without its URL once that was erased. Those that drivers bring stand in what they do. */
  | OrderFact<
      'ProofFileAdded',
      Told & {
        readonly file_id: number
        readonly kind: 'photo' | 'signature'
        readonly personal?: { readonly url: string }
      }
    >
  /** It has another image, which is its version of this number, from 2 on; the one before is archived. */
  | OrderFact<
      'ProofFileReplaced',
      Told & { readonly file_id: number; readonly version: number; readonly personal?: { readonly url: string } }
    >
  /** Its archived version of this number, from 1 on, is its image again. */
  | OrderFact<'ProofFileRestored', Told & { readonly file_id: number; readonly version: number }>
  | OrderFact<'ProofFileRemoved', Told & { readonly file_id: number }>
  | OrderFact<'OrderDeleted', Told>
  | OrderFact<'OrderPersonalDataErased', Told>

const types: Readonly<Record<OrderEvent['type'], true>> = {
  OrderCreated: true,
  OrderHeld: true,
  OrderReleased: true,
  OrderAssigned: true,
  OrderUnassigned: true,
  OrderAccepted: true,
  OrderRejected: true,
  OrderPickupStarted: true,
  OrderPickedUp: true,
  OrderOnTheWay: true,
  OrderCompleted: true,
  OrderFailed: true,
  OrderReturned: true,
  OrderCancelled: true,
  OrderCancelRefused: true,
  OrderReady: true,
  OrderHandedToCarrier: true,
  OrderTakenBack: true,
  OrderDeliveredByCarrier: true,
  OrderPlanned: true,
  OrderTakenOffRoute: true,
  OrderScheduleChanged: true,
  DeliveryInstructionChanged: true,
  OrderNoteChanged: true,
  OrderPaid: true,
  OrderRefunded: true,
  ContractorAssigned: true,
  ContractorRevoked: true,
  ContractorReleased: true,
  ProofFileAdded: true,
  ProofFileReplaced: true,
  ProofFileRestored: true,
  ProofFileRemoved: true,
  OrderDeleted: true,
  OrderPersonalDataErased: true,
}

/** The types of the events of orders. */
export const orderEventTypes: readonly string[] = Object.keys(types)
