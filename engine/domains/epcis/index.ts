import type { Domain } from '../../kernel/domain.ts'

/** What EPCIS documents said: their events as they came, beside the timelines that were made of them. */
export const epcisDomain: Domain = {
  name: 'epcis',
  events: {
    epcis_event: ['EpcisEventCaptured', 'EpcisSourceErased'],
    epcis_header: ['EpcisHeaderCaptured', 'EpcisSourceErased'],
  },
  operations: [],
  erasures: ['EpcisSourceErased'],
}
