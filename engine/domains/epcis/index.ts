import type { Domain } from '../../kernel/domain.ts'
import { captureEventShapes, captureModel } from './capture.ts'
import { eventModel } from './event-model.ts'
import { headerEventShapes, sourceEventShapes } from './events.ts'
import { epcisMessages } from './messages.ts'
import { epcisQueriesErased, queryEventShapes } from './queries.ts'
import { accountReportModel, emptyReportModel, sourceErasures } from './subscriptions.ts'

/** What EPCIS documents said: their events as they came, beside the timelines that were made of them. */
export const epcisDomain: Domain = {
  name: 'epcis',
  messages: [epcisMessages],
  events: {
    epcis_event: sourceEventShapes,
    epcis_capture: captureEventShapes,
    epcis_queries: queryEventShapes,
    epcis_header: headerEventShapes,
  },
  operations: [],
  erasures: ['EpcisSourceErased', epcisQueriesErased],
  readModels: [eventModel, captureModel, emptyReportModel, accountReportModel],
  webhookEventSources: [sourceErasures],
}
