import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { admins, readers, tag } from './access.ts'

/** The place of a recorded event of which no webhook events could be made. */
export interface ParkedPlace {
  /** Id of the recorded event. */
  readonly event_id: string
  readonly stream: string
  readonly revision: number
}

/** The webhook events of a recorded event could not be built; those of later events are. */
export type WebhookEventParked = Event<
  'WebhookEventParked',
  ParkedPlace & {
    /** Type of the recorded event. */
    readonly type: string
    readonly position: string
    /** Name or code of the error, without its words. */
    readonly failure: string
    /** The business that the stream of the recorded event is of; absent if that stream does not begin with one. */
    readonly business_id?: number
    /** ISO 8601, UTC. */
    readonly at: string
  }
>

/** The webhook events of a parked event are built again; if that fails, it is parked anew. */
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

/** So many parked events are released in one call. */
const maxReleased = 1_000

/** The parked events that the caller may see: an operator all of them, accounts those of their business. */
async function visibleParked(context: Context): Promise<readonly WebhookEventParked['data'][]> {
  const parked = await createParkedReader(context.store)()
  if (context.caller.scopes.includes('platform:write')) return parked
  const { business } = accountOf(context)
  return parked.filter(({ business_id }) => business_id === business.id)
}

const path = '/api/v1/webhook-parked-events'

const parkedRecord = named(
  'ParkedWebhookEvent',
  v.strictObject({
    event_id: v.pipe(v.string(), v.description('Id of the recorded event.')),
    type: v.pipe(v.string(), v.description('Type of the recorded event.')),
    position: v.pipe(v.string(), v.description('Its place in the store.')),
    failure: v.pipe(v.string(), v.description('Name or code of the error.')),
    parked_at: v.string(),
  }),
)

/** Lists the parked webhook events. */
export const listParkedWebhookEvents = operation({
  name: 'list_parked_webhook_events',
  summary: 'Recorded events of which no webhook events could be made, the oldest first.',
  scopes: readers.scopes,
  roles: staff,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  input: v.strictObject(pageEntries),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, parked: v.array(parkedRecord) }),
  errors: [],
  handle: async (context, { page, per_page }) => {
    const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
    const parked = await visibleParked(context)
    const records = parked
      .slice(range.offset, range.offset + range.limit)
      .map(({ event_id, type, position, failure, at }) => ({ event_id, type, position, failure, parked_at: at }))
    return { result: true, total: parked.length, ...paging, parked: records }
  },
})

/** Makes the webhook events of what is parked again. */
export const rebuildWebhookEvents = operation({
  name: 'rebuild_webhook_events',
  summary: `Make the webhook events of one parked event, or of the oldest ${maxReleased}, again; what fails again stays parked. Repeat the call if some are left.`,
  ...admins,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/rebuild` },
  ids: { event_id: 'filter' },
  input: v.strictObject({
    event_id: v.exactOptional(v.pipe(v.string(), v.uuid(), v.description('The only one; absent for all.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    rebuilt: v.pipe(v.number(), v.description('Number of parked events whose webhook events are built again.')),
    left: v.pipe(v.number(), v.description('Number of those that are left.')),
  }),
  errors: [],
  handle: async (context, { event_id }) => {
    const parked = await visibleParked(context)
    const chosen = parked.filter((one) => event_id === undefined || one.event_id === event_id)
    const released = chosen.slice(0, maxReleased)
    await release(context, released)
    return { result: true, rebuilt: released.length, left: chosen.length - released.length }
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
