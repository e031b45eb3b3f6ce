import type { Circumstances, OrderCreated, OrderEvent, TimeWindow } from './events.ts'

/** Who commands and when; `driver_id` is the driver who does it, where it is one. */
interface Given {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly by: number | null
  readonly driver_id?: number
  readonly circumstances?: Circumstances
}

type Command<Type extends string, More = object> = Given & { readonly type: Type } & More

type DataOf<Type extends OrderEvent['type']> = Extract<OrderEvent, { readonly type: Type }>['data']

/** What can be asked of an order. Refusals: `order_not_found`, `order_status_forbids`, and those named at each. */
export type OrderCommand =
  | { readonly type: 'CreateOrder'; readonly data: OrderCreated['data'] }
  /** `order_on_route`: an order on a route is taken off it first. Its driver loses it. */
  | Command<'HoldOrder'>
  | Command<'ReleaseOrder'>
  /** Nothing follows for the driver who has it already. `order_held_by_contractor` unless `broker_id` is the holder. */
  | Command<
      'AssignDriver',
      { readonly driver: number; readonly source: DataOf<'OrderAssigned'>['source']; readonly broker_id?: number }
    >
  | Command<'UnassignDriver', { readonly reason: DataOf<'OrderUnassigned'>['reason'] }>
  /** As the driver who has it; `not_the_driver` for another. */
  | Command<'AcceptOrder' | 'RejectOrder' | 'StartPickup' | 'PickUp' | 'Depart' | 'CompleteOrder'>
  | Command<'FailOrder', { readonly reason: DataOf<'OrderFailed'>['reason'] }>
  | Command<'ReturnOrder' | 'MarkReady'>
  /**
   * Takes it off its route and from its driver. Where its status forbids it, the fact that it was refused is recorded.
   * One that is cancelled already answers nothing.
   */
  | Command<'CancelOrder', { readonly replaced_by?: number }>
  | Command<'HandToCarrier', { readonly provider: string }>
  | Command<'TakeBack' | 'CarrierDelivered'>
  /** `order_on_route` where it is on another route already; only while it can be assigned to a driver. */
  | Command<'PlanOrder', { readonly route_id: number; readonly stop: number }>
  /** `order_not_on_route`. Its driver loses it. */
  | Command<'TakeOffRoute', { readonly route_id: number }>
  | Command<'Reschedule', { readonly schedule_date?: string; readonly time_window?: TimeWindow }>
  | Command<'ChangeInstruction' | 'ChangeNote', { readonly text: string }>
  /** `nothing_to_pay`, `amount_exceeds` where it is more than what is left. */
  | Command<'PayOrder', { readonly amount: string }>
  /** `order_on_route`, `order_not_assignable`, `order_with_carrier`; the same contractor again: `already_assigned`. */
  | Command<'AssignContractor', { readonly assignment_id: number; readonly broker_id: number; readonly note?: string }>
  /** `order_on_route`, `not_assigned`. */
  | Command<'RevokeContractor', { readonly reason?: string }>
  /** `order_on_route`, `not_assigned` where it is not assigned to this contractor. */
  | Command<'ReleaseContractor', { readonly broker_id: number; readonly reason?: string }>
  /** Only a new, held, or ended order. */
  | Command<'DeleteOrder'>
  | Command<'EraseOrder'>
