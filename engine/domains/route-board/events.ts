import type { EventBase } from '../../entity/machine.ts'
import type { Event } from '../../kernel/event.ts'
import type { BoardAction } from './status.ts'

/** It concerns a driver who has no seat by it, nor had one. */
type DriverEventBase = EventBase & { readonly driver_id: number }

/** It concerns a driver and a seat, counted from 1. */
type SeatEventBase = DriverEventBase & { readonly seat: number }

/** A board was posted: drivers may claim its seats. */
export type BoardOpened = Event<
  'BoardOpened',
  EventBase & {
    readonly board_id: number
    readonly business_id: number
    /** The route that is to be driven. */
    readonly route_id?: number
    readonly name?: string
    /** `YYYY-MM-DD`, in the time zone of the business. */
    readonly schedule_date?: string
    readonly seats: number
  }
>

/** What happened on a board. */
export type BoardEvent =
  | BoardOpened
  | Event<'SeatClaimed', SeatEventBase>
  /** No seat was free: it is the last in line. */
  | Event<'DriverStoodBy', DriverEventBase>
  | Event<'DriverPooled', DriverEventBase>
  /** The first in line has taken a seat that fell free. */
  | Event<'DriverPromoted', SeatEventBase>
  /** With the seat that falls free by it, if any. */
  | Event<'DriverWithdrawn', DriverEventBase & { readonly seat?: number }>
  /** With the seat that falls free by it, if any. It claims nothing on this board any more. */
  | Event<'DriverVetoed', DriverEventBase & { readonly seat?: number }>
  /** The driver has the seat that another one had, who has no place any more. */
  | Event<'DriverReplaced', SeatEventBase & { readonly previous_driver_id: number }>
  | Event<'DriverAssigned', SeatEventBase>
  /** It has lost its seat to one who was assigned, and is the first in line. */
  | Event<'DriverDisplaced', SeatEventBase>
  | Event<'SeatAwarded', SeatEventBase>
  /** The board was closed, and it had no seat. */
  | Event<'DriverLost', DriverEventBase>
  | Event<'BoardClosed' | 'BoardSettled' | 'BoardCancelled', EventBase>

/** What each fact is called outside. */
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

/** The types of the events of boards. */
export const boardEventTypes: readonly string[] = Object.keys(actionOf)
