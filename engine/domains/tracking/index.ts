import type { Domain } from '../../kernel/domain.ts'
import { otepIngestEpcis } from './epcis.ts'
import { trackingEventTypes } from './events.ts'
import { otepForget } from './forget.ts'
import { identifierModel } from './identifier-model.ts'
import { noticeSources, notices } from './notices/index.ts'
import {
  otepFormats,
  otepIngest,
  otepTracking,
  otepTrackingEvents,
  otepTrackingResource,
  otepTrackingsBatch,
  otepValidate,
} from './operations.ts'
import { trackPackage } from './track-package.ts'
import { upcasts } from './upcasts.ts'

/** Timelines of anything that is tracked: what happened, as carriers report it, and what follows from it. */
export const trackingDomain: Domain = {
  name: 'tracking',
  events: { tracking: trackingEventTypes, identifier: ['IdentifierAssigned'] },
  operations: [
    otepTracking,
    otepTrackingEvents,
    otepTrackingResource,
    otepTrackingsBatch,
    otepFormats,
    otepIngest,
    otepIngestEpcis,
    otepValidate,
    otepForget,
    trackPackage,
  ],
  upcasts,
  erasures: ['PersonalDataErased'],
  readModels: [identifierModel],
  notices,
  noticeSources,
}
