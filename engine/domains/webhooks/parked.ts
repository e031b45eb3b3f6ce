import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import type { Row } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { admins, readers, tag } from './access.ts'
import { type ParkedPlace, parkedStream, type WebhookEventReleased } from './parked-events.ts'
import { parkedModel } from './parked-model.ts'

/** So many parked events are released in one call. */
const maxReleased = 1_000

/** The parked events that the caller may see: an operator all of them, accounts those of their business. */
function visibleTo(context: Context): { readonly business_id?: number } {
  return context.caller.scopes.includes('platform:write') ? {} : { business_id: accountOf(context).business.id }
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
    const query = { where: visibleTo(context), orderBy: 'place', ...range }
    const { rows, total } = await context.models.page(parkedModel, query)
    const parked = rows.map(({ event_id, type, position, failure, parked_at }) => {
      return { event_id, type, position, failure, parked_at }
    })
    return { result: true, total, ...paging, parked }
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
    const where = { ...visibleTo(context), ...(event_id && { event_id }) }
    const query = { where, orderBy: 'place', limit: maxReleased }
    const { rows, total } = await context.models.page(parkedModel, query)
    await release(context, rows.map(placeOf))
    return { result: true, rebuilt: rows.length, left: total - rows.length }
  },
})

function placeOf({ event_id, stream, revision }: Row): ParkedPlace {
  return { event_id: String(event_id), stream: String(stream), revision: Number(revision) }
}

async function release(context: Context, places: readonly ParkedPlace[]): Promise<void> {
  if (places.length === 0) return
  const at = isoOf(context.clock())
  const events = places.map(({ event_id, stream, revision }): WebhookEventReleased => {
    return { type: 'WebhookEventReleased', data: { event_id, stream, revision, at } }
  })
  await context.store.append(parkedStream, events.map(toNewEvent(context)), 'any')
}
