import { eventShapesOf } from '../../entity/event-shapes.ts'
import type { EventBase } from '../../entity/machine.ts'
import type { RecordedOf } from '../../entity/recorded.ts'
import type { CarrierReport } from '../../kernel/carrier-report.ts'
import type { Event } from '../../kernel/event.ts'
import type { EventShapes } from '../../kernel/event-shape.ts'
import type { Offline } from '../../kernel/payable.ts'
import { orderTable } from './order.ts'
import type { Pool, RuleVersion, UnpoolReason } from './pool.ts'
import type { Circumstances, Price, TimeWindow } from './schema.ts'
import type { Status } from './status.ts'

/** An event that changes the status. `personal` holds the place, the proof and the notes. */
interface Moved extends EventBase {
  readonly from: Status
  readonly to: Status
  /** The report of its carrier that moved it. */
  readonly reported?: CarrierReport
  readonly personal?: Circumstances
}

/** One event type for each name, so that the union can be narrowed by `type`. */
type OrderFact<Type extends string, Data> = Type extends string ? Event<Type, Data> : never

/** An order was created. Its fields are those that the table sets at the creation. */
export type OrderCreated = OrderFact<
  'OrderCreated',
  EventBase & { readonly to: 'NEW_ORDER' } & RecordedOf<typeof orderTable, 'create'>
>

type Corrected = RecordedOf<typeof orderTable, 'correct'>

/** What a correction records. */
type Correction = Omit<Corrected, 'reference' | 'customer_id' | 'personal'> & {
  readonly customer_id?: number
  readonly reference?: string | null
  readonly personal?: Corrected['personal'] & {
    readonly terms?: readonly string[]
    readonly address_terms?: readonly string[]
  }
}

/** What happened to an order. */
export type OrderEvent =
  | OrderCreated
  | OrderFact<'OrderHeld' | 'OrderReleased' | 'OrderCompleted' | 'OrderReturned', Moved>
  | OrderFact<
      'OrderAssigned',
      Moved & {
        readonly driver_id: number
        readonly source: 'manual' | 'route' | 'auto_assign'
        /** The assignment rule that chose the driver, and until when the driver can accept (ISO 8601, UTC). */
        readonly rule?: RuleVersion
        readonly respond_by?: string
      }
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
      EventBase & { readonly status: Status; readonly code: string; readonly http_status: number }
    >
  | OrderFact<'OrderReady', EventBase>
  | OrderFact<'OrderReportedOn', EventBase & { readonly reported_by: string }>
  | OrderFact<'OrderContradicted', EventBase & { readonly contradicting: string }>
  | OrderFact<'OrderContradictionEnded', EventBase>
  | OrderFact<'OrderHandedToCarrier', Moved & { readonly provider: string }>
  | OrderFact<'OrderTakenBack' | 'OrderDeliveredByCarrier', Moved & { readonly provider: string }>
  | OrderFact<'OrderPlanned', EventBase & { readonly route_id: number; readonly stop: number }>
  | OrderFact<'OrderTakenOffRoute', EventBase & { readonly route_id: number }>
  | OrderFact<
      'OrderScheduleChanged',
      EventBase & {
        readonly from: { readonly schedule_date?: string; readonly time_window?: TimeWindow }
        readonly to: { readonly schedule_date?: string; readonly time_window?: TimeWindow }
      }
    >
  /** Its members are those that changed, a removed one as null. People are given with all that is known of them. */
  | OrderFact<'OrderCorrected', EventBase & Correction>
  | OrderFact<
      'DeliveryInstructionChanged' | 'OrderNoteChanged',
      EventBase & { readonly personal: { readonly from?: string; readonly to: string } }
    >
  | OrderFact<
      'OrderPriceChanged',
      EventBase & {
        readonly price: Price
        /** Why it was changed. */
        readonly personal?: { readonly note: string }
      }
    >
  /** `amount` was paid from the wallet of its customer. */
  | OrderFact<'OrderPaid', EventBase & { readonly amount: string; readonly currency: string }>
  /** It was paid outside of this server, by the word of the staff. */
  | OrderFact<
      'OrderSettledOffline',
      EventBase & { readonly payment: { readonly amount: string; readonly currency: string } & Offline }
    >
  /** Of what was paid from the customer's wallet, `amount` went back there. */
  | OrderFact<
      'OrderRefunded',
      EventBase & {
        readonly amount: string
        readonly currency: string
        /** The staff gave it back, and it is not to be paid again. */
        readonly waived?: true
        /** Why; it names nobody. */
        readonly reason?: string
      }
    >
  | OrderFact<
      'ContractorAssigned',
      EventBase & {
        readonly assignment_id: number
        readonly business_id: number
        readonly broker_id: number
        /** The assignment that it ends, and its contractor. */
        readonly moved_from?: { readonly assignment_id: number; readonly broker_id: number }
        /** The assignment rule in whose pool the contractor took it. */
        readonly rule?: RuleVersion
        readonly personal?: { readonly note: string }
      }
    >
  | OrderFact<
      'ContractorRevoked' | 'ContractorReleased',
      EventBase & {
        readonly assignment_id: number
        readonly broker_id: number
        /** The order went, and the assignment with it. */
        readonly reason?: 'cancel' | 'delete'
        /** The reason of the one who ended it. */
        readonly personal?: { readonly reason: string }
      }
    >
  /** It is in the pools of these assignment rules, and in no others any more. */
  | OrderFact<'OrderPooled', EventBase & { readonly business_id: number } & Pool>
  | OrderFact<'OrderOfferRefused', EventBase & { readonly broker_id: number }>
  | OrderFact<'OrderUnpooled', EventBase & { readonly reason: UnpoolReason }>
  /** A proof file; its URL is missing after an erasure. Files that drivers bring are part of their own events. */
  | OrderFact<
      'ProofFileAdded',
      EventBase & {
        readonly file_id: number
        readonly kind: 'photo' | 'signature'
        readonly personal?: { readonly url: string }
      }
    >
  /** It has another image, which is its version of this number, from 2 on; the one before is archived. */
  | OrderFact<
      'ProofFileReplaced',
      EventBase & { readonly file_id: number; readonly version: number; readonly personal?: { readonly url: string } }
    >
  /** Its archived version of this number, from 1 on, is its image again. */
  | OrderFact<'ProofFileRestored', EventBase & { readonly file_id: number; readonly version: number }>
  | OrderFact<'ProofFileRemoved', EventBase & { readonly file_id: number }>
  | OrderFact<'OrderDeleted', EventBase>
  | OrderFact<'OrderPersonalDataErased', EventBase>

/** The shapes of the events of orders. */
export const orderEventShapes: EventShapes = eventShapesOf(orderTable)
