import type { Gives, Giving } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { operationsOf } from '../../entity/operations.ts'
import { openReadings } from './book.ts'
import { eraseReadings, positionsErased } from './erase.ts'
import { chunkEventShapes, seriesEventShapes, seriesStream } from './events.ts'
import { limitModel, sensorLimit, sensorLimits } from './limit.ts'
import { sensorMessages } from './messages.ts'
import { readingModel, seriesModel } from './models.ts'
import { sensorOperations } from './operations.ts'
import { sensorsOf } from './read.ts'
import { breachSource, webhookEventTypes } from './webhook-events.ts'

export { readingsOfHours } from './chunks.ts'
export { type Curve, curvesOf } from './curves.ts'
export { excursionOf } from './excursion.ts'
export { sensorLimit, sensorLimits } from './limit.ts'
export type { SensorCode } from './messages.ts'
export type { SensorPorts } from './ports.ts'
export {
  type FoundReading,
  findReadings,
  listSeries,
  type ReadingQuery,
  type SeriesRow,
  sensorsOf,
  type WholeReading,
  wholeReadings,
} from './read.ts'
export { maxReadings, type RecordedReadings, recordReadings } from './record.ts'

/** What others get from here, by who needs it. */
const gives = {
  tracking: { openReadings, seriesStreamOf: seriesStream, sensorsOf, eraseReadings },
} satisfies Gives

/** What sensors measure of tracked things: series of readings beside their timelines. */
export const sensorsDomain: Giving<typeof gives> = {
  gives,
  name: 'sensors',
  messages: [sensorMessages],
  events: {
    sensor_readings: chunkEventShapes,
    sensor_series: seriesEventShapes,
    sensor_limit: eventShapesOf(sensorLimit),
  },
  tables: [sensorLimit],
  operations: [...sensorOperations, ...operationsOf(sensorLimits, limitModel)],
  erasures: [positionsErased],
  readModels: [readingModel, seriesModel, limitModel],
  webhookEventTypes,
  webhookEventSources: [breachSource],
}
