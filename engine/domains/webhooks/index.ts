import type { Domain } from '../../kernel/domain.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'
import { endpointModel } from './endpoint-model.ts'
import { deleteWebhookEndpoint, listWebhookEndpoints, setWebhookEndpoint } from './endpoint-operations.ts'
import { expireEndpointSecrets, revealEndpointSecret, rotateEndpointSecret } from './endpoint-secrets.ts'
import { webhookEventShapes } from './events.ts'
import { healthWebhookEventSource, healthWebhookEventTypes } from './health-events.ts'
import { getWebhookHealth } from './health-summary.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  redeliverWebhooks,
  replayWebhookDeliveries,
  retryWebhookDelivery,
} from './log-operations.ts'
import { webhookMessages } from './messages.ts'
import { listParkedWebhookEvents, rebuildWebhookEvents } from './parked.ts'
import { parkedEventShapes } from './parked-events.ts'
import { parkedModel } from './parked-model.ts'
import { pullWebhooks } from './pull-operations.ts'
import { expireWebhookSecrets, revealWebhookSecret, rotateWebhookSecret } from './secret-operations.ts'
import { getWebhookSettings, updateWebhookSettings } from './settings-operations.ts'
import { testWebhook, testWebhookEndpoint } from './test-operations.ts'
import { getWebhookUrl, listWebhookUrls, tuneWebhookUrl } from './url-operations.ts'

/** Webhook settings: who receives which events, where, and signed with which secret. `ofOthers` are the types of the other domains. */
export function webhooksDomain(ofOthers: readonly WebhookEventType[]): Domain {
  const eventTypes = [...ofOthers, ...healthWebhookEventTypes]
  return {
    name: 'webhooks',
    messages: [webhookMessages],
    events: { webhook: webhookEventShapes, webhook_parked: parkedEventShapes },
    webhookEventTypes: healthWebhookEventTypes,
    webhookEventSources: [healthWebhookEventSource],
    readModels: [endpointModel, parkedModel],
    operations: [
      getWebhookSettings,
      updateWebhookSettings(eventTypes),
      revealWebhookSecret,
      rotateWebhookSecret,
      expireWebhookSecrets,
      testWebhook(eventTypes),
      listWebhookEndpoints,
      setWebhookEndpoint(eventTypes),
      deleteWebhookEndpoint,
      revealEndpointSecret,
      rotateEndpointSecret,
      expireEndpointSecrets,
      testWebhookEndpoint(eventTypes),
      listWebhookUrls,
      getWebhookUrl,
      tuneWebhookUrl,
      getWebhookHealth,
      pullWebhooks,
      listWebhookDeliveries,
      getWebhookDelivery,
      redeliverWebhook,
      redeliverWebhooks,
      retryWebhookDelivery,
      replayWebhookDeliveries,
      listParkedWebhookEvents,
      rebuildWebhookEvents,
    ],
  }
}
