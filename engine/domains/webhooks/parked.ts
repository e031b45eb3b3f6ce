import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { operation } from '../../kernel/operation.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'

/** The place of a recorded event of which no webhook events could be made. */
export interface ParkedPlace {
  /** Id of the recorded event. */
  readonly event_id: string
  readonly stream: string
  readonly revision: number
}

/** No webhook events could be made of a recorded event; those after it go on. */
export type WebhookEventParked = Event<
  'WebhookEventParked',
  ParkedPlace & {
    /** Type of the recorded event. */
    readonly type: string
    readonly position: string
    /** Name or code of the error, without its words. */
    readonly failure: string
    /** ISO 8601, UTC. */
    readonly at: string
  }
>

/** The webhook events of a parked one are made again, and it is parked anew if that fails. */
export type WebhookEventReleased = Event<'WebhookEventReleased', ParkedPlace & { readonly at: string }>

/** The types of events of parked webhook events. */
export const parkedEventTypes = ['WebhookEventParked', 'WebhookEventReleased'] as const

/** The one stream of parked webhook events. */
export const parkedStream: StreamName = 'webhook_parked-all'

/** So many events of the stream are read at a time. */
const pageSize = 1_000

type ParkedFact = RecordedEvent<WebhookEventParked | WebhookEventReleased>

/** Returns how to read the webhook events that are parked, the oldest first; each time only what came since is read. */
export function createParkedReader(
  store: Pick<EventStore, 'read'>,
): () => Promise<readonly WebhookEventParked['data'][]> {
  const parked = new Map<string, WebhookEventParked['data']>()
  let next = 0
  return async () => {
    for (let size = pageSize; size === pageSize; ) {
      const page = (await store.read(parkedStream, { from: next, limit: pageSize })) as readonly ParkedFact[]
      for (const { type, data, revision } of page) {
        if (type === 'WebhookEventParked') parked.set(data.event_id, data)
        else parked.delete(data.event_id)
        next = revision + 1
      }
      size = page.length
    }
    return [...parked.values()]
  }
}

const scopes = ['platform:write']

const parkedRecord = v.strictObject({
  event_id: v.string(),
  type: v.string(),
  position: v.string(),
  failure: v.string(),
  parked_at: v.string(),
})

/** Lists the parked webhook events. */
export const listParkedWebhookEvents = operation({
  name: 'list_parked_webhook_events',
  summary: 'Recorded events of which no webhook events could be made, the oldest first.',
  scopes,
  risk: 'low',
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), parked: v.array(parkedRecord) }),
  errors: [],
  handle: async ({ store }) => {
    const parked = await createParkedReader(store)()
    const records = parked.map(({ event_id, type, position, failure, at }) => ({
      ...{ event_id, type, position, failure },
      parked_at: at,
    }))
    return { result: true, parked: records }
  },
})

/** Makes the webhook events of what is parked again. */
export const rebuildWebhookEvents = operation({
  name: 'rebuild_webhook_events',
  summary: 'Make the webhook events of one parked event, or of all, again; what fails again stays parked.',
  scopes,
  risk: 'medium',
  ids: { event_id: 'filter' },
  input: v.strictObject({ event_id: v.exactOptional(v.pipe(v.string(), v.uuid())) }),
  output: v.strictObject({ result: v.literal(true), rebuilt: v.number() }),
  errors: [],
  handle: async (context, { event_id }) => {
    const parked = await createParkedReader(context.store)()
    const chosen = parked.filter((one) => event_id === undefined || one.event_id === event_id)
    await release(context, chosen)
    return { result: true, rebuilt: chosen.length }
  },
})

async function release(context: Context, places: readonly ParkedPlace[]): Promise<void> {
  if (places.length === 0) return
  const at = isoOf(context.clock())
  const events = places.map(({ event_id, stream, revision }): WebhookEventReleased => {
    return { type: 'WebhookEventReleased', data: { event_id, stream, revision, at } }
  })
  await context.store.append(parkedStream, events.map(toNewEvent(context)), 'any')
}
