import type { Profile, Target, Timeline, TimelineEvent } from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import { carrierShown, numberShown, pageShown } from '../shared/fold.ts'
import { pointOf } from '../shared/place.ts'
import { profileOf } from '../shared/profile.ts'
import { nameOf } from '../shared/subject.ts'
import { documents, flag, number, object, plain, streamedList, text } from '../shared/template/index.ts'
import { statusOf } from './codes.ts'
import type { OspDocument, OspEvent } from './schema.ts'

interface EventInput {
  readonly event: TimelineEvent
  readonly profile: Profile
}

const event = object<EventInput, OspEvent>({
  date: text(({ event }) => event.occurred_at.slice(0, 10)),
  time: text(({ event }) => event.occurred_at.slice(11, 16)),
  timestamp: text(({ event }) => event.occurred_at),
  description: text(
    ({ event, profile }) => event.description || meaningOf(profile, event.status_code) || event.status_code,
  ),
  status: plain(({ event, profile }) => statusOf(profile, event.status_code)),
  code: text(({ event }) => event.source?.code),
  location: text(({ event }) => locationOf(event)),
  latitude: number(({ event }) => pointOf(event.location)?.latitude),
  longitude: number(({ event }) => pointOf(event.location)?.longitude),
})

interface Input {
  readonly timeline: Timeline
  readonly target: Target
}

/** A timeline as the tracking of its parcel (OSP 0.1, core, section 4.11). */
export const { project, steps, write, pieces } = documents(
  (timeline, target): Input => ({ timeline, target }),
  object<Input, OspDocument>({
    tracking_number: text(({ timeline: { subject } }) => numberShown(subject) ?? nameOf(subject).value),
    carrier_name: text(({ timeline }) => carrierShown(timeline) ?? ''),
    status: plain(({ timeline, target }) =>
      timeline.current_status === undefined
        ? 'pending'
        : statusOf(profileOf(timeline, target), timeline.current_status),
    ),
    estimated_delivery: text(({ timeline: { events } }) =>
      events.findLast(({ estimated_delivery_at: at }) => at !== undefined)?.estimated_delivery_at?.slice(0, 10),
    ),
    delivered: flag(({ timeline }) => timeline.delivered),
    events: streamedList(newestFirst, event),
    signed_by: text(({ timeline: { delivered, events } }) =>
      delivered ? events.findLast(({ pod }) => pod?.recipient !== undefined)?.pod?.recipient : undefined,
    ),
    info: object<Input, OspDocument['info']>({
      carrier_tracking_link: text(({ timeline, target }) => pageShown(timeline, target)),
    }),
  }),
)

function* newestFirst({ timeline, target }: Input): Generator<EventInput> {
  const profile = profileOf(timeline, target)
  for (let index = timeline.events.length - 1; index >= 0; index--) {
    const event = timeline.events[index]
    if (event !== undefined) yield { event, profile }
  }
}

/** `Memphis, TN, US`, or the name of a place without an address. */
function locationOf({ location }: TimelineEvent): string | undefined {
  const { locality, region, country } = location?.address ?? {}
  const parts = [locality ?? location?.name, region, country].filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? undefined : parts.join(', ')
}
