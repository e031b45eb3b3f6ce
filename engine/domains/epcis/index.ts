import type { Domain } from '../../kernel/domain.ts'
import { captureModel } from './capture.ts'
import { eventModel } from './event-model.ts'
import { epcisMessages } from './messages.ts'
import { epcisQueriesErased } from './queries.ts'
import { accountReportModel, emptyReportModel, sourceErasures } from './subscriptions.ts'

/** What EPCIS documents said: their events as they came, beside the timelines that were made of them. */
export const epcisDomain: Domain = {
  name: 'epcis',
  messages: [epcisMessages],
  events: {
    epcis_event: ['EpcisEventCaptured', 'EpcisSourceErased'],
    epcis_capture: ['EpcisCaptureFinished'],
    epcis_queries: [
      ...['EpcisQueryNamed', 'EpcisQueryDropped', 'EpcisQuerySubscribed', 'EpcisQueryUnsubscribed'],
      epcisQueriesErased,
    ],
    epcis_header: ['EpcisHeaderCaptured', 'EpcisSourceErased'],
  },
  operations: [],
  erasures: ['EpcisSourceErased', epcisQueriesErased],
  readModels: [eventModel, captureModel, emptyReportModel, accountReportModel],
  webhookEventSources: [sourceErasures],
}
