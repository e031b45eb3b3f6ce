import { type Location, nearestCode, type Target, type Timeline, type TimelineEvent } from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import { carrierShown, currentSince, numberShown, pageShown } from '../shared/fold.ts'
import { places } from '../shared/identity.ts'
import { pointOf } from '../shared/place.ts'
import { profileOf } from '../shared/profile.ts'
import { nameOf } from '../shared/subject.ts'
import {
  cachedMembers,
  digits,
  documents,
  hexDigest,
  joined,
  number,
  object,
  only,
  type Plain,
  plain,
  streamedList,
  text,
} from '../shared/template/index.ts'
import { type EventStatus, eventStatusOf } from './codes.ts'
import type { Fulfillment, FulfillmentDocument, FulfillmentEvent } from './schema.ts'

/** The input of one event. Its code has a status. */
interface EventInput {
  readonly event: TimelineEvent
  readonly status: EventStatus
  readonly meaning: string | undefined
  /** The name of its timeline. */
  readonly name: string
}

type Place = Pick<FulfillmentEvent, 'address1' | 'city' | 'province' | 'country' | 'zip' | 'latitude' | 'longitude'>

const nowhere: Location = {}

const place = cachedMembers<EventInput, Location, Place>(
  ({ event }) => event.location ?? nowhere,
  {
    address1: text(({ address, name }) => address?.street || name || null),
    city: text(({ address }) => address?.locality ?? null),
    province: text(({ address }) => address?.region ?? null),
    country: text(({ address }) => address?.country ?? null),
    zip: text(({ address }) => address?.postal_code ?? null),
    latitude: number((location) => pointOf(location)?.latitude ?? null),
    longitude: number((location) => pointOf(location)?.longitude ?? null),
  },
  places,
)

const node = object<EventInput, FulfillmentEvent>({
  id: plain(idOf),
  status: plain(({ status }) => status),
  happenedAt: text(({ event }) => event.occurred_at),
  createdAt: text(({ event }) => event.recorded_at),
  estimatedDeliveryAt: text(({ event }) => event.estimated_delivery_at ?? null),
  message: text(({ event, meaning }) => event.description || (meaning ?? null)),
  ...place,
})

interface FulfillmentInput {
  readonly timeline: Timeline
  readonly target: Target
}

const fulfillment = object<FulfillmentInput, Fulfillment>({
  trackingInfo: only(
    object<FulfillmentInput, Fulfillment['trackingInfo'][0]>({
      company: text(({ timeline }) => carrierShown(timeline) ?? null),
      number: text(({ timeline }) => numberShown(timeline.subject) ?? null),
      url: text(({ timeline, target }) => pageShown(timeline, target)),
    }),
  ),
  estimatedDeliveryAt: text(({ timeline }) => latestEstimate(timeline) ?? null),
  deliveredAt: text(({ timeline }) => (timeline.delivered ? currentSince(timeline) : undefined) ?? null),
  events: object<FulfillmentInput, Fulfillment['events']>({ nodes: streamedList(eventInputs, node) }),
})

/** A timeline as the fulfilment of its parcel (`Fulfillment`, GraphQL Admin API 2026-10). */
export const { project, steps, write, pieces } = documents(
  (timeline, target): FulfillmentInput => ({ timeline, target }),
  object<FulfillmentInput, FulfillmentDocument>({
    data: object<FulfillmentInput, FulfillmentDocument['data']>({ fulfillment }),
  }),
)

/** The events of a fulfilment, one by one. */
export function* eventNodes(timeline: Timeline, target: Target): Generator<FulfillmentEvent> {
  for (const input of eventInputs({ timeline, target })) yield node.make(input)
}

function* eventInputs({ timeline, target }: FulfillmentInput): Generator<EventInput> {
  const { subject, events } = timeline
  const profile = profileOf(timeline, target)
  const name = target.timeline ?? nameOf(subject).value
  let hasReturned = false
  for (const event of events) {
    const { status_code } = event
    const status = eventStatusOf(profile, status_code)
    if (status !== undefined) {
      yield {
        event,
        // A returned parcel is received by its sender, which is no delivery.
        status: hasReturned && status === 'DELIVERED' ? 'FAILURE' : status,
        meaning: meaningOf(profile, status_code),
        name,
      }
    }
    hasReturned ||= nearestCode(profile, status_code) === 'return_to_sender'
  }
}

/**
 * The id of an event. It is derived from members that identify the event and that later reports do not change. It has
 * 48 bits, so that it also fits a JSON number.
 */
function idOf({ event: { event_id, occurred_at, status_code, source }, name }: EventInput): Plain {
  const digest = hexDigest(`${name}\0${source?.provider ?? ''}\0${event_id}\0${occurred_at}\0${status_code}`, 12)
  return joined('gid://shopify/FulfillmentEvent/', digits(Number.parseInt(digest, 16)))
}

function latestEstimate({ events }: Timeline): string | undefined {
  return events.findLast(({ estimated_delivery_at }) => estimated_delivery_at !== undefined)?.estimated_delivery_at
}
