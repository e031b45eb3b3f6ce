import type { Gives, Giving } from '../../entity/domain.ts'
import { captureEventShapes, captureModel } from './capture.ts'
import { eraseSources } from './erase.ts'
import { eventModel } from './event-model.ts'
import { headerEventShapes, sourceEventShapes } from './events.ts'
import { epcisMessages } from './messages.ts'
import { epcisQueriesErased, eraseQueries, queryEventShapes } from './queries.ts'
import { openSourceBook, readSources } from './source-book.ts'
import { accountReportModel, emptyReportModel, sourceErasures } from './subscriptions.ts'

export { type CaptureJob, captureEpcis, captureEvent, captureJob, captureJobs } from './capture.ts'
export { type EpcisEventCaptured, recordedSource } from './events.ts'
export {
  type FoundSource,
  findSources,
  listSourceValues,
  type SourcePlace,
  type ValuesPlace,
} from './find.ts'
export type { EpcisCode } from './messages.ts'
export type { EpcisPorts } from './ports.ts'
export {
  dropQuery,
  maxSubscriptions,
  type NamedQuery,
  namedQueries,
  namedQuery,
  nameQuery,
  type QuerySubscription,
} from './queries.ts'
export { isSeenBy, lookedUp, thingsOf } from './reader.ts'
export { lastTick, nextTick, type Ticks, ticksOf } from './schedule.ts'
export {
  accountReportOwners,
  emptyReportOwners,
  isSubscribed,
  lastNotifiedAt,
  loadReports,
  maxEarlier,
  noBusiness,
  querySubscription,
  querySubscriptions,
  reportEndpoint,
  reportOwner,
  reportOwnerOf,
  reportStream,
  type SubscribedQuery,
  sourceSubject,
  standingReports,
  subscriberOf,
  subscribeToQuery,
  unsubscribeFromQuery,
} from './subscriptions.ts'

/** What others get from here, by who needs it. */
const gives = {
  tracking: { openSources: openSourceBook, sourcesOf: readSources, eraseSources },
} satisfies Gives

/** What EPCIS documents said: their events as they came, beside the timelines that were made of them. */
export const epcisDomain: Giving<typeof gives> = {
  gives,
  name: 'epcis',
  messages: [epcisMessages],
  events: {
    epcis_event: sourceEventShapes,
    epcis_capture: captureEventShapes,
    epcis_queries: queryEventShapes,
    epcis_header: headerEventShapes,
  },
  erasePerson: (context, { id }) => eraseQueries(context, id),
  operations: [],
  erasures: ['EpcisSourceErased', epcisQueriesErased],
  readModels: [eventModel, captureModel, emptyReportModel, accountReportModel],
  webhookEventSources: [sourceErasures],
}
