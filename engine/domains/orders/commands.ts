import type { CarrierReport } from '../../kernel/carrier-report.ts'
import type { Offline } from '../../kernel/payable.ts'
import type { OrderCreated, OrderEvent } from './events.ts'
import type { StepName } from './moves.ts'
import type { Pool, RuleVersion, UnpoolReason } from './pool.ts'
import type { Circumstances, Party, Price, TimeWindow } from './schema.ts'

/** The account that gives a command, and the time. `driver_id` is set if it is a driver. */
export interface CommandBase {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly by: number | null
  readonly driver_id?: number
  readonly circumstances?: Circumstances
  /** The network address that it came from, or its block. */
  readonly ip?: string
}

type Command<Type extends string, More = object> = CommandBase & { readonly type: Type } & More

type DataOf<Type extends OrderEvent['type']> = Extract<OrderEvent, { readonly type: Type }>['data']

/** What a correction sets; null for none. */
export interface CorrectedValues {
  readonly reference?: string | null
  readonly items?: number
  readonly tags?: string[]
  readonly delivery?: Party
  readonly pickup?: Party
}

/**
 * The commands on an order. Each may be refused with `order_not_found` (also for a deleted order), with
 * `order_status_forbids`, and with the codes listed at it.
 */
export type OrderCommand =
  | { readonly type: 'CreateOrder'; readonly data: OrderCreated['data'] }
  /** `order_on_route` (take it off the route first), `order_with_carrier`. The driver loses it. */
  | Command<'HoldOrder'>
  | Command<'ReleaseOrder'>
  /**
   * Changes nothing if the driver has it already and no attempt has failed. `order_with_carrier`,
   * `order_held_by_contractor` unless `broker_id` is the contractor.
   */
  | Command<
      'AssignDriver',
      {
        readonly driver: number
        readonly source: DataOf<'OrderAssigned'>['source']
        readonly broker_id?: number
        readonly rule?: RuleVersion
        readonly respond_by?: string
      }
    >
  | Command<'UnassignDriver', { readonly reason: DataOf<'OrderUnassigned'>['reason'] }>
  /** A step of the driver who has it; `not_the_driver` for another. A failed attempt has a reason. */
  | Command<'TakeStep', { readonly step: StepName; readonly reason?: DataOf<'OrderFailed'>['reason'] }>
  /**
   * The order leaves its route, its driver and its contractor, and what was paid is refunded. If the status forbids it,
   * the refusal is recorded. A second cancellation changes nothing.
   */
  | Command<'CancelOrder', { readonly replaced_by?: number }>
  /** `order_on_route`, `order_held_by_contractor`. */
  | Command<'HandToCarrier', { readonly provider: string }>
  /** `order_not_with_carrier`. */
  | Command<'TakeBack' | 'CarrierDelivered'>
  /** The status that the carrier of the order, or the one that is to deliver it, reports of its parcel. Never refused. */
  | Command<'TakeReport', { readonly report: CarrierReport }>
  /** A carrier to which nobody has given the order reports a scan of its parcel. Changes nothing once somebody has the order. */
  | Command<'NoteReport', { readonly report: CarrierReport }>
  /** The carriers that contradict each other on its parcel, or that none do any more. Changes nothing if that is known. */
  | Command<'NoteContradiction', { readonly contradicting: string | undefined }>
  /**
   * `order_on_route` if it is on another route, and the refusals of `AssignDriver`: only an order that can be assigned
   * can be planned.
   */
  | Command<'PlanOrder', { readonly route_id: number; readonly stop: number; readonly broker_id?: number }>
  /** `order_not_on_route`; only until a driver is under way with it. Its driver loses it. */
  | Command<'TakeOffRoute', { readonly route_id: number }>
  | Command<'Reschedule', { readonly schedule_date?: string; readonly time_window?: TimeWindow }>
  /**
   * Changes what is given and differs. People and items until the order has ended, and not while a carrier has it
   * (`order_with_carrier`); addresses only until it is dispatched, and off its route (`order_on_route`). For a customer
   * anything only until it is dispatched, and nothing that its price depends on (`staff_corrects`). `order_forgotten`.
   */
  | Command<
      'CorrectOrder',
      {
        readonly values: CorrectedValues
        /** The search terms of the people, with both sides as they are after the correction. */
        readonly terms?: readonly string[]
        readonly address_terms?: readonly string[]
        readonly isByCustomer: boolean
      }
    >
  /** `order_forgotten`: after an erasure, no text is stored any more. */
  | Command<'ChangeInstruction' | 'ChangeNote', { readonly text: string }>
  /**
   * Also once the order has ended, with a note, unless it is cancelled. `currency_differs` once something was paid in another
   * one; `order_forgotten` for a note after an erasure.
   */
  | Command<'ChangePrice', { readonly price: Price; readonly note?: string }>
  /**
   * Gives back all that was paid, or a part of it, whatever the status: `nothing_to_refund`, `refund_exceeds` if it is more than
   * what is paid.
   */
  | Command<'RefundOrder', { readonly amount?: string; readonly reason: string }>
  /** Paid from the customer's wallet. `nothing_to_pay`, `amount_exceeds` if it is more than what is left. */
  | Command<'PayOrder', { readonly amount: string }>
  /** Paid outside of this server; refused like `PayOrder`. */
  | Command<'SettleOffline', { readonly amount: string; readonly offline: Offline }>
  /** `order_on_route`, `order_not_assignable`, `order_with_carrier`; the same contractor again: `already_assigned`. */
  | Command<'AssignContractor', { readonly assignment_id: number; readonly broker_id: number; readonly note?: string }>
  /** Puts a free order into these pools, and no others. `order_not_free`. The same pools again change nothing. */
  | Command<'PoolOrder', { readonly pool: Pool }>
  /** Takes an order out of its pools. */
  | Command<'UnpoolOrder', { readonly reason: UnpoolReason }>
  /** A contractor takes, or refuses, an order that it was offered; `offer_not_found`. */
  | Command<'AcceptOffer', { readonly broker_id: number; readonly assignment_id: number }>
  | Command<'RefuseOffer', { readonly broker_id: number }>
  /** The time to answer is over for the driver or the contractors; changes nothing before, or once one has answered. */
  | Command<'EndAnswerTime'>
  /** `order_on_route`, `not_assigned`; not while a driver is under way with it. Its driver loses it. */
  | Command<'RevokeContractor', { readonly reason?: string }>
  /** Refused like `RevokeContractor`, and with `not_assigned` if another contractor has it. */
  | Command<'ReleaseContractor', { readonly broker_id: number; readonly reason?: string }>
  /**
   * Only for new, held and ended orders; `order_on_route`. The contractor loses it. What was paid is refunded, unless
   * the order has ended.
   */
  | Command<'DeleteOrder'>
  /** Also for deleted orders. Changes nothing after an erasure. */
  | Command<'EraseOrder'>
