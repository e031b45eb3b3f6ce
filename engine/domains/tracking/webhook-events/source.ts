import { fold } from '../../../kernel/decider.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import type { Subject } from '../../../kernel/timeline.ts'
import type { WebhookEvent, WebhookEventFacts, WebhookEventSource } from '../../../kernel/webhook-event.ts'
import { tracking } from '../commands.ts'
import type { TrackingEvent, TrackingEventRecorded } from '../events.ts'
import { withPersonal } from '../personal.ts'
import { trackingWebhookEvent } from './data.ts'
import { inheritedEventsOf } from './inherited.ts'

/**
 * Makes a webhook event from each recorded event of the parcel of an order, and from those of its containers while it was
 * in them. Enrichments and withdrawals have none: document 3 has one webhook event for each event, and a second one would
 * look like a repetition.
 */
export const trackingEventSource: WebhookEventSource = {
  category: 'tracking',
  types: ['TrackingEventRecorded'],
  webhookEventsOf: async (facts, event) => {
    const recorded = event as RecordedEvent<TrackingEvent>
    return isNew(recorded) ? webhookEventsOf(facts, recorded) : []
  },
  async *furtherEventsOf(facts, event) {
    const recorded = event as RecordedEvent<TrackingEvent>
    if (isNew(recorded)) yield* inheritedEventsOf(facts, recorded)
  },
  forgets: {
    types: ['PersonalDataErased'],
    subjects: async (facts, event) => {
      const order = await facts.ports.tracking.orderOf(facts, await subjectAt(facts, event), event.position)
      return order === undefined ? [] : [`order/${order.id}`]
    },
  },
}

/** Whether an event was recorded for the first time. What moved to another timeline was sent before. */
function isNew(recorded: RecordedEvent<TrackingEvent>): recorded is RecordedEvent<TrackingEventRecorded> {
  return recorded.type === 'TrackingEventRecorded' && recorded.data.moved === undefined
}

async function webhookEventsOf(
  facts: WebhookEventFacts,
  recorded: RecordedEvent<TrackingEventRecorded>,
): Promise<readonly WebhookEvent[]> {
  if (!(await mayHaveOrder(facts, recorded))) return []
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
async function mayHaveOrder(facts: WebhookEventFacts, { data, position }: RecordedEvent<TrackingEventRecorded>) {
  if (data.subject.tracking_number === undefined) return true
  return (await facts.ports.tracking.orderOf(facts, data.subject, position)) !== undefined
}

/** The subject as known when the event was recorded; later reports may add an order. */
async function subjectAt({ store }: WebhookEventFacts, { stream, revision }: RecordedEvent): Promise<Subject> {
  const history = await store.read(stream as StreamName, { limit: revision + 1 })
  return fold(tracking, history as readonly TrackingEvent[]).subject
}
