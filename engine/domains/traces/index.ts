import type { Domain } from '../../entity/domain.ts'
import { spansSentShapes } from './sent.ts'

export { noteSpansSent, sentSpansOf } from './sent.ts'

/** What was sent of journeys to a tracing back end. */
export const tracesDomain: Domain = {
  name: 'traces',
  operations: [],
  events: { trace: spansSentShapes },
}
