import type { Domain } from '../../kernel/domain.ts'
import { otepTrackingsBatch } from './batch.ts'
import { contentsModel } from './contents-model.ts'
import { otepTrackingLink } from './create-link.ts'
import { otepIngestEpcis } from './epcis.ts'
import { trackingEventShapes } from './events.ts'
import { otepTrackingEvents } from './events-page.ts'
import { otepForget } from './forget.ts'
import { otepFormats } from './formats.ts'
import { identifierModel } from './identifier-model.ts'
import { identifierEventShapes } from './identifiers.ts'
import { protocolMessages } from './messages/protocol.ts'
import { readingMessages } from './messages/reading.ts'
import { trackingRequestMessages } from './messages/request.ts'
import { otepIngest, otepTracking, otepTrackingResource } from './operations.ts'
import { trackPackage } from './track-package.ts'
import { upcasts } from './upcasts.ts'
import { otepValidate } from './validate-operation.ts'
import { webhookEventSources, webhookEventTypes } from './webhook-events/index.ts'

/** Timelines of tracked things: the events that carriers report, and their consequences. */
export const trackingDomain: Domain = {
  name: 'tracking',
  messages: [trackingRequestMessages, protocolMessages, readingMessages],
  events: { tracking: trackingEventShapes, identifier: identifierEventShapes },
  operations: [
    otepTracking,
    otepTrackingEvents,
    otepTrackingResource,
    otepTrackingsBatch,
    otepTrackingLink,
    otepFormats,
    otepIngest,
    otepIngestEpcis,
    otepValidate,
    otepForget,
    trackPackage,
  ],
  upcasts,
  erasures: ['PersonalDataErased'],
  readModels: [identifierModel, contentsModel],
  webhookEventTypes,
  webhookEventSources: webhookEventSources,
}
