import type { WebhookEventSource, WebhookEventType } from '../../../kernel/webhook-event.ts'
import { trackingEventSource } from './source.ts'
import { trackingEventType } from './tracking-event.ts'

/** The types of webhook events about timelines. */
export const webhookEventTypes: readonly WebhookEventType[] = [trackingEventType]

/** What makes webhook events from the events of timelines. */
export const webhookEventSources: readonly WebhookEventSource[] = [trackingEventSource]
