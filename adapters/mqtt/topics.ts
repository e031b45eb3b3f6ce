import {
  type Context,
  codeOf,
  type Follow,
  type Identifier,
  identifiersOf,
  latestExpected,
} from '../../engine/index.ts'

/** Topics to which clients publish the number of a timeline, to begin or to end to follow it. */
export const commands = { follow: 'otep/follow', unfollow: 'otep/unfollow' } as const

/** The topics of one follow. All of them are retained. */
export interface FollowTopics {
  readonly state: string
  /** The configurations of the two sensors in Home Assistant. */
  readonly status: string
  readonly expected: string
}

/** The topics of a follow by its id. */
export function topicsOf(id: number): FollowTopics {
  const name = `otep_${id}`
  return {
    state: `otep/${id}/state`,
    status: `homeassistant/sensor/${name}/status/config`,
    expected: `homeassistant/sensor/${name}/expected/config`,
  }
}

/** The id of the follow that a topic is about; undefined if it is about none. */
export function followOf(topic: string): number | undefined {
  const digits = /^(?:otep\/|homeassistant\/sensor\/otep_)(\d{1,16})\//.exec(topic)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A timeline as everybody may see it. */
type PublicTimeline = NonNullable<Awaited<ReturnType<Context['ports']['news']['publicTimeline']>>>

/** The number by which everybody may know a timeline. */
export function publicNumberOf({ timeline }: PublicTimeline): string | undefined {
  const [first]: readonly (Identifier | undefined)[] = identifiersOf(timeline.subject)
  return first?.value
}

/** A message that is kept for those who subscribe later. */
export interface Retained {
  readonly topic: string
  readonly payload: string
}

/** What is said of a followed timeline, with no more than everybody may see, and how Home Assistant shows it. */
export function messagesOf(
  { id, number }: Follow,
  { timeline, profile, current }: PublicTimeline,
  { baseUrl }: Pick<Context, 'baseUrl'>,
): readonly Retained[] {
  const topics = topicsOf(id)
  const expected = latestExpected(timeline.events)
  const code = current?.status_code
  const page = `${baseUrl}/track/${encodeURIComponent(number)}`
  const state = {
    number,
    status: code ?? null,
    phrase: code === undefined ? null : (codeOf(profile, code)?.phrases.en ?? code),
    phase: current?.phase ?? null,
    delivered: timeline.delivered,
    expected_from: expected?.estimated_delivery_from ?? null,
    expected_until: expected?.estimated_delivery_at ?? null,
    occurred_at: current?.occurred_at ?? null,
    place: current?.location?.address?.locality ?? null,
    url: page,
  }
  const sensor = {
    state_topic: topics.state,
    origin: { name: 'otep-engine' },
    device: { identifiers: [`otep_${id}`], name: number, manufacturer: 'otep-engine', configuration_url: page },
  }
  const status = {
    ...{ name: 'Status', unique_id: `otep_${id}_status`, icon: 'mdi:package-variant-closed' },
    ...{ value_template: '{{ value_json.phrase }}', json_attributes_topic: topics.state, ...sensor },
  }
  const until = {
    ...{ name: 'Expected', unique_id: `otep_${id}_expected`, device_class: 'timestamp' },
    ...{ value_template: '{{ value_json.expected_until }}', ...sensor },
  }
  return [
    { topic: topics.status, payload: JSON.stringify(status) },
    { topic: topics.expected, payload: JSON.stringify(until) },
    { topic: topics.state, payload: JSON.stringify(state) },
  ]
}

/** Removes what was said of a follow: an empty message takes a retained one away. */
export function removalOf(id: number): readonly Retained[] {
  return Object.values(topicsOf(id)).map((topic: string) => ({ topic, payload: '' }))
}
