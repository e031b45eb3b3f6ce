import type { Decider } from '../../kernel/decider.ts'
import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** A driver went on or off duty. */
export type DriverDutyChanged = Event<
  'DriverDutyChanged',
  {
    readonly driver_id: number
    readonly business_id: number
    readonly on_duty: boolean
    /** ISO 8601, UTC. */
    readonly at: string
  }
>

/** A driver reported a location. */
export type DriverLocated = Event<
  'DriverLocated',
  {
    readonly driver_id: number
    readonly business_id: number
    /** When it was reported: ISO 8601, UTC. */
    readonly at: string
    readonly personal?: {
      readonly latitude: number
      readonly longitude: number
      /** When the device measured it. */
      readonly at?: string
    }
  }
>

/** Changes a driver's duty; does nothing if it stays the same. */
export type ChangeDuty = DriverDutyChanged['data'] & { readonly type: 'ChangeDuty' }

/** The decider of a driver's duty; initially off duty. */
export const driverDuty: Decider<boolean, ChangeDuty, DriverDutyChanged> = {
  initial: () => false,
  evolve: (_, { data }) => data.on_duty,
  decide: ({ type: _, ...data }, isOnDuty) => (data.on_duty === isOnDuty ? [] : [{ type: 'DriverDutyChanged', data }]),
}

/** The stream of a driver's duty. */
export function driverStream(id: number): StreamName {
  return `driver-${id}`
}

/** The stream of a driver's locations. It is separate because it grows all day and no decision reads it. */
export function driverLocationStream(id: number): StreamName {
  return `driver_location-${id}`
}

/** The types of duty events. */
export const driverEventTypes: readonly string[] = ['DriverDutyChanged' satisfies DriverDutyChanged['type']]

/** The types of location events. */
export const driverLocationEventTypes: readonly string[] = ['DriverLocated' satisfies DriverLocated['type']]
