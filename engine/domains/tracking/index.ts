import type { Domain } from '../../kernel/domain.ts'
import { otepIngestEpcis } from './epcis.ts'
import {
  otepFormats,
  otepIngest,
  otepTracking,
  otepTrackingEvents,
  otepTrackingResource,
  otepTrackingsBatch,
  otepValidate,
} from './operations.ts'

/** Timelines of anything that is tracked: what happened, as carriers report it, and what follows from it. */
export const trackingDomain: Domain = {
  name: 'tracking',
  operations: [
    otepTracking,
    otepTrackingEvents,
    otepTrackingResource,
    otepTrackingsBatch,
    otepFormats,
    otepIngest,
    otepIngestEpcis,
    otepValidate,
  ],
}
