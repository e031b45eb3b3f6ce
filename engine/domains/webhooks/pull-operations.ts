import * as v from 'valibot'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { levelEntry, levelIds, levelOf, tag, writers } from './access.ts'
import { loadHooks } from './hooks.ts'

/** The most seconds that a call waits for an event. */
const maxWait = 25

const pulledEvent = named(
  'PulledWebhookEvent',
  v.strictObject({
    delivery_id: v.string(),
    event: v.string(),
    headers: v.pipe(v.record(v.string(), v.string()), v.description('The headers that a request with it would have.')),
    body: v.pipe(v.string(), v.description('The exact body of the request: the text that the signatures cover.')),
  }),
)

const bounded = (least: number, most: number, description: string) =>
  v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most), v.description(description)))

/** Reads the events of a queue, and acknowledges those that were read before. */
export const pullWebhooks = operation({
  name: 'pull_webhooks',
  summary: 'Read the webhook events of a queue in order. The cursor of an answer, given back, acknowledges its events.',
  ...writers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/webhooks/pull' },
  ids: levelIds,
  input: v.strictObject({
    ...levelEntry,
    queue: v.pipe(
      v.string(),
      v.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/),
      v.description('Name of the queue: what follows pull: in the settings.'),
    ),
    cursor: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(/^[A-Za-z0-9_-]{1,64}$/),
        v.description(
          'Cursor of an earlier answer. Events up to it are acknowledged, and those after it are answered. Default: the first event that was not acknowledged.',
        ),
      ),
    ),
    limit: bounded(
      1,
      100,
      'Events at most. Default: 50. There are fewer where their bodies have more than a megabyte.',
    ),
    wait: bounded(0, maxWait, 'Seconds to wait for an event if there is none. Default: 0.'),
  }),
  output: v.strictObject({
    result: v.literal(true),
    queue: v.string(),
    events: v.array(pulledEvent),
    cursor: v.pipe(
      v.nullable(v.string()),
      v.description('To be given with the next call, once these events are processed. Null as long as there is none.'),
    ),
    has_more: v.boolean(),
  }),
  errors: ['customer_not_found', 'webhook_queue_not_found', 'webhook_cursor_unknown'],
  handle: async (context, { customer_id, queue, cursor, limit = 50, wait = 0 }) => {
    const { owner } = await levelOf(context, customer_id)
    const { endpoints } = await loadHooks(context.store, owner)
    const [first, ...others] = endpoints.filter(({ url }) => url === `pull:${queue}`)
    if (first === undefined) throw new EngineError('webhook_queue_not_found')
    const all: readonly [Endpoint, ...Endpoint[]] = [first, ...others]
    const range = { ...(cursor && { cursor }), limit, wait: wait * 1_000, gone: context.gone?.() }
    const page = await context.webhooks.pull(all, range)
    const events = page.events.map(({ deliveryId, ...event }) => ({ delivery_id: deliveryId, ...event }))
    return { result: true, queue, events, cursor: page.cursor ?? null, has_more: page.hasMore }
  },
})
