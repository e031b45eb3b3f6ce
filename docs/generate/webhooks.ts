import { retryPolicies } from '../../adapters/webhooks/retry-policy.ts'
import { type Channel, channels, type WebhookEventType } from '../../engine/index.ts'
import { code, page, plain, table } from './markdown.ts'

const titles: Readonly<Record<Channel, string>> = {
  tenant: 'Tenant webhooks',
  order_lifecycle: 'Order life cycle',
  driver_location: 'Positions of drivers',
  device_order: 'Device orders',
  provider_locker: 'Provider lockers',
  third_party_delivery: 'Third-party deliveries',
  order_handoff: 'Order handoffs',
  callback: 'Callbacks of requests',
}

/** What receives the events of channels that are neither settings nor endpoints. */
const receivers: Readonly<Partial<Record<Channel, string>>> = {
  order_handoff: 'subscription of the partner',
  callback: 'callback of the request',
}

/** Every event that goes out, by channel. */
export function webhooksPage(eventTypes: readonly WebhookEventType[]): string {
  return page(
    'Webhook events',
    ['adapters/webhooks/retry-policy.ts', 'engine/domains/index.ts'],
    [
      `How to receive them: [receive webhooks](../how-to/receive-webhooks.md). Members of each body, headers and examples, for
machines: [AsyncAPI](asyncapi-webhooks.txt), at \`GET /asyncapi-webhooks.json\` of a server, and as a file of each release.`,
      ...channels.flatMap((channel) =>
        channelParts(
          channel,
          eventTypes.filter((eventType) => eventType.channel === channel),
        ),
      ),
    ],
  )
}

function channelParts(channel: Channel, eventTypes: readonly WebhookEventType[]): readonly string[] {
  const { pauses, end } = retryPolicies[channel]
  const waits = pauses.map((pause) => `${pause / 1000} s`).join(', ')
  return [
    `## ${titles[channel]}`,
    `${pauses.length + 1} attempts, ${waits} apart (10 % more or less), then \`${end}\`.`,
    table(
      ['event', 'URL field', 'when', 'id in the body'],
      eventTypes.map(({ name, field, summary, idMember }) => [
        code(name),
        field === undefined ? (receivers[channel] ?? 'endpoint of the partner') : code(field),
        plain(summary),
        idMember === undefined ? 'none' : code(idMember),
      ]),
    ),
  ]
}
