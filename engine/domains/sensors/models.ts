import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { millionths } from '../../kernel/sensor-kinds.ts'
import { seriesText } from '../../kernel/sensor-reading.ts'
import type { ChunkFact, SeriesFact } from './events.ts'

/**
 * All readings, by series and time, by type and value, and by time. Values are millionths; positions are not in the table. `id`
 * tells readings of one instant apart.
 */
export const readingModel = {
  name: 'sensor_readings',
  version: 1,
  category: 'sensor_readings',
  columns: { timeline: 'text', series: 'text', at: 'integer', id: 'text', type: 'text', value: 'integer' },
  key: ['timeline', 'series', 'at', 'id'],
  indexes: [['timeline', 'at'], ['type', 'value', 'at'], ['type', 'at'], ['at']],
  opens: () => false,
  rows: (event) => readingRows(event as RecordedEvent<ChunkFact>),
  gone: (event) => {
    const { type, data } = event as RecordedEvent<ChunkFact>
    return type === 'SensorPositionsErased' ? [{ timeline: data.timeline, type: 'location' }] : []
  },
} as const satisfies ReadModel

function readingRows(fact: RecordedEvent<ChunkFact>): readonly Row[] {
  if (fact.type !== 'SensorReadingsRecorded') return []
  const { data, revision } = fact
  const { timeline } = data
  return data.series.flatMap(({ readings, ...key }, index) => {
    const series = seriesText(key)
    return readings.map(([at, value], place) => ({
      ...{ timeline, series, at, type: key.type, id: `${revision}.${index}.${place}` },
      value: value === null ? null : Math.round(value * millionths),
    }))
  })
}

/** All series of all timelines. */
export const seriesModel = {
  name: 'sensor_series',
  version: 1,
  category: 'sensor_series',
  columns: {
    timeline: 'text',
    series: 'text',
    type: 'text',
    device: 'text',
    component: 'text',
    count: 'integer',
    first_at: 'integer',
    last_at: 'integer',
  },
  key: ['timeline', 'series'],
  indexes: [['type', 'timeline'], ['device']],
  opens: () => false,
  rows: (event) => seriesRows(event as RecordedEvent<SeriesFact>),
  gone: (event) => {
    const { type, data } = event as RecordedEvent<SeriesFact>
    return type === 'SensorPositionsErased' ? [{ timeline: data.timeline, type: 'location' }] : []
  },
} as const satisfies ReadModel

function seriesRows({ type, data }: RecordedEvent<SeriesFact>): readonly Row[] {
  if (type !== 'SensorSeriesSummed') return []
  const { timeline, series, erased } = data
  const told = erased === true ? series.filter((one) => one.type !== 'location') : series
  return told.map(({ type: kind, device, component, count, first, last }) => ({
    ...{ timeline, series: seriesText({ type: kind, device, component }), type: kind },
    ...{ device: device ?? null, component: component ?? null, count, first_at: first[0], last_at: last[0] },
  }))
}
