import type { Place } from './places.ts'

/** An order of the day, as it is created, but for when it is due. */
export interface PlannedOrder {
  /** When a driver is to deliver it: today, or today before the day begins, which is too early. */
  readonly due?: 'today' | 'before'
  readonly type: 'D'
  readonly tracking_number: string
  readonly reference: string
  readonly items: number
  readonly delivery: { readonly name: string; readonly address: object }
  readonly price: object
}

/** A stay in a locker. */
export interface Stay {
  readonly index: number
  /** From 1. */
  readonly locker: number
}

/** What a carrier reports; its time is that of the step. */
export interface Scan {
  readonly status_code: string
  readonly location: Place
  readonly incident_reason?: string
  readonly description?: string
  /** Minutes of the day at which it is to arrive. */
  readonly estimated_delivery_in?: number
}

/** What happens to an order that a driver has. */
export interface Move {
  readonly kind: 'move'
  readonly driver: number
  /** Index of the order. */
  readonly order: number
  readonly operation:
    | 'assign_driver'
    | 'accept_order'
    | 'pick_up_order'
    | 'depart_with_order'
    | 'complete_order'
    | 'fail_order'
  readonly input: object
}

/** Something that happens at a minute of the day. */
export type Step = { readonly at: number } & (
  | Move
  | { readonly kind: 'duty'; readonly driver: number }
  | { readonly kind: 'position'; readonly driver: number; readonly latitude: number; readonly longitude: number }
  | { readonly kind: 'scan'; readonly tracking_number: string; readonly event: Scan }
  | { readonly kind: 'stay'; readonly stay: number; readonly what: 'announce' | 'store' | 'collect' | 'problem' }
)
