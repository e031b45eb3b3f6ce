import { fold } from '../../../kernel/decider.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import type { Subject } from '../../../kernel/timeline.ts'
import type { WebhookEvent, WebhookEventFacts, WebhookEventSource } from '../../../kernel/webhook-event.ts'
import { tracking } from '../commands.ts'
import { hasContents } from '../contents.ts'
import type { TrackingEvent, TrackingEventBecameDue, TrackingEventRecorded } from '../events.ts'
import { wasAhead } from '../future-model.ts'
import { splitPersonal, withPersonal } from '../personal.ts'
import { readState } from '../read.ts'
import { entryOf } from '../reducer.ts'
import { trackingWebhookEvent } from './data.ts'
import { inheritedEventsOf } from './inherited.ts'

/**
 * Makes a webhook event from each recorded event of the parcel of an order, and from those of its containers while it was
 * in them. An event that was reported ahead of its time is sent when that has come. Enrichments and withdrawals have none:
 * document 3 has one webhook event for each event, and a second one would look like a repetition.
 */
export const trackingEventSource: WebhookEventSource = {
  category: 'tracking',
  types: ['TrackingEventRecorded', 'TrackingEventBecameDue'],
  webhookEventsOf: async (facts, event) => {
    if (!mayTell(event) || !(await mayHaveOrder(facts, event))) return []
    const told = await toldBy(facts, event)
    return told === undefined ? [] : webhookEventsOf(facts, told)
  },
  furtherEventsOf: async function* (facts, event) {
    if (!mayTell(event)) return
    // Its timeline is not read where nothing was ever in a container.
    if (event.type === 'TrackingEventBecameDue' && !(await hasContents(facts))) return
    const told = await toldBy(facts, event)
    if (told !== undefined) yield* inheritedEventsOf(facts, told)
  },
  forgets: {
    types: ['PersonalDataErased'],
    subjects: async (facts, event) => {
      const order = await facts.ports.tracking.orderOf(facts, await subjectAt(facts, event), event.position)
      return order === undefined ? [] : [`order/${order.id}`]
    },
  },
}

/** A fact that tells of an event. */
type Telling = RecordedEvent<TrackingEventRecorded | TrackingEventBecameDue>

/** Whether a fact may tell of an event: what moved to another timeline was sent before. */
function mayTell(event: RecordedEvent): event is Telling {
  const { type, data } = event as RecordedEvent<TrackingEvent>
  return (type === 'TrackingEventRecorded' || type === 'TrackingEventBecameDue') && data.moved === undefined
}

/** The fact that an event happened, at the time from which it counts: where it was recorded, or where its time came. */
async function toldBy(
  facts: WebhookEventFacts,
  recorded: Telling,
): Promise<RecordedEvent<TrackingEventRecorded> | undefined> {
  const { type, stream, revision } = recorded
  if (type === 'TrackingEventRecorded') return wasAhead(recorded) ? undefined : recorded
  const { provider, event_id, profile, subject } = recorded.data
  const { state } = await readState(facts, stream as StreamName, revision)
  const entry = entryOf(state, { provider, event_id })
  if (entry === undefined) return undefined
  const { rest: event, personal } = splitPersonal(entry.event)
  const data = { profile, subject, provider, event, ...(personal && { personal }) }
  return { ...recorded, type: 'TrackingEventRecorded', data }
}

async function webhookEventsOf(
  facts: WebhookEventFacts,
  recorded: RecordedEvent<TrackingEventRecorded>,
): Promise<readonly WebhookEvent[]> {
  const subject = await subjectAt(facts, recorded)
  const order = await facts.ports.tracking.orderOf(facts, subject, recorded.position)
  if (order === undefined) return []
  const { profile, provider, event, personal } = recorded.data
  const trackingNumber = recorded.data.subject.tracking_number ?? subject.tracking_number ?? recorded.stream
  return [
    trackingWebhookEvent([recorded.id], {
      ...{ profiles: facts.profiles.filter(({ name }) => name === profile), provider, subject, trackingNumber, order },
      event: withPersonal(event, personal),
    }),
  ]
}

/** Whether the timeline has to be read: most tracked parcels have no order, which the tracking number shows. */
async function mayHaveOrder(facts: WebhookEventFacts, { data, position }: Telling) {
  if (data.subject.tracking_number === undefined) return true
  return (await facts.ports.tracking.orderOf(facts, data.subject, position)) !== undefined
}

/** The subject as known when the event was recorded; later reports may add an order. */
async function subjectAt({ store }: WebhookEventFacts, { stream, revision }: RecordedEvent): Promise<Subject> {
  const history = await store.read(stream as StreamName, { limit: revision + 1 })
  return fold(tracking, history as readonly TrackingEvent[]).subject
}
