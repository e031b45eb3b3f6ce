import type { EventBase } from '../../entity/machine.ts'
import type { Event } from '../../kernel/event.ts'
import { type ShapesOf, stamped } from '../../kernel/event-shape.ts'
import type { BoardAction } from './status.ts'

/** Concerns a driver without a seat. */
type DriverEventBase = EventBase & { readonly driver_id: number }

/** Concerns a driver and a seat, counted from 1. */
type SeatEventBase = DriverEventBase & { readonly seat: number }

/** A board was posted; drivers may claim its seats. */
export type BoardOpened = Event<
  'BoardOpened',
  EventBase & {
    readonly board_id: number
    readonly business_id: number
    /** The route to be driven. */
    readonly route_id?: number
    readonly name?: string
    /** `YYYY-MM-DD`, in the time zone of the business. */
    readonly schedule_date?: string
    readonly seats: number
  }
>

/** The events of a board. */
export type BoardEvent =
  | BoardOpened
  | Event<'SeatClaimed', SeatEventBase>
  /** No seat was free: the driver is last in line. */
  | Event<'DriverStoodBy', DriverEventBase>
  | Event<'DriverPooled', DriverEventBase>
  /** The first in line got a free seat. */
  | Event<'DriverPromoted', SeatEventBase>
  /** With the seat that becomes free, if any. */
  | Event<'DriverWithdrawn', DriverEventBase & { readonly seat?: number }>
  /** With the seat that becomes free, if any. The driver cannot return to this board. */
  | Event<'DriverVetoed', DriverEventBase & { readonly seat?: number }>
  /** The driver got the seat of another one, who has no place any more. */
  | Event<'DriverReplaced', SeatEventBase & { readonly previous_driver_id: number }>
  | Event<'DriverAssigned', SeatEventBase>
  /** The driver lost the seat to an assigned driver, and is first in line. */
  | Event<'DriverDisplaced', SeatEventBase>
  | Event<'SeatAwarded', SeatEventBase>
  /** The board was closed, and the driver had no seat. */
  | Event<'DriverLost', DriverEventBase>
  | Event<'BoardClosed' | 'BoardSettled' | 'BoardCancelled', EventBase>

/** The public name of each event. */
export const actionOf = {
  BoardOpened: 'board_opened',
  SeatClaimed: 'claimed',
  DriverStoodBy: 'standby',
  DriverPooled: 'pooled',
  DriverPromoted: 'promoted',
  DriverWithdrawn: 'withdrawn',
  DriverVetoed: 'vetoed',
  DriverReplaced: 'replaced',
  DriverAssigned: 'assigned',
  DriverDisplaced: 'displaced',
  SeatAwarded: 'awarded',
  DriverLost: 'lost',
  BoardClosed: 'board_closed',
  BoardSettled: 'settled',
  BoardCancelled: 'board_cancelled',
} as const satisfies Readonly<Record<BoardEvent['type'], BoardAction>>

/** The types of board events. */
export const boardEventTypes: readonly string[] = Object.keys(actionOf)

/** The shapes of board events. */
export const boardEventShapes: ShapesOf<BoardEvent> = {
  BoardOpened: {
    ...stamped,
    board_id: 'number',
    business_id: 'number',
    route_id: 'number?',
    name: 'text?',
    schedule_date: 'text?',
    seats: 'number',
  },
  SeatClaimed: { ...stamped, driver_id: 'number', seat: 'number' },
  DriverStoodBy: { ...stamped, driver_id: 'number' },
  DriverPooled: { ...stamped, driver_id: 'number' },
  DriverPromoted: { ...stamped, driver_id: 'number', seat: 'number' },
  DriverWithdrawn: { ...stamped, driver_id: 'number', seat: 'number?' },
  DriverVetoed: { ...stamped, driver_id: 'number', seat: 'number?' },
  DriverReplaced: { ...stamped, driver_id: 'number', seat: 'number', previous_driver_id: 'number' },
  DriverAssigned: { ...stamped, driver_id: 'number', seat: 'number' },
  DriverDisplaced: { ...stamped, driver_id: 'number', seat: 'number' },
  SeatAwarded: { ...stamped, driver_id: 'number', seat: 'number' },
  DriverLost: { ...stamped, driver_id: 'number' },
  BoardClosed: stamped,
  BoardSettled: stamped,
  BoardCancelled: stamped,
}
