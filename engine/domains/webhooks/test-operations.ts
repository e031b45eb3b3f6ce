import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { type Endpoint, isQueue } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'
import { admins, levelEntry, levelIds, levelOf, tag, writers } from './access.ts'
import { deliveryDetail, detailOf } from './delivery-record.ts'
import { namedEndpoint, ownerOf } from './endpoint-operations.ts'
import { endpointName } from './endpoint-record.ts'
import { endpointHooks, loadHooks } from './hooks.ts'
import { refusal } from './refuse.ts'
import { oneUrl, urlField } from './schema.ts'

const output = named('WebhookDeliveryAnswer', v.strictObject({ result: v.literal(true), delivery: deliveryDetail }))

const eventEntry = {
  event: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(100),
      v.description(
        'The event whose example is sent, even if the endpoint does not receive it. Default: the first event that it receives.',
      ),
    ),
  ),
}

/** Sends a test event to a URL of the settings. */
export function testWebhook(eventTypes: readonly WebhookEventType[]): Operation {
  return operation({
    name: 'test_webhook',
    summary: 'Send an example event to a URL of a field, once and marked as a test, and return the result.',
    ...writers,
    risk: 'medium',
    // The URL and the response are only kept in the log, which is encrypted.
    secret: true,
    tag,
    rest: { method: 'POST', path: '/api/v1/webhook-settings/test' },
    ids: levelIds,
    input: v.strictObject({
      ...levelEntry,
      field: urlField,
      url: v.exactOptional(v.pipe(oneUrl, v.description('One of the URLs of the field. Default: the first one.'))),
      ...eventEntry,
    }),
    output,
    errors: ['customer_not_found', 'webhook_url_unknown', 'webhook_event_unknown', 'webhook_is_pulled'],
    handle: async (context, { customer_id, field, url, event }) => {
      const { owner } = await levelOf(context, customer_id)
      const endpoints = (await loadHooks(context.store, owner)).byField.get(field) ?? []
      const endpoint = endpoints.find((one) => url === undefined || one.url === url)
      const eventType = testableType(eventTypes, event, (one) => one.field === field, endpoint)
      return sendTest(context, endpoint, eventType, url === undefined ? 'field' : 'url')
    },
  })
}

/** Sends a test event to the endpoint of a provider. */
export function testWebhookEndpoint(eventTypes: readonly WebhookEventType[]): Operation {
  return operation({
    name: 'test_webhook_endpoint',
    summary: 'Send an example event to a provider, once and marked as a test, and return the result.',
    ...admins,
    risk: 'medium',
    secret: true,
    tag,
    rest: { method: 'POST', path: '/api/v1/webhook-endpoints/{channel}/{provider}/test' },
    input: v.strictObject({ ...endpointName, ...eventEntry }),
    output,
    errors: ['webhook_endpoint_not_found', 'webhook_url_unknown', 'webhook_event_unknown'],
    handle: async (context, { event, ...named }) => {
      const found = await namedEndpoint(context, named)
      const [endpoint] = endpointHooks(ownerOf(context, named), found).byField.get('url') ?? []
      const eventType = testableType(eventTypes, event, ({ channel }) => channel === named.channel, endpoint)
      return sendTest(context, endpoint, eventType, 'provider')
    },
  })
}

/** The requested event type, if it is allowed here; by default the first one that the endpoint receives. */
function testableType(
  eventTypes: readonly WebhookEventType[],
  event: string | undefined,
  isOne: (eventType: WebhookEventType) => boolean,
  endpoint: Endpoint | undefined,
): WebhookEventType | undefined {
  const isWanted = (name: string) => (event === undefined ? endpoint?.events?.includes(name) !== false : name === event)
  return eventTypes.find((eventType) => isOne(eventType) && isWanted(eventType.name))
}

/** Sends a test event. Refuses a missing URL at `path`, and an unknown event at its member. */
async function sendTest(
  context: Context,
  endpoint: Endpoint | undefined,
  eventType: WebhookEventType | undefined,
  path: string,
) {
  if (endpoint === undefined) throw refusal([{ path, code: 'webhook_url_unknown' }])
  if (isQueue(endpoint.url)) throw new EngineError('webhook_is_pulled')
  if (eventType === undefined) throw refusal([{ path: 'event', code: 'webhook_event_unknown' }])
  return { result: true, delivery: detailOf(await context.webhooks.test(endpoint, eventType.name)) }
}
