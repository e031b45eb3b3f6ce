import type { Domain } from '../../kernel/domain.ts'
import type { Notice } from '../../kernel/webhook-event.ts'
import { endpointModel } from './endpoint-model.ts'
import { deleteWebhookEndpoint, listWebhookEndpoints, setWebhookEndpoint } from './endpoint-operations.ts'
import { expireEndpointSecrets, revealEndpointSecret, rotateEndpointSecret } from './endpoint-secrets.ts'
import { webhookEventTypes } from './events.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  replayWebhookDeliveries,
  retryWebhookDelivery,
} from './log-operations.ts'
import { webhookMessages } from './messages.ts'
import { expireWebhookSecrets, revealWebhookSecret, rotateWebhookSecret } from './secret-operations.ts'
import { getWebhookSettings, updateWebhookSettings } from './settings-operations.ts'
import { testWebhook, testWebhookEndpoint } from './test-operations.ts'

/** Webhook settings: who receives which events, where, and signed with which secret. `notices` are all event types. */
export function webhooksDomain(notices: readonly Notice[]): Domain {
  return {
    name: 'webhooks',
    messages: [webhookMessages],
    events: { webhook: webhookEventTypes },
    readModels: [endpointModel],
    operations: [
      getWebhookSettings,
      updateWebhookSettings(notices),
      revealWebhookSecret,
      rotateWebhookSecret,
      expireWebhookSecrets,
      testWebhook(notices),
      listWebhookEndpoints,
      setWebhookEndpoint(notices),
      deleteWebhookEndpoint,
      revealEndpointSecret,
      rotateEndpointSecret,
      expireEndpointSecrets,
      testWebhookEndpoint(notices),
      listWebhookDeliveries,
      getWebhookDelivery,
      redeliverWebhook,
      retryWebhookDelivery,
      replayWebhookDeliveries,
    ],
  }
}
