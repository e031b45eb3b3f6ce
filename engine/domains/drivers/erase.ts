import type { Context } from '../../kernel/context.ts'
import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Append } from '../../kernel/event-store.ts'
import { isoOf } from '../../kernel/time.ts'
import type { WebhookEventSource } from '../../kernel/webhook-event.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { driverLocationStream } from './location.ts'

/** The locations of a driver were erased, because the person was; at a time in ISO 8601, UTC. */
type DriverLocationsErased = Event<'DriverLocationsErased', { readonly at: string; readonly driver_id: number }>

/** The type of the event that erases the locations of a driver. */
export const driverLocationsErased: DriverLocationsErased['type'] = 'DriverLocationsErased'

/** The shape of this event. */
export const erasedEventShapes: ShapesOf<DriverLocationsErased> = {
  DriverLocationsErased: { at: 'text', driver_id: 'number' },
}

/** The append that erases the locations of a driver; none if there are none. */
export async function eraseLocations(context: Context, driver_id: number): Promise<readonly Append[]> {
  const stream = driverLocationStream(driver_id)
  const last = await context.store.last(stream)
  if (last === undefined) return []
  const event: DriverLocationsErased = {
    type: driverLocationsErased,
    data: { at: isoOf(context.clock()), driver_id },
  }
  return [{ stream, events: [toNewEvent(context)(event)], expected: last.revision }]
}

/** What webhooks have told of a driver is erased with the locations. */
export const forgottenDrivers: NonNullable<WebhookEventSource['forgets']> = {
  types: [driverLocationsErased],
  subjects: async (_, { data }) => [subjectOf((data as DriverLocationsErased['data']).driver_id)],
}

/** What webhook events about a driver name as their subject. */
export function subjectOf(driver: number): string {
  return `driver/${driver}`
}
