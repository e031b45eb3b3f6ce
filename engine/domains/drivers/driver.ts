import type { Decider } from '../../kernel/decider.ts'
import type { Event } from '../../kernel/event.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** A driver came on duty or went off it. */
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

/** Where a driver was. */
export type DriverLocated = Event<
  'DriverLocated',
  {
    readonly driver_id: number
    readonly business_id: number
    /** When it was told: ISO 8601, UTC. */
    readonly at: string
    readonly personal?: {
      readonly latitude: number
      readonly longitude: number
      /** When it was measured, as the device says. */
      readonly at?: string
    }
  }
>

/** A driver's own word about its duty; nothing follows where it is as it was. */
export type ChangeDuty = DriverDutyChanged['data'] & { readonly type: 'ChangeDuty' }

/** The decider of a driver: whether it is on duty. Before its first word it is not. */
export const driverDuty: Decider<boolean, ChangeDuty, DriverDutyChanged> = {
  initial: () => false,
  evolve: (_, { data }) => data.on_duty,
  decide: ({ type: _, ...data }, isOnDuty) => (data.on_duty === isOnDuty ? [] : [{ type: 'DriverDutyChanged', data }]),
}

/** The stream of a driver's duty. */
export function driverStream(id: number): StreamName {
  return `driver-${id}`
}

/** The stream of where a driver was: apart, as it grows all day and is not read to decide anything. */
export function driverLocationStream(id: number): StreamName {
  return `driver_location-${id}`
}

/** The types of the events of a driver's duty. */
export const driverEventTypes: readonly string[] = ['DriverDutyChanged' satisfies DriverDutyChanged['type']]

/** The types of the events of where a driver was. */
export const driverLocationEventTypes: readonly string[] = ['DriverLocated' satisfies DriverLocated['type']]
