import type { Gives, Giving } from '../../entity/domain.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'
import { registerCallback } from './callback.ts'
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

export { callbackHooks, isCallback, loadCallback, signerOf } from './callback.ts'
export {
  type EndpointCommand,
  type ProviderEndpoint,
  providerEndpoints,
} from './endpoint-decider.ts'
export { deleteWebhookEndpoint, listWebhookEndpoints } from './endpoint-operations.ts'
export {
  expireEndpointSecrets,
  revealEndpointSecret,
  rotateEndpointSecret,
} from './endpoint-secrets.ts'
export type { EndpointEvent, SettingsEvent } from './events.ts'
export { type HealthMail, healthMailOf, healthMailTypes } from './health-mail.ts'
export { getWebhookHealth } from './health-summary.ts'
export { endpointIn, type Hooks, hooksOf, loadHooks } from './hooks.ts'
export { keyOverlap } from './keys.ts'
export {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  redeliverWebhooks,
  replayWebhookDeliveries,
  retryWebhookDelivery,
} from './log-operations.ts'
export type { WebhookCode } from './messages.ts'
export { type ProviderChannel, providerChannels, webhookOwnerOf, webhookStream } from './owners.ts'
export { listParkedWebhookEvents, rebuildWebhookEvents } from './parked.ts'
export { parkedStream, type WebhookEventParked, type WebhookEventReleased } from './parked-events.ts'
export { countParked } from './parked-model.ts'
export { pullWebhooks } from './pull-operations.ts'
export { ownersOf, type Recipient, recipientsOf } from './recipients.ts'
export { canBeGone, reportHealth } from './report-health.ts'
export { expireWebhookSecrets, revealWebhookSecret, rotateWebhookSecret } from './secret-operations.ts'
export { type SettingsCommand, webhookSettings } from './settings-decider.ts'
export { getWebhookSettings } from './settings-operations.ts'
export {
  getWebhookUrl,
  listWebhookUrls,
  tuneWebhookUrl,
  type urlDetail,
  type urlRecord,
} from './url-operations.ts'
export { maxUrls, splitUrls } from './urls.ts'

/** What others get from here, by who needs it. */
const gives = {
  batches: { registerCallback },
  orders: { registerCallback },
  uniorders: { registerCallback },
} satisfies Gives

/** Webhook settings: who receives which events, where, and signed with which secret. `ofOthers` are the types of the other domains. */
export function webhooksDomain(ofOthers: readonly WebhookEventType[]): Giving<typeof gives> {
  const eventTypes = [...ofOthers, ...healthWebhookEventTypes]
  return {
    gives,
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
