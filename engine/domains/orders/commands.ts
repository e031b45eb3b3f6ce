import type { OrderCreated, OrderEvent } from './events.ts'
import type { StepName } from './moves.ts'
import type { Circumstances, TimeWindow } from './schema.ts'

/** Who commands and when; `driver_id` is the driver who does it, where it is one. */
export interface CommandBase {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly by: number | null
  readonly driver_id?: number
  readonly circumstances?: Circumstances
}

type Command<Type extends string, More = object> = CommandBase & { readonly type: Type } & More

type DataOf<Type extends OrderEvent['type']> = Extract<OrderEvent, { readonly type: Type }>['data']

/**
 * What can be asked of an order. Refusals: `order_not_found` (a deleted one is not found either), `order_status_forbids`,
 * and those named at each.
 */
export type OrderCommand =
  | { readonly type: 'CreateOrder'; readonly data: OrderCreated['data'] }
  /** `order_on_route`: an order on a route is taken off it first; `order_with_carrier`. Its driver loses it. */
  | Command<'HoldOrder'>
  | Command<'ReleaseOrder'>
  /**
   * Nothing follows for the driver who has it already, unless an attempt has failed. `order_held_by_contractor` unless
   * `broker_id` is the holder, `order_with_carrier`.
   */
  | Command<
      'AssignDriver',
      { readonly driver: number; readonly source: DataOf<'OrderAssigned'>['source']; readonly broker_id?: number }
    >
  | Command<'UnassignDriver', { readonly reason: DataOf<'OrderUnassigned'>['reason'] }>
  /** A step of the driver who has it; `not_the_driver` for another. A failed attempt has a reason. */
  | Command<'TakeStep', { readonly step: StepName; readonly reason?: DataOf<'OrderFailed'>['reason'] }>
  /**
   * Takes it off its route, from its driver and from its contractor. Where its status forbids it, the fact that it was refused is recorded.
   * One that is cancelled already answers nothing. What was paid is given back.
   */
  | Command<'CancelOrder', { readonly replaced_by?: number }>
  /** `order_on_route`, `order_held_by_contractor`. */
  | Command<'HandToCarrier', { readonly provider: string }>
  /** `order_not_with_carrier`. */
  | Command<'TakeBack' | 'CarrierDelivered'>
  /**
   * `order_on_route` where it is on another route already; only while it can be assigned to a driver, and refused as that
   * is: `order_with_carrier`, `order_held_by_contractor` unless `broker_id` is the holder.
   */
  | Command<'PlanOrder', { readonly route_id: number; readonly stop: number; readonly broker_id?: number }>
  /** `order_not_on_route`; only until a driver is under way with it. Its driver loses it. */
  | Command<'TakeOffRoute', { readonly route_id: number }>
  | Command<'Reschedule', { readonly schedule_date?: string; readonly time_window?: TimeWindow }>
  /** `order_forgotten`: what is written of people is not kept any more. */
  | Command<'ChangeInstruction' | 'ChangeNote', { readonly text: string }>
  /** From the wallet of its customer; `nothing_to_pay`, `amount_exceeds` where it is more than what is left. */
  | Command<'PayOrder', { readonly amount: string }>
  /** `order_on_route`, `order_not_assignable`, `order_with_carrier`; the same contractor again: `already_assigned`. */
  | Command<'AssignContractor', { readonly assignment_id: number; readonly broker_id: number; readonly note?: string }>
  /** `order_on_route`, `not_assigned`; not while a driver is under way with it. Its driver loses it. */
  | Command<'RevokeContractor', { readonly reason?: string }>
  /** As revoking; `not_assigned` too where it is assigned to another contractor. */
  | Command<'ReleaseContractor', { readonly broker_id: number; readonly reason?: string }>
  /** Only a new, held, or ended order; `order_on_route`. Its contractor loses it; what was paid for one that has not ended is given back. */
  | Command<'DeleteOrder'>
  /** A deleted order too. Nothing follows where it is forgotten already. */
  | Command<'EraseOrder'>
