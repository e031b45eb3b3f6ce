import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { TrackingEvent } from './events.ts'

/** Which timelines a provider has reported about, in order of their streams. */
export const reporterModel = {
  name: 'reporters',
  version: 1,
  category: 'tracking',
  columns: { provider: 'text', timeline: 'text' },
  key: ['provider', 'timeline'],
  indexes: [],
  opens: () => false,
  rows: (event) => {
    const { type, data, stream } = event as RecordedEvent<TrackingEvent>
    return type === 'TrackingEventRecorded' ? [{ provider: data.provider, timeline: stream }] : []
  },
} as const satisfies ReadModel
