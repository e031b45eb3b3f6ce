import type { Gives, Giving } from '../../entity/domain.ts'
import { otepTrackingsBatch } from './batch.ts'
import { contentsModel } from './contents-model.ts'
import { otepTrackingLink } from './create-link.ts'
import { otepIngestEpcis } from './epcis.ts'
import { trackingEventShapes } from './events.ts'
import { otepTrackingEvents } from './events-page.ts'
import { publicTimeline } from './for-news.ts'
import { otepForget } from './forget.ts'
import { otepFormats } from './formats.ts'
import { becomeDue, dueEvents, futureModel } from './future-model.ts'
import { identifierModel } from './identifier-model.ts'
import { identifierEventShapes } from './identifiers.ts'
import { placeMeasured } from './measure.ts'
import { protocolMessages } from './messages/protocol.ts'
import { readingMessages } from './messages/reading.ts'
import { trackingRequestMessages } from './messages/request.ts'
import { forgetTimeline, isPublic, reportOfCarrier, scansOfNumber } from './of-carriers.ts'
import { otepIngest, otepTracking, otepTrackingResource } from './operations.ts'
import { ingestReadings } from './readings.ts'
import { receiveProviderWebhook } from './receive.ts'
import { namedIn, reportIn } from './report-in.ts'
import { reporterModel } from './reporter-model.ts'
import { businessesOfThing, sourcesOfOwn } from './sources.ts'
import { contradictionIn } from './split/contradiction-in.ts'
import { splitTimeline } from './split/operation.ts'
import { getSharedNumber, listSharedNumbers } from './split/shared-numbers.ts'
import { timelineOf } from './timelines.ts'
import { trackPackage } from './track-package.ts'
import { upcasts } from './upcasts.ts'
import { otepValidate } from './validate-operation.ts'
import { findVisible } from './visible.ts'
import { webhookEventSources, webhookEventTypes } from './webhook-events/index.ts'

export { tolerance as clockTolerance } from './ahead.ts'
export { otepTrackingsBatch } from './batch.ts'
export { brandFor } from './brand.ts'
export { changesOf, type TimelineChange } from './changes.ts'
export { hasCheckDigit } from './check-digit.ts'
export { tracking } from './commands.ts'
export { createLink, linkHours } from './create-link.ts'
export { projectedFor } from './documents.ts'
export type { Requirement } from './draft.ts'
export { otepIngestEpcis, requireCaptureHeader } from './epcis.ts'
export type { TrackingEvent } from './events.ts'
export { otepTrackingEvents } from './events-page.ts'
export { type FeedChange, feedOf, feedPlaceOf, feedPositionIn, requireReader } from './feed.ts'
export { decidingStreams, findStream, findTimeline } from './find.ts'
export { impersonalTimeline } from './for-traces.ts'
export { isInPlainText, otepForget } from './forget.ts'
export {
  optionNames,
  otepFormats,
  type RequestedFormat,
  requestedFormat,
  versionOfFormat,
} from './formats.ts'
export { canonicalKey, canonicalLink, hasWrongCheckDigit, linkOfPath, primaryKeys } from './gs1-key.ts'
export { keyPattern } from './gs1-pattern.ts'
export { epcUrn } from './gs1-urn.ts'
export {
  type Identifier,
  type IdentifierKind,
  identifierKinds,
  identifiersOf,
  keyTextOf,
  publicKinds,
  publicSubject,
  timelineName,
} from './identifiers.ts'
export { createJourney } from './journey.ts'
export { linkTo } from './link.ts'
export { type ListedTimeline, ownTimelines } from './listing.ts'
export type { ProtocolCode } from './messages/protocol.ts'
export type { ReadingCode } from './messages/reading.ts'
export type { TrackingRequestCode } from './messages/request.ts'
export {
  otepIngest,
  otepTracking,
  otepTrackingResource,
} from './operations.ts'
export { plannedFor } from './planned.ts'
export type { TrackingPorts } from './ports.ts'
export { type LoadedTimeline, readState, readTimeline, revisionOf, timelineRead } from './read.ts'
export { ingestReadings, readerOf } from './readings.ts'
export { publicEventPaths } from './reduced.ts'
export { type RequirementId, requirements } from './requirements.ts'
export { type RevisionRead, readParcels, readRevision } from './revisions.ts'
export {
  eventBounds,
  longestWord,
  maxEvents,
  maxThings,
  sourceTypes,
  timelineSchema,
} from './schema.ts'
export { keptState } from './snapshot.ts'
export { visibleSources } from './sources.ts'
export { splitTimeline } from './split/operation.ts'
export { heldStates } from './state-cache.ts'
export { summaryOf } from './summary.ts'
export { givesWay, otepVersion, statusOf, statusOfFacts, timelineOf } from './timeline.ts'
export { trackPackage } from './track-package.ts'
export { otepValidate } from './validate-operation.ts'
export { findVisible, findVisibleName, maySee, readVisible, type View, type Visible } from './visible.ts'

/** What others get from here, by who needs it. */
const gives = {
  deviceOrders: { timelineOf },
  epcis: { ingest: ingestReadings, sourcesOfOwn, businessesOfThing },
  insights: { timelineOf },
  labels: { report: reportOfCarrier, isPublic, scansOf: scansOfNumber, forgetTimeline, namedIn, reportIn },
  news: { publicTimeline },
  sensors: { placeMeasured, findVisible: (context, number) => findVisible(context, number) },
  orders: {
    isTracked: async (context, identifier) => (await timelineOf(context, identifier)) !== undefined,
    ...{ namedIn, reportIn, contradictionIn },
  },
} satisfies Gives

/** Timelines of tracked things: the events that carriers report, and their consequences. */
export const trackingDomain: Giving<typeof gives> = {
  gives,
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
    receiveProviderWebhook,
    otepIngestEpcis,
    otepValidate,
    otepForget,
    listSharedNumbers,
    getSharedNumber,
    splitTimeline,
    trackPackage,
  ],
  upcasts,
  erasures: ['PersonalDataErased'],
  deadlines: [{ name: 'future event', due: dueEvents, pass: becomeDue, within: 500 }],
  readModels: [identifierModel, contentsModel, futureModel, reporterModel],
  webhookEventTypes,
  webhookEventSources: webhookEventSources,
}
