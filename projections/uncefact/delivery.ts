import { isTerminal, type Profile, phaseOf, type Timeline, type TimelineEvent } from '../../engine/index.ts'

/** The delivery of a consignment: the event, once it has happened, and the latest estimate. */
export interface Delivery {
  readonly event?: TimelineEvent
  readonly estimate?: string
}

/** The delivery; undefined if the parcel's journey ended in another way, so that nobody expects a delivery. */
export function deliveryOf({ current_status, events }: Timeline, profile: Profile): Delivery | undefined {
  const event = events.findLast(({ status_code }) => phaseOf(profile, status_code) === 'delivered')
  const ended = current_status !== undefined && isTerminal(profile, current_status)
  if (event === undefined && ended) return undefined
  const estimate = events.findLast(({ estimated_delivery_at }) => estimated_delivery_at !== undefined)
  if (event === undefined && estimate === undefined) return undefined
  return {
    ...(event === undefined ? undefined : { event }),
    ...(estimate?.estimated_delivery_at === undefined ? undefined : { estimate: estimate.estimated_delivery_at }),
  }
}
