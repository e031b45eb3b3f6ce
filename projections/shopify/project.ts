import { hash } from 'node:crypto'
import type { Target, Timeline, TimelineEvent } from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import { orderStateOf, parcelShownOf } from '../shared/fold.ts'
import { pointOf } from '../shared/place.ts'
import { nameOf } from '../shared/subject.ts'
import { type EventStatus, eventStatusOf } from './codes.ts'
import type { FulfillmentDocument, FulfillmentEvent } from './schema.ts'

/** What codes mean, for each profile. */
/** A timeline as the fulfilment of its parcel (`Fulfillment`, GraphQL Admin API 2026-10). */
export function project(timeline: Timeline, target: Target): FulfillmentDocument {
  const { carrier, number, page } = parcelShownOf(timeline, target)
  const { stage, since } = orderStateOf(timeline)
  return {
    data: {
      fulfillment: {
        trackingInfo: [{ company: carrier ?? null, number: number ?? null, url: page }],
        estimatedDeliveryAt: latestEstimate(timeline) ?? null,
        deliveredAt: (stage === 'delivered' ? since : undefined) ?? null,
        events: { nodes: nodesOf(timeline, target) },
      },
    },
  }
}

function nodesOf({ profile, subject, events }: Timeline, { timeline }: Target): FulfillmentEvent[] {
  const nodes: FulfillmentEvent[] = []
  const name = timeline ?? nameOf(subject).value
  let hasReturned = false
  for (const event of events) {
    const { status_code } = event
    const status = eventStatusOf(profile, status_code)
    if (status !== undefined) {
      // Whoever receives a parcel that went back is its sender: that is no delivery.
      const shown = hasReturned && status === 'DELIVERED' ? 'FAILURE' : status
      nodes.push(nodeOf(event, shown, meaningOf(profile, status_code), name))
    }
    hasReturned ||= status_code === 'return_to_sender'
  }
  return nodes
}

function nodeOf(
  event: TimelineEvent,
  status: EventStatus,
  meaning: string | undefined,
  name: string,
): FulfillmentEvent {
  const { location } = event
  const address = location?.address
  const point = pointOf(location)
  return {
    id: idOf(event, name),
    status,
    happenedAt: event.occurred_at,
    createdAt: event.recorded_at,
    estimatedDeliveryAt: event.estimated_delivery_at ?? null,
    message: event.description || (meaning ?? null),
    address1: address?.street || location?.name || null,
    city: address?.locality ?? null,
    province: address?.region ?? null,
    country: address?.country ?? null,
    zip: address?.postal_code ?? null,
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
  }
}

/**
 * Made of what names an event (an event id is its provider's own) and of what a later report of it cannot change;
 * 48 bits, so that a JSON number holds it as well.
 */
function idOf({ event_id, occurred_at, status_code, source }: TimelineEvent, name: string): string {
  const digest = hash(
    'sha256',
    `${name}\0${source?.provider ?? ''}\0${event_id}\0${occurred_at}\0${status_code}`,
    'hex',
  )
  return `gid://shopify/FulfillmentEvent/${Number.parseInt(digest.slice(0, 12), 16)}`
}

function latestEstimate({ events }: Timeline): string | undefined {
  return events.findLast(({ estimated_delivery_at }) => estimated_delivery_at !== undefined)?.estimated_delivery_at
}
