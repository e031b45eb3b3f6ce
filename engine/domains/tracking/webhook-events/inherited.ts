import type { RecordedEvent } from '../../../kernel/event.ts'
import { isTerminal } from '../../../kernel/profile.ts'
import { createPauses } from '../../../kernel/steps.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { instantOf } from '../../../kernel/time.ts'
import type { WebhookEvent, WebhookEventFacts } from '../../../kernel/webhook-event.ts'
import { isAhead } from '../ahead.ts'
import { type Inherited, inheritedBy } from '../containment.ts'
import { contentsOf, hasContents } from '../contents.ts'
import type { TrackingEventRecorded } from '../events.ts'
import { type ReadState, readState } from '../read.ts'
import { always } from '../stays.ts'
import { trackingWebhookEvent } from './data.ts'

/**
 * The webhook events about everything that was in a container when an event happened to it; and of what is put into a
 * container, about what had already happened to that container since. Each is about one parcel that has an order. The end
 * of a container is not told, because it is not the end of its contents.
 */
export async function* inheritedEventsOf(
  facts: WebhookEventFacts,
  recorded: RecordedEvent<TrackingEventRecorded>,
): AsyncGenerator<WebhookEvent> {
  const stream = recorded.stream as StreamName
  const { personal, event } = recorded.data
  const at = instantOf(event.occurred_at)
  const isPutIn = personal?.aggregation?.action === 'ADD' && personal.aggregation.parent !== undefined
  if (!isPutIn && !(await hasContents(facts))) return
  const read = remembering(facts)
  const until = isPutIn ? always.until : at + 1
  const stateOf = async (one: StreamName) => (await read(one)).state
  const below = new Set([stream])
  const pauses = createPauses(facts.pause, 20)
  if (isPutIn) yield* told(stream)
  for await (const thing of contentsOf(facts, stream, { from: at, until }, stateOf)) {
    await pauses.next()
    below.add(thing)
    yield* told(thing)
  }

  /** Whether a thing has this event because of what was recorded. */
  function isNew({ container, entry }: Inherited): boolean {
    if (isAhead(entry.at, Date.parse(recorded.recordedAt))) return false
    if (container === stream)
      return entry.provider === recorded.data.provider && entry.event.event_id === event.event_id
    return isPutIn && entry.at >= at && !below.has(container)
  }

  async function* told(thing: StreamName): AsyncGenerator<WebhookEvent> {
    const state = await read(thing)
    const { subject, profile: name } = state.state
    const order = await facts.ports.tracking.orderOf(facts, subject, recorded.position)
    const profile = facts.profiles.find((one) => one.name === name)
    if (order === undefined || profile === undefined) return
    const { inherited } = await inheritedBy(facts, thing, state, read)
    for (const one of inherited.filter(isNew)) {
      const { provider, event, withdrawn } = one.own
      if (withdrawn !== undefined || isTerminal(profile, event.status_code)) continue
      yield trackingWebhookEvent([thing, provider, event.event_id], {
        ...{ profiles: [profile], provider, event, subject, trackingNumber: subject.tracking_number ?? thing, order },
      })
    }
  }
}

/** Streams that are remembered: containers are read again for each of their contents. */
const maxRemembered = 100

/** Reads states, and remembers the first ones: those of containers, which come before their contents. */
function remembering(facts: WebhookEventFacts): (stream: StreamName, to?: number) => Promise<ReadState> {
  const known = new Map<StreamName, Promise<ReadState>>()
  return (stream, to) => {
    const found = known.get(stream)
    if (found !== undefined) return found
    const reading = readState(facts, stream, to)
    if (known.size < maxRemembered) known.set(stream, reading)
    return reading
  }
}
